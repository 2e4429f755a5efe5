// 64-bit integer and f64 instructions of the vector ALU.
// Source: "Vega Instruction Set Architecture", 12.8 and 12.11; later names from the "CDNA 2" and "RDNA 4
// Instruction Set Architecture".
#include "isa/amd/float_functions.h"
#include "isa/amd/float_meanings.h"
#include "isa/amd/integer_meanings.h"
#include "isa/amd/table.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

using i128 = __int128;

// The mask result is bit 64 of the sum.
struct MadU64U32 {
  static constexpr std::string_view name = "mad_u64_u32";
  static constexpr Flow flow = Flow::carries_up;
  static WithMask<u64> apply(u32 a, u32 b, u64 c) {
    const u64 product = u64{a} * b, sum = product + c;
    return {sum, sum < product};
  }
  static WithMask<u64> apply_clamp(u32 a, u32 b, u64 c) {
    const WithMask<u64> wrapped = apply(a, b, c);
    return {wrapped.mask ? ~u64{0} : wrapped.value, wrapped.mask};
  }
};
struct MadI64I32 {
  static constexpr std::string_view name = "mad_i64_i32";
  static constexpr Flow flow = Flow::carries_up;
  static WithMask<i64> apply(i32 a, i32 b, i64 c) {
    const i64 product = i64{a} * b;
    const i64 sum = static_cast<i64>(static_cast<u64>(product) + static_cast<u64>(c));
    // Bit 64 of the 65-bit sum is its sign; the 64-bit sum has the wrong one after an overflow.
    const bool overflow = ((product ^ sum) & (c ^ sum)) < 0;
    return {sum, (sum < 0) != overflow};
  }
  static WithMask<i64> apply_clamp(i32 a, i32 b, i64 c) {
    const i128 sum = i128{i64{a} * b} + c;
    constexpr i64 most = 0x7FFFFFFFFFFFFFFF, least = -most - 1;
    return {sum > most ? most : sum < least ? least : static_cast<i64>(sum), sum < 0};
  }
};

struct TrigPreopF64 {
  static constexpr std::string_view name = "trig_preop_f64";
  static f64 apply(f64 a, u32 segment) { return as_f64(trig_preop_f64(as_u64(a), segment)); }
};

}  // namespace

std::span<const Row> valu_wide_rows() {
  constexpr Cost add = Cost::valu_f64_add, mul = Cost::valu_f64_mul, slow = Cost::valu_f64_transcendental;
  constexpr Cost shift = Cost::valu_half;
  constexpr u32 to_gfx11 = every & ~gfx12;
  static constexpr Row rows[] = {
      {"v_lshlrev_b64", &semantic<Lshlrev<u64, u32>>, shift, gfx8up},
      {"v_lshrrev_b64", &semantic<Lshrrev<u64, u32>>, shift, gfx8up},
      {"v_ashrrev_i64", &semantic<Ashrrev<i64, u32>>, shift, gfx8up},
      {"v_lshl_b64", &semantic<Lshl<u64>>, shift, gfx6 | gfx7},
      {"v_lshr_b64", &semantic<Lshr<u64>>, shift, gfx6 | gfx7},
      {"v_ashr_i64", &semantic<Ashr<i64>>, shift, gfx6 | gfx7},
      {"v_lshl_add_u64", &semantic<LshlAdd<u64>>, add, gfx940},
      {"v_mad_u64_u32", &semantic<MadU64U32>, Cost::valu_i64_mad, gfx7 | gfx8up},
      {"v_mad_i64_i32", &semantic<MadI64I32>, Cost::valu_i64_mad, gfx7 | gfx8up},
      {"v_mad_co_u64_u32", &semantic<MadU64U32>, Cost::valu_i64_mad, gfx12},
      {"v_mad_co_i64_i32", &semantic<MadI64I32>, Cost::valu_i64_mad, gfx12},
      {"v_add_f64", &semantic<FloatAdd<f64>>, add},
      {"v_mul_f64", &semantic<FloatMul<f64>>, mul},
      {"v_fma_f64", &semantic<FloatFma<f64>>, mul},
      {"v_fmac_f64", &semantic<FloatFma<f64>>, mul, gfx90a | gfx940, accumulates},
      {"v_min_f64", &semantic<FloatMin<f64, KeepDenormals>>, add, gfx6to8},
      {"v_min_f64", &semantic<FloatMin<f64>>, add, gfx9up & to_gfx11},
      {"v_min_num_f64", &semantic<FloatMin<f64>>, add, gfx12},
      {"v_max_f64", &semantic<FloatMax<f64, KeepDenormals>>, add, gfx6to8},
      {"v_max_f64", &semantic<FloatMax<f64>>, add, gfx9up & to_gfx11},
      {"v_max_num_f64", &semantic<FloatMax<f64>>, add, gfx12},
      {"v_minimum_f64", &semantic<FloatMinimum<f64>>, add, gfx12},
      {"v_maximum_f64", &semantic<FloatMaximum<f64>>, add, gfx12},
      {"v_floor_f64", &semantic<FloatFloor<f64>>, add, every & ~gfx6},
      {"v_ceil_f64", &semantic<FloatCeil<f64>>, add, every & ~gfx6},
      {"v_trunc_f64", &semantic<FloatTrunc<f64>>, add, every & ~gfx6},
      {"v_rndne_f64", &semantic<FloatRndne<f64>>, add, every & ~gfx6},
      {"v_fract_f64", &semantic<FloatFract<f64>>, add},
      {"v_ldexp_f64", &semantic<FloatLdexp<f64>>, add},
      {"v_frexp_mant_f64", &semantic<FloatFrexpMant<f64>>, add},
      {"v_frexp_exp_i32_f64", &semantic<FloatFrexpExp<f64>>, add},
      {"v_rcp_clamp_f64", &semantic<FloatFinite<FloatRcp<f64>, f64, false>>, slow, gfx6 | gfx7},
      {"v_rsq_clamp_f64", &semantic<FloatFinite<FloatRsq<f64>, f64, false>>, slow, gfx6 | gfx7},
      {"v_rcp_f64", &semantic<FloatRcp<f64>>, slow},
      {"v_rsq_f64", &semantic<FloatRsq<f64>>, slow},
      {"v_sqrt_f64", &semantic<FloatSqrt<f64>>, slow},
      {"v_div_scale_f64", &semantic<FloatDivScale<f64>>, mul},
      {"v_div_fmas_f64", &semantic<FloatDivFmas<f64>>, mul, every, implicit_vcc_source},
      {"v_div_fixup_f64", &semantic<FloatDivFixup<f64>>, mul},
      {"v_trig_preop_f64", &semantic<TrigPreopF64>, mul},
  };
  return rows;
}

}  // namespace lockstep::amd
