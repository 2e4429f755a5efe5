// Local memory's atomics and its crossbar: ds_add and its like, ds_swizzle, ds_permute, ds_append.
// Source: "Vega Instruction Set Architecture", chapter "Data Share Operations" and the list of DS
// instructions.
#include "isa/amd/combine.h"
#include "isa/amd/local_memory.h"
#include "isa/lane_permutation.h"

namespace lockstep::amd {
namespace {

using memory::Atomic;
using memory::for_lanes;
using memory::MemoryInstruction;
using memory::Second;

template <class F, class T, Second S = Second::behind>
constexpr const Semantic* meaning = &semantic<MemoryInstruction<LocalAddress, Atomic<F, T, S>>>;

u64 active_lanes(const WaveState& wave) {
  return wave.exec() & wave.all_lanes();
}

// ds_wrxchg2: two elements at the address plus two offsets; both old values come back.
template <class T>
struct Exchange2 {
  static constexpr std::string_view base = "local exchange of two ";
  static constexpr std::string_view name = memory::Joined<base, memory::element_name<T>>::value;
  static constexpr Shape shape = Shape::memory;
  static constexpr Combining combining = Combining::exchange;
  static constexpr MemoryData memory_data = {.pair = true};
  static constexpr Kind result = Kind::u64;
  static constexpr u8 sources = 2;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    memory::Places places;
    if (!two_local_places<W>(wave, in, context, AccessKind::atomic_return, sizeof(T), places)) return;
    for (u32 i = 0; i < 2; ++i) {
      memory::admit<W>(wave, in, context, places.place[i]);
      if (context.fault.kind != FaultKind::none) return;
      if (!memory::check_aligned(*places.place[i].access, sizeof(T), context)) return;
    }
    if (context.look_only) return;
    lockstep::Row<T> old[2];
    for (u32 i = 0; i < 2; ++i) {
      const memory::Place& place = places.place[i];
      const u32 data = in.operand[i == 0 ? 2 : 5].index;
      for_lanes(place.access->lanes, [&](u32 lane) {
        const T value = memory::lane_value<T>(wave, data, lane);
        old[i].lane[lane] =
            memory::exchange_element<T>(place.view, place.access->address[lane], [&](T) { return value; });
      });
    }
    const u32 rows = sizeof(T) / 4;
    for_lanes(places.place[0].access->lanes, [&](u32 lane) {
      for (u32 i = 0; i < 2; ++i) {
        memory::set_lane_value<T>(wave, in.operand[0].index + i * rows, lane, old[i].lane[lane]);
      }
    });
  }
};

// Lanes whose source lane is not active read 0.
struct Swizzle {
  static constexpr std::string_view name = "local swizzle";
  static constexpr Role role = Role::swizzle;
  static constexpr Shape shape = Shape::cross_lane;
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32 pattern = static_cast<u32>(in.offset) & 0xFFFF;
    const u32* from = wave.row(in.operand[1].index);
    const u64 active = active_lanes(wave);
    lockstep::Row<u32> out;
    for (u32 lane = 0; lane < W; ++lane) {
      const u32 source = (lane & ~31u) | swizzle_source(pattern, lane & 31);
      out.lane[lane] = ((active >> source) & 1) != 0 ? from[source] : 0;
    }
    commit_row<W>(wave, in.operand[0].index, out.data());
  }
};

// Group is how many lanes reach each other: RDNA keeps the halves of a wave of 64 apart.
// Pull: a lane reads the lane that its address (four times the lane's number) names, 0 where that is not
// active.
template <u32 Group>
struct PermutePull {
  static constexpr std::string_view name =
      Group == 32 ? "local permute by reader within 32 lanes" : "local permute by reader";
  static constexpr Role role = Role::pull;
  static constexpr u8 reach = Group;
  static constexpr Shape shape = Shape::cross_lane;
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 2;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32* address = wave.row(in.operand[1].index);
    const u32* data = wave.row(in.operand[2].index);
    const u64 active = active_lanes(wave);
    lockstep::Row<u32> out;
    for (u32 lane = 0; lane < W; ++lane) {
      constexpr u32 lanes = W < Group ? W : Group;
      const u32 source = (lane / lanes * lanes) | ((address[lane] + static_cast<u32>(in.offset)) / 4 % lanes);
      out.lane[lane] = ((active >> source) & 1) != 0 ? data[source] : 0;
    }
    commit_row<W>(wave, in.operand[0].index, out.data());
  }
};

