// f16 instructions of the vector ALU.
// Source: "Vega Instruction Set Architecture", 12.7, 12.8 and 12.11. Which of them leave the upper half of
// the result register as it is: LLVM's GCNSubtarget::zeroesHigh16BitsOfDest (none on gfx8; mac and what has
// op_sel on gfx9; all from gfx10 on).
#include <vector>

#include "float/amd.h"
#include "float/amd_div.h"
#include "float/approx.h"
#include "float/minmax.h"
#include "isa/amd/float_mode.h"
#include "isa/amd/half_arithmetic.h"
#include "isa/amd/scalar_float.h"
#include "isa/amd/valu_float.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

struct AddF16 {
  static constexpr std::string_view name = "add_f16";
  static f32 quick(f32 a, f32 b) { return a + b; }
  static F16 apply(F16 a, F16 b) { return {add_f16(a.bits, b.bits)}; }
  static F16 apply_mode(F16 a, F16 b, u32 mode) { return {add_f16(a.bits, b.bits, wide_mode(mode))}; }
};
struct SubF16 {
  static constexpr std::string_view name = "sub_f16";
  static f32 quick(f32 a, f32 b) { return a - b; }
  static F16 apply(F16 a, F16 b) { return {sub_f16(a.bits, b.bits)}; }
  static F16 apply_mode(F16 a, F16 b, u32 mode) { return {sub_f16(a.bits, b.bits, wide_mode(mode))}; }
};
struct SubrevF16 {
  static constexpr std::string_view name = "subrev_f16";
  static f32 quick(f32 a, f32 b) { return b - a; }
  static F16 apply(F16 a, F16 b) { return SubF16::apply(b, a); }
  static F16 apply_mode(F16 a, F16 b, u32 mode) { return SubF16::apply_mode(b, a, mode); }
};
struct MulF16 {
  static constexpr std::string_view name = "mul_f16";
  static f32 quick(f32 a, f32 b) { return a * b; }
  static F16 apply(F16 a, F16 b) { return {mul_f16(a.bits, b.bits)}; }
  static F16 apply_mode(F16 a, F16 b, u32 mode) { return {mul_f16(a.bits, b.bits, wide_mode(mode))}; }
};
struct FmaF16 {
  static constexpr std::string_view name = "fma_f16";
  static f32 quick(f32 a, f32 b, f32 c) { return fma_for_half(a, b, c); }
  static F16 apply(F16 a, F16 b, F16 c) { return {fma_f16(a.bits, b.bits, c.bits)}; }
  static F16 apply_mode(F16 a, F16 b, F16 c, u32 mode) {
    return {fma_f16(a.bits, b.bits, c.bits, wide_mode(mode))};
  }
};
// Two roundings; denormals are flushed whatever the mode says.
struct MadF16 {
  static constexpr std::string_view name = "mad_f16";
  static F16 apply(F16 a, F16 b, F16 c) { return {mad_f16(a.bits, b.bits, c.bits)}; }
  static F16 apply_mode(F16 a, F16 b, F16 c, u32 mode) {
    return {with_round(wide_mode(mode).round, [&]<Round R>() { return mad_f16<R>(a.bits, b.bits, c.bits); })};
  }
};

