// Memory shapes: what loads, stores and atomics of every ISA share. An ISA room makes the addresses (a
// `Place` for each memory that an instruction reaches); the shapes tell the checker, check bounds and move
// the data. Nothing is moved when any lane of a place faults, or when the step only looks.
#pragma once
#include <atomic>
#include <bit>
#include <cstring>
#include <type_traits>

#include "isa/operands.h"

namespace lockstep {
namespace memory {

// A stretch of memory as an instruction sees it: `base` is the address (or offset, for local memory) of
// host[0].
struct View {
  u8* host = nullptr;
  u64 base = 0;
  u64 size = 0;
  // From one dword of a lane to its next: 4, or more where private memory interleaves the lanes by dwords.
  u64 dword_stride = 4;
  bool shared = true;  // other host threads work on it at the same time: atomics must be the host's

  bool linear() const { return dword_stride == 4; }
  u8* at(u64 address) const { return host + (address - base); }
  // From the first to one past the last byte that a lane touches.
  u64 extent(u64 address, u64 bytes) const {
    if (linear()) return bytes;
    const u64 within = address & 3;
    return (within + bytes - 1) / 4 * dword_stride + 4 - within;
  }
  bool contains(u64 address, u64 bytes) const {
    const u64 offset = address - base, needed = extent(address, bytes);
    return offset <= size && needed <= size - offset;
  }
};

inline View global_view(const StepContext& context) {
  return {context.global.host, context.global.base, context.global.size, 4, true};
}
inline View local_view(const WaveState& wave) {
  return {wave.local.data(), 0, wave.local.size(), 4, false};
}
// The wave's private memory; of size 0 where it lies outside of the device's memory.
inline View private_view(const WaveState& wave, const StepContext& context) {
  const u64 size = wave.private_bytes_per_lane * wave.lanes;
  const u64 stride = u64{4} * wave.lanes;
  if (!context.global.contains(wave.private_base, size)) return {nullptr, wave.private_base, 0, stride, true};
  return {context.global.at(wave.private_base), wave.private_base, size, stride, true};
}
// Where byte `offset` of a lane's private memory lies; `stride`: of its dwords.
inline u64 private_address(u64 base, u64 stride, u64 offset, u32 lane) {
  return base + offset / 4 * stride + u64{4} * lane + offset % 4;
}
inline u64 private_address(const WaveState& wave, u64 offset, u32 lane) {
  return private_address(wave.private_base, u64{4} * wave.lanes, offset, lane);
}
// The same for each lane's offset, the lower half of an address.
template <int W>
inline void private_addresses(const WaveState& wave, const Row<u64>& offset, u64* to) {
  const u64 base = wave.private_base, stride = u64{4} * wave.lanes;
  for (u32 lane = 0; lane < W; ++lane)
    to[lane] = private_address(base, stride, static_cast<u32>(offset.lane[lane]), lane);
}

// One memory that an instruction reaches, with the lanes that reach it.
struct Place {
  Access* access = nullptr;
  View view;
  u64 zeroed = 0;                    // lanes that read 0 without reaching memory (buffers' range check)
  const u8* whole_dwords = nullptr;  // per lane: dwords within range, where not all are; null otherwise
};

struct Places {
  std::array<Place, 3> place;
  u32 count = 0;
  std::array<u8, most_lanes> whole_dwords;  // room for Place::whole_dwords
};

// The record for an instruction's place `number`: the outcome's next one where somebody listens. Places that
// are alive at the same time have different numbers.
inline Access& next_access(StepContext& context, u32 number) {
  Outcome* outcome = context.outcome;
  if (outcome != nullptr && outcome->access_count < outcome->access.size()) {
    return outcome->access[outcome->access_count++];
  }
  return context.own_access[number];
}

inline Place& add_place(Places& places, StepContext& context, const View& view, Space space, AccessKind kind,
                        u8 bytes, u64 lanes) {
  const u32 number = places.count++;
  Place& place = places.place[number];
  place.access = &next_access(context, number);
  place.access->space = space;
  place.access->kind = kind;
  place.access->bytes = bytes;
  place.access->lanes = lanes;
  place.view = view;
  place.zeroed = 0;
  place.whole_dwords = nullptr;
  return place;
}

// How lanes lie. The first three hold for inactive lanes as well, so that a load may read them all and keep
// some.
enum class Pattern : u8 {
  nothing,      // no lane, or a fault
  consecutive,  // each right behind its neighbour
  uniform,      // one address
  readable,     // anywhere within the memory
  scattered,    // only the lanes of the access are known to lie within the memory
};

// Finds a lane outside of the memory and raises its fault; false if it did.
bool check_lanes(const Access& access, const View& view, const u8* whole_dwords, StepContext& context);
// Byte by byte or dword by dword, for what is not linear.
void read_interleaved(const View& view, u64 address, u8* to, u64 bytes);
void write_interleaved(const View& view, u64 address, const u8* from, u64 bytes);

// Whether an instruction whose places were admitted may move its data, and write zeros to the lanes that
// reach no memory.
inline bool moves(const StepContext& context) {
  return context.fault.kind == FaultKind::none && !context.look_only;
}

// Shows the access to the checker, checks bounds, and says how the lanes lie: as Pattern::nothing where the
// step only looks. `spacing` is the distance of neighbours in a consecutive access.
template <int W>
Pattern admit(WaveState& wave, const Instruction& in, StepContext& context, const Place& place);

inline void read_lane(const View& view, u64 address, u8* to, u64 bytes) {
  if (view.linear()) [[likely]] {
    std::memcpy(to, view.at(address), bytes);
  } else {
    read_interleaved(view, address, to, bytes);
  }
}
inline void write_lane(const View& view, u64 address, const u8* from, u64 bytes) {
  if (view.linear()) [[likely]] {
    std::memcpy(view.at(address), from, bytes);
  } else {
    write_interleaved(view, address, from, bytes);
  }
}

template <class F>
inline void for_lanes(u64 lanes, F function) {
  for (; lanes != 0; lanes &= lanes - 1) function(static_cast<u32>(std::countr_zero(lanes)));
}

// Which bits of the register the data of a load or store are.
enum class Place16 : u8 { whole, low, high };

// What memory element T becomes in a register that held `before`.
template <class T, Place16 P>
inline u32 widened(T value, u32 before) {
  const u32 wide = static_cast<u32>(static_cast<i32>(value));
  if constexpr (P == Place16::low) return (before & 0xFFFF0000u) | (wide & 0xFFFFu);
  if constexpr (P == Place16::high) return (before & 0xFFFFu) | (wide << 16);
  return wide;
}

template <int W>
inline bool all_active(const Access& access) {
  return access.lanes == (W == 64 ? ~u64{0} : 0xFFFFFFFFu);
}

// Whether a load may read all lanes and keep those of EXEC.
template <int W>
inline bool reads_all(const WaveState& wave, const Place& place, Pattern pattern) {
  return (pattern == Pattern::consecutive || pattern == Pattern::uniform || pattern == Pattern::readable) &&
         place.access->lanes == (wave.exec() & wave.all_lanes());
}

// Reads element T of every lane into `out`: `skip` bytes behind the lane's address, of Bytes that the access
// has there.
template <int W, class T, u32 Bytes>
[[gnu::noinline]] void read_all(const Place& place, Pattern pattern, u64 skip, u32* out) {
  const View& view = place.view;
  const u64* address = place.access->address.data();
  const auto widen = [](T value) { return static_cast<u32>(static_cast<i32>(value)); };
  if (pattern == Pattern::consecutive) {
    const u8* from = view.at(address[0]);
    if (!view.linear()) {
      // Dwords only: a row for each.
      std::memcpy(out, from + skip / 4 * view.dword_stride, W * 4);
    } else if constexpr (Bytes == 4) {
      std::memcpy(out, from, W * 4);
    } else {
      for (u32 lane = 0; lane < W; ++lane) {
        T value;
        std::memcpy(&value, from + skip + lane * Bytes, sizeof(T));
        out[lane] = widen(value);
      }
    }
  } else if (pattern == Pattern::uniform) {
    T value;
    std::memcpy(&value, view.at(address[0]) + skip, sizeof(T));
    std::fill_n(out, W, widen(value));
  } else {
    const u8* host = view.host + skip;
    const u64 base = view.base;
#pragma GCC unroll 8
    for (int lane = 0; lane < W; ++lane) {
      T value;
      std::memcpy(&value, host + (address[lane] - base), sizeof(T));
      out[lane] = widen(value);
    }
  }
}

// One element of at most a dword per lane.
template <int W, class T, Place16 P>
inline void load_element(WaveState& wave, u32 row, const Place& place, Pattern pattern) {
  u32* out = wave.row(row);
  const Access& access = *place.access;
  if (reads_all<W>(wave, place, pattern) && (place.view.linear() || pattern == Pattern::consecutive)) {
    if (P == Place16::whole && all_active<W>(access)) {
      read_all<W, T, sizeof(T)>(place, pattern, 0, out);
    } else {
      Row<u32> room;
      read_all<W, T, sizeof(T)>(place, pattern, 0, room.data());
      for (int lane = 0; lane < W; ++lane) {
        room.lane[lane] = widened<u32, P>(room.lane[lane], out[lane]);
      }
      commit_row<W>(wave, row, room.data());
    }
  } else if (pattern != Pattern::nothing) {
    for_lanes(access.lanes, [&](u32 lane) {
      T value;
      read_lane(place.view, access.address[lane], reinterpret_cast<u8*>(&value), sizeof(T));
      out[lane] = widened<T, P>(value, out[lane]);
    });
  }
  for_lanes(place.zeroed, [&](u32 lane) { out[lane] = widened<T, P>(T{0}, out[lane]); });
}

// N dwords per lane, into N rows.
template <int W, int N>
inline void load_dwords(WaveState& wave, u32 row, const Place& place, Pattern pattern) {
  const Access& access = *place.access;
  if (reads_all<W>(wave, place, pattern) && (place.view.linear() || pattern == Pattern::consecutive)) {
    for (u32 k = 0; k < N; ++k) {
      if (all_active<W>(access)) {
        read_all<W, u32, N * 4>(place, pattern, u64{4} * k, wave.row(row + k));
      } else {
        Row<u32> room;
        read_all<W, u32, N * 4>(place, pattern, u64{4} * k, room.data());
        commit_row<W>(wave, row + k, room.data());
      }
    }
  } else if (pattern != Pattern::nothing) {
    for_lanes(access.lanes, [&](u32 lane) {
      std::array<u32, N> value{};
      const u32 whole = place.whole_dwords != nullptr ? place.whole_dwords[lane] : N;
      read_lane(place.view, access.address[lane], reinterpret_cast<u8*>(value.data()), u64{4} * whole);
      for (u32 k = 0; k < N; ++k) wave.row(row + k)[lane] = value[k];
    });
  }
  for_lanes(place.zeroed, [&](u32 lane) {
    for (u32 k = 0; k < N; ++k) wave.row(row + k)[lane] = 0;
  });
}

template <int W, class T, Place16 P>
inline void store_element(const WaveState& wave, u32 row, const Place& place, Pattern pattern) {
  const u32* data = wave.row(row);
  const Access& access = *place.access;
  const View& view = place.view;
  constexpr u32 shift = P == Place16::high ? 16 : 0;
  if (pattern == Pattern::consecutive && all_active<W>(access)) {
    u8* to = view.at(access.address[0]);
    if constexpr (sizeof(T) == 4) {
      std::memcpy(to, data, W * 4);
    } else {
      std::array<T, W> room;
      for (int lane = 0; lane < W; ++lane) room[lane] = static_cast<T>(data[lane] >> shift);
      std::memcpy(to, room.data(), W * sizeof(T));
    }
  } else if (pattern != Pattern::nothing) {
    for_lanes(access.lanes, [&](u32 lane) {
      const T value = static_cast<T>(data[lane] >> shift);
      write_lane(view, access.address[lane], reinterpret_cast<const u8*>(&value), sizeof(T));
    });
  }
}

template <int W, int N>
inline void store_dwords(const WaveState& wave, u32 row, const Place& place, Pattern pattern) {
  const Access& access = *place.access;
  const View& view = place.view;
  if (pattern == Pattern::consecutive && all_active<W>(access)) {
    u8* to = view.at(access.address[0]);
    for (u32 k = 0; k < N; ++k) {
      const u32* data = wave.row(row + k);
      if (!view.linear()) {
        std::memcpy(to + k * view.dword_stride, data, W * 4);
      } else {
        for (int lane = 0; lane < W; ++lane) std::memcpy(to + (lane * N + k) * 4, data + lane, 4);
      }
    }
  } else if (pattern != Pattern::nothing) {
    for_lanes(access.lanes, [&](u32 lane) {
      std::array<u32, N> value;
      for (u32 k = 0; k < N; ++k) value[k] = wave.row(row + k)[lane];
      const u32 whole = place.whole_dwords != nullptr ? place.whole_dwords[lane] : N;
      write_lane(view, access.address[lane], reinterpret_cast<const u8*>(value.data()), u64{4} * whole);
    });
  }
}

// Names made of parts at compile time.
template <const std::string_view&... Parts>
struct Joined {
  static constexpr auto text = [] {
    std::array<char, (Parts.size() + ... + 0)> room{};
    std::size_t at = 0;
    const auto add = [&](std::string_view part) {
      for (const char letter : part) room[at++] = letter;
    };
    (add(Parts), ...);
    return room;
  }();
  static constexpr std::string_view value{text.data(), text.size()};
};

template <class T>
inline constexpr std::string_view element_name = "";
template <>
inline constexpr std::string_view element_name<u8> = "u8";
template <>
inline constexpr std::string_view element_name<i8> = "i8";
template <>
inline constexpr std::string_view element_name<u16> = "u16";
template <>
inline constexpr std::string_view element_name<i16> = "i16";
template <>
inline constexpr std::string_view element_name<u32> = "u32";
template <>
inline constexpr std::string_view element_name<u64> = "u64";
template <int N>
inline constexpr std::string_view count_name = N == 2   ? "x2"
                                               : N == 3 ? "x3"
                                               : N == 4 ? "x4"
                                                        : "";
template <Place16 P>
inline constexpr std::string_view half_name = P == Place16::low    ? " low half"
                                              : P == Place16::high ? " high half"
                                                                   : "";
inline constexpr std::string_view load_word = " load ", store_word = " store ", atomic_word = " atomic ",
                                  space_word = " ";

// The operations: what is moved, whatever made the addresses. `move` is called for each place, and compiled
// once for all ways of addressing. `data` counts the data operands that go to memory.

template <class T, Place16 P = Place16::whole>
inline constexpr MemoryData moved_data = {.moves = true,
                                          .low_half = P == Place16::low,
                                          .high_half = P == Place16::high,
                                          .is_signed = std::is_signed_v<T>};

template <class T, int N = 1, Place16 P = Place16::whole>
struct Load {
  static constexpr std::string_view name =
      Joined<load_word, element_name<T>, count_name<N>, half_name<P>>::value;
  static constexpr MemoryData memory_data = moved_data<T, P>;
  static constexpr Kind result = N * sizeof(T) == 8 ? Kind::u64 : Kind::u32;
  static constexpr bool merges = P != Place16::whole;
  static constexpr u8 data = 0;
  static constexpr u8 bytes = sizeof(T) * N;
  static AccessKind kind(const Instruction&) { return AccessKind::load; }
  template <int W>
  [[gnu::noinline]] static void move(WaveState& wave, const Instruction& in, StepContext& context,
                                     const Place& place) {
    const Pattern pattern = admit<W>(wave, in, context, place);
    if (!moves(context)) return;
    if constexpr (N == 1) {
      load_element<W, T, P>(wave, in.operand[0].index, place, pattern);
    } else {
      load_dwords<W, N>(wave, in.operand[0].index, place, pattern);
    }
  }
};

template <class T, int N = 1, Place16 P = Place16::whole>
struct Store {
  static constexpr std::string_view name =
      Joined<store_word, element_name<T>, count_name<N>, half_name<P>>::value;
  static constexpr MemoryData memory_data = moved_data<T, P>;
  static constexpr Kind result = Kind::none;
  static constexpr u8 data = 1;
  static constexpr u8 bytes = sizeof(T) * N;
  static AccessKind kind(const Instruction&) { return AccessKind::store; }
  template <int W>
  [[gnu::noinline]] static void move(WaveState& wave, const Instruction& in, StepContext& context,
                                     const Place& place) {
    const Pattern pattern = admit<W>(wave, in, context, place);
    if (!moves(context)) return;
    if constexpr (N == 1) {
      store_element<W, T, P>(wave, in.operand[2].index, place, pattern);
    } else {
      store_dwords<W, N>(wave, in.operand[2].index, place, pattern);
    }
  }
};

// A lane's value of one or two rows.
template <class T>
inline T lane_value(const WaveState& wave, u32 row, u32 lane) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(wave.row(row)[lane] | (u64{wave.row(row + 1)[lane]} << 32));
  } else {
    return static_cast<T>(wave.row(row)[lane]);
  }
}
template <class T>
inline void set_lane_value(WaveState& wave, u32 row, u32 lane, T value) {
  wave.row(row)[lane] = static_cast<u32>(value);
  if constexpr (sizeof(T) == 8) wave.row(row + 1)[lane] = static_cast<u32>(value >> 32);
}

