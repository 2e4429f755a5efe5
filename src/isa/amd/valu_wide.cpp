// 64-bit integer and f64 instructions of the vector ALU.
// Source: "Vega Instruction Set Architecture", 12.8 and 12.11; later names from the "CDNA 2" and "RDNA 4
// Instruction Set Architecture".
#include <cmath>

#include "float/amd.h"
#include "float/amd_div.h"
#include "float/approx.h"
#include "float/minmax.h"
#include "isa/amd/float_mode.h"
#include "isa/amd/integer_meanings.h"
#include "isa/amd/table.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

using i128 = __int128;

// GCN 1 and 2: the value first.
struct LshlB64 {
  static constexpr std::string_view name = "lshl_b64";
  static constexpr Flow flow = Flow::shift_left;
  static u64 apply(u64 a, u32 shift) { return a << (shift & 63); }
};
struct LshrB64 {
  static constexpr std::string_view name = "lshr_b64";
  static constexpr Flow flow = Flow::shift_right;
  static u64 apply(u64 a, u32 shift) { return a >> (shift & 63); }
};
struct AshrI64 {
  static constexpr std::string_view name = "ashr_i64";
  static constexpr Flow flow = Flow::shift_right_signed;
  static i64 apply(i64 a, u32 shift) { return a >> (shift & 63); }
};

// CDNA 3: 64-bit addresses in one instruction; the shift is 0 to 4.
struct LshlAddU64 {
  static constexpr std::string_view name = "lshl_add_u64";
  static constexpr Flow flow = Flow::shift_add;
  static u64 apply(u64 a, u32 shift, u64 b) { return (a << (shift & 7)) + b; }
};

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

struct AddF64 {
  static constexpr std::string_view name = "add_f64";
  static f64 quick(f64 a, f64 b) { return a + b; }
  static f64 apply(f64 a, f64 b) { return add_f64(a, b); }
  static f64 apply_mode(f64 a, f64 b, u32 mode) { return add_f64(a, b, wide_mode(mode)); }
};
struct MulF64 {
  static constexpr std::string_view name = "mul_f64";
  static f64 quick(f64 a, f64 b) { return a * b; }
  static f64 apply(f64 a, f64 b) { return mul_f64(a, b); }
  static f64 apply_mode(f64 a, f64 b, u32 mode) { return mul_f64(a, b, wide_mode(mode)); }
};
struct FmaF64 {
  static constexpr std::string_view name = "fma_f64";
  static f64 quick(f64 a, f64 b, f64 c) { return std::fma(a, b, c); }
  static f64 apply(f64 a, f64 b, f64 c) { return fma_f64(a, b, c); }
  static f64 apply_mode(f64 a, f64 b, f64 c, u32 mode) { return fma_f64(a, b, c, wide_mode(mode)); }
};

// As for f32: denormals are kept up to gfx8 and follow the mode from gfx9 on.
struct KeepDenormals {
  static u64 flush(f64 x, u32) { return as_u64(x); }
};
struct FlushByMode {
  static u64 flush(f64 x, u32 mode) {
    const FloatMode m = wide_mode(mode);
    return as_u64(m.denormals_in && m.denormals_out ? x : flush_f64(x));
  }
};
template <class Denormals>
struct MinF64 {
  static constexpr std::string_view name = "min_f64";
  static f64 apply(f64 a, f64 b) { return as_f64(amd_min<Double>(as_u64(a), as_u64(b), true)); }
  static f64 apply_mode(f64 a, f64 b, u32 mode) {
    return as_f64(
        amd_min<Double>(Denormals::flush(a, mode), Denormals::flush(b, mode), quiets_signals(mode)));
  }
};
template <class Denormals>
struct MaxF64 {
  static constexpr std::string_view name = "max_f64";
  static f64 apply(f64 a, f64 b) { return as_f64(amd_max<Double>(as_u64(a), as_u64(b), true)); }
  static f64 apply_mode(f64 a, f64 b, u32 mode) {
    return as_f64(
        amd_max<Double>(Denormals::flush(a, mode), Denormals::flush(b, mode), quiets_signals(mode)));
  }
};
struct MinimumF64 {
  static constexpr std::string_view name = "minimum_f64";
  static f64 apply(f64 a, f64 b) { return as_f64(propagating_min<Double>(as_u64(a), as_u64(b))); }
};
struct MaximumF64 {
  static constexpr std::string_view name = "maximum_f64";
  static f64 apply(f64 a, f64 b) { return as_f64(propagating_max<Double>(as_u64(a), as_u64(b))); }
};

