#include "isa/nv/memory.h"

#include "isa/nv/wave.h"
#include "isa/shapes.h"

namespace lockstep::nv {

using namespace memory;
using memory::Place;

u64 base_offset(const WaveState& wave, Base base) {
  switch (base) {
    case Base::image:
      return wave.code_base;
    case Base::arguments:
      return ptx(wave).arguments_address;
    case Base::dynamic:
      return wave.read_scalar(fixed_scalar::local_bytes) -
             wave.read_scalar(fixed_scalar::dynamic_local_bytes);
    case Base::nothing:
    case Base::frame:
      break;
  }
  return 0;
}

void lane_addresses(const WaveState& wave, const Instruction& in, u64* address) {
  constexpr int W = 32;
  const Base base = in.nv.base;
  const u64 offset = static_cast<u64>(i64{in.offset}) + base_offset(wave, base);
  const Operand& operand = in.operand[1];
  const u32* frame = base == Base::frame ? wave.row(fixed_row::frame) : nullptr;
  if (operand.kind != OperandKind::vector) {
    const u64 value = operand.value + offset;
    for (int lane = 0; lane < W; ++lane) address[lane] = value;
  } else if (operand.registers == 2) {
    const u32 *low = wave.row(operand.index), *high = wave.row(operand.index + 1);
    for (int lane = 0; lane < W; ++lane) address[lane] = (low[lane] | u64{high[lane]} << 32) + offset;
  } else {
    const u32* low = wave.row(operand.index);
    for (int lane = 0; lane < W; ++lane) address[lane] = u64{low[lane]} + offset;
  }
  if (frame != nullptr) {
    for (int lane = 0; lane < W; ++lane) address[lane] += frame[lane];
  }
}

bool places_at(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind, u8 bytes,
               const Row<u64>& address, u64 active, Places& places) {
  constexpr int W = 32;
  const auto copy = [&](const Place& place) {
    std::memcpy(place.access->address.data(), address.data(), W * sizeof(u64));
  };
  // Interleaved addresses do not show alignment any more: the offsets do.
  bool misaligned = false;
  const auto to_private = [&](const Place& place) {
    for_lanes(place.access->lanes, [&](u32 lane) {
      if (misaligned || (address.lane[lane] & (bytes - 1u)) == 0) return;
      Fault fault;
      fault.kind = FaultKind::misaligned;
      fault.access = kind;
      fault.space = Space::private_memory;
      fault.bytes = bytes;
      fault.lane = lane;
      fault.address = static_cast<u32>(address.lane[lane]);
      context.raise(fault);
      misaligned = true;
    });
    private_addresses<W>(wave, address, place.access->address.data());
  };
  switch (in.addressing) {
    case Addressing::scalar:
      copy(add_place(places, context, global_view(context), Space::constant, kind, bytes, active));
      return true;
    case Addressing::local:
      copy(add_place(places, context, local_view(wave), Space::local, kind, bytes, active));
      return true;
    case Addressing::scratch:
      to_private(add_place(places, context, private_view(wave, context), Space::private_memory, kind, bytes,
                           active));
      return !misaligned;
    case Addressing::generic:
      break;
    default:
      copy(add_place(places, context, global_view(context), Space::global, kind, bytes, active));
      return true;
  }
  u64 local = 0, own = 0;
  for (u32 lane = 0; lane < W; ++lane) {
    const u64 high = address.lane[lane] >> 32;
    local |= u64{high == shared_window >> 32} << lane;
    own |= u64{high == local_window >> 32} << lane;
  }
  local &= active;
  own &= active;
  const u64 global = active & ~(local | own);
  const auto add = [&](const View& view, Space space, u64 lanes) -> const Place& {
    return add_place(places, context, view, space, kind, bytes, lanes);
  };
  if (global != 0 || active == 0) copy(add(global_view(context), Space::global, global));
  if (local != 0) {
    const Place& place = add(local_view(wave), Space::local, local);
    u64* const to = place.access->address.data();
    for (int lane = 0; lane < W; ++lane) to[lane] = static_cast<u32>(address.lane[lane]);
  }
  if (own != 0) to_private(add(private_view(wave, context), Space::private_memory, own));
  return !misaligned;
}
template <int W>
bool PtxAddress::places(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind,
                        u8 bytes, Places& places) {
  // One memory, whatever the addresses: they need not be looked at.
  const auto all_in = [&](const View& view, Space space) {
    lane_addresses(wave, in,
                   add_place(places, context, view, space, kind, bytes, wave.exec()).access->address.data());
    return true;
  };
  switch (in.addressing) {
    case Addressing::global:
      return all_in(global_view(context), Space::global);
    case Addressing::scalar:
      return all_in(global_view(context), Space::constant);
    case Addressing::local:
      return all_in(local_view(wave), Space::local);
    default:
      break;
  }
  Row<u64> address;
  lane_addresses(wave, in, address.data());
  return places_at(wave, in, context, kind, bytes, address, wave.exec(), places);
}
template bool PtxAddress::places<32>(WaveState&, const Instruction&, StepContext&, AccessKind, u8, Places&);

bool move_lanes(WaveState& wave, const Instruction& in, StepContext& context, Places& places, u8* data,
                u32 bytes, u32 stride, u32 alignment) {
  for (u32 i = 0; i < places.count; ++i) {
    const Place& place = places.place[i];
    admit<32>(wave, in, context, place);
    if (context.fault.kind != FaultKind::none) return false;
    if (place.access->lanes == 0) continue;
    if (place.view.linear() && !check_aligned(*place.access, alignment, context)) return false;
    if (context.look_only) continue;
    for_lanes(place.access->lanes, [&](u32 lane) {
      if (place.access->kind == AccessKind::store)
        write_lane(place.view, place.access->address[lane], data + std::size_t{lane} * stride, bytes);
      else
        read_lane(place.view, place.access->address[lane], data + std::size_t{lane} * stride, bytes);
    });
  }
  return true;
}

namespace {

constexpr u64 every_lane = 0xFFFFFFFF;
constexpr u32 load_slot[] = {0, 2, 3, 4}, store_slot[] = {2, 3, 4, 5};

template <class T, int N>
inline constexpr MemoryData parts_of = {
    .moves = true, .is_signed = std::is_signed_v<T>, .element_bytes = sizeof(T), .parts = N};

// Elements of type T into registers of `Rows` rows, extended by T's signedness.
template <class T, int Rows, int N>
struct LoadParts {
  static constexpr std::string_view name = Joined<load_word, element_name<T>, count_name<N>>::value;
  static constexpr MemoryData memory_data = parts_of<T, N>;
  static constexpr Kind result = Rows == 2 ? Kind::u64 : Kind::u32;
  static constexpr u8 data = 0;
  static constexpr u8 bytes = sizeof(T) * N;
  static AccessKind kind(const Instruction&) { return AccessKind::load; }

