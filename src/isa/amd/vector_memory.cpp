// Loads and stores of the vector memory: global, flat, scratch and buffer.
// Source: "Vega Instruction Set Architecture", chapters "Flat Memory Instructions" and "MUBUF Instructions";
// the names of gfx11 and gfx12 from the "RDNA 3" and "RDNA 4 Instruction Set Architecture".
#include "isa/amd/buffer_format.h"
#include "isa/amd/memory_rows.h"

namespace lockstep::amd {
namespace {

using memory::Load;
using memory::MemoryInstruction;
using memory::Place16;
using memory::Store;

template <class A, class O>
constexpr const Semantic* meaning = &semantic<MemoryInstruction<A, O>>;

// Every load and store of a family. `old` are its generations with names up to gfx10, `renamed` those from
// gfx11 on.
template <class A>
void add_loads_and_stores(RowList& list, std::string_view prefix, u32 old, u32 renamed) {
  const auto load = [&](std::string_view name, std::string_view new_name, const Semantic* what, u32 which) {
    list.add(prefix, name, what, Cost::vmem_load, old & which);
    list.add(prefix, new_name, what, Cost::vmem_load, renamed & which);
  };
  const auto store = [&](std::string_view name, std::string_view new_name, const Semantic* what, u32 which) {
    list.add(prefix, name, what, Cost::vmem_store, old & which);
    list.add(prefix, new_name, what, Cost::vmem_store, renamed & which);
  };
  constexpr Place16 low = Place16::low, high = Place16::high;
  load("load_ubyte", "load_u8", meaning<A, Load<u8>>, every);
  load("load_sbyte", "load_i8", meaning<A, Load<i8>>, every);
  load("load_ushort", "load_u16", meaning<A, Load<u16>>, every);
  load("load_sshort", "load_i16", meaning<A, Load<i16>>, every);
  load("load_dword", "load_b32", meaning<A, Load<u32>>, every);
  load("load_dwordx2", "load_b64", meaning<A, Load<u32, 2>>, every);
  load("load_dwordx3", "load_b96", meaning<A, Load<u32, 3>>, every);
  load("load_dwordx4", "load_b128", meaning<A, Load<u32, 4>>, every);
  load("load_ubyte_d16", "load_d16_u8", meaning<A, Load<u8, 1, low>>, gfx9up);
  load("load_ubyte_d16_hi", "load_d16_hi_u8", meaning<A, Load<u8, 1, high>>, gfx9up);
  load("load_sbyte_d16", "load_d16_i8", meaning<A, Load<i8, 1, low>>, gfx9up);
  load("load_sbyte_d16_hi", "load_d16_hi_i8", meaning<A, Load<i8, 1, high>>, gfx9up);
  load("load_short_d16", "load_d16_b16", meaning<A, Load<u16, 1, low>>, gfx9up);
  load("load_short_d16_hi", "load_d16_hi_b16", meaning<A, Load<u16, 1, high>>, gfx9up);
  store("store_byte", "store_b8", meaning<A, Store<u8>>, every);
  store("store_short", "store_b16", meaning<A, Store<u16>>, every);
  store("store_byte_d16_hi", "store_d16_hi_b8", meaning<A, Store<u8, 1, high>>, gfx9up);
  store("store_short_d16_hi", "store_d16_hi_b16", meaning<A, Store<u16, 1, high>>, gfx9up);
  store("store_dword", "store_b32", meaning<A, Store<u32>>, every);
  store("store_dwordx2", "store_b64", meaning<A, Store<u32, 2>>, every);
  store("store_dwordx3", "store_b96", meaning<A, Store<u32, 3>>, every);
  store("store_dwordx4", "store_b128", meaning<A, Store<u32, 4>>, every);
}

// global_load_tr_b128: each group of eight lanes loads eight runs of eight 16-bit elements, a run from each
// lane's address, and turns them: lane l gets the element l % 8 of every run. The "RDNA 4 Instruction Set
// Architecture" (WMMA matrix load with transpose) names the instruction, waves of 32 alone, and not its
// lanes; these were measured, on an RX 9070 XT (gfx1201) by the compiler project whose notes derive the
// address of each lane from it, and alike on gfx1250, whose global_load_tr16_b128 has the same encoding.
// Nobody says what lanes out of EXEC give to the others.
struct TransposedLoad {
  static constexpr std::string_view name = " load of 16-bit elements, turned in groups of 8 lanes";
  static constexpr Kind result = Kind::u32;
  static constexpr u8 data = 0;
  static constexpr u8 bytes = 16;
  static AccessKind kind(const Instruction&) { return AccessKind::load; }
  template <int W>
  static void move(WaveState& wave, const Instruction& in, StepContext& context, const memory::Place& place) {
    if (W != 32 || wave.exec() != wave.all_lanes()) {
      Fault fault;
      fault.kind = FaultKind::not_supported;
      fault.text = "a load that transposes needs a wave of 32 lanes, all of them active";
      context.raise(fault);
      return;
    }
    const memory::Pattern pattern = memory::admit<W>(wave, in, context, place);
    if (!memory::moves(context)) return;
    const u32 first = in.operand[0].index;
    memory::load_dwords<W, 4>(wave, first, place, pattern);
    constexpr u32 run = 8;  // elements, and lanes of a group
    for (u32 group = 0; group < W; group += run) {
      std::array<std::array<u32, run>, run> tile;  // by lane and element
      for (u32 lane = 0; lane < run; ++lane) {
        for (u32 i = 0; i < run; ++i)
          tile[lane][i] = wave.row(first + i / 2)[group + lane] >> (16 * (i % 2)) & 0xFFFF;
      }
      for (u32 lane = 0; lane < run; ++lane) {
        for (u32 i = 0; i < run; i += 2)
          wave.row(first + i / 2)[group + lane] = tile[i][lane] | tile[i + 1][lane] << 16;
      }
    }
  }
};

// Write-backs and invalidations of caches: memory is coherent in execution, so that only timing sees them.
struct CacheControl {
  static constexpr std::string_view name = "vector cache control";
  static constexpr Shape shape = Shape::control;
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext&) {}
};

}  // namespace