// Reads, changes and writes back one naturally aligned element; returns what was there. Atomic between host
// threads where the memory is shared.
template <class T, class F>
inline T exchange_element(const View& view, u64 address, F function) {
  T* element = reinterpret_cast<T*>(view.at(address));
  if (!view.shared) {
    const T old = *element;
    *element = function(old);
    return old;
  }
  const std::atomic_ref<T> shared(*element);
  T old = shared.load(std::memory_order_relaxed);
  while (!shared.compare_exchange_weak(old, function(old), std::memory_order_acq_rel,
                                       std::memory_order_relaxed)) {
  }
  return old;
}

// Raises FaultKind::misaligned for the first lane whose address is not a multiple of `bytes`; false if it
// did.
bool check_aligned(const Access& access, u64 bytes, StepContext& context);

// Raises FaultKind::not_supported: the two dwords of a 64-bit value in private memory do not lie together,
// and no hardware's atomics reach both. Source: LLVM, "Expand flat atomics that may access private memory"
// (pull request 109407), which takes them apart for every AMD GPU.
void refuse_wide_private(StepContext& context);

// F::apply(T old, T data) is the new value; F::operands is 2 where a second value (a comparand, a mask) is
// needed, and apply then takes it as its third argument. T is u32 or u64: the bits, whatever they mean.
// Returns the old value where the instruction has a result operand. Lanes act in ascending order. The second
// value lies behind the first in operand[2], or in operand[5] where `Second` says so.
enum class Second : u8 { behind, own_operand };

