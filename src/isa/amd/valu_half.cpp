// f16 instructions of the vector ALU.
// Source: "Vega Instruction Set Architecture", 12.7, 12.8 and 12.11. Which of them leave the upper half of
// the result register as it is: LLVM's GCNSubtarget::zeroesHigh16BitsOfDest (none on gfx8; mac and what has
// op_sel on gfx9; all from gfx10 on).
#include <vector>

#include "isa/amd/float_functions.h"
#include "isa/amd/float_meanings.h"
#include "isa/amd/scalar_float.h"
#include "isa/amd/valu_float.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

struct PackB32F16 {
  static constexpr std::string_view name = "pack_b32_f16";
  static constexpr Flow flow = Flow::pack_low_low;
  static u32 apply(F16 a, F16 b) { return a.bits | u32{b.bits} << 16; }
  static u32 apply_mode(F16 a, F16 b, u32 mode) {
    return apply(FlushByMode::flush(a, mode), FlushByMode::flush(b, mode));
  }
};

// One row of gfx8 and gfx9 that zeroes the upper half, one of RDNA that keeps it.
constexpr Row zeroing[] = {
    {"v_add_f16", &semantic<FloatAdd<F16>>, Cost::valu_f16},
    {"v_sub_f16", &semantic<FloatSub<F16>>, Cost::valu_f16},
    {"v_subrev_f16", &semantic<FloatSubrev<F16>>, Cost::valu_f16},
    {"v_mul_f16", &semantic<FloatMul<F16>>, Cost::valu_f16},
    {"v_floor_f16", &semantic<FloatFloor<F16>>, Cost::valu_f16},
    {"v_ceil_f16", &semantic<FloatCeil<F16>>, Cost::valu_f16},
    {"v_trunc_f16", &semantic<FloatTrunc<F16>>, Cost::valu_f16},
    {"v_rndne_f16", &semantic<FloatRndne<F16>>, Cost::valu_f16},
    {"v_fract_f16", &semantic<FloatFract<F16>>, Cost::valu_f16},
    {"v_ldexp_f16", &semantic<FloatLdexp<F16>>, Cost::valu_f16},
    {"v_frexp_mant_f16", &semantic<FloatFrexpMant<F16>>, Cost::valu_f16},
    {"v_frexp_exp_i16_f16", &semantic<FloatFrexpExp<F16>>, Cost::valu_f16},
    {"v_rcp_f16", &semantic<FloatRcp<F16>>, Cost::valu_transcendental},
    {"v_rsq_f16", &semantic<FloatRsq<F16>>, Cost::valu_transcendental},
    {"v_sqrt_f16", &semantic<FloatSqrt<F16>>, Cost::valu_transcendental},
    {"v_exp_f16", &semantic<FloatExp<F16>>, Cost::valu_transcendental},
    {"v_log_f16", &semantic<FloatLog<F16>>, Cost::valu_transcendental},
};