// Push: a lane sends to the lane that its address names; the highest sender wins, who gets nothing reads 0.
template <u32 Group>
struct PermutePush {
  static constexpr std::string_view name =
      Group == 32 ? "local permute by writer within 32 lanes" : "local permute by writer";
  static constexpr Role role = Role::push;
  static constexpr u8 reach = Group;
  static constexpr Shape shape = Shape::cross_lane;
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 2;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32* address = wave.row(in.operand[1].index);
    const u32* data = wave.row(in.operand[2].index);
    lockstep::Row<u32> out;
    out.lane.fill(0);
    for_lanes(active_lanes(wave), [&](u32 lane) {
      constexpr u32 lanes = W < Group ? W : Group;
      const u32 to = (address[lane] + static_cast<u32>(in.offset)) / 4 % lanes;
      out.lane[(lane / lanes * lanes) | to] = data[lane];
    });
    commit_row<W>(wave, in.operand[0].index, out.data());
  }
};

// ds_append and ds_consume: one counter at M0's lower half plus the offset moves by the number of active
// lanes; every active lane gets the old value.
template <bool Append>
struct Count {
  static constexpr std::string_view name = Append ? "local append" : "local consume";
  static constexpr Shape shape = Shape::memory;
  static constexpr Combining combining = Combining::sum;
  static constexpr u16 implied = implies::reads_exec | implies::reads_m0;
  static constexpr MemoryData memory_data = {.one_for_all = true};
  static constexpr Kind result = Kind::u32;
  static constexpr u8 sources = 0;
  static constexpr std::array<Kind, 4> source_kinds{};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    if (refused_flags(in, context)) return;
    const u64 active = active_lanes(wave);
    if (active == 0) return;
    memory::Places places;
    const memory::Place& place =
        add_place(places, context, memory::local_view(wave), Space::local, AccessKind::atomic_return, 4, 1);
    place.access->address[0] = (wave.read_scalar(scalar_register::m0) & 0xFFFF) + static_cast<u32>(in.offset);
    memory::admit<W>(wave, in, context, place);
    if (context.fault.kind != FaultKind::none) return;
    if (!memory::check_aligned(*place.access, 4, context) || context.look_only) return;
    const u32 count = static_cast<u32>(std::popcount(active));
    const u32 old = memory::exchange_element<u32>(place.view, place.access->address[0], [&](u32 before) {
      return Append ? before + count : before - count;
    });
    for_lanes(active, [&](u32 lane) { wave.row(in.operand[0].index)[lane] = old; });
  }
};

struct Nothing {
  static constexpr std::string_view name = "local no operation";
  static constexpr Shape shape = Shape::control;
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext&) {}
};

// What this model leaves out, by name.
struct Refused {
  static constexpr std::string_view name = "global wave sync, ordered count";
  static constexpr Shape shape = Shape::memory;
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext& context) {
    refuse(context, "global wave sync and ordered count (ds_gws_*, ds_ordered_count)");
  }
};

}  // namespace