  // Where a part goes; null: nowhere.
  struct Rows32 {
    u32 *low = nullptr, *high = nullptr;
    void put(u32 lane, T value) const {
      const u64 wide = static_cast<u64>(static_cast<i64>(value));
      low[lane] = static_cast<u32>(wide);
      if constexpr (Rows == 2) high[lane] = static_cast<u32>(wide >> 32);
    }
  };
  static Rows32 rows_of(WaveState& wave, const Instruction& in, u32 part) {
    const Operand& to = in.operand[load_slot[part]];
    if (to.kind == OperandKind::none) return {};
    return {wave.row(to.index), Rows == 2 ? wave.row(to.index + 1) : nullptr};
  }
  template <int W>
  static void move(WaveState& wave, const Instruction& in, StepContext& context, const Place& place) {
    const Pattern pattern = admit<W>(wave, in, context, place);
    const Access& access = *place.access;
    if (context.fault.kind != FaultKind::none || access.lanes == 0) return;
    if (place.view.linear() && !check_aligned(access, bytes, context)) return;
    if (context.look_only) return;
    if constexpr (N == 1 && sizeof(T) == 4 && Rows == 1) {
      if (in.operand[0].kind != OperandKind::none)
        load_element<W, T, Place16::whole>(wave, in.operand[0].index, place, pattern);
      return;
    } else if (access.lanes == every_lane && pattern == Pattern::consecutive && place.view.linear()) {
      const u8* from = place.view.at(access.address[0]);
      for (u32 k = 0; k < N; ++k) {
        const Rows32 rows = rows_of(wave, in, k);
        for (u32 lane = 0; rows.low != nullptr && lane < W; ++lane) {
          T value;
          std::memcpy(&value, from + (lane * N + k) * sizeof(T), sizeof(T));
          rows.put(lane, value);
        }
      }
    } else if (access.lanes == every_lane && pattern == Pattern::uniform) {
      std::array<T, N> value;
      read_lane(place.view, access.address[0], reinterpret_cast<u8*>(value.data()), bytes);
      for (u32 k = 0; k < N; ++k) {
        const Rows32 rows = rows_of(wave, in, k);
        for (u32 lane = 0; rows.low != nullptr && lane < W; ++lane) rows.put(lane, value[k]);
      }
    } else {
      std::array<Rows32, N> rows;
      for (u32 k = 0; k < N; ++k) rows[k] = rows_of(wave, in, k);
      for_lanes(access.lanes, [&](u32 lane) {
        std::array<T, N> value;
        read_lane(place.view, access.address[lane], reinterpret_cast<u8*>(value.data()), bytes);
        for (u32 k = 0; k < N; ++k) {
          if (rows[k].low != nullptr) rows[k].put(lane, value[k]);
        }
      });
    }
  }
};

template <class T, int N>
struct StoreParts {
  static constexpr std::string_view name = Joined<store_word, element_name<T>, count_name<N>>::value;
  static constexpr MemoryData memory_data = parts_of<T, N>;
  static constexpr Kind result = Kind::none;
  static constexpr u8 data = N;
  static constexpr u8 bytes = sizeof(T) * N;
  static AccessKind kind(const Instruction&) { return AccessKind::store; }
  template <int W>
  static void move(WaveState& wave, const Instruction& in, StepContext& context, const Place& place) {
    const Pattern pattern = admit<W>(wave, in, context, place);
    const Access& access = *place.access;
    if (context.fault.kind != FaultKind::none || access.lanes == 0) return;
    if (place.view.linear() && !check_aligned(access, bytes, context)) return;
    if (context.look_only) return;
    using Lane = std::conditional_t<sizeof(T) == 8, u64, u32>;
    std::array<Row<Lane>, N> room;
    std::array<const Lane*, N> row;
    for (u32 k = 0; k < N; ++k) {
      if constexpr (sizeof(T) == 8) {
        row[k] = fetch64<W>(wave, in, in.operand[store_slot[k]], Kind::u64, room[k]);
      } else {
        row[k] = fetch32<W>(wave, in, in.operand[store_slot[k]], Kind::u32, room[k]);
      }
    }
    if (access.lanes == every_lane && pattern == Pattern::consecutive && place.view.linear()) {
      u8* to = place.view.at(access.address[0]);
      for (u32 lane = 0; lane < W; ++lane) {
        for (u32 k = 0; k < N; ++k) {
          const T value = static_cast<T>(row[k][lane]);
          std::memcpy(to + (lane * N + k) * sizeof(T), &value, sizeof(T));
        }
      }
      return;
    }
    for_lanes(access.lanes, [&](u32 lane) {
      std::array<T, N> value;
      for (u32 k = 0; k < N; ++k) value[k] = static_cast<T>(row[k][lane]);
      write_lane(place.view, access.address[lane], reinterpret_cast<const u8*>(value.data()), bytes);
    });
  }
};

template <class T, int Rows>
const Semantic* load_parts(u32 parts) {
  if (parts == 1) return &semantic32<MemoryInstruction<PtxAddress, LoadParts<T, Rows, 1>>>;
  if (parts == 2) return &semantic32<MemoryInstruction<PtxAddress, LoadParts<T, Rows, 2>>>;
  if constexpr (sizeof(T) < 8) {
    if (parts == 4) return &semantic32<MemoryInstruction<PtxAddress, LoadParts<T, Rows, 4>>>;
  }
  return nullptr;
}
template <class U, class S>
const Semantic* load_type(bool sign, u32 rows, u32 parts) {
  if (rows == 2) return sign ? load_parts<S, 2>(parts) : load_parts<U, 2>(parts);
  if constexpr (sizeof(U) < 8) return sign ? load_parts<S, 1>(parts) : load_parts<U, 1>(parts);
  return nullptr;
}
template <class T>
const Semantic* store_parts(u32 parts) {
  if (parts == 1) return &semantic32<MemoryInstruction<PtxAddress, StoreParts<T, 1>>>;
  if (parts == 2) return &semantic32<MemoryInstruction<PtxAddress, StoreParts<T, 2>>>;
  if constexpr (sizeof(T) < 8) {
    if (parts == 4) return &semantic32<MemoryInstruction<PtxAddress, StoreParts<T, 4>>>;
  }
  return nullptr;
}

// Acts at once: a program may not look at the shared memory before it has waited.
template <u32 Bytes, bool Ignores>
struct CopyToShared {
  static constexpr Shape shape = Shape::memory;
  static constexpr std::string_view name = "cp.async";
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    Instruction source = in;
    source.operand[1] = in.operand[2];
    source.offset = static_cast<i32>(in.detail);
    source.nv.base = in.nv.source_base;
    source.addressing = Addressing::global;
    // How much each lane reads; the rest of its bytes becomes zero, and its source is not touched.
    Row<u32> room;
    const u32* read = room.data();
    u64 readers = wave.exec();
    if constexpr (Ignores) readers &= ~mask_value(wave, in.operand[3]);
    if (!Ignores && in.operand[3].kind != OperandKind::none) {
      read = fetch32<W>(wave, in, in.operand[3], Kind::u32, room);
    } else {
      room.lane.fill(Bytes);
    }
    Row<u64> from, to;
    lane_addresses(wave, source, from.data());
    lane_addresses(wave, in, to.data());
    alignas(16) std::array<u8, 32 * 16> data{};
    // One access for all lanes that read the same number of bytes; more than `Bytes` is undefined.
    for (u32 size = Bytes; size > 0; --size) {
      u64 lanes = 0;
      for_lanes(readers, [&](u32 lane) { lanes |= u64{std::min(read[lane], Bytes) == size} << lane; });
      Places sources;
      if (lanes != 0 &&
          (!places_at(wave, source, context, AccessKind::load, static_cast<u8>(size), from, lanes, sources) ||
           !move_lanes(wave, in, context, sources, data.data(), size, Bytes, Bytes)))
        return;
    }
    Places destinations;
    if (places_at(wave, in, context, AccessKind::store, Bytes, to, wave.exec(), destinations))
      move_lanes(wave, in, context, destinations, data.data(), Bytes, Bytes, Bytes);
  }
};

}  // namespace