constexpr Row single_rows[] = {
    {"v_min_f16", &semantic<FloatMin<F16, KeepDenormals>>, Cost::valu_f16, gfx8},
    {"v_min_f16", &semantic<FloatMin<F16>>, Cost::valu_f16, gfx9},
    {"v_min_f16", &semantic<FloatMin<F16>>, Cost::valu_f16, rdna & ~gfx12, keeps_high_half},
    {"v_min_num_f16", &semantic<FloatMin<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_max_f16", &semantic<FloatMax<F16, KeepDenormals>>, Cost::valu_f16, gfx8},
    {"v_max_f16", &semantic<FloatMax<F16>>, Cost::valu_f16, gfx9},
    {"v_max_f16", &semantic<FloatMax<F16>>, Cost::valu_f16, rdna & ~gfx12, keeps_high_half},
    {"v_max_num_f16", &semantic<FloatMax<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_min3_f16", &semantic<FloatMin3<F16>>, Cost::valu_f16, gfx9up & ~gfx12, keeps_high_half},
    {"v_min3_num_f16", &semantic<FloatMin3<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_max3_f16", &semantic<FloatMax3<F16>>, Cost::valu_f16, gfx9up & ~gfx12, keeps_high_half},
    {"v_max3_num_f16", &semantic<FloatMax3<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_med3_f16", &semantic<FloatMed3<F16>>, Cost::valu_f16, gfx9up & ~gfx12, keeps_high_half},
    {"v_med3_num_f16", &semantic<FloatMed3<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_minmax_f16", &semantic<FloatMinmax<F16>>, Cost::valu_f16, gfx11, keeps_high_half},
    {"v_maxmin_f16", &semantic<FloatMaxmin<F16>>, Cost::valu_f16, gfx11, keeps_high_half},
    {"v_minmax_num_f16", &semantic<FloatMinmax<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_maxmin_num_f16", &semantic<FloatMaxmin<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_minimum3_f16", &semantic<FloatMinimum3<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_maximum3_f16", &semantic<FloatMaximum3<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_minimummaximum_f16", &semantic<FloatMinimumMaximum<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_maximumminimum_f16", &semantic<FloatMaximumMinimum<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"s_add_f16", &semantic<OnScalar<FloatAdd<F16>>>, Cost::salu, gfx12},
    {"s_sub_f16", &semantic<OnScalar<FloatSub<F16>>>, Cost::salu, gfx12},
    {"s_mul_f16", &semantic<OnScalar<FloatMul<F16>>>, Cost::salu, gfx12},
    {"s_fmac_f16", &semantic<OnScalar<FloatFma<F16>>>, Cost::salu, gfx12, accumulates},
    {"s_min_num_f16", &semantic<OnScalar<FloatMin<F16>>>, Cost::salu, gfx12},
    {"s_max_num_f16", &semantic<OnScalar<FloatMax<F16>>>, Cost::salu, gfx12},
    {"s_minimum_f16", &semantic<OnScalar<FloatMinimum<F16>>>, Cost::salu, gfx12},
    {"s_maximum_f16", &semantic<OnScalar<FloatMaximum<F16>>>, Cost::salu, gfx12},
    {"s_floor_f16", &semantic<OnScalar<FloatFloor<F16>>>, Cost::salu, gfx12},
    {"s_ceil_f16", &semantic<OnScalar<FloatCeil<F16>>>, Cost::salu, gfx12},
    {"s_trunc_f16", &semantic<OnScalar<FloatTrunc<F16>>>, Cost::salu, gfx12},
    {"s_rndne_f16", &semantic<OnScalar<FloatRndne<F16>>>, Cost::salu, gfx12},
    {"v_s_rcp_f16", &semantic<OnScalar<FloatRcp<F16>>>, Cost::valu_transcendental, gfx12, scalar_result},
    {"v_s_rsq_f16", &semantic<OnScalar<FloatRsq<F16>>>, Cost::valu_transcendental, gfx12, scalar_result},
    {"v_s_sqrt_f16", &semantic<OnScalar<FloatSqrt<F16>>>, Cost::valu_transcendental, gfx12, scalar_result},
    {"v_s_exp_f16", &semantic<OnScalar<FloatExp<F16>>>, Cost::valu_transcendental, gfx12, scalar_result},
    {"v_s_log_f16", &semantic<OnScalar<FloatLog<F16>>>, Cost::valu_transcendental, gfx12, scalar_result},
    {"v_minimum_f16", &semantic<FloatMinimum<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_maximum_f16", &semantic<FloatMaximum<F16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_mac_f16", &semantic<FloatMad<F16>>, Cost::valu_f16, gfx8, accumulates},
    {"v_mac_f16", &semantic<FloatMad<F16>>, Cost::valu_f16, gfx9, accumulates | keeps_high_half},
    {"v_madmk_f16", &semantic<FloatMad<F16>>, Cost::valu_f16, gfx8},
    {"v_madmk_f16", &semantic<FloatMad<F16>>, Cost::valu_f16, gfx9, keeps_high_half},
    {"v_madak_f16", &semantic<FloatMad<F16>>, Cost::valu_f16, gfx8},
    {"v_madak_f16", &semantic<FloatMad<F16>>, Cost::valu_f16, gfx9, keeps_high_half},
    {"v_mad_f16", &semantic<FloatMad<F16>>, Cost::valu_f16, gfx8},
    {"v_mad_f16", &semantic<FloatMad<F16>>, Cost::valu_f16, gfx9, keeps_high_half},
    {"v_mad_legacy_f16", &semantic<FloatMad<F16>>, Cost::valu_f16, gfx9},
    {"v_fma_f16", &semantic<FloatFma<F16>>, Cost::valu_f16, gfx8},
    {"v_fma_f16", &semantic<FloatFma<F16>>, Cost::valu_f16, gfx9up, keeps_high_half},
    {"v_fma_legacy_f16", &semantic<FloatFma<F16>>, Cost::valu_f16, gfx9},
    {"v_fmac_f16", &semantic<FloatFma<F16>>, Cost::valu_f16, rdna, accumulates | keeps_high_half},
    {"v_fmamk_f16", &semantic<FloatFma<F16>>, Cost::valu_f16, rdna, keeps_high_half},
    {"v_fmaak_f16", &semantic<FloatFma<F16>>, Cost::valu_f16, rdna, keeps_high_half},
    {"v_div_fixup_f16", &semantic<FloatDivFixup<F16>>, Cost::valu_f16, gfx8},
    {"v_div_fixup_f16", &semantic<FloatDivFixup<F16>>, Cost::valu_f16, gfx9up, keeps_high_half},
    {"v_div_fixup_legacy_f16", &semantic<FloatDivFixup<F16>>, Cost::valu_f16, gfx9},
    {"v_sin_f16", &semantic<FloatSin<F16, false>>, Cost::valu_transcendental, gfx8to9 & ~gfx940},
    {"v_sin_f16", &semantic<FloatSin<F16, true>>, Cost::valu_transcendental, gfx940},
    {"v_sin_f16", &semantic<FloatSin<F16, true>>, Cost::valu_transcendental, rdna, keeps_high_half},
    {"v_cos_f16", &semantic<FloatCos<F16, false>>, Cost::valu_transcendental, gfx8to9 & ~gfx940},
    {"v_cos_f16", &semantic<FloatCos<F16, true>>, Cost::valu_transcendental, gfx940},
    {"v_cos_f16", &semantic<FloatCos<F16, true>>, Cost::valu_transcendental, rdna, keeps_high_half},
    {"v_pack_b32_f16", &semantic<PackB32F16>, Cost::valu_full, gfx9up},
};

}  // namespace

std::span<const Row> valu_half_rows() {
  static const std::vector<Row> joined = [] {
    std::vector<Row> all(std::begin(single_rows), std::end(single_rows));
    for (Row row : zeroing) {
      row.generations = gfx8to9;
      all.push_back(row);
      row.generations = rdna;
      row.flags |= keeps_high_half;
      all.push_back(row);
    }
    const std::span<const Row> packed = valu_half_packed_rows();
    all.insert(all.end(), packed.begin(), packed.end());
    return all;
  }();
  return joined;
}

}  // namespace lockstep::amd
