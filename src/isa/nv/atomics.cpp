// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.12 (atom, red).
#include <map>

#include "isa/combine.h"
#include "isa/nv/float_meanings.h"
#include "isa/nv/memory.h"

namespace lockstep::nv {
namespace {

using namespace memory;
using memory::Place;

// Floating-point additions as an H200 makes them (tests/nvidia). Global memory's have rules of their own: f32
// flushes subnormal operands and results, f64 takes a NaN as it is, the operand's before the memory's. Shared
// memory's are loops around the ordinary addition.
// What F::word says behind "add".
constexpr std::string_view add_before = "add";
template <class F>
struct AtomicAdd {
  static constexpr std::string_view name = joined<add_before, F::word>;
  static constexpr Combining combining = Combining::ordered;
  // Of two NaN the memory's counts.
  static BitsOf<F> apply(BitsOf<F> old, BitsOf<F> data) {
    return bits_of<F>(Add<F, Round::nearest_even, false>::apply(from_bits<F>(data), from_bits<F>(old)));
  }
};
template <class F>
struct AtomicAddBoth {
  static constexpr std::string_view name = AtomicAdd<F>::name;
  static constexpr Combining combining = Combining::ordered;
  static u32 apply(u32 old, u32 data) {
    const u32 low = AtomicAdd<F>::apply(static_cast<u16>(old), static_cast<u16>(data));
    return low | u32{AtomicAdd<F>::apply(static_cast<u16>(old >> 16), static_cast<u16>(data >> 16))} << 16;
  }
};
struct AddFlushing {
  static u32 apply(u32 old, u32 data) {
    return flush<Single>(AtomicAdd<SingleWidth>::apply(flush<Single>(old), flush<Single>(data)));
  }
};
struct AddPassingNan {
  static u64 apply(u64 old, u64 data) {
    const u64 nan = is_nan<Double>(data) ? data : old;
    return is_nan<Double>(nan) ? nan : AtomicAdd<DoubleWidth>::apply(old, data);
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
      {"add.f32", atomic_by_memory<AtomicAdd<SingleWidth>, AddFlushing, u32>},
      {"add.f64", atomic_by_memory<AtomicAdd<DoubleWidth>, AddPassingNan, u64>},
      {"add.noftz.f16x2", atomic<AtomicAddBoth<F16Width>, u32>},
      {"add.noftz.f16", atomic<AtomicAdd<F16Width>, u16>},
      {"add.noftz.bf16", atomic<AtomicAdd<Bf16Width>, u16>},
      {"add.noftz.bf16x2", atomic<AtomicAddBoth<Bf16Width>, u32>},
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
