// Instructions that move values between lanes, or between lanes and scalar registers.
// Source: "Vega Instruction Set Architecture", chapters VOP1 and VOP3; "RDNA 2 Instruction Set Architecture"
// for v_permlane16 and v_permlanex16; "RDNA 3 Instruction Set Architecture" for v_permlane64.
#include <bit>

#include "isa/amd/table.h"
#include "isa/lane_permutation.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

// One lane's value of an operand.
u32 value_in_lane(const WaveState& wave, const Operand& operand, u32 lane) {
  return operand.kind == OperandKind::vector ? wave.row(operand.index)[lane] : scalar_value32(wave, operand);
}

struct CrossLane {
  static constexpr Shape shape = Shape::cross_lane;
  static constexpr Kind result = Kind::u32;
};

// The lowest active lane; lane 0 where none is active.
struct ReadFirstLane : CrossLane {
  static constexpr std::string_view name = "readfirstlane_b32";
  static constexpr Role role = Role::read_first_lane;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u64 active = wave.exec() & wave.all_lanes();
    const u32 lane = active == 0 ? 0 : static_cast<u32>(std::countr_zero(active));
    wave.write_scalar(in.operand[0].index, value_in_lane(wave, in.operand[1], lane));
  }
};
// Neither reading nor writing a lane asks whether it is active.
struct ReadLane : CrossLane {
  static constexpr std::string_view name = "readlane_b32";
  static constexpr u16 implied = 0;
  static constexpr Role role = Role::read_lane;
  static constexpr u8 sources = 2;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32 lane = scalar_value32(wave, in.operand[2]) & (W - 1);
    wave.write_scalar(in.operand[0].index, value_in_lane(wave, in.operand[1], lane));
  }
};
struct WriteLane : CrossLane {
  static constexpr std::string_view name = "writelane_b32";
  static constexpr u16 implied = 0;
  static constexpr Role role = Role::write_lane;
  static constexpr u8 sources = 2;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32 lane = scalar_value32(wave, in.operand[2]) & (W - 1);
    wave.row(in.operand[0].index)[lane] = scalar_value32(wave, in.operand[1]);
  }
};

// Counts the mask's bits below the lane: the low and the high half of the mask apart.
template <bool high>
struct MaskCount : CrossLane {
  static constexpr std::string_view name = high ? "mbcnt_hi_u32_b32" : "mbcnt_lo_u32_b32";
  static constexpr Flow flow = high ? Flow::count_below_high : Flow::count_below_low;
  static constexpr u8 sources = 2;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32};
  static constexpr u32 below(int lane) {
    if (high) return lane < 32 ? 0 : (u32{1} << (lane - 32)) - 1;
    return lane < 32 ? (u32{1} << lane) - 1 : ~u32{0};
  }
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    lockstep::Row<u32> room_a, room_b, out;
    const u32* mask = fetch32<W>(wave, in, in.operand[1], Kind::u32, room_a);
    const u32* addend = fetch32<W>(wave, in, in.operand[2], Kind::u32, room_b);
    for (int i = 0; i < W; ++i) {
      out.lane[i] = static_cast<u32>(std::popcount(mask[i] & below(i))) + addend[i];
    }
    commit32<W>(wave, in, in.operand[0], out.data());
  }
};

struct Swap : CrossLane {
  static constexpr std::string_view name = "swap_b32";
  static constexpr u16 implied = implies::reads_exec | implies::reads_result | implies::writes_source;
  static constexpr Role role = Role::swap;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    u32* a = wave.row(in.operand[0].index);
    u32* b = wave.row(in.operand[1].index);
    const u32* mask = wave.mask_row();
    for (int i = 0; i < W; ++i) {
      const u32 change = (a[i] ^ b[i]) & mask[i];
      a[i] ^= change;
      b[i] ^= change;
    }
  }
};