// As for f32: denormals are kept on gfx8 and follow the mode from gfx9 on.
u16 flush_by_mode(F16 x, u32 mode) {
  const FloatMode m = wide_mode(mode);
  return m.denormals_in && m.denormals_out ? x.bits : flush_f16(x.bits);
}
struct MinF16 {
  static constexpr std::string_view name = "min_f16";
  static F16 apply(F16 a, F16 b) { return {amd_min<Half>(a.bits, b.bits, true)}; }
  static F16 apply_mode(F16 a, F16 b, u32 mode) {
    return {amd_min<Half>(flush_by_mode(a, mode), flush_by_mode(b, mode), quiets_signals(mode))};
  }
};
struct MaxF16 {
  static constexpr std::string_view name = "max_f16";
  static F16 apply(F16 a, F16 b) { return {amd_max<Half>(a.bits, b.bits, true)}; }
  static F16 apply_mode(F16 a, F16 b, u32 mode) {
    return {amd_max<Half>(flush_by_mode(a, mode), flush_by_mode(b, mode), quiets_signals(mode))};
  }
};
struct MinF16KeepingDenormals {
  static constexpr std::string_view name = "min_f16";
  static F16 apply(F16 a, F16 b) { return MinF16::apply(a, b); }
  static F16 apply_mode(F16 a, F16 b, u32 mode) {
    return {amd_min<Half>(a.bits, b.bits, quiets_signals(mode))};
  }
};
struct MaxF16KeepingDenormals {
  static constexpr std::string_view name = "max_f16";
  static F16 apply(F16 a, F16 b) { return MaxF16::apply(a, b); }
  static F16 apply_mode(F16 a, F16 b, u32 mode) {
    return {amd_max<Half>(a.bits, b.bits, quiets_signals(mode))};
  }
};
struct Min3F16 {
  static constexpr std::string_view name = "min3_f16";
  static F16 apply(F16 a, F16 b, F16 c) { return {amd_min3<Half>(a.bits, b.bits, c.bits, true)}; }
  static F16 apply_mode(F16 a, F16 b, F16 c, u32 mode) {
    return {amd_min3<Half>(flush_by_mode(a, mode), flush_by_mode(b, mode), flush_by_mode(c, mode),
                           quiets_signals(mode))};
  }
};
struct Max3F16 {
  static constexpr std::string_view name = "max3_f16";
  static F16 apply(F16 a, F16 b, F16 c) { return {amd_max3<Half>(a.bits, b.bits, c.bits, true)}; }
  static F16 apply_mode(F16 a, F16 b, F16 c, u32 mode) {
    return {amd_max3<Half>(flush_by_mode(a, mode), flush_by_mode(b, mode), flush_by_mode(c, mode),
                           quiets_signals(mode))};
  }
};
struct Med3F16 {
  static constexpr std::string_view name = "med3_f16";
  static F16 apply(F16 a, F16 b, F16 c) { return {amd_med3<Half>(a.bits, b.bits, c.bits, true)}; }
  static F16 apply_mode(F16 a, F16 b, F16 c, u32 mode) {
    return {amd_med3<Half>(flush_by_mode(a, mode), flush_by_mode(b, mode), flush_by_mode(c, mode),
                           quiets_signals(mode))};
  }
};
struct MinmaxF16 {
  static constexpr std::string_view name = "minmax_f16";
  static F16 apply(F16 a, F16 b, F16 c) { return MaxF16::apply(MinF16::apply(a, b), c); }
  static F16 apply_mode(F16 a, F16 b, F16 c, u32 mode) {
    return MaxF16::apply_mode(MinF16::apply_mode(a, b, mode), c, mode);
  }
};
struct MaxminF16 {
  static constexpr std::string_view name = "maxmin_f16";
  static F16 apply(F16 a, F16 b, F16 c) { return MinF16::apply(MaxF16::apply(a, b), c); }
  static F16 apply_mode(F16 a, F16 b, F16 c, u32 mode) {
    return MinF16::apply_mode(MaxF16::apply_mode(a, b, mode), c, mode);
  }
};
struct MinimumF16 {
  static constexpr std::string_view name = "minimum_f16";
  static F16 apply(F16 a, F16 b) { return {propagating_min<Half>(a.bits, b.bits)}; }
};
struct MaximumF16 {
  static constexpr std::string_view name = "maximum_f16";
  static F16 apply(F16 a, F16 b) { return {propagating_max<Half>(a.bits, b.bits)}; }
};

template <Round direction>
struct RoundF16 {
  static constexpr std::string_view name = direction == Round::nearest_even     ? "rndne_f16"
                                           : direction == Round::plus_infinity  ? "ceil_f16"
                                           : direction == Round::minus_infinity ? "floor_f16"
                                                                                : "trunc_f16";
  static F16 apply(F16 a) { return {round_to_integer_f16<direction>(a.bits)}; }
  static F16 apply_mode(F16 a, u32 mode) {
    return {round_to_integer_f16<direction>(flush_in_f16(a.bits, wide_mode(mode)))};
  }
};
struct FractF16 {
  static constexpr std::string_view name = "fract_f16";
  static F16 apply(F16 a) { return {fract_f16(a.bits)}; }
  static F16 apply_mode(F16 a, u32 mode) {
    const FloatMode m = wide_mode(mode);
    const u16 x = flush_in_f16(a.bits, m);
    return {in_mode16(m, [&]<Round R>() { return fract_f16<R>(x); })};
  }
};
// The exponent is a 16-bit integer.
struct LdexpF16 {
  static constexpr std::string_view name = "ldexp_f16";
  static F16 apply(F16 a, i16 exponent) { return {ldexp_f16(a.bits, exponent)}; }
  static F16 apply_mode(F16 a, i16 exponent, u32 mode) {
    const FloatMode m = wide_mode(mode);
    const u16 x = flush_in_f16(a.bits, m);
    return {in_mode16(m, [&]<Round R>() { return ldexp_f16<R>(x, exponent); })};
  }
};
struct FrexpMantF16 {
  static constexpr std::string_view name = "frexp_mant_f16";
  static F16 apply(F16 a) { return {frexp_mant<Half>(a.bits)}; }
  static F16 apply_mode(F16 a, u32 mode) { return apply({flush_in_f16(a.bits, wide_mode(mode))}); }
};
struct FrexpExpI16F16 {
  static constexpr std::string_view name = "frexp_exp_i16_f16";
  static i16 apply(F16 a) { return static_cast<i16>(frexp_exp<Half>(a.bits)); }
  static i16 apply_mode(F16 a, u32 mode) { return apply({flush_in_f16(a.bits, wide_mode(mode))}); }
};

