#include <bit>

#include "isa/combine.h"
#include "isa/shapes.h"
#include "isa/vliw/memory.h"
#include "isa/vliw/wave.h"

namespace lockstep::vliw {
namespace {

using memory::add_place;
using memory::Atomic;
using memory::Load;
using memory::MemoryInstruction;
using memory::Place;
using memory::Places;
using memory::Second;
using memory::Store;

u64 active_lanes(const WaveState& wave) {
  return wave.exec() & wave.all_lanes();
}

// Tables of the program lie below all pointers.
u64 constant_address(const WaveState& wave, const StepContext& context, u32 pointer) {
  return pointer < pointer_base / 2 ? wave.code_base + pointer : context.global.base - pointer_base + pointer;
}

// The lanes whose pointers mean their own memory.
template <int W>
u64 own_lanes(const WaveState& wave, const u32* pointer) {
  if (wave.private_bytes_per_lane == 0) return 0;
  const u32 first = vliw(wave).private_pointer;
  u64 lanes = 0;
  for (u32 lane = 0; lane < W; ++lane) lanes |= u64{pointer[lane] >= first} << lane;
  return lanes & active_lanes(wave);
}

// The places that pointers of global memory mean: device memory, which a program's tables lie in, too, and
// each lane's own.
template <int W>
void add_pointed(WaveState& wave, StepContext& context, AccessKind kind, u8 bytes, const u32* pointer,
                 Places& places) {
  const VliwWave& own = vliw(wave);
  const u64 in_own = own_lanes<W>(wave, pointer), others = active_lanes(wave) & ~in_own;
  if (others != 0 || in_own == 0) {
    const Place& place =
        add_place(places, context, memory::global_view(context), Space::global, kind, bytes, others);
    const u64 base = context.global.base - pointer_base;
    u64* address = place.access->address.data();
    for (int lane = 0; lane < W; ++lane) address[lane] = base + pointer[lane];
    if (own.tables_end != 0) {
      for (int lane = 0; lane < W; ++lane) {
        const bool in_table = pointer[lane] >= own.tables_begin && pointer[lane] < own.tables_end;
        if (in_table) address[lane] = wave.code_base + pointer[lane];
      }
    }
  }
  if (in_own != 0) {
    const Place& place = add_place(places, context, memory::private_view(wave, context),
                                   Space::private_memory, kind, bytes, in_own);
    u64* address = place.access->address.data();
    for (u32 lane = 0; lane < W; ++lane)
      address[lane] = memory::private_address(wave, pointer[lane] - own.private_pointer, lane);
  }
}

template <Resource R>
struct FetchAddress {
  static constexpr std::string_view name = R == Resource::global      ? "fetch"
                                           : R == Resource::constants ? "fetch of constants"
                                                                      : "fetch of parameters";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     Places& places) {
    const u32* row = wave.row(in.operand[1].index);
    const u32 offset = static_cast<u32>(in.offset);
    if constexpr (R == Resource::global) {
      Row<u32> pointer;
      for (int lane = 0; lane < W; ++lane) pointer.lane[lane] = row[lane] + offset;
      add_pointed<W>(wave, context, kind, bytes, pointer.data(), places);
    } else {
      // Through the same caches, lane by lane, as whatever else is fetched.
      const Place& place = add_place(places, context, memory::global_view(context), Space::global, kind,
                                     bytes, active_lanes(wave));
      u64* address = place.access->address.data();
      if constexpr (R == Resource::constants) {
        for (int lane = 0; lane < W; ++lane)
          address[lane] = constant_address(wave, context, row[lane] + offset);
      } else {
        for (int lane = 0; lane < W; ++lane)
          address[lane] = vliw(wave).arguments_address + (row[lane] + offset);
      }
    }
    return true;
  }
};

struct ExportAddress {
  static constexpr std::string_view name = "export";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
                     Places& places) {
    const u32* row = wave.row(in.operand[1].index);
    Row<u32> pointer;
    for (int lane = 0; lane < W; ++lane) pointer.lane[lane] = row[lane] << in.detail;
    add_pointed<W>(wave, context, kind, bytes, pointer.data(), places);
    return true;
  }
};

// Which byte or half word of its dword each lane writes, by its mask.
struct MaskedAddress {
  static constexpr std::string_view name = "export under a mask";
  template <int W>
  static bool places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8,
                     Places& places) {
    const u64 lanes = active_lanes(wave);
    const u32* mask = wave.row(in.operand[3].index);
    u32 bytes = 0;
    bool other = false;
    memory::for_lanes(lanes, [&](u32 lane) {
      const u32 first = static_cast<u32>(std::countr_zero(mask[lane])) & 31;
      const u32 width = mask[lane] >> first == 0xFF && first % 8 == 0      ? 1
                        : mask[lane] >> first == 0xFFFF && first % 16 == 0 ? 2
                                                                           : 0;
      if (bytes == 0) bytes = width;
      other = other || width == 0 || width != bytes;
    });
    if (other) {
      Fault fault;
      fault.kind = FaultKind::not_supported;
      fault.access = AccessKind::store;
      fault.text = "MSKOR with a mask that is not the same byte or half word's width in every lane";
      context.raise(fault);
      return false;
    }
    const u32* row = wave.row(in.operand[1].index);
    Row<u32> pointer;
    for (int lane = 0; lane < W; ++lane) {
      const u32 first = mask[lane] == 0 ? 0 : static_cast<u32>(std::countr_zero(mask[lane])) / 8;
      pointer.lane[lane] = (row[lane] << in.detail) + first;
    }
    add_pointed<W>(wave, context, kind, static_cast<u8>(std::max(bytes, 1u)), pointer.data(), places);
    return true;
  }
};

