// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.12 (atom, red).
#include <map>

#include "float/float.h"
#include "isa/combine.h"
#include "isa/nv/memory.h"
#include "isa/shapes.h"

namespace lockstep::nv {
namespace {

using namespace memory;
using memory::Place;

// Floating-point additions as an H200 makes them (tests/nvidia). Global memory's have rules of their own: f32
// flushes subnormal operands and results, f64 takes a NaN as it is, the operand's before the memory's. Shared
// memory's are loops around the ordinary addition.
struct AddF32 {
  static constexpr std::string_view name = "add f32";
  static constexpr Combining combining = Combining::ordered;
  static u32 apply(u32 old, u32 data) {
    return as_u32(canonical_nan_f32(add_f32(as_f32(old), as_f32(data))));
  }
};
struct AddFlushedF32 {
  static u32 apply(u32 old, u32 data) {
    return flush<Single>(AddF32::apply(flush<Single>(old), flush<Single>(data)));
  }
};
struct AddF64 {
  static constexpr std::string_view name = "add f64";
  static constexpr Combining combining = Combining::ordered;
  static u64 apply(u64 old, u64 data) {
    const u64 nan = is_nan<Double>(old) ? old : data;
    return is_nan<Double>(nan) ? nan | Double::quiet_bit : as_u64(add_f64(as_f64(old), as_f64(data)));
  }
};
struct AddPassedF64 {
  static u64 apply(u64 old, u64 data) {
    const u64 nan = is_nan<Double>(data) ? data : old;
    return is_nan<Double>(nan) ? nan : AddF64::apply(old, data);
  }
};
struct AddF16x2 {
  static constexpr std::string_view name = "add f16x2";
  static constexpr Combining combining = Combining::ordered;
  static u32 apply(u32 old, u32 data) {
    const u16 low = canonical_nan_f16(add_f16(static_cast<u16>(old), static_cast<u16>(data)));
    const u16 high = canonical_nan_f16(add_f16(static_cast<u16>(old >> 16), static_cast<u16>(data >> 16)));
    return low | u32{high} << 16;
  }
};
struct AddF16 {
  static constexpr std::string_view name = "add f16";
  static constexpr Combining combining = Combining::ordered;
  static u16 apply(u16 old, u16 data) { return canonical_nan_f16(add_f16(old, data)); }
};
struct AddBf16 {
  static constexpr std::string_view name = "add bf16";
  static constexpr Combining combining = Combining::ordered;
  static u16 apply(u16 old, u16 data) {
    const u16 sum = f64_to_bf16(float_detail::add_odd(f64{bf16_to_f32(old)}, f64{bf16_to_f32(data)}));
    return is_nan<Bfloat>(sum) ? u16{0x7fff} : sum;
  }
};
struct AddBf16x2 {
  static constexpr std::string_view name = "add bf16x2";
  static constexpr Combining combining = Combining::ordered;
  static u32 apply(u32 old, u32 data) {
    return AddBf16::apply(static_cast<u16>(old), static_cast<u16>(data)) |
           u32{AddBf16::apply(static_cast<u16>(old >> 16), static_cast<u16>(data >> 16))} << 16;
  }
};

template <class F, class T>
constexpr const Semantic* atomic =
    &semantic32<MemoryInstruction<PtxAddress, Atomic<F, T, Second::own_operand>>>;

// Another function on global memory (G) than on shared memory (S); a generic address may reach both.
template <class S, class G, class T>
struct AtomicByMemory : Atomic<S, T, Second::own_operand> {
  template <int W>
  static void move(WaveState& wave, const Instruction& in, StepContext& context, const memory::Place& place) {
    if (place.access->space == Space::local)
      Atomic<S, T, Second::own_operand>::template move<W>(wave, in, context, place);
    else
      Atomic<G, T, Second::own_operand>::template move<W>(wave, in, context, place);
  }
};
template <class S, class G, class T>
constexpr const Semantic* atomic_by_memory =
    &semantic32<MemoryInstruction<PtxAddress, AtomicByMemory<S, G, T>>>;

}  // namespace

const Semantic* find_atomic(std::string_view name) {
  static const std::map<std::string_view, const Semantic*> all = {
      {"add.u32", atomic<combine::Add, u32>},
      {"add.s32", atomic<combine::Add, u32>},
      {"add.u64", atomic<combine::Add, u64>},
      {"add.s64", atomic<combine::Add, u64>},
      {"add.f32", atomic_by_memory<AddF32, AddFlushedF32, u32>},
      {"add.f64", atomic_by_memory<AddF64, AddPassedF64, u64>},
      {"add.noftz.f16x2", atomic<AddF16x2, u32>},
      {"add.noftz.f16", atomic<AddF16, u16>},
      {"add.noftz.bf16", atomic<AddBf16, u16>},
      {"add.noftz.bf16x2", atomic<AddBf16x2, u32>},
      {"and.b32", atomic<combine::And, u32>},
      {"and.b64", atomic<combine::And, u64>},
      {"or.b32", atomic<combine::Or, u32>},
      {"or.b64", atomic<combine::Or, u64>},
      {"xor.b32", atomic<combine::Xor, u32>},
      {"xor.b64", atomic<combine::Xor, u64>},
      {"exch.b32", atomic<combine::Swap, u32>},
      {"exch.b64", atomic<combine::Swap, u64>},
      {"cas.b16", atomic<combine::CompareStore, u16>},
      {"cas.b32", atomic<combine::CompareStore, u32>},
      {"cas.b64", atomic<combine::CompareStore, u64>},
      {"min.u32", atomic<combine::UnsignedMin, u32>},
      {"min.u64", atomic<combine::UnsignedMin, u64>},
      {"min.s32", atomic<combine::SignedMin, u32>},
      {"min.s64", atomic<combine::SignedMin, u64>},
      {"max.u32", atomic<combine::UnsignedMax, u32>},
      {"max.u64", atomic<combine::UnsignedMax, u64>},
      {"max.s32", atomic<combine::SignedMax, u32>},
      {"max.s64", atomic<combine::SignedMax, u64>},
      {"inc.u32", atomic<combine::Increment, u32>},
      {"dec.u32", atomic<combine::Decrement, u32>}};
  const auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace lockstep::nv