constexpr std::string_view one_ulp = "1 ulp (CDNA 3 ISA, V_RCP_F16 and its like)";

// Denormals in and out by the mode.
template <f16 (*function)(f16)>
struct HalfFunction {
  static constexpr std::string_view bound = one_ulp;
  static F16 apply(F16 a) { return {function(a.bits)}; }
  static F16 apply_mode(F16 a, u32 mode) {
    const FloatMode m = wide_mode(mode);
    return {flush_out_f16(function(flush_in_f16(a.bits, m)), m)};
  }
};
struct RcpF16 : HalfFunction<&rcp_f16> {
  static constexpr std::string_view name = "rcp_f16";
};
struct RsqF16 : HalfFunction<&rsq_f16> {
  static constexpr std::string_view name = "rsq_f16";
};
struct SqrtF16 : HalfFunction<&sqrt_f16<Round::nearest_even>> {
  static constexpr std::string_view name = "sqrt_f16";
};
struct ExpF16 : HalfFunction<&exp2_f16> {
  static constexpr std::string_view name = "exp_f16";
};
struct LogF16 : HalfFunction<&log2_f16> {
  static constexpr std::string_view name = "log_f16";
};
template <bool full_range>
f16 sine(f16 a) {
  return amd_sin_f16(a, full_range);
}
template <bool full_range>
f16 cosine(f16 a) {
  return amd_cos_f16(a, full_range);
}
template <bool full_range>
struct SinF16 : HalfFunction<&sine<full_range>> {
  static constexpr std::string_view name = "sin_f16";
};
template <bool full_range>
struct CosF16 : HalfFunction<&cosine<full_range>> {
  static constexpr std::string_view name = "cos_f16";
};

struct DivFixupF16 {
  static constexpr std::string_view name = "div_fixup_f16";
  static F16 apply(F16 a, F16 b, F16 c) { return {div_fixup<Half>(a.bits, b.bits, c.bits)}; }
  static F16 apply_mode(F16 a, F16 b, F16 c, u32 mode) {
    const FloatMode m = wide_mode(mode);
    return {flush_out_f16(
        div_fixup<Half>(flush_in_f16(a.bits, m), flush_in_f16(b.bits, m), flush_in_f16(c.bits, m), m.round),
        m)};
  }
};

// RDNA 4: the first operation on two sources, the second on its result and the third.
template <class First, class Then>
struct ThreeF16 {
  static constexpr bool same = std::is_same_v<First, Then>;
  static constexpr bool minimum_first = std::is_same_v<First, MinimumF16>;
  static constexpr std::string_view name =
      same ? (minimum_first ? "minimum3_f16" : "maximum3_f16")
           : (minimum_first ? "minimummaximum_f16" : "maximumminimum_f16");
  static F16 apply(F16 a, F16 b, F16 c) { return Then::apply(First::apply(a, b), c); }
};

struct PackB32F16 {
  static constexpr std::string_view name = "pack_b32_f16";
  static constexpr Flow flow = Flow::pack_low_low;
  static u32 apply(F16 a, F16 b) { return a.bits | u32{b.bits} << 16; }
  static u32 apply_mode(F16 a, F16 b, u32 mode) {
    return flush_by_mode(a, mode) | u32{flush_by_mode(b, mode)} << 16;
  }
};