std::span<const Row> vector_memory_rows() {
  static const RowList list = [] {
    RowList rows;
    constexpr u32 old = gfx9 | gfx10 | gfx103, renamed = gfx11 | gfx12;
    add_loads_and_stores<GlobalAddress>(rows, "global_", old, renamed);
    add_loads_and_stores<FlatAddress>(rows, "flat_", old | gfx7 | gfx8, renamed);
    add_loads_and_stores<ScratchAddress>(rows, "scratch_", old, renamed);
    add_loads_and_stores<BufferAddress<ResourceLayout::gcn5>>(rows, "buffer_", gfx9, 0);
    add_loads_and_stores<BufferAddress<ResourceLayout::gcn3>>(rows, "buffer_", gfx8, 0);
    add_loads_and_stores<BufferAddress<ResourceLayout::gcn1>>(rows, "buffer_", gfx6 | gfx7, 0);
    add_loads_and_stores<BufferAddress<ResourceLayout::rdna>>(rows, "buffer_", gfx10 | gfx103, renamed);
    add_buffer_formats(rows);
    const Semantic* load_by_lane = meaning<GlobalLaneAddress, Load<u32>>;
    const Semantic* store_by_lane = meaning<GlobalLaneAddress, Store<u32>>;
    rows.add("global_load_dword_addtid", "", load_by_lane, Cost::vmem_load, gfx103);
    rows.add("global_load_addtid_b32", "", load_by_lane, Cost::vmem_load, renamed);
    rows.add("global_store_dword_addtid", "", store_by_lane, Cost::vmem_store, gfx103);
    rows.add("global_store_addtid_b32", "", store_by_lane, Cost::vmem_store, renamed);
    rows.add("global_load_tr_b128", "", meaning<GlobalAddress, TransposedLoad>, Cost::vmem_load, gfx12);
    const auto control = [&](std::string_view name, u32 generations) {
      rows.add(name, "", &semantic<CacheControl>, Cost::cache_control, generations);
    };
    control("buffer_wbinvl1", gfx6to9);
    control("buffer_wbinvl1_sc", gfx6);
    control("buffer_wbinvl1_vol", gfx7 | gfx8 | gfx9);
    control("buffer_wbl2", gfx90a | gfx940);
    control("buffer_invl2", gfx90a);
    control("buffer_inv", gfx940);
    control("buffer_gl0_inv", gfx10 | gfx103 | gfx11);
    control("buffer_gl1_inv", gfx10 | gfx103 | gfx11);
    control("global_inv", gfx12);
    control("global_wb", gfx12);
    control("global_wbinv", gfx12);
    return rows;
  }();
  return list.rows();
}

}  // namespace lockstep::amd