template <Round direction>
struct RoundF64 {
  static constexpr std::string_view name = direction == Round::nearest_even     ? "rndne_f64"
                                           : direction == Round::plus_infinity  ? "ceil_f64"
                                           : direction == Round::minus_infinity ? "floor_f64"
                                                                                : "trunc_f64";
  static f64 apply(f64 a) { return round_to_integer<direction>(a); }
  static f64 apply_mode(f64 a, u32 mode) { return round_to_integer<direction>(flush_in(a, wide_mode(mode))); }
};
struct FractF64 {
  static constexpr std::string_view name = "fract_f64";
  static f64 apply(f64 a) { return fract_f64(a); }
  static f64 apply_mode(f64 a, u32 mode) {
    const FloatMode m = wide_mode(mode);
    const f64 x = flush_in(a, m);
    return in_mode64(m, [&]<Round R>() { return fract_f64<R>(x); });
  }
};
struct LdexpF64 {
  static constexpr std::string_view name = "ldexp_f64";
  static f64 apply(f64 a, i32 exponent) { return ldexp_f64(a, exponent); }
  static f64 apply_mode(f64 a, i32 exponent, u32 mode) {
    const FloatMode m = wide_mode(mode);
    const f64 x = flush_in(a, m);
    return in_mode64(m, [&]<Round R>() { return ldexp_f64<R>(x, exponent); });
  }
};
struct FrexpMantF64 {
  static constexpr std::string_view name = "frexp_mant_f64";
  static f64 apply(f64 a) { return as_f64(frexp_mant<Double>(as_u64(a))); }
  static f64 apply_mode(f64 a, u32 mode) { return apply(flush_in(a, wide_mode(mode))); }
};
struct FrexpExpF64 {
  static constexpr std::string_view name = "frexp_exp_i32_f64";
  static i32 apply(f64 a) { return frexp_exp<Double>(as_u64(a)); }
  static i32 apply_mode(f64 a, u32 mode) { return apply(flush_in(a, wide_mode(mode))); }
};

constexpr std::string_view seed = "2^29 ulp: a seed for Newton's iteration (CDNA 3 ISA, V_RCP_F64)";

struct RcpF64 {
  static constexpr std::string_view name = "rcp_f64", bound = seed;
  static f64 apply(f64 a) { return rcp_f64(a); }
};
struct RsqF64 {
  static constexpr std::string_view name = "rsq_f64", bound = seed;
  static f64 apply(f64 a) { return rsq_f64(a); }
};
template <class Function>
struct FiniteF64 {
  static constexpr std::string_view name = "clamped function f64";
  static constexpr std::string_view bound = Function::bound;
  static f64 apply(f64 a) { return as_f64(without_infinity<Double>(as_u64(Function::apply(a)), false)); }
};
struct SqrtF64 {
  static constexpr std::string_view name = "sqrt_f64", bound = seed;
  static f64 apply(f64 a) { return sqrt_f64(a); }
};