const Semantic& copy_to_shared(u32 bytes, bool ignores) {
  if (bytes == 4) return ignores ? semantic32<CopyToShared<4, true>> : semantic32<CopyToShared<4, false>>;
  if (bytes == 8) return ignores ? semantic32<CopyToShared<8, true>> : semantic32<CopyToShared<8, false>>;
  return ignores ? semantic32<CopyToShared<16, true>> : semantic32<CopyToShared<16, false>>;
}

const Semantic* find_load(u32 type_bytes, bool sign, u32 register_rows, u32 parts) {
  switch (type_bytes) {
    case 1:
      return load_type<u8, i8>(sign, register_rows, parts);
    case 2:
      return load_type<u16, i16>(sign, register_rows, parts);
    case 4:
      return load_type<u32, i32>(sign, register_rows, parts);
    case 8:
      return load_type<u64, u64>(false, register_rows, parts);
    default:
      return nullptr;
  }
}

const Semantic* find_store(u32 type_bytes, u32 parts) {
  switch (type_bytes) {
    case 1:
      return store_parts<u8>(parts);
    case 2:
      return store_parts<u16>(parts);
    case 4:
      return store_parts<u32>(parts);
    case 8:
      return store_parts<u64>(parts);
    default:
      return nullptr;
  }
}

}  // namespace lockstep::nv