void add_local_atomics(RowList& rows) {
  constexpr u32 old = gfx6to9 | gfx10 | gfx103, renamed = gfx11 | gfx12;
  const auto one = [&](const std::string& name, const Semantic* what, u32 generations) {
    rows.add("ds_", name, what, Cost::lds_atomic, generations);
  };
  // ds_NAME_TYPE and ds_NAME_rtn_TYPE, in 32 and 64 bits.
  const auto with_return = [&](const std::string& stem, const std::string& type, const Semantic* what,
                               u32 generations) {
    one(stem + "_" + type, what, generations);
    one(stem + "_rtn_" + type, what, generations);
  };
  const auto both = [&]<class F>(F, const std::string& stem, const std::string& type) {
    with_return(stem, type + "32", meaning<F, u32>, every);
    with_return(stem, type + "64", meaning<F, u64>, every);
  };
  both(combine::Add{}, "add", "u");
  both(combine::Sub{}, "sub", "u");
  both(combine::ReverseSub{}, "rsub", "u");
  both(combine::Increment{}, "inc", "u");
  both(combine::Decrement{}, "dec", "u");
  both(combine::SignedMin{}, "min", "i");
  both(combine::SignedMax{}, "max", "i");
  both(combine::UnsignedMin{}, "min", "u");
  both(combine::UnsignedMax{}, "max", "u");
  both(combine::And{}, "and", "b");
  both(combine::Or{}, "or", "b");
  both(combine::Xor{}, "xor", "b");
  const auto pair = [&]<class F>(F, const std::string& stem, const std::string& type, u32 generations) {
    with_return(stem, type + "32", meaning<F, u32, Second::own_operand>, generations);
    with_return(stem, type + "64", meaning<F, u64, Second::own_operand>, generations);
  };
  pair(combine::MaskOr{}, "mskor", "b", every);
  pair(combine::CompareStore{}, "cmpst", "b", old);
  pair(combine::FloatCompareStore{}, "cmpst", "f", old);
  pair(combine::CompareSwap{}, "cmpstore", "b", renamed);
  with_return("cmpstore", "f32", meaning<combine::FloatCompareSwap, u32, Second::own_operand>, gfx11);
  with_return("cmpstore", "f64", meaning<combine::FloatCompareSwap, u64, Second::own_operand>, gfx11);
  one("wrxchg_rtn_b32", meaning<combine::Swap, u32>, old);
  one("wrxchg_rtn_b64", meaning<combine::Swap, u64>, old);
  one("storexchg_rtn_b32", meaning<combine::Swap, u32>, renamed);
  one("storexchg_rtn_b64", meaning<combine::Swap, u64>, renamed);
  for (const char* stride : {"", "st64"}) {
    one(std::string("wrxchg2") + stride + "_rtn_b32", &semantic<Exchange2<u32>>, old);
    one(std::string("wrxchg2") + stride + "_rtn_b64", &semantic<Exchange2<u64>>, old);
  }
  for (const char* stride : {"", "_stride64"}) {
    one(std::string("storexchg_2addr") + stride + "_rtn_b32", &semantic<Exchange2<u32>>, renamed);
    one(std::string("storexchg_2addr") + stride + "_rtn_b64", &semantic<Exchange2<u64>>, renamed);
  }
  with_return("add", "f32", meaning<combine::FloatAdd, u32>, gfx8up);
  with_return("add", "f64", meaning<combine::FloatAdd, u64>, gfx90a | gfx940);
  with_return("pk_add", "bf16", meaning<combine::BrainPairAdd, u32>, gfx940 | gfx12);
  with_return("min_num", "f32", meaning<combine::NumberMin, u32>, gfx12);
  with_return("max_num", "f32", meaning<combine::NumberMax, u32>, gfx12);
  with_return("min_num", "f64", meaning<combine::NumberMin, u64>, gfx12);
  with_return("max_num", "f64", meaning<combine::NumberMax, u64>, gfx12);
  with_return("sub_clamp", "u32", meaning<combine::SaturatingSub, u32>, gfx12);
  with_return("cond_sub", "u32", meaning<combine::ConditionalSub, u32>, gfx12);
  one("wrap_rtn_b32", meaning<combine::Wrap, u32, Second::own_operand>, every & ~(gfx6 | gfx12));
  with_return("pk_add", "f16", meaning<combine::HalfPairAdd, u32>, gfx940 | gfx12);
  with_return("min", "f32", meaning<combine::FloatMin, u32>, every & ~gfx12);
  with_return("max", "f32", meaning<combine::FloatMax, u32>, every & ~gfx12);
  with_return("min", "f64", meaning<combine::FloatMin, u64>, every & ~gfx12);
  with_return("max", "f64", meaning<combine::FloatMax, u64>, every & ~gfx12);

  rows.add("ds_append", "", &semantic<Count<true>>, Cost::lds_atomic, every);
  rows.add("ds_consume", "", &semantic<Count<false>>, Cost::lds_atomic, every);
  rows.add("ds_swizzle_b32", "", &semantic<Swizzle>, Cost::lds_permute, every);
  rows.add("ds_permute_b32", "", &semantic<PermutePush<64>>, Cost::lds_permute, gfx8to9);
  rows.add("ds_permute_b32", "", &semantic<PermutePush<32>>, Cost::lds_permute, rdna);
  rows.add("ds_bpermute_b32", "", &semantic<PermutePull<64>>, Cost::lds_permute, gfx8to9);
  rows.add("ds_bpermute_b32", "", &semantic<PermutePull<32>>, Cost::lds_permute, rdna);
  rows.add("ds_nop", "", &semantic<Nothing>, Cost::nop, every & ~gfx6);
  for (const char* name : {"ds_gws_init", "ds_gws_sema_v", "ds_gws_sema_br", "ds_gws_sema_p",
                           "ds_gws_barrier", "ds_ordered_count"}) {
    rows.add(name, "", &semantic<Refused>, Cost::gds, every & ~gfx12);
  }
  rows.add("ds_gws_sema_release_all", "", &semantic<Refused>, Cost::gds, every & ~(gfx6 | gfx12));
}

}  // namespace lockstep::amd