struct DivScaleF64 {
  static constexpr std::string_view name = "div_scale_f64";
  static WithMask<f64> apply(f64 a, f64 b, f64 c) {
    const DivScale<u64> r = div_scale<Double>(as_u64(a), as_u64(b), as_u64(c));
    return {as_f64(r.value), r.post_scale};
  }
};
struct DivFmasF64 {
  static constexpr std::string_view name = "div_fmas_f64";
  static f64 apply(f64 a, f64 b, f64 c, bool post_scale) {
    return as_f64(div_fmas<Double>(as_u64(a), as_u64(b), as_u64(c), post_scale));
  }
  static f64 apply_mode(f64 a, f64 b, f64 c, bool post_scale, u32 mode) {
    const FloatMode m = wide_mode(mode);
    a = flush_in(a, m), b = flush_in(b, m), c = flush_in(c, m);
    return flush_out(as_f64(div_fmas<Double>(as_u64(a), as_u64(b), as_u64(c), post_scale, m.round)), m);
  }
};
struct DivFixupF64 {
  static constexpr std::string_view name = "div_fixup_f64";
  static f64 apply(f64 a, f64 b, f64 c) { return as_f64(div_fixup<Double>(as_u64(a), as_u64(b), as_u64(c))); }
  static f64 apply_mode(f64 a, f64 b, f64 c, u32 mode) {
    const FloatMode m = wide_mode(mode);
    a = flush_in(a, m), b = flush_in(b, m), c = flush_in(c, m);
    return flush_out(as_f64(div_fixup<Double>(as_u64(a), as_u64(b), as_u64(c), m.round)), m);
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
      {"v_lshl_b64", &semantic<LshlB64>, shift, gfx6 | gfx7},
      {"v_lshr_b64", &semantic<LshrB64>, shift, gfx6 | gfx7},
      {"v_ashr_i64", &semantic<AshrI64>, shift, gfx6 | gfx7},
      {"v_lshl_add_u64", &semantic<LshlAddU64>, add, gfx940},
      {"v_mad_u64_u32", &semantic<MadU64U32>, Cost::valu_quarter, gfx7 | gfx8up},
      {"v_mad_i64_i32", &semantic<MadI64I32>, Cost::valu_quarter, gfx7 | gfx8up},
      {"v_mad_co_u64_u32", &semantic<MadU64U32>, Cost::valu_quarter, gfx12},
      {"v_mad_co_i64_i32", &semantic<MadI64I32>, Cost::valu_quarter, gfx12},
      {"v_add_f64", &semantic<AddF64>, add},
      {"v_mul_f64", &semantic<MulF64>, mul},
      {"v_fma_f64", &semantic<FmaF64>, mul},
      {"v_fmac_f64", &semantic<FmaF64>, mul, gfx90a | gfx940, accumulates},
      {"v_min_f64", &semantic<MinF64<KeepDenormals>>, add, gfx6to8},
      {"v_min_f64", &semantic<MinF64<FlushByMode>>, add, gfx9up & to_gfx11},
      {"v_min_num_f64", &semantic<MinF64<FlushByMode>>, add, gfx12},
      {"v_max_f64", &semantic<MaxF64<KeepDenormals>>, add, gfx6to8},
      {"v_max_f64", &semantic<MaxF64<FlushByMode>>, add, gfx9up & to_gfx11},
      {"v_max_num_f64", &semantic<MaxF64<FlushByMode>>, add, gfx12},
      {"v_minimum_f64", &semantic<MinimumF64>, add, gfx12},
      {"v_maximum_f64", &semantic<MaximumF64>, add, gfx12},
      {"v_floor_f64", &semantic<RoundF64<Round::minus_infinity>>, add, every & ~gfx6},
      {"v_ceil_f64", &semantic<RoundF64<Round::plus_infinity>>, add, every & ~gfx6},
      {"v_trunc_f64", &semantic<RoundF64<Round::zero>>, add, every & ~gfx6},
      {"v_rndne_f64", &semantic<RoundF64<Round::nearest_even>>, add, every & ~gfx6},
      {"v_fract_f64", &semantic<FractF64>, add},
      {"v_ldexp_f64", &semantic<LdexpF64>, add},
      {"v_frexp_mant_f64", &semantic<FrexpMantF64>, add},
      {"v_frexp_exp_i32_f64", &semantic<FrexpExpF64>, add},
      {"v_rcp_clamp_f64", &semantic<FiniteF64<RcpF64>>, slow, gfx6 | gfx7},
      {"v_rsq_clamp_f64", &semantic<FiniteF64<RsqF64>>, slow, gfx6 | gfx7},
      {"v_rcp_f64", &semantic<RcpF64>, slow},
      {"v_rsq_f64", &semantic<RsqF64>, slow},
      {"v_sqrt_f64", &semantic<SqrtF64>, slow},
      {"v_div_scale_f64", &semantic<DivScaleF64>, mul},
      {"v_div_fmas_f64", &semantic<DivFmasF64>, mul, every, implicit_vcc_source},
      {"v_div_fixup_f64", &semantic<DivFixupF64>, mul},
      {"v_trig_preop_f64", &semantic<TrigPreopF64>, mul},
  };
  return rows;
}

}  // namespace lockstep::amd