// One row of gfx8 and gfx9 that zeroes the upper half, one of RDNA that keeps it.
constexpr Row zeroing[] = {
    {"v_add_f16", &semantic<AddF16>, Cost::valu_f16},
    {"v_sub_f16", &semantic<SubF16>, Cost::valu_f16},
    {"v_subrev_f16", &semantic<SubrevF16>, Cost::valu_f16},
    {"v_mul_f16", &semantic<MulF16>, Cost::valu_f16},
    {"v_floor_f16", &semantic<RoundF16<Round::minus_infinity>>, Cost::valu_f16},
    {"v_ceil_f16", &semantic<RoundF16<Round::plus_infinity>>, Cost::valu_f16},
    {"v_trunc_f16", &semantic<RoundF16<Round::zero>>, Cost::valu_f16},
    {"v_rndne_f16", &semantic<RoundF16<Round::nearest_even>>, Cost::valu_f16},
    {"v_fract_f16", &semantic<FractF16>, Cost::valu_f16},
    {"v_ldexp_f16", &semantic<LdexpF16>, Cost::valu_f16},
    {"v_frexp_mant_f16", &semantic<FrexpMantF16>, Cost::valu_f16},
    {"v_frexp_exp_i16_f16", &semantic<FrexpExpI16F16>, Cost::valu_f16},
    {"v_rcp_f16", &semantic<RcpF16>, Cost::valu_transcendental},
    {"v_rsq_f16", &semantic<RsqF16>, Cost::valu_transcendental},
    {"v_sqrt_f16", &semantic<SqrtF16>, Cost::valu_transcendental},
    {"v_exp_f16", &semantic<ExpF16>, Cost::valu_transcendental},
    {"v_log_f16", &semantic<LogF16>, Cost::valu_transcendental},
};