struct MaskedStore {
  static constexpr std::string_view name = " store";
  static constexpr MemoryData memory_data = {.moves = true};
  static constexpr Kind result = Kind::none;
  static constexpr u8 data = 2;
  static constexpr u8 bytes = 1;
  static AccessKind kind(const Instruction&) { return AccessKind::store; }
  template <int W>
  static void move(WaveState& wave, const Instruction& in, StepContext& context, const Place& place) {
    const memory::Pattern pattern = memory::admit<W>(wave, in, context, place);
    if (!memory::moves(context)) return;
    const u32 row = in.operand[2].index;
    if (place.access->bytes == 1) {
      memory::store_element<W, u8, memory::Place16::whole>(wave, row, place, pattern);
    } else {
      memory::store_element<W, u16, memory::Place16::whole>(wave, row, place, pattern);
    }
  }
};

struct ShiftToMask {
  static constexpr std::string_view name = "data of a masked store";
  static u32 apply(u32 data, u32 mask) { return mask == 0 ? 0 : (data & mask) >> std::countr_zero(mask); }
};

struct ReverseSub {
  static constexpr std::string_view name = "reverse sub";
  static constexpr Combining combining = Combining::ordered;
  template <class T>
  static T apply(T old, T data) {
    return static_cast<T>(data - old);
  }
};

template <Resource R>
const Semantic* fetch(u32 bytes) {
  using Address = FetchAddress<R>;
  switch (bytes) {
    case 1:
      return &semantic<MemoryInstruction<Address, Load<u8>>>;
    case 2:
      return &semantic<MemoryInstruction<Address, Load<u16>>>;
    case 4:
      return &semantic<MemoryInstruction<Address, Load<u32>>>;
    case 8:
      return &semantic<MemoryInstruction<Address, Load<u32, 2>>>;
    case 16:
      return &semantic<MemoryInstruction<Address, Load<u32, 4>>>;
    default:
      return nullptr;
  }
}

template <class F>
constexpr const Semantic* atomic = &semantic<MemoryInstruction<ExportAddress, Atomic<F, u32>>>;
constexpr const Semantic* compare_atomic =
    &semantic<MemoryInstruction<ExportAddress, Atomic<combine::CompareSwap, u32, Second::own_operand>>>;

}  // namespace

const Semantic* find_fetch(Resource resource, u32 bytes) {
  switch (resource) {
    case Resource::global:
      return fetch<Resource::global>(bytes);
    case Resource::constants:
      return fetch<Resource::constants>(bytes);
    case Resource::parameters:
      return fetch<Resource::parameters>(bytes);
  }
  return nullptr;
}

const Semantic* find_store(u32 dwords) {
  switch (dwords) {
    case 1:
      return &semantic<MemoryInstruction<ExportAddress, Store<u32>>>;
    case 2:
      return &semantic<MemoryInstruction<ExportAddress, Store<u32, 2>>>;
    case 3:
      return &semantic<MemoryInstruction<ExportAddress, Store<u32, 3>>>;
    case 4:
      return &semantic<MemoryInstruction<ExportAddress, Store<u32, 4>>>;
    default:
      return nullptr;
  }
}

const Semantic& masked_store() {
  return semantic<MemoryInstruction<MaskedAddress, MaskedStore>>;
}

const Semantic& shift_to_mask() {
  return semantic<ShiftToMask>;
}

const Semantic* find_global_atomic(std::string_view name) {
  static constexpr std::pair<std::string_view, const Semantic*> atomics[] = {
      {"ATOMIC_ADD", atomic<combine::Add>},
      {"ATOMIC_SUB", atomic<combine::Sub>},
      {"ATOMIC_RSUB", atomic<ReverseSub>},
      {"ATOMIC_MIN_INT", atomic<combine::SignedMin>},
      {"ATOMIC_MIN_UINT", atomic<combine::UnsignedMin>},
      {"ATOMIC_MAX_INT", atomic<combine::SignedMax>},
      {"ATOMIC_MAX_UINT", atomic<combine::UnsignedMax>},
      {"ATOMIC_AND", atomic<combine::And>},
      {"ATOMIC_OR", atomic<combine::Or>},
      {"ATOMIC_XOR", atomic<combine::Xor>},
      {"ATOMIC_INC_UINT", atomic<combine::Increment>},
      {"ATOMIC_DEC_UINT", atomic<combine::Decrement>},
      {"ATOMIC_XCHG_INT", atomic<combine::Swap>},
      {"ATOMIC_CMPXCHG_INT", compare_atomic},
  };
  for (const auto& [word, meaning] : atomics)
    if (word == name) return meaning;
  return nullptr;
}

}  // namespace lockstep::vliw
