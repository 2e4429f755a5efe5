// Local memory: ds_* loads and stores.
// Source: "Vega Instruction Set Architecture", chapter "Data Share Operations" and the list of DS
// instructions; the names of gfx11 and gfx12 from the "RDNA 3" and "RDNA 4 Instruction Set Architecture".
#include "isa/amd/local_memory.h"

namespace lockstep::amd {
namespace {

using memory::Load;
using memory::MemoryInstruction;
using memory::Pattern;
using memory::Place16;
using memory::Places;
using memory::Store;

template <class O>
constexpr const Semantic* meaning = &semantic<MemoryInstruction<LocalAddress, O>>;

template <int N>
struct Load2 {
  static constexpr std::string_view base = "local load of two u32";
  static constexpr std::string_view name = memory::Joined<base, memory::count_name<N>>::value;
  static constexpr Shape shape = Shape::memory;
  static constexpr MemoryData memory_data = {.moves = true, .pair = true};
  static constexpr Kind result = N == 1 ? Kind::u64 : Kind::u32;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    Places places;
    if (!two_local_places<W>(wave, in, context, AccessKind::load, N * 4, places)) return;
    std::array<Pattern, 2> pattern;
    for (u32 i = 0; i < 2; ++i) {
      pattern[i] = memory::admit<W>(wave, in, context, places.place[i]);
      if (context.fault.kind != FaultKind::none) return;
    }
    if (context.look_only) return;
    for (u32 i = 0; i < 2; ++i) {
      const u32 row = in.operand[0].index + i * N;
      if constexpr (N == 1) {
        memory::load_element<W, u32, Place16::whole>(wave, row, places.place[i], pattern[i]);
      } else {
        memory::load_dwords<W, N>(wave, row, places.place[i], pattern[i]);
      }
    }
  }
};

template <int N>
struct Store2 {
  static constexpr std::string_view base = "local store of two u32";
  static constexpr std::string_view name = memory::Joined<base, memory::count_name<N>>::value;
  static constexpr Shape shape = Shape::memory;
  static constexpr MemoryData memory_data = {.moves = true, .pair = true};
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 2;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    Places places;
    if (!two_local_places<W>(wave, in, context, AccessKind::store, N * 4, places)) return;
    std::array<Pattern, 2> pattern;
    for (u32 i = 0; i < 2; ++i) {
      pattern[i] = memory::admit<W>(wave, in, context, places.place[i]);
      if (context.fault.kind != FaultKind::none) return;
    }
    if (context.look_only) return;
    for (u32 i = 0; i < 2; ++i) {
      const u32 row = in.operand[i == 0 ? 2 : 5].index;
      if constexpr (N == 1) {
        memory::store_element<W, u32, Place16::whole>(wave, row, places.place[i], pattern[i]);
      } else {
        memory::store_dwords<W, N>(wave, row, places.place[i], pattern[i]);
      }
    }
  }
};

void add_loads_and_stores(RowList& rows) {
  constexpr u32 old = gfx6to9 | gfx10 | gfx103, renamed = gfx11 | gfx12;
  constexpr Place16 low = Place16::low, high = Place16::high;
  const auto load = [&](std::string_view name, std::string_view new_name, const Semantic* what, u32 which) {
    rows.add("ds_read", name, what, Cost::lds_load, old & which);
    rows.add("ds_load", new_name, what, Cost::lds_load, renamed & which);
  };
  const auto store = [&](std::string_view name, std::string_view new_name, const Semantic* what, u32 which) {
    rows.add("ds_write", name, what, Cost::lds_store, old & which);
    rows.add("ds_store", new_name, what, Cost::lds_store, renamed & which);
  };
  load("_u8", "_u8", meaning<Load<u8>>, every);
  load("_i8", "_i8", meaning<Load<i8>>, every);
  load("_u16", "_u16", meaning<Load<u16>>, every);
  load("_i16", "_i16", meaning<Load<i16>>, every);
  load("_b32", "_b32", meaning<Load<u32>>, every);
  load("_b64", "_b64", meaning<Load<u32, 2>>, every);
  load("_b96", "_b96", meaning<Load<u32, 3>>, every & ~gfx6);
  load("_b128", "_b128", meaning<Load<u32, 4>>, every & ~gfx6);
  load("_u8_d16", "_u8_d16", meaning<Load<u8, 1, low>>, gfx9up);
  load("_u8_d16_hi", "_u8_d16_hi", meaning<Load<u8, 1, high>>, gfx9up);
  load("_i8_d16", "_i8_d16", meaning<Load<i8, 1, low>>, gfx9up);
  load("_i8_d16_hi", "_i8_d16_hi", meaning<Load<i8, 1, high>>, gfx9up);
  load("_u16_d16", "_u16_d16", meaning<Load<u16, 1, low>>, gfx9up);
  load("_u16_d16_hi", "_u16_d16_hi", meaning<Load<u16, 1, high>>, gfx9up);
  load("2_b32", "_2addr_b32", &semantic<Load2<1>>, every);
  load("2_b64", "_2addr_b64", &semantic<Load2<2>>, every);
  load("2st64_b32", "_2addr_stride64_b32", &semantic<Load2<1>>, every);
  load("2st64_b64", "_2addr_stride64_b64", &semantic<Load2<2>>, every);
  constexpr u32 by_lane = gfx9up;
  load("_addtid_b32", "_addtid_b32", &semantic<MemoryInstruction<LocalLaneAddress, Load<u32>>>, by_lane);
  store("_addtid_b32", "_addtid_b32", &semantic<MemoryInstruction<LocalLaneAddress, Store<u32>>>, by_lane);
  store("_b8", "_b8", meaning<Store<u8>>, every);
  store("_b16", "_b16", meaning<Store<u16>>, every);
  store("_b32", "_b32", meaning<Store<u32>>, every);
  store("_b64", "_b64", meaning<Store<u32, 2>>, every);
  store("_b96", "_b96", meaning<Store<u32, 3>>, every & ~gfx6);
  store("_b128", "_b128", meaning<Store<u32, 4>>, every & ~gfx6);
  store("_b8_d16_hi", "_b8_d16_hi", meaning<Store<u8, 1, high>>, gfx9up);
  store("_b16_d16_hi", "_b16_d16_hi", meaning<Store<u16, 1, high>>, gfx9up);
  store("2_b32", "_2addr_b32", &semantic<Store2<1>>, every);
  store("2_b64", "_2addr_b64", &semantic<Store2<2>>, every);
  store("2st64_b32", "_2addr_stride64_b32", &semantic<Store2<1>>, every);
  store("2st64_b64", "_2addr_stride64_b64", &semantic<Store2<2>>, every);
}

}  // namespace

std::span<const Row> local_memory_rows() {
  static const RowList list = [] {
    RowList rows;
    add_loads_and_stores(rows);
    add_local_atomics(rows);
    return rows;
  }();
  return list.rows();
}

}  // namespace lockstep::amd
