// f32 arithmetic of the vector ALU.
// Source: "Vega Instruction Set Architecture", chapters VOP1, VOP2, VOP3 (12.8 to 12.11), and the "RDNA 3"
// and "CDNA 3 Instruction Set Architecture" for what later generations add.
#include "isa/amd/valu_float.h"

#include "isa/amd/float_meanings.h"
#include "isa/amd/scalar_float.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

struct MulLegacyF32 {
  static constexpr std::string_view name = "mul_legacy_f32";
  static f32 apply(f32 a, f32 b) { return mul_legacy_f32(a, b); }
  static f32 apply_mode(f32 a, f32 b, u32 mode) {
    const FloatMode m = single_mode(mode);
    const f32 x = flush_in(a, m), y = flush_in(b, m);
    return rounded<f32>(m, [&]<Round R>() { return mul_legacy_f32<R>(x, y); });
  }
};

// RDNA 2's name is fma_legacy, RDNA 3's fma_dx9_zero.
struct FmaLegacyF32 {
  static constexpr std::string_view name = "fma_legacy_f32";
  static f32 apply(f32 a, f32 b, f32 c) {
    const f32 product_with_zero = add_f32(0.0f, c);
    const f32 fused = fma_f32(a, b, c);
    return a == 0 || b == 0 ? product_with_zero : fused;
  }
  static f32 apply_mode(f32 a, f32 b, f32 c, u32 mode) {
    const FloatMode m = single_mode(mode);
    const f32 x = flush_in(a, m), y = flush_in(b, m);
    return x == 0 || y == 0 ? add_f32(0.0f, c, m) : fma_f32(x, y, c, m);
  }
};

struct MadLegacyF32 {
  static constexpr std::string_view name = "mad_legacy_f32";
  static f32 apply(f32 a, f32 b, f32 c) { return mad_legacy_f32(a, b, c); }
  static f32 apply_mode(f32 a, f32 b, f32 c, u32 mode) {
    return with_round(single_mode(mode).round, [&]<Round R>() { return mad_legacy_f32<R>(a, b, c); });
  }
};

struct MinLegacyF32 {
  static constexpr std::string_view name = "min_legacy_f32";
  static f32 apply(f32 a, f32 b) { return legacy_min_f32(a, b); }
};
struct MaxLegacyF32 {
  static constexpr std::string_view name = "max_legacy_f32";
  static f32 apply(f32 a, f32 b) { return legacy_max_f32(a, b); }
};

// The cube instructions: face, coordinates on it, and twice the major axis.
struct CubeidF32 {
  static constexpr std::string_view name = "cubeid_f32";
  static f32 apply(f32 x, f32 y, f32 z) { return cubeid_f32(x, y, z); }
};
struct CubescF32 {
  static constexpr std::string_view name = "cubesc_f32";
  static f32 apply(f32 x, f32 y, f32 z) { return cubesc_f32(x, y, z); }
};
struct CubetcF32 {
  static constexpr std::string_view name = "cubetc_f32";
  static f32 apply(f32 x, f32 y, f32 z) { return cubetc_f32(x, y, z); }
};
struct CubemaF32 {
  static constexpr std::string_view name = "cubema_f32";
  static f32 apply(f32 x, f32 y, f32 z) { return cubema_f32(x, y, z); }
};

}  // namespace

