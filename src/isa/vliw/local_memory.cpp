// Local memory: operations in a bundle. Operand [0] the row of the return queue, [1] the row of the address,
// [2] and [5] those of the data.
#include "isa/combine.h"
#include "isa/shapes.h"
#include "isa/vliw/memory.h"
#include "isa/vliw/operations.h"

namespace lockstep::vliw {
namespace {

using memory::Atomic;
using memory::Load;
using memory::MemoryInstruction;
using memory::Second;
using memory::Store;

struct LocalAddress {
  static constexpr std::string_view name = "local";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     memory::Places& places) {
    const memory::Place& place = memory::add_place(places, context, memory::local_view(wave), Space::local,
                                                   kind, bytes, wave.exec() & wave.all_lanes());
    const u32* row = wave.row(in.operand[1].index);
    u64* address = place.access->address.data();
    for (int lane = 0; lane < W; ++lane) address[lane] = row[lane];
    return true;
  }
};

template <class O>
constexpr const Semantic* meaning = &semantic<MemoryInstruction<LocalAddress, O>>;

template <class F>
constexpr const Semantic* atomic = meaning<Atomic<F, u32, Second::own_operand>>;

}  // namespace

std::span<const Operation> local_operations() {
  constexpr Cost load = Cost::lds_load, store = Cost::lds_store, both = Cost::lds_atomic;
  constexpr Form local = Form::local;
  static constexpr Operation operations[] = {
      {"LDS_READ_RET", meaning<Load<u32>>, load, 1, local, false, true},
      {"LDS_BYTE_READ_RET", meaning<Load<i8>>, load, 1, local, false, true},
      {"LDS_UBYTE_READ_RET", meaning<Load<u8>>, load, 1, local, false, true},
      {"LDS_SHORT_READ_RET", meaning<Load<i16>>, load, 1, local, false, true},
      {"LDS_USHORT_READ_RET", meaning<Load<u16>>, load, 1, local, false, true},
      {"LDS_WRITE", meaning<Store<u32>>, store, 2, local},
      {"LDS_BYTE_WRITE", meaning<Store<u8>>, store, 2, local},
      {"LDS_SHORT_WRITE", meaning<Store<u16>>, store, 2, local},
      {"LDS_ADD", atomic<combine::Add>, both, 2, local},
      {"LDS_SUB", atomic<combine::Sub>, both, 2, local},
      {"LDS_AND", atomic<combine::And>, both, 2, local},
      {"LDS_OR", atomic<combine::Or>, both, 2, local},
      {"LDS_XOR", atomic<combine::Xor>, both, 2, local},
      {"LDS_MIN_INT", atomic<combine::SignedMin>, both, 2, local},
      {"LDS_MAX_INT", atomic<combine::SignedMax>, both, 2, local},
      {"LDS_MIN_UINT", atomic<combine::UnsignedMin>, both, 2, local},
      {"LDS_MAX_UINT", atomic<combine::UnsignedMax>, both, 2, local},
      {"LDS_WRXCHG", atomic<combine::Swap>, both, 2, local},
      {"LDS_ADD_RET", atomic<combine::Add>, both, 2, local, false, true},
      {"LDS_SUB_RET", atomic<combine::Sub>, both, 2, local, false, true},
      {"LDS_AND_RET", atomic<combine::And>, both, 2, local, false, true},
      {"LDS_OR_RET", atomic<combine::Or>, both, 2, local, false, true},
      {"LDS_XOR_RET", atomic<combine::Xor>, both, 2, local, false, true},
      {"LDS_MIN_INT_RET", atomic<combine::SignedMin>, both, 2, local, false, true},
      {"LDS_MAX_INT_RET", atomic<combine::SignedMax>, both, 2, local, false, true},
      {"LDS_MIN_UINT_RET", atomic<combine::UnsignedMin>, both, 2, local, false, true},
      {"LDS_MAX_UINT_RET", atomic<combine::UnsignedMax>, both, 2, local, false, true},
      {"LDS_WRXCHG_RET", atomic<combine::Swap>, both, 2, local, false, true},
      // LLVM writes both forms of the comparison without _RET, and always makes the one that returns.
      {"LDS_CMPST", atomic<combine::CompareStore>, both, 3, local, false, true},
      {"LDS_CMPST_RET", atomic<combine::CompareStore>, both, 3, local, false, true},
  };
  return operations;
}

}  // namespace lockstep::vliw