template <class F, class T, Second S = Second::behind>
struct Atomic {
  static constexpr std::string_view name = Joined<atomic_word, F::name, space_word, element_name<T>>::value;
  static constexpr Combining combining = F::combining;
  static constexpr Kind result = Kind::none;  // optional: where operand[0] is
  static constexpr u8 data = S == Second::own_operand ? 2 : 1;
  static constexpr u8 bytes = sizeof(T);
  static AccessKind kind(const Instruction& in) {
    return in.operand[0].kind == OperandKind::none ? AccessKind::atomic : AccessKind::atomic_return;
  }
  template <int W>
  [[gnu::noinline]] static void move(WaveState& wave, const Instruction& in, StepContext& context,
                                     const Place& place) {
    const Pattern pattern = admit<W>(wave, in, context, place);
    if (context.fault.kind == FaultKind::none) act(wave, in, context, place, pattern);
  }
  [[gnu::noinline]] static void act(WaveState& wave, const Instruction& in, StepContext& context,
                                    const Place& place, Pattern pattern) {
    const Access& access = *place.access;
    const bool returns = in.operand[0].kind != OperandKind::none;
    const u32 result = in.operand[0].index;
    if (access.lanes != 0) {
      if (sizeof(T) > 4 && !place.view.linear()) [[unlikely]]
        return refuse_wide_private(context);
      if (!check_aligned(access, sizeof(T), context)) return;
    }
    if (context.look_only) return;
    if (pattern != Pattern::nothing) {
      const u32 data = in.operand[2].index;
      const u32 second = S == Second::behind ? data + sizeof(T) / 4 : in.operand[5].index;
      for_lanes(access.lanes, [&](u32 lane) {
        const T value = lane_value<T>(wave, data, lane);
        T old;
        if constexpr (requires { F::operands; }) {
          const T other = lane_value<T>(wave, second, lane);
          old = exchange_element<T>(place.view, access.address[lane],
                                    [&](T before) { return F::apply(before, value, other); });
        } else {
          old = exchange_element<T>(place.view, access.address[lane],
                                    [&](T before) { return F::apply(before, value); });
        }
        if (returns) set_lane_value<T>(wave, result, lane, old);
      });
    }
    if (returns) for_lanes(place.zeroed, [&](u32 lane) { set_lane_value<T>(wave, result, lane, T{0}); });
  }
};