std::span<const Row> valu_float_rows() {
  constexpr u32 gfx10_to_12 = rdna, from_gfx11 = gfx11 | gfx12;
  static constexpr Row rows[] = {
      {"v_add_f32", &semantic<FloatAdd<f32>>, Cost::valu_full},
      {"v_sub_f32", &semantic<FloatSub<f32>>, Cost::valu_full},
      {"v_subrev_f32", &semantic<FloatSubrev<f32>>, Cost::valu_full},
      {"v_mul_f32", &semantic<FloatMul<f32>>, Cost::valu_full},
      {"v_mul_legacy_f32", &semantic<MulLegacyF32>, Cost::valu_full, every & ~from_gfx11},
      {"v_mul_dx9_zero_f32", &semantic<MulLegacyF32>, Cost::valu_full, from_gfx11},
      {"v_fma_f32", &semantic<FloatFma<f32>>, Cost::valu_f32_fma},
      {"v_fmac_f32", &semantic<FloatFma<f32>>, Cost::valu_f32_fma, gfx906 | cdna | gfx10_to_12, accumulates},
      {"v_fmamk_f32", &semantic<FloatFma<f32>>, Cost::valu_f32_fma, gfx940 | gfx10_to_12},
      {"v_fmaak_f32", &semantic<FloatFma<f32>>, Cost::valu_f32_fma, gfx940 | gfx10_to_12},
      {"v_fma_legacy_f32", &semantic<FmaLegacyF32>, Cost::valu_f32_fma, gfx103},
      {"v_fmac_legacy_f32", &semantic<FmaLegacyF32>, Cost::valu_f32_fma, gfx103, accumulates},
      {"v_fma_dx9_zero_f32", &semantic<FmaLegacyF32>, Cost::valu_f32_fma, from_gfx11},
      {"v_fmac_dx9_zero_f32", &semantic<FmaLegacyF32>, Cost::valu_f32_fma, from_gfx11, accumulates},
      {"v_mad_f32", &semantic<FloatMad<f32>>, Cost::valu_full, every & ~from_gfx11},
      {"v_mac_f32", &semantic<FloatMad<f32>>, Cost::valu_full, every & ~from_gfx11, accumulates},
      {"v_madmk_f32", &semantic<FloatMad<f32>>, Cost::valu_full, every & ~from_gfx11},
      {"v_madak_f32", &semantic<FloatMad<f32>>, Cost::valu_full, every & ~from_gfx11},
      {"v_mad_legacy_f32", &semantic<MadLegacyF32>, Cost::valu_full, every & ~from_gfx11},
      {"v_mac_legacy_f32", &semantic<MadLegacyF32>, Cost::valu_full, gfx6 | gfx7 | gfx10, accumulates},
      {"v_min_f32", &semantic<FloatMin<f32, KeepDenormals>>, Cost::valu_full, gfx6to8},
      {"v_min_f32", &semantic<FloatMin<f32>>, Cost::valu_full, gfx9up & ~gfx12},
      {"v_min_num_f32", &semantic<FloatMin<f32>>, Cost::valu_full, gfx12},
      {"v_max_f32", &semantic<FloatMax<f32, KeepDenormals>>, Cost::valu_full, gfx6to8},
      {"v_max_f32", &semantic<FloatMax<f32>>, Cost::valu_full, gfx9up & ~gfx12},
      {"v_max_num_f32", &semantic<FloatMax<f32>>, Cost::valu_full, gfx12},
      {"v_min3_f32", &semantic<FloatMin3<f32, KeepDenormals>>, Cost::valu_full, gfx6to8},
      {"v_min3_f32", &semantic<FloatMin3<f32>>, Cost::valu_full, gfx9up & ~gfx12},
      {"v_min3_num_f32", &semantic<FloatMin3<f32>>, Cost::valu_full, gfx12},
      {"v_max3_f32", &semantic<FloatMax3<f32, KeepDenormals>>, Cost::valu_full, gfx6to8},
      {"v_max3_f32", &semantic<FloatMax3<f32>>, Cost::valu_full, gfx9up & ~gfx12},
      {"v_max3_num_f32", &semantic<FloatMax3<f32>>, Cost::valu_full, gfx12},
      {"v_med3_f32", &semantic<FloatMed3<f32, KeepDenormals>>, Cost::valu_full, gfx6to8},
      {"v_med3_f32", &semantic<FloatMed3<f32>>, Cost::valu_full, gfx9up & ~gfx12},
      {"v_med3_num_f32", &semantic<FloatMed3<f32>>, Cost::valu_full, gfx12},
      {"v_minmax_f32", &semantic<FloatMinmax<f32>>, Cost::valu_full, gfx11},
      {"v_maxmin_f32", &semantic<FloatMaxmin<f32>>, Cost::valu_full, gfx11},
      {"v_minmax_num_f32", &semantic<FloatMinmax<f32>>, Cost::valu_full, gfx12},
      {"v_maxmin_num_f32", &semantic<FloatMaxmin<f32>>, Cost::valu_full, gfx12},
      {"v_min_legacy_f32", &semantic<MinLegacyF32>, Cost::valu_full, gfx6 | gfx7},
      {"v_max_legacy_f32", &semantic<MaxLegacyF32>, Cost::valu_full, gfx6 | gfx7},
      {"v_minimum_f32", &semantic<FloatMinimum<f32>>, Cost::valu_full, gfx12},
      {"v_maximum_f32", &semantic<FloatMaximum<f32>>, Cost::valu_full, gfx12},
      {"v_minimum3_f32", &semantic<FloatMinimum3<f32>>, Cost::valu_full, gfx12},
      {"v_maximum3_f32", &semantic<FloatMaximum3<f32>>, Cost::valu_full, gfx12},
      {"v_minimummaximum_f32", &semantic<FloatMinimumMaximum<f32>>, Cost::valu_full, gfx12},
      {"v_maximumminimum_f32", &semantic<FloatMaximumMinimum<f32>>, Cost::valu_full, gfx12},
      {"v_floor_f32", &semantic<FloatFloor<f32>>, Cost::valu_full},
      {"v_ceil_f32", &semantic<FloatCeil<f32>>, Cost::valu_full},
      {"v_trunc_f32", &semantic<FloatTrunc<f32>>, Cost::valu_full},
      {"v_rndne_f32", &semantic<FloatRndne<f32>>, Cost::valu_full},
      {"v_fract_f32", &semantic<FloatFract<f32>>, Cost::valu_full},
      {"v_ldexp_f32", &semantic<FloatLdexp<f32>>, Cost::valu_full},
      {"v_frexp_mant_f32", &semantic<FloatFrexpMant<f32>>, Cost::valu_full},
      {"v_frexp_exp_i32_f32", &semantic<FloatFrexpExp<f32>>, Cost::valu_full},
      {"v_cubeid_f32", &semantic<CubeidF32>, Cost::valu_full},
      {"v_cubesc_f32", &semantic<CubescF32>, Cost::valu_full},
      {"v_cubetc_f32", &semantic<CubetcF32>, Cost::valu_full},
      {"v_cubema_f32", &semantic<CubemaF32>, Cost::valu_full},
      {"s_add_f32", &semantic<OnScalar<FloatAdd<f32>>>, Cost::salu, gfx12},
      {"s_sub_f32", &semantic<OnScalar<FloatSub<f32>>>, Cost::salu, gfx12},
      {"s_mul_f32", &semantic<OnScalar<FloatMul<f32>>>, Cost::salu, gfx12},
      {"s_fmac_f32", &semantic<OnScalar<FloatFma<f32>>>, Cost::salu, gfx12, accumulates},
      {"s_fmamk_f32", &semantic<OnScalar<FloatFma<f32>>>, Cost::salu, gfx12},
      {"s_fmaak_f32", &semantic<OnScalar<FloatFma<f32>>>, Cost::salu, gfx12},
      {"s_min_num_f32", &semantic<OnScalar<FloatMin<f32>>>, Cost::salu, gfx12},
      {"s_max_num_f32", &semantic<OnScalar<FloatMax<f32>>>, Cost::salu, gfx12},
      {"s_minimum_f32", &semantic<OnScalar<FloatMinimum<f32>>>, Cost::salu, gfx12},
      {"s_maximum_f32", &semantic<OnScalar<FloatMaximum<f32>>>, Cost::salu, gfx12},
      {"s_floor_f32", &semantic<OnScalar<FloatFloor<f32>>>, Cost::salu, gfx12},
      {"s_ceil_f32", &semantic<OnScalar<FloatCeil<f32>>>, Cost::salu, gfx12},
      {"s_trunc_f32", &semantic<OnScalar<FloatTrunc<f32>>>, Cost::salu, gfx12},
      {"s_rndne_f32", &semantic<OnScalar<FloatRndne<f32>>>, Cost::salu, gfx12},
  };
  static const std::vector<Row> joined = [] {
    std::vector<Row> all(std::begin(rows), std::end(rows));
    const std::span<const Row> functions = valu_float_function_rows();
    all.insert(all.end(), functions.begin(), functions.end());
    return all;
  }();
  return joined;
}

}  // namespace lockstep::amd