constexpr Row single_rows[] = {
    {"v_min_f16", &semantic<MinF16KeepingDenormals>, Cost::valu_f16, gfx8},
    {"v_min_f16", &semantic<MinF16>, Cost::valu_f16, gfx9},
    {"v_min_f16", &semantic<MinF16>, Cost::valu_f16, rdna & ~gfx12, keeps_high_half},
    {"v_min_num_f16", &semantic<MinF16>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_max_f16", &semantic<MaxF16KeepingDenormals>, Cost::valu_f16, gfx8},
    {"v_max_f16", &semantic<MaxF16>, Cost::valu_f16, gfx9},
    {"v_max_f16", &semantic<MaxF16>, Cost::valu_f16, rdna & ~gfx12, keeps_high_half},
    {"v_max_num_f16", &semantic<MaxF16>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_min3_f16", &semantic<Min3F16>, Cost::valu_f16, gfx9up & ~gfx12, keeps_high_half},
    {"v_min3_num_f16", &semantic<Min3F16>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_max3_f16", &semantic<Max3F16>, Cost::valu_f16, gfx9up & ~gfx12, keeps_high_half},
    {"v_max3_num_f16", &semantic<Max3F16>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_med3_f16", &semantic<Med3F16>, Cost::valu_f16, gfx9up & ~gfx12, keeps_high_half},
    {"v_med3_num_f16", &semantic<Med3F16>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_minmax_f16", &semantic<MinmaxF16>, Cost::valu_f16, gfx11, keeps_high_half},
    {"v_maxmin_f16", &semantic<MaxminF16>, Cost::valu_f16, gfx11, keeps_high_half},
    {"v_minmax_num_f16", &semantic<MinmaxF16>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_maxmin_num_f16", &semantic<MaxminF16>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_minimum3_f16", &semantic<ThreeF16<MinimumF16, MinimumF16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_maximum3_f16", &semantic<ThreeF16<MaximumF16, MaximumF16>>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_minimummaximum_f16", &semantic<ThreeF16<MinimumF16, MaximumF16>>, Cost::valu_f16, gfx12,
     keeps_high_half},
    {"v_maximumminimum_f16", &semantic<ThreeF16<MaximumF16, MinimumF16>>, Cost::valu_f16, gfx12,
     keeps_high_half},
    {"s_add_f16", &semantic<OnScalar<AddF16>>, Cost::salu, gfx12},
    {"s_sub_f16", &semantic<OnScalar<SubF16>>, Cost::salu, gfx12},
    {"s_mul_f16", &semantic<OnScalar<MulF16>>, Cost::salu, gfx12},
    {"s_fmac_f16", &semantic<OnScalar<FmaF16>>, Cost::salu, gfx12, accumulates},
    {"s_min_num_f16", &semantic<OnScalar<MinF16>>, Cost::salu, gfx12},
    {"s_max_num_f16", &semantic<OnScalar<MaxF16>>, Cost::salu, gfx12},
    {"s_minimum_f16", &semantic<OnScalar<MinimumF16>>, Cost::salu, gfx12},
    {"s_maximum_f16", &semantic<OnScalar<MaximumF16>>, Cost::salu, gfx12},
    {"s_floor_f16", &semantic<OnScalar<RoundF16<Round::minus_infinity>>>, Cost::salu, gfx12},
    {"s_ceil_f16", &semantic<OnScalar<RoundF16<Round::plus_infinity>>>, Cost::salu, gfx12},
    {"s_trunc_f16", &semantic<OnScalar<RoundF16<Round::zero>>>, Cost::salu, gfx12},
    {"s_rndne_f16", &semantic<OnScalar<RoundF16<Round::nearest_even>>>, Cost::salu, gfx12},
    {"v_s_rcp_f16", &semantic<OnScalar<RcpF16>>, Cost::valu_transcendental, gfx12, scalar_result},
    {"v_s_rsq_f16", &semantic<OnScalar<RsqF16>>, Cost::valu_transcendental, gfx12, scalar_result},
    {"v_s_sqrt_f16", &semantic<OnScalar<SqrtF16>>, Cost::valu_transcendental, gfx12, scalar_result},
    {"v_s_exp_f16", &semantic<OnScalar<ExpF16>>, Cost::valu_transcendental, gfx12, scalar_result},
    {"v_s_log_f16", &semantic<OnScalar<LogF16>>, Cost::valu_transcendental, gfx12, scalar_result},
    {"v_minimum_f16", &semantic<MinimumF16>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_maximum_f16", &semantic<MaximumF16>, Cost::valu_f16, gfx12, keeps_high_half},
    {"v_mac_f16", &semantic<MadF16>, Cost::valu_f16, gfx8, accumulates},
    {"v_mac_f16", &semantic<MadF16>, Cost::valu_f16, gfx9, accumulates | keeps_high_half},
    {"v_madmk_f16", &semantic<MadF16>, Cost::valu_f16, gfx8},
    {"v_madmk_f16", &semantic<MadF16>, Cost::valu_f16, gfx9, keeps_high_half},
    {"v_madak_f16", &semantic<MadF16>, Cost::valu_f16, gfx8},
    {"v_madak_f16", &semantic<MadF16>, Cost::valu_f16, gfx9, keeps_high_half},
    {"v_mad_f16", &semantic<MadF16>, Cost::valu_f16, gfx8},
    {"v_mad_f16", &semantic<MadF16>, Cost::valu_f16, gfx9, keeps_high_half},
    {"v_mad_legacy_f16", &semantic<MadF16>, Cost::valu_f16, gfx9},
    {"v_fma_f16", &semantic<FmaF16>, Cost::valu_f16, gfx8},
    {"v_fma_f16", &semantic<FmaF16>, Cost::valu_f16, gfx9up, keeps_high_half},
    {"v_fma_legacy_f16", &semantic<FmaF16>, Cost::valu_f16, gfx9},
    {"v_fmac_f16", &semantic<FmaF16>, Cost::valu_f16, rdna, accumulates | keeps_high_half},
    {"v_fmamk_f16", &semantic<FmaF16>, Cost::valu_f16, rdna, keeps_high_half},
    {"v_fmaak_f16", &semantic<FmaF16>, Cost::valu_f16, rdna, keeps_high_half},
    {"v_div_fixup_f16", &semantic<DivFixupF16>, Cost::valu_f16, gfx8},
    {"v_div_fixup_f16", &semantic<DivFixupF16>, Cost::valu_f16, gfx9up, keeps_high_half},
    {"v_div_fixup_legacy_f16", &semantic<DivFixupF16>, Cost::valu_f16, gfx9},
    {"v_sin_f16", &semantic<SinF16<false>>, Cost::valu_transcendental, gfx8to9 & ~gfx940},
    {"v_sin_f16", &semantic<SinF16<true>>, Cost::valu_transcendental, gfx940},
    {"v_sin_f16", &semantic<SinF16<true>>, Cost::valu_transcendental, rdna, keeps_high_half},
    {"v_cos_f16", &semantic<CosF16<false>>, Cost::valu_transcendental, gfx8to9 & ~gfx940},
    {"v_cos_f16", &semantic<CosF16<true>>, Cost::valu_transcendental, gfx940},
    {"v_cos_f16", &semantic<CosF16<true>>, Cost::valu_transcendental, rdna, keeps_high_half},
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