// Every lane reads a lane of its own row of 16 (or of the neighbour row) that a nibble of two scalars names.
// gfx12's _var forms take the lane's number from each lane's own register. The detail says whether inactive
// lanes are read, too, or make the result 0 instead of leaving it.
template <bool other_row, bool by_lane>
struct PermuteRow : CrossLane {
  static constexpr std::string_view name = by_lane
                                               ? (other_row ? "permlanex16_var_b32" : "permlane16_var_b32")
                                               : (other_row ? "permlanex16_b32" : "permlane16_b32");
  static constexpr Role role = by_lane ? Role::none : other_row ? Role::permute_other_row : Role::permute_row;
  static constexpr u8 sources = by_lane ? 2 : 3;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32, Kind::u32, Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const bool reads_inactive = (in.detail & permute_reads_inactive) != 0,
               bound_zero = (in.detail & permute_bound_zero) != 0;
    const u64 active = wave.exec();
    u64 selects = 0;
    if constexpr (!by_lane) {
      selects = scalar_value32(wave, in.operand[2]) | u64{scalar_value32(wave, in.operand[3])} << 32;
    }
    lockstep::Row<u32> source;
    for (u32 lane = 0; lane < W; ++lane) source.lane[lane] = value_in_lane(wave, in.operand[1], lane);
    u32* out = wave.row(in.operand[0].index);
    for (u32 lane = 0; lane < W; ++lane) {
      if (((active >> lane) & 1) == 0) continue;
      const u32 row = (lane & ~15u) ^ (other_row ? 16 : 0);
      const u32 chosen =
          by_lane ? value_in_lane(wave, in.operand[2], lane) : static_cast<u32>(selects >> (4 * (lane & 15)));
      const u32 from = row + (chosen & 15);
      if (reads_inactive || ((active >> from) & 1) != 0) {
        out[lane] = source.lane[from];
      } else if (bound_zero) {
        out[lane] = 0;
      }
    }
  }
};

// Swaps the halves of a wave of 64; a wave of 32 keeps its values.
struct PermuteHalves : CrossLane {
  static constexpr std::string_view name = "permlane64_b32";
  static constexpr Role role = Role::permute_halves;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    if constexpr (W == 64) {
      lockstep::Row<u32> out;
      for (u32 lane = 0; lane < W; ++lane) out.lane[lane] = value_in_lane(wave, in.operand[1], lane ^ 32);
      commit_row<W>(wave, in.operand[0].index, out.data());
    }
  }
};

}  // namespace

std::span<const Row> cross_lane_rows() {
  static constexpr Row rows[] = {
      {"v_readfirstlane_b32", &semantic<ReadFirstLane>, Cost::valu_cross_lane, every, scalar_result},
      {"v_readlane_b32", &semantic<ReadLane>, Cost::valu_cross_lane, every, scalar_result},
      {"v_writelane_b32", &semantic<WriteLane>, Cost::valu_cross_lane},
      {"v_mbcnt_lo_u32_b32", &semantic<MaskCount<false>>, Cost::valu_full},
      {"v_mbcnt_hi_u32_b32", &semantic<MaskCount<true>>, Cost::valu_full},
      {"v_swap_b32", &semantic<Swap>, Cost::valu_swap, gfx9up},
      {"v_permlane16_b32", &semantic<PermuteRow<false, false>>, Cost::valu_cross_lane, rdna},
      {"v_permlanex16_b32", &semantic<PermuteRow<true, false>>, Cost::valu_cross_lane, rdna},
      {"v_permlane16_var_b32", &semantic<PermuteRow<false, true>>, Cost::valu_cross_lane, gfx12},
      {"v_permlanex16_var_b32", &semantic<PermuteRow<true, true>>, Cost::valu_cross_lane, gfx12},
      {"v_permlane64_b32", &semantic<PermuteHalves>, Cost::valu_cross_lane, gfx11 | gfx12},
  };
  return rows;
}

}  // namespace lockstep::amd