// Finds the places of A and moves at each. Compiled once for all operations: what is compiled for every pair
// of both is a jump.
template <int W, class A>
[[gnu::noinline]] void move_at(WaveState& wave, const Instruction& in, StepContext& context, AccessKind kind,
                               u8 bytes, auto move) {
  Places places;
  if (!A::template places<W>(wave, in, context, kind, bytes, places)) return;
  for (u32 i = 0; i < places.count; ++i) {
    move(wave, in, context, places.place[i]);
    if (context.fault.kind != FaultKind::none) return;
  }
}

// A memory instruction: the addresses of A times the operation O. A::places<W>(wave, in, context, kind,
// bytes, places) fills the places and returns false after raising a fault.
template <class A, class O>
struct MemoryInstruction {
  static constexpr std::string_view name = Joined<A::name, O::name>::value;
  static constexpr Shape shape = Shape::memory;
  static constexpr Combining combining = [] {
    if constexpr (requires { O::combining; }) return O::combining;
    return Combining::none;
  }();
  static constexpr u16 implied = [] {
    u16 bits = implies::reads_exec;
    if constexpr (requires { A::implied; }) bits |= A::implied;
    if constexpr (requires { requires O::merges; }) bits |= implies::reads_result;
    return bits;
  }();
  static constexpr MemoryData memory_data = [] {
    if constexpr (requires { O::memory_data; }) return O::memory_data;
    return MemoryData{};
  }();
  static constexpr Kind result = O::result;
  static constexpr u8 sources = O::data;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    move_at<W, A>(wave, in, context, O::kind(in), O::bytes, &O::template move<W>);
  }
};

}  // namespace memory
}  // namespace lockstep
