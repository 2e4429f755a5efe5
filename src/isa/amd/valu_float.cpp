// f32 arithmetic of the vector ALU.
// Source: "Vega Instruction Set Architecture", chapters VOP1, VOP2, VOP3 (12.8 to 12.11), and the "RDNA 3"
// and "CDNA 3 Instruction Set Architecture" for what later generations add.
#include "isa/amd/valu_float.h"

#include <cmath>

#include "float/amd.h"
#include "float/minmax.h"
#include "float/round.h"
#include "isa/amd/float_mode.h"
#include "isa/amd/scalar_float.h"
#include "isa/shapes.h"

namespace lockstep::amd {
namespace {

struct AddF32 {
  static constexpr std::string_view name = "add_f32";
  static f32 quick(f32 a, f32 b) { return a + b; }
  static f32 apply(f32 a, f32 b) { return add_f32(a, b); }
  static f32 apply_mode(f32 a, f32 b, u32 mode) { return add_f32(a, b, single_mode(mode)); }
};

struct SubF32 {
  static constexpr std::string_view name = "sub_f32";
  static f32 quick(f32 a, f32 b) { return a - b; }
  static f32 apply(f32 a, f32 b) { return sub_f32(a, b); }
  static f32 apply_mode(f32 a, f32 b, u32 mode) { return sub_f32(a, b, single_mode(mode)); }
};

struct SubrevF32 {
  static constexpr std::string_view name = "subrev_f32";
  static f32 quick(f32 a, f32 b) { return b - a; }
  static f32 apply(f32 a, f32 b) { return sub_f32(b, a); }
  static f32 apply_mode(f32 a, f32 b, u32 mode) { return sub_f32(b, a, single_mode(mode)); }
};

struct MulF32 {
  static constexpr std::string_view name = "mul_f32";
  static f32 quick(f32 a, f32 b) { return a * b; }
  static f32 apply(f32 a, f32 b) { return mul_f32(a, b); }
  static f32 apply_mode(f32 a, f32 b, u32 mode) { return mul_f32(a, b, single_mode(mode)); }
};

struct MulLegacyF32 {
  static constexpr std::string_view name = "mul_legacy_f32";
  static f32 apply(f32 a, f32 b) { return mul_legacy_f32(a, b); }
  static f32 apply_mode(f32 a, f32 b, u32 mode) {
    const FloatMode m = single_mode(mode);
    const f32 x = flush_in(a, m), y = flush_in(b, m);
    return in_mode(m, [&]<Round R>() { return mul_legacy_f32<R>(x, y); });
  }
};

struct FmaF32 {
  static constexpr std::string_view name = "fma_f32";
  static f32 quick(f32 a, f32 b, f32 c) { return std::fma(a, b, c); }
  static f32 apply(f32 a, f32 b, f32 c) { return fma_f32(a, b, c); }
  static f32 apply_mode(f32 a, f32 b, f32 c, u32 mode) { return fma_f32(a, b, c, single_mode(mode)); }
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

// Two roundings, denormals flushed whatever the mode says.
struct MadF32 {
  static constexpr std::string_view name = "mad_f32";
  static constexpr bool always_flushes = true;
  static f32 quick_step(f32 a, f32 b, f32) { return a * b; }
  static f32 quick(f32 a, f32 b, f32 c) { return a * b + c; }
  static f32 apply(f32 a, f32 b, f32 c) { return mad_f32(a, b, c); }
  static f32 apply_mode(f32 a, f32 b, f32 c, u32 mode) {
    return with_round(single_mode(mode).round, [&]<Round R>() { return mad_f32<R>(a, b, c); });
  }
};

struct MadLegacyF32 {
  static constexpr std::string_view name = "mad_legacy_f32";
  static f32 apply(f32 a, f32 b, f32 c) { return mad_legacy_f32(a, b, c); }
  static f32 apply_mode(f32 a, f32 b, f32 c, u32 mode) {
    return with_round(single_mode(mode).round, [&]<Round R>() { return mad_legacy_f32<R>(a, b, c); });
  }
};

// Minimum and maximum keep denormals up to gfx8 and follow the mode from gfx9 on.
struct KeepDenormals {
  static f32 flush(f32 x, u32) { return x; }
};
struct FlushByMode {
  static f32 flush(f32 x, u32 mode) {
    const FloatMode m = single_mode(mode);
    return m.denormals_in && m.denormals_out ? x : flush_f32(x);
  }
};

template <class Denormals>
struct MinF32 {
  static constexpr std::string_view name = "min_f32";
  static f32 apply(f32 a, f32 b) { return as_f32(amd_min<Single>(as_u32(a), as_u32(b), true)); }
  static f32 apply_mode(f32 a, f32 b, u32 mode) {
    const f32 x = Denormals::flush(a, mode), y = Denormals::flush(b, mode);
    return as_f32(amd_min<Single>(as_u32(x), as_u32(y), quiets_signals(mode)));
  }
};

template <class Denormals>
struct MaxF32 {
  static constexpr std::string_view name = "max_f32";
  static f32 apply(f32 a, f32 b) { return as_f32(amd_max<Single>(as_u32(a), as_u32(b), true)); }
  static f32 apply_mode(f32 a, f32 b, u32 mode) {
    const f32 x = Denormals::flush(a, mode), y = Denormals::flush(b, mode);
    return as_f32(amd_max<Single>(as_u32(x), as_u32(y), quiets_signals(mode)));
  }
};

template <class Denormals>
struct Min3F32 {
  static constexpr std::string_view name = "min3_f32";
  static f32 apply(f32 a, f32 b, f32 c) {
    return as_f32(amd_min3<Single>(as_u32(a), as_u32(b), as_u32(c), true));
  }
  static f32 apply_mode(f32 a, f32 b, f32 c, u32 mode) {
    const f32 x = Denormals::flush(a, mode), y = Denormals::flush(b, mode), z = Denormals::flush(c, mode);
    return as_f32(amd_min3<Single>(as_u32(x), as_u32(y), as_u32(z), quiets_signals(mode)));
  }
};

template <class Denormals>
struct Max3F32 {
  static constexpr std::string_view name = "max3_f32";
  static f32 apply(f32 a, f32 b, f32 c) {
    return as_f32(amd_max3<Single>(as_u32(a), as_u32(b), as_u32(c), true));
  }
  static f32 apply_mode(f32 a, f32 b, f32 c, u32 mode) {
    const f32 x = Denormals::flush(a, mode), y = Denormals::flush(b, mode), z = Denormals::flush(c, mode);
    return as_f32(amd_max3<Single>(as_u32(x), as_u32(y), as_u32(z), quiets_signals(mode)));
  }
};

template <class Denormals>
struct Med3F32 {
  static constexpr std::string_view name = "med3_f32";
  static f32 apply(f32 a, f32 b, f32 c) {
    return as_f32(amd_med3<Single>(as_u32(a), as_u32(b), as_u32(c), true));
  }
  static f32 apply_mode(f32 a, f32 b, f32 c, u32 mode) {
    const f32 x = Denormals::flush(a, mode), y = Denormals::flush(b, mode), z = Denormals::flush(c, mode);
    return as_f32(amd_med3<Single>(as_u32(x), as_u32(y), as_u32(z), quiets_signals(mode)));
  }
};

// RDNA 3: max(min(a, b), c) and min(max(a, b), c).
struct MinmaxF32 {
  static constexpr std::string_view name = "minmax_f32";
  static f32 apply(f32 a, f32 b, f32 c) {
    return MaxF32<FlushByMode>::apply(MinF32<FlushByMode>::apply(a, b), c);
  }
  static f32 apply_mode(f32 a, f32 b, f32 c, u32 mode) {
    return MaxF32<FlushByMode>::apply_mode(MinF32<FlushByMode>::apply_mode(a, b, mode), c, mode);
  }
};
struct MaxminF32 {
  static constexpr std::string_view name = "maxmin_f32";
  static f32 apply(f32 a, f32 b, f32 c) {
    return MinF32<FlushByMode>::apply(MaxF32<FlushByMode>::apply(a, b), c);
  }
  static f32 apply_mode(f32 a, f32 b, f32 c, u32 mode) {
    return MinF32<FlushByMode>::apply_mode(MaxF32<FlushByMode>::apply_mode(a, b, mode), c, mode);
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

// RDNA 4: IEEE 754-2019 minimum and maximum; a NaN wins.
struct MinimumF32 {
  static constexpr std::string_view name = "minimum_f32";
  static f32 apply(f32 a, f32 b) { return as_f32(propagating_min<Single>(as_u32(a), as_u32(b))); }
  static f32 apply_mode(f32 a, f32 b, u32 mode) {
    return apply(FlushByMode::flush(a, mode), FlushByMode::flush(b, mode));
  }
};
struct MaximumF32 {
  static constexpr std::string_view name = "maximum_f32";
  static f32 apply(f32 a, f32 b) { return as_f32(propagating_max<Single>(as_u32(a), as_u32(b))); }
  static f32 apply_mode(f32 a, f32 b, u32 mode) {
    return apply(FlushByMode::flush(a, mode), FlushByMode::flush(b, mode));
  }
};

// The first operation on two sources, the second on its result and the third.
template <class First, class Then>
struct ThreeF32 {
  static constexpr bool same = std::is_same_v<First, Then>;
  static constexpr bool minimum_first = std::is_same_v<First, MinimumF32>;
  static constexpr std::string_view name =
      same ? (minimum_first ? "minimum3_f32" : "maximum3_f32")
           : (minimum_first ? "minimummaximum_f32" : "maximumminimum_f32");
  static f32 apply(f32 a, f32 b, f32 c) { return Then::apply(First::apply(a, b), c); }
  static f32 apply_mode(f32 a, f32 b, f32 c, u32 mode) {
    return Then::apply_mode(First::apply_mode(a, b, mode), c, mode);
  }
};

template <Round direction>
struct RoundF32 {
  static constexpr std::string_view name = direction == Round::nearest_even     ? "rndne_f32"
                                           : direction == Round::plus_infinity  ? "ceil_f32"
                                           : direction == Round::minus_infinity ? "floor_f32"
                                                                                : "trunc_f32";
  static f32 apply(f32 a) { return round_to_integer<direction>(a); }
  static f32 apply_mode(f32 a, u32 mode) {
    return round_to_integer<direction>(flush_in(a, single_mode(mode)));
  }
};

struct FractF32 {
  static constexpr std::string_view name = "fract_f32";
  static f32 apply(f32 a) { return fract_f32(a); }
  static f32 apply_mode(f32 a, u32 mode) {
    const FloatMode m = single_mode(mode);
    const f32 x = flush_in(a, m);
    return in_mode(m, [&]<Round R>() { return fract_f32<R>(x); });
  }
};

struct LdexpF32 {
  static constexpr std::string_view name = "ldexp_f32";
  static f32 apply(f32 a, i32 exponent) { return ldexp_f32(a, exponent); }
  static f32 apply_mode(f32 a, i32 exponent, u32 mode) {
    const FloatMode m = single_mode(mode);
    const f32 x = flush_in(a, m);
    return in_mode(m, [&]<Round R>() { return ldexp_f32<R>(x, exponent); });
  }
};

struct FrexpMantF32 {
  static constexpr std::string_view name = "frexp_mant_f32";
  static f32 apply(f32 a) { return as_f32(frexp_mant<Single>(as_u32(a))); }
  static f32 apply_mode(f32 a, u32 mode) { return apply(flush_in(a, single_mode(mode))); }
};

struct FrexpExpF32 {
  static constexpr std::string_view name = "frexp_exp_i32_f32";
  static i32 apply(f32 a) { return frexp_exp<Single>(as_u32(a)); }
  static i32 apply_mode(f32 a, u32 mode) { return apply(flush_in(a, single_mode(mode))); }
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
      {"v_add_f32", &semantic<AddF32>, Cost::valu_full},
      {"v_sub_f32", &semantic<SubF32>, Cost::valu_full},
      {"v_subrev_f32", &semantic<SubrevF32>, Cost::valu_full},
      {"v_mul_f32", &semantic<MulF32>, Cost::valu_full},
      {"v_mul_legacy_f32", &semantic<MulLegacyF32>, Cost::valu_full, every & ~from_gfx11},
      {"v_mul_dx9_zero_f32", &semantic<MulLegacyF32>, Cost::valu_full, from_gfx11},
      {"v_fma_f32", &semantic<FmaF32>, Cost::valu_full},
      {"v_fmac_f32", &semantic<FmaF32>, Cost::valu_full, gfx906 | cdna | gfx10_to_12, accumulates},
      {"v_fmamk_f32", &semantic<FmaF32>, Cost::valu_full, gfx940 | gfx10_to_12},
      {"v_fmaak_f32", &semantic<FmaF32>, Cost::valu_full, gfx940 | gfx10_to_12},
      {"v_fma_legacy_f32", &semantic<FmaLegacyF32>, Cost::valu_full, gfx103},
      {"v_fmac_legacy_f32", &semantic<FmaLegacyF32>, Cost::valu_full, gfx103, accumulates},
      {"v_fma_dx9_zero_f32", &semantic<FmaLegacyF32>, Cost::valu_full, from_gfx11},
      {"v_fmac_dx9_zero_f32", &semantic<FmaLegacyF32>, Cost::valu_full, from_gfx11, accumulates},
      {"v_mad_f32", &semantic<MadF32>, Cost::valu_full, every & ~from_gfx11},
      {"v_mac_f32", &semantic<MadF32>, Cost::valu_full, every & ~from_gfx11, accumulates},
      {"v_madmk_f32", &semantic<MadF32>, Cost::valu_full, every & ~from_gfx11},
      {"v_madak_f32", &semantic<MadF32>, Cost::valu_full, every & ~from_gfx11},
      {"v_mad_legacy_f32", &semantic<MadLegacyF32>, Cost::valu_full, every & ~from_gfx11},
      {"v_mac_legacy_f32", &semantic<MadLegacyF32>, Cost::valu_full, gfx6 | gfx7 | gfx10, accumulates},
      {"v_min_f32", &semantic<MinF32<KeepDenormals>>, Cost::valu_full, gfx6to8},
      {"v_min_f32", &semantic<MinF32<FlushByMode>>, Cost::valu_full, gfx9up & ~gfx12},
      {"v_min_num_f32", &semantic<MinF32<FlushByMode>>, Cost::valu_full, gfx12},
      {"v_max_f32", &semantic<MaxF32<KeepDenormals>>, Cost::valu_full, gfx6to8},
      {"v_max_f32", &semantic<MaxF32<FlushByMode>>, Cost::valu_full, gfx9up & ~gfx12},
      {"v_max_num_f32", &semantic<MaxF32<FlushByMode>>, Cost::valu_full, gfx12},
      {"v_min3_f32", &semantic<Min3F32<KeepDenormals>>, Cost::valu_full, gfx6to8},
      {"v_min3_f32", &semantic<Min3F32<FlushByMode>>, Cost::valu_full, gfx9up & ~gfx12},
      {"v_min3_num_f32", &semantic<Min3F32<FlushByMode>>, Cost::valu_full, gfx12},
      {"v_max3_f32", &semantic<Max3F32<KeepDenormals>>, Cost::valu_full, gfx6to8},
      {"v_max3_f32", &semantic<Max3F32<FlushByMode>>, Cost::valu_full, gfx9up & ~gfx12},
      {"v_max3_num_f32", &semantic<Max3F32<FlushByMode>>, Cost::valu_full, gfx12},
      {"v_med3_f32", &semantic<Med3F32<KeepDenormals>>, Cost::valu_full, gfx6to8},
      {"v_med3_f32", &semantic<Med3F32<FlushByMode>>, Cost::valu_full, gfx9up & ~gfx12},
      {"v_med3_num_f32", &semantic<Med3F32<FlushByMode>>, Cost::valu_full, gfx12},
      {"v_minmax_f32", &semantic<MinmaxF32>, Cost::valu_full, gfx11},
      {"v_maxmin_f32", &semantic<MaxminF32>, Cost::valu_full, gfx11},
      {"v_minmax_num_f32", &semantic<MinmaxF32>, Cost::valu_full, gfx12},
      {"v_maxmin_num_f32", &semantic<MaxminF32>, Cost::valu_full, gfx12},
      {"v_min_legacy_f32", &semantic<MinLegacyF32>, Cost::valu_full, gfx6 | gfx7},
      {"v_max_legacy_f32", &semantic<MaxLegacyF32>, Cost::valu_full, gfx6 | gfx7},
      {"v_minimum_f32", &semantic<MinimumF32>, Cost::valu_full, gfx12},
      {"v_maximum_f32", &semantic<MaximumF32>, Cost::valu_full, gfx12},
      {"v_minimum3_f32", &semantic<ThreeF32<MinimumF32, MinimumF32>>, Cost::valu_full, gfx12},
      {"v_maximum3_f32", &semantic<ThreeF32<MaximumF32, MaximumF32>>, Cost::valu_full, gfx12},
      {"v_minimummaximum_f32", &semantic<ThreeF32<MinimumF32, MaximumF32>>, Cost::valu_full, gfx12},
      {"v_maximumminimum_f32", &semantic<ThreeF32<MaximumF32, MinimumF32>>, Cost::valu_full, gfx12},
      {"v_floor_f32", &semantic<RoundF32<Round::minus_infinity>>, Cost::valu_full},
      {"v_ceil_f32", &semantic<RoundF32<Round::plus_infinity>>, Cost::valu_full},
      {"v_trunc_f32", &semantic<RoundF32<Round::zero>>, Cost::valu_full},
      {"v_rndne_f32", &semantic<RoundF32<Round::nearest_even>>, Cost::valu_full},
      {"v_fract_f32", &semantic<FractF32>, Cost::valu_full},
      {"v_ldexp_f32", &semantic<LdexpF32>, Cost::valu_full},
      {"v_frexp_mant_f32", &semantic<FrexpMantF32>, Cost::valu_full},
      {"v_frexp_exp_i32_f32", &semantic<FrexpExpF32>, Cost::valu_full},
      {"v_cubeid_f32", &semantic<CubeidF32>, Cost::valu_full},
      {"v_cubesc_f32", &semantic<CubescF32>, Cost::valu_full},
      {"v_cubetc_f32", &semantic<CubetcF32>, Cost::valu_full},
      {"v_cubema_f32", &semantic<CubemaF32>, Cost::valu_full},
      {"s_add_f32", &semantic<OnScalar<AddF32>>, Cost::salu, gfx12},
      {"s_sub_f32", &semantic<OnScalar<SubF32>>, Cost::salu, gfx12},
      {"s_mul_f32", &semantic<OnScalar<MulF32>>, Cost::salu, gfx12},
      {"s_fmac_f32", &semantic<OnScalar<FmaF32>>, Cost::salu, gfx12, accumulates},
      {"s_fmamk_f32", &semantic<OnScalar<FmaF32>>, Cost::salu, gfx12},
      {"s_fmaak_f32", &semantic<OnScalar<FmaF32>>, Cost::salu, gfx12},
      {"s_min_num_f32", &semantic<OnScalar<MinF32<FlushByMode>>>, Cost::salu, gfx12},
      {"s_max_num_f32", &semantic<OnScalar<MaxF32<FlushByMode>>>, Cost::salu, gfx12},
      {"s_minimum_f32", &semantic<OnScalar<MinimumF32>>, Cost::salu, gfx12},
      {"s_maximum_f32", &semantic<OnScalar<MaximumF32>>, Cost::salu, gfx12},
      {"s_floor_f32", &semantic<OnScalar<RoundF32<Round::minus_infinity>>>, Cost::salu, gfx12},
      {"s_ceil_f32", &semantic<OnScalar<RoundF32<Round::plus_infinity>>>, Cost::salu, gfx12},
      {"s_trunc_f32", &semantic<OnScalar<RoundF32<Round::zero>>>, Cost::salu, gfx12},
      {"s_rndne_f32", &semantic<OnScalar<RoundF32<Round::nearest_even>>>, Cost::salu, gfx12},
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
