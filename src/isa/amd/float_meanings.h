// Float meanings of the vector ALU that f16, f32 and f64 share: one definition for every width. T is the
// lane's type. Source: "Vega Instruction Set Architecture", chapters VOP1, VOP2, VOP3 (12.8 to 12.11), and
// the "RDNA 3", "RDNA 4" and "CDNA 3 Instruction Set Architecture" for what later generations add.
#pragma once
#include <cmath>

#include "float/amd.h"
#include "float/amd_div.h"
#include "float/minmax.h"
#include "float/round.h"
#include "isa/amd/float_mode.h"
#include "isa/amd/half_arithmetic.h"
#include "isa/amd/names.h"
#include "isa/shapes.h"

namespace lockstep::amd {

// What tells the widths apart: the format, the fields of MODE, and which functions of float/ compute.
template <class T>
struct FloatWidth;

template <>
struct FloatWidth<F16> {
  using Format = Half;
  using Quick = f32;  // what `quick` computes in
  using Exponent = i16;
  static FloatMode mode(u32 mode) { return wide_mode(mode); }
  static f32 quick_fma(f32 a, f32 b, f32 c) { return fma_for_half(a, b, c); }
  template <Round R>
  static F16 add(F16 a, F16 b) {
    return {add_f16<R>(a.bits, b.bits)};
  }
  template <Round R>
  static F16 sub(F16 a, F16 b) {
    return {sub_f16<R>(a.bits, b.bits)};
  }
  template <Round R>
  static F16 mul(F16 a, F16 b) {
    return {mul_f16<R>(a.bits, b.bits)};
  }
  template <Round R>
  static F16 fma(F16 a, F16 b, F16 c) {
    return {fma_f16<R>(a.bits, b.bits, c.bits)};
  }
  template <Round R>
  static F16 mad(F16 a, F16 b, F16 c) {
    return {mad_f16<R>(a.bits, b.bits, c.bits)};
  }
  template <Round R>
  static F16 to_integer(F16 a) {
    return {round_to_integer_f16<R>(a.bits)};
  }
  template <Round R>
  static F16 fract(F16 a) {
    return {fract_f16<R>(a.bits)};
  }
  template <Round R>
  static F16 ldexp(F16 a, i16 exponent) {
    return {ldexp_f16<R>(a.bits, exponent)};
  }
};

template <>
struct FloatWidth<f32> {
  using Format = Single;
  using Quick = f32;
  using Exponent = i32;
  static FloatMode mode(u32 mode) { return single_mode(mode); }
  static f32 quick_fma(f32 a, f32 b, f32 c) { return std::fma(a, b, c); }
  template <Round R>
  static f32 add(f32 a, f32 b) {
    return add_f32<R>(a, b);
  }
  template <Round R>
  static f32 sub(f32 a, f32 b) {
    return sub_f32<R>(a, b);
  }
  template <Round R>
  static f32 mul(f32 a, f32 b) {
    return mul_f32<R>(a, b);
  }
  template <Round R>
  static f32 fma(f32 a, f32 b, f32 c) {
    return fma_f32<R>(a, b, c);
  }
  template <Round R>
  static f32 mad(f32 a, f32 b, f32 c) {
    return mad_f32<R>(a, b, c);
  }
  template <Round R>
  static f32 to_integer(f32 a) {
    return round_to_integer<R>(a);
  }
  template <Round R>
  static f32 fract(f32 a) {
    return fract_f32<R>(a);
  }
  template <Round R>
  static f32 ldexp(f32 a, i32 exponent) {
    return ldexp_f32<R>(a, exponent);
  }
};

template <>
struct FloatWidth<f64> {
  using Format = Double;
  using Quick = f64;
  using Exponent = i32;
  static FloatMode mode(u32 mode) { return wide_mode(mode); }
  static f64 quick_fma(f64 a, f64 b, f64 c) { return std::fma(a, b, c); }
  template <Round R>
  static f64 add(f64 a, f64 b) {
    return add_f64<R>(a, b);
  }
  template <Round R>
  static f64 mul(f64 a, f64 b) {
    return mul_f64<R>(a, b);
  }
  template <Round R>
  static f64 fma(f64 a, f64 b, f64 c) {
    return fma_f64<R>(a, b, c);
  }
  template <Round R>
  static f64 to_integer(f64 a) {
    return round_to_integer<R>(a);
  }
  template <Round R>
  static f64 fract(f64 a) {
    return fract_f64<R>(a);
  }
  template <Round R>
  static f64 ldexp(f64 a, i32 exponent) {
    return ldexp_f64<R>(a, exponent);
  }
};

template <class T>
using FormatOf = typename FloatWidth<T>::Format;
template <class T>
using BitsOf = typename FormatOf<T>::Bits;

template <class T>
[[gnu::always_inline]] inline BitsOf<T> bits_of(T x) {
  return static_cast<BitsOf<T>>(LaneType<T>::to(x));
}
template <class T>
[[gnu::always_inline]] inline T from_bits(BitsOf<T> bits) {
  return LaneType<T>::from(bits);
}
template <class T>
[[gnu::always_inline]] inline T flushed(T x) {
  return from_bits<T>(flush<FormatOf<T>>(bits_of(x)));
}
template <class T>
[[gnu::always_inline]] inline T flushed_in(T x, FloatMode m) {
  return m.denormals_in ? x : flushed(x);
}
template <class T>
[[gnu::always_inline]] inline T flushed_out(T x, FloatMode m) {
  return m.denormals_out ? x : flushed(x);
}

// body.template operator()<R>() rounded and flushed as the mode says.
template <class T, class Body>
[[gnu::always_inline]] inline T rounded(FloatMode m, Body&& body) {
  // Apart, so that a lane loop whose mode is a constant has no call in it and is vectorised.
  if (m.round == Round::nearest_even)
    return flushed_out<T>(body.template operator()<Round::nearest_even>(), m);
  return flushed_out<T>(with_round(m.round, body), m);
}

inline constexpr Round to_nearest = Round::nearest_even;

template <class T>
struct FloatAdd {
  using Width = FloatWidth<T>;
  using Quick = typename Width::Quick;
  static constexpr Name text{"add_", type_name<T>()};
  static constexpr std::string_view name = text;
  static constexpr bool keeps_first_nan = true;
  static Quick quick(Quick a, Quick b) { return a + b; }
  static T apply(T a, T b) { return Width::template add<to_nearest>(a, b); }
  static T apply_mode(T a, T b, u32 mode) {
    const FloatMode m = Width::mode(mode);
    const T x = flushed_in(a, m), y = flushed_in(b, m);
    return rounded<T>(m, [&]<Round R>() { return Width::template add<R>(x, y); });
  }
};
template <class T>
struct FloatSub {
  using Width = FloatWidth<T>;
  using Quick = typename Width::Quick;
  static constexpr Name text{"sub_", type_name<T>()};
  static constexpr std::string_view name = text;
  static constexpr bool keeps_first_nan = true;
  static Quick quick(Quick a, Quick b) { return a - b; }
  static T apply(T a, T b) { return Width::template sub<to_nearest>(a, b); }
  static T apply_mode(T a, T b, u32 mode) {
    const FloatMode m = Width::mode(mode);
    const T x = flushed_in(a, m), y = flushed_in(b, m);
    return rounded<T>(m, [&]<Round R>() { return Width::template sub<R>(x, y); });
  }
};
template <class T>
struct FloatSubrev {
  using Quick = typename FloatWidth<T>::Quick;
  static constexpr Name text{"subrev_", type_name<T>()};
  static constexpr std::string_view name = text;
  static Quick quick(Quick a, Quick b) { return b - a; }
  static T apply(T a, T b) { return FloatSub<T>::apply(b, a); }
  static T apply_mode(T a, T b, u32 mode) { return FloatSub<T>::apply_mode(b, a, mode); }
};
template <class T>
struct FloatMul {
  using Width = FloatWidth<T>;
  using Quick = typename Width::Quick;
  static constexpr Name text{"mul_", type_name<T>()};
  static constexpr std::string_view name = text;
  static constexpr bool keeps_first_nan = true;
  static Quick quick(Quick a, Quick b) { return a * b; }
  static T apply(T a, T b) { return Width::template mul<to_nearest>(a, b); }
  static T apply_mode(T a, T b, u32 mode) {
    const FloatMode m = Width::mode(mode);
    const T x = flushed_in(a, m), y = flushed_in(b, m);
    return rounded<T>(m, [&]<Round R>() { return Width::template mul<R>(x, y); });
  }
};
template <class T>
struct FloatFma {
  using Width = FloatWidth<T>;
  using Quick = typename Width::Quick;
  static constexpr Name text{"fma_", type_name<T>()};
  static constexpr std::string_view name = text;
  static constexpr bool keeps_first_nan = true;
  static Quick quick(Quick a, Quick b, Quick c) { return Width::quick_fma(a, b, c); }
  static T apply(T a, T b, T c) { return Width::template fma<to_nearest>(a, b, c); }
  static T apply_mode(T a, T b, T c, u32 mode) {
    const FloatMode m = Width::mode(mode);
    const T x = flushed_in(a, m), y = flushed_in(b, m), z = flushed_in(c, m);
    return rounded<T>(m, [&]<Round R>() { return Width::template fma<R>(x, y, z); });
  }
};
// Two roundings, denormals flushed whatever the mode says.
template <class T>
struct QuickMad {};
template <>
struct QuickMad<f32> {
  static f32 quick_step(f32 a, f32 b, f32) { return a * b; }
  static f32 quick(f32 a, f32 b, f32 c) { return a * b + c; }
};
template <class T>
struct FloatMad : QuickMad<T> {
  using Width = FloatWidth<T>;
  static constexpr Name text{"mad_", type_name<T>()};
  static constexpr std::string_view name = text;
  static constexpr bool always_flushes = true;
  static T apply(T a, T b, T c) { return Width::template mad<to_nearest>(a, b, c); }
  static T apply_mode(T a, T b, T c, u32 mode) {
    return with_round(Width::mode(mode).round, [&]<Round R>() { return Width::template mad<R>(a, b, c); });
  }
};

// Minimum and maximum keep denormals up to gfx8 and follow the mode from gfx9 on.
struct KeepDenormals {
  template <class T>
  static T flush(T x, u32) {
    return x;
  }
};
struct FlushByMode {
  template <class T>
  static T flush(T x, u32 mode) {
    const FloatMode m = FloatWidth<T>::mode(mode);
    return m.denormals_in && m.denormals_out ? x : flushed(x);
  }
};

template <class T, class Denormals = FlushByMode>
struct FloatMin {
  static constexpr bool asks_ieee_mode = true;
  static constexpr Name text{"min_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a, T b) { return of(a, b, true); }
  static T apply_mode(T a, T b, u32 mode) {
    return of(Denormals::flush(a, mode), Denormals::flush(b, mode), quiets_signals(mode));
  }
  [[gnu::always_inline]] static T of(T a, T b, bool quiets) {
    return from_bits<T>(amd_min<FormatOf<T>>(bits_of(a), bits_of(b), quiets));
  }
};
template <class T, class Denormals = FlushByMode>
struct FloatMax {
  static constexpr bool asks_ieee_mode = true;
  static constexpr Name text{"max_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a, T b) { return of(a, b, true); }
  static T apply_mode(T a, T b, u32 mode) {
    return of(Denormals::flush(a, mode), Denormals::flush(b, mode), quiets_signals(mode));
  }
  [[gnu::always_inline]] static T of(T a, T b, bool quiets) {
    return from_bits<T>(amd_max<FormatOf<T>>(bits_of(a), bits_of(b), quiets));
  }
};
template <class T, class Denormals = FlushByMode>
struct FloatMin3 {
  static constexpr bool asks_ieee_mode = true;
  static constexpr Name text{"min3_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a, T b, T c) { return of(a, b, c, true); }
  static T apply_mode(T a, T b, T c, u32 mode) {
    return of(Denormals::flush(a, mode), Denormals::flush(b, mode), Denormals::flush(c, mode),
              quiets_signals(mode));
  }
  [[gnu::always_inline]] static T of(T a, T b, T c, bool quiets) {
    return from_bits<T>(amd_min3<FormatOf<T>>(bits_of(a), bits_of(b), bits_of(c), quiets));
  }
};
template <class T, class Denormals = FlushByMode>
struct FloatMax3 {
  static constexpr bool asks_ieee_mode = true;
  static constexpr Name text{"max3_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a, T b, T c) { return of(a, b, c, true); }
  static T apply_mode(T a, T b, T c, u32 mode) {
    return of(Denormals::flush(a, mode), Denormals::flush(b, mode), Denormals::flush(c, mode),
              quiets_signals(mode));
  }
  [[gnu::always_inline]] static T of(T a, T b, T c, bool quiets) {
    return from_bits<T>(amd_max3<FormatOf<T>>(bits_of(a), bits_of(b), bits_of(c), quiets));
  }
};
template <class T, class Denormals = FlushByMode>
struct FloatMed3 {
  static constexpr bool asks_ieee_mode = true;
  static constexpr Name text{"med3_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a, T b, T c) { return of(a, b, c, true); }
  static T apply_mode(T a, T b, T c, u32 mode) {
    return of(Denormals::flush(a, mode), Denormals::flush(b, mode), Denormals::flush(c, mode),
              quiets_signals(mode));
  }
  [[gnu::always_inline]] static T of(T a, T b, T c, bool quiets) {
    return from_bits<T>(amd_med3<FormatOf<T>>(bits_of(a), bits_of(b), bits_of(c), quiets));
  }
};

// RDNA 4: IEEE 754-2019 minimum and maximum; a NaN wins.
template <class T>
struct FloatMinimum {
  static constexpr Name text{"minimum_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a, T b) { return from_bits<T>(propagating_min<FormatOf<T>>(bits_of(a), bits_of(b))); }
  static T apply_mode(T a, T b, u32 mode) {
    return apply(FlushByMode::flush(a, mode), FlushByMode::flush(b, mode));
  }
};
template <class T>
struct FloatMaximum {
  static constexpr Name text{"maximum_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a, T b) { return from_bits<T>(propagating_max<FormatOf<T>>(bits_of(a), bits_of(b))); }
  static T apply_mode(T a, T b, u32 mode) {
    return apply(FlushByMode::flush(a, mode), FlushByMode::flush(b, mode));
  }
};

// RDNA 3: max(min(a, b), c) and min(max(a, b), c). RDNA 4 has the like of minimum and maximum.
constexpr std::string_view word_of(std::string_view name) {
  return name.substr(0, name.find('_'));
}
template <class First, class Then, class T>
struct FloatThree {
  static constexpr bool asks_ieee_mode = true;
  static constexpr bool same = std::is_same_v<First, Then>;
  static constexpr Name text{word_of(First::name), same ? "3" : word_of(Then::name), "_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a, T b, T c) { return Then::apply(First::apply(a, b), c); }
  static T apply_mode(T a, T b, T c, u32 mode) {
    return Then::apply_mode(First::apply_mode(a, b, mode), c, mode);
  }
};
template <class T>
using FloatMinmax = FloatThree<FloatMin<T>, FloatMax<T>, T>;
template <class T>
using FloatMaxmin = FloatThree<FloatMax<T>, FloatMin<T>, T>;
template <class T>
using FloatMinimum3 = FloatThree<FloatMinimum<T>, FloatMinimum<T>, T>;
template <class T>
using FloatMaximum3 = FloatThree<FloatMaximum<T>, FloatMaximum<T>, T>;
template <class T>
using FloatMinimumMaximum = FloatThree<FloatMinimum<T>, FloatMaximum<T>, T>;
template <class T>
using FloatMaximumMinimum = FloatThree<FloatMaximum<T>, FloatMinimum<T>, T>;

template <class T, Round direction>
struct FloatToInteger {
  static constexpr Name text{direction == Round::nearest_even     ? "rndne_"
                             : direction == Round::plus_infinity  ? "ceil_"
                             : direction == Round::minus_infinity ? "floor_"
                                                                  : "trunc_",
                             type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a) { return FloatWidth<T>::template to_integer<direction>(a); }
  static T apply_mode(T a, u32 mode) { return apply(flushed_in(a, FloatWidth<T>::mode(mode))); }
};
template <class T>
using FloatFloor = FloatToInteger<T, Round::minus_infinity>;
template <class T>
using FloatCeil = FloatToInteger<T, Round::plus_infinity>;
template <class T>
using FloatTrunc = FloatToInteger<T, Round::zero>;
template <class T>
using FloatRndne = FloatToInteger<T, Round::nearest_even>;

template <class T>
struct FloatFract {
  using Width = FloatWidth<T>;
  static constexpr Name text{"fract_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a) { return Width::template fract<to_nearest>(a); }
  static T apply_mode(T a, u32 mode) {
    const FloatMode m = Width::mode(mode);
    const T x = flushed_in(a, m);
    return rounded<T>(m, [&]<Round R>() { return Width::template fract<R>(x); });
  }
};
template <class T>
struct FloatLdexp {
  using Width = FloatWidth<T>;
  using Exponent = typename Width::Exponent;
  static constexpr Name text{"ldexp_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a, Exponent exponent) { return Width::template ldexp<to_nearest>(a, exponent); }
  static T apply_mode(T a, Exponent exponent, u32 mode) {
    const FloatMode m = Width::mode(mode);
    const T x = flushed_in(a, m);
    return rounded<T>(m, [&]<Round R>() { return Width::template ldexp<R>(x, exponent); });
  }
};
template <class T>
struct FloatFrexpMant {
  static constexpr Name text{"frexp_mant_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a) { return from_bits<T>(frexp_mant<FormatOf<T>>(bits_of(a))); }
  static T apply_mode(T a, u32 mode) { return apply(flushed_in(a, FloatWidth<T>::mode(mode))); }
};
template <class T>
struct FloatFrexpExp {
  using Exponent = typename FloatWidth<T>::Exponent;
  static constexpr Name text{"frexp_exp_", type_name<Exponent>(), "_", type_name<T>()};
  static constexpr std::string_view name = text;
  static Exponent apply(T a) { return static_cast<Exponent>(frexp_exp<FormatOf<T>>(bits_of(a))); }
  static Exponent apply_mode(T a, u32 mode) { return apply(flushed_in(a, FloatWidth<T>::mode(mode))); }
};

// The helpers of division.
template <class T>
struct FloatDivScale {
  static constexpr Name text{"div_scale_", type_name<T>()};
  static constexpr std::string_view name = text;
  static WithMask<T> apply(T a, T b, T c) {
    const DivScale<BitsOf<T>> r = div_scale<FormatOf<T>>(bits_of(a), bits_of(b), bits_of(c));
    return {from_bits<T>(r.value), r.post_scale};
  }
  static bool gives_first(T a, T b, T c) {
    return div_scale_keeps<FormatOf<T>>(bits_of(a), bits_of(b), bits_of(c));
  }
};
template <class T>
struct FloatDivFmas {
  static constexpr Name text{"div_fmas_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a, T b, T c, bool post_scale) {
    return from_bits<T>(div_fmas<FormatOf<T>>(bits_of(a), bits_of(b), bits_of(c), post_scale));
  }
  static T apply_mode(T a, T b, T c, bool post_scale, u32 mode) {
    const FloatMode m = FloatWidth<T>::mode(mode);
    a = flushed_in(a, m), b = flushed_in(b, m), c = flushed_in(c, m);
    return flushed_out(
        from_bits<T>(div_fmas<FormatOf<T>>(bits_of(a), bits_of(b), bits_of(c), post_scale, m.round)), m);
  }
};
template <class T>
struct FloatDivFixup {
  static constexpr Name text{"div_fixup_", type_name<T>()};
  static constexpr std::string_view name = text;
  static T apply(T a, T b, T c) {
    return from_bits<T>(div_fixup<FormatOf<T>>(bits_of(a), bits_of(b), bits_of(c)));
  }
  static T apply_mode(T a, T b, T c, u32 mode) {
    const FloatMode m = FloatWidth<T>::mode(mode);
    a = flushed_in(a, m), b = flushed_in(b, m), c = flushed_in(c, m);
    return flushed_out(from_bits<T>(div_fixup<FormatOf<T>>(bits_of(a), bits_of(b), bits_of(c), m.round)), m);
  }
};

}  // namespace lockstep::amd
