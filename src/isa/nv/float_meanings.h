// Float meanings that f16, bf16, f32 and f64 share: one definition for every width. F is the width. Source:
// "Parallel Thread Execution ISA", version 8.5, 9.7.3 (Floating Point Instructions) and 9.7.4 (Half Precision
// Floating Point Instructions): what IEEE 754 or the manual defines to the bit.
#pragma once
#include "isa/nv/lanes.h"

namespace lockstep::nv {

// A width says how values lie in lanes (Lane), what an exact result is compared in (f64), how a NaN result
// looks and what .ftz makes of a result. `finished` is for results that are never tiny and inexact at once,
// `rounded` for the others; `negated` and its like for what only moves signs.

// f32: NaN results are canonical; ftz takes denormals for zeros on both sides.
struct SingleWidth {
  using Format = Single;
  using Lane = f32;
  static constexpr std::string_view word = ".f32";
  template <Round R>
  [[gnu::always_inline]] static f32 add(f32 a, f32 b) {
    return add_f32<R>(a, b);
  }
  template <Round R>
  [[gnu::always_inline]] static f32 sub(f32 a, f32 b) {
    return sub_f32<R>(a, b);
  }
  template <Round R>
  [[gnu::always_inline]] static f32 mul(f32 a, f32 b) {
    return mul_f32<R>(a, b);
  }
  template <Round R>
  [[gnu::always_inline]] static f32 fma(f32 a, f32 b, f32 c) {
    return fma_f32<R>(a, b, c);
  }
  template <Round R>
  [[gnu::always_inline]] static f32 div(f32 a, f32 b) {
    return div_f32<R>(a, b);
  }
  template <Round R>
  [[gnu::always_inline]] static f32 sqrt(f32 a) {
    return sqrt_f32<R>(a);
  }
  [[gnu::always_inline]] static f64 widen(f32 a) { return f64{a}; }
  template <bool Ftz, class... A>
  [[gnu::always_inline]] static f32 finished(f32 r, A...) {
    return canonical_nan_f32(flushed<Ftz>(r));
  }
  template <Round R, bool Ftz, class... A>
  [[gnu::always_inline]] static f32 rounded(f32 r, f64 exact, A...) {
    return Ftz ? ptx_finished_ftz<R>(r, exact) : canonical_nan_f32(r);
  }
  template <Round R, bool Ftz>
  [[gnu::always_inline]] static f32 quotient(f32 r, f64 exact) {
    return rounded<R, Ftz>(r, exact);
  }
  [[gnu::always_inline]] static u32 nan_of(u32) { return 0x7FFFFFFF; }
  [[gnu::always_inline]] static u32 nan_of_both(u32, u32) { return 0x7FFFFFFF; }
};

// f64: no ftz. Of several NaN operands the hardware takes the second, else the third, else the first, and
// quiets it (measured on an H200, tests/nvidia).
struct DoubleWidth {
  using Format = Double;
  using Lane = f64;
  static constexpr std::string_view word = ".f64";
  template <Round R>
  [[gnu::always_inline]] static f64 add(f64 a, f64 b) {
    return add_f64<R>(a, b);
  }
  template <Round R>
  [[gnu::always_inline]] static f64 sub(f64 a, f64 b) {
    return sub_f64<R>(a, b);
  }
  template <Round R>
  [[gnu::always_inline]] static f64 mul(f64 a, f64 b) {
    return mul_f64<R>(a, b);
  }
  template <Round R>
  [[gnu::always_inline]] static f64 fma(f64 a, f64 b, f64 c) {
    return fma_f64<R>(a, b, c);
  }
  template <Round R>
  [[gnu::always_inline]] static f64 div(f64 a, f64 b) {
    return div_f64<R>(a, b);
  }
  template <Round R>
  [[gnu::always_inline]] static f64 sqrt(f64 a) {
    return sqrt_f64<R>(a);
  }
  [[gnu::always_inline]] static f64 widen(f64 a) { return a; }
  template <bool>
  [[gnu::always_inline]] static f64 finished(f64 r, f64) {
    return r;
  }
  template <bool>
  [[gnu::always_inline]] static f64 finished(f64 r, f64 a, f64 b) {
    const u64 nan = is_nan(b) ? as_u64(b) : as_u64(a);
    return is_nan(a) || is_nan(b) ? as_f64(nan | Double::quiet_bit) : r;
  }
  template <Round, bool>
  [[gnu::always_inline]] static f64 rounded(f64 r, f64, f64 a, f64 b) {
    return finished<false>(r, a, b);
  }
  template <Round, bool>
  [[gnu::always_inline]] static f64 rounded(f64 r, f64, f64 a, f64 b, f64 c) {
    const u64 nan = is_nan(b) ? as_u64(b) : is_nan(c) ? as_u64(c) : as_u64(a);
    return is_nan(a) || is_nan(b) || is_nan(c) ? as_f64(nan | Double::quiet_bit) : r;
  }
  template <Round, bool>
  [[gnu::always_inline]] static f64 quotient(f64 r, f64) {
    return r;
  }
  [[gnu::always_inline]] static u64 nan_of(u64 a) { return a | Double::quiet_bit; }
  [[gnu::always_inline]] static u64 nan_of_both(u64, u64 b) { return b | Double::quiet_bit; }
};

// The formats of 16 bits: arithmetic rounds to nearest even; NaN results are 0x7fff. With ftz a result that
// is tiny after rounding with an unbounded exponent is zero (measured on an H200, tests/nvidia).
template <class Own, class F>
struct HalfWidth {
  using Format = F;
  using Lane = u16;
  [[gnu::always_inline]] static u16 canonical(u16 r) { return is_nan<F>(r) ? u16{0x7FFF} : r; }
  template <bool Ftz, class... A>
  [[gnu::always_inline]] static u16 finished(u16 r, A...) {
    return canonical(Ftz ? flush<F>(r) : r);
  }
  template <Round, bool Ftz, class... A>
  [[gnu::always_inline]] static u16 rounded(u16 r, f64 exact, A...) {
    const bool tiny =
        Ftz && Own::widen(Own::narrow(std::fabs(exact) * 1024)) < Own::widen(F::smallest_normal) * 1024;
    return canonical(tiny ? static_cast<u16>(r & F::sign_mask) : r);
  }
  [[gnu::always_inline]] static u16 nan_of(u16) { return 0x7FFF; }
  [[gnu::always_inline]] static u16 nan_of_both(u16, u16) { return 0x7FFF; }
};
struct F16Width : HalfWidth<F16Width, Half> {
  static constexpr std::string_view word = ".f16";
  [[gnu::always_inline]] static f64 widen(u16 x) { return f16_to_f64(x); }
  [[gnu::always_inline]] static u16 narrow(f64 x) { return f64_to_f16(x); }
  template <Round R>
  [[gnu::always_inline]] static u16 add(u16 a, u16 b) {
    return add_f16<R>(a, b);
  }
  template <Round R>
  [[gnu::always_inline]] static u16 sub(u16 a, u16 b) {
    return sub_f16<R>(a, b);
  }
  template <Round R>
  [[gnu::always_inline]] static u16 mul(u16 a, u16 b) {
    return mul_f16<R>(a, b);
  }
  template <Round R>
  [[gnu::always_inline]] static u16 fma(u16 a, u16 b, u16 c) {
    return fma_f16<R>(a, b, c);
  }
};
// Sums of two bf16 and their products may need more than an f64's 53 bits only where the smaller term lies
// below everything that rounding looks at but its sign: rounding to odd keeps that.
struct Bf16Width : HalfWidth<Bf16Width, Bfloat> {
  static constexpr std::string_view word = ".bf16";
  [[gnu::always_inline]] static f64 widen(u16 x) { return f64{bf16_to_f32(x)}; }
  [[gnu::always_inline]] static u16 narrow(f64 x) { return f64_to_bf16(x); }
  template <Round R>
  [[gnu::always_inline]] static u16 add(u16 a, u16 b) {
    return fma<R>(a, Bfloat::one, b);
  }
  template <Round R>
  [[gnu::always_inline]] static u16 sub(u16 a, u16 b) {
    return fma<R>(b, static_cast<u16>(Bfloat::one | Bfloat::sign_mask), a);
  }
  template <Round R>
  [[gnu::always_inline]] static u16 mul(u16 a, u16 b) {
    return narrow(widen(a) * widen(b));
  }
  template <Round R>
  [[gnu::always_inline]] static u16 fma(u16 a, u16 b, u16 c) {
    const f64 p = widen(a) * widen(b);  // 16 bits: exact
    return narrow(float_detail::add_odd(p, widen(c)));
  }
};

template <class F>
using BitsOf = typename F::Format::Bits;
template <class F>
[[gnu::always_inline]] inline BitsOf<F> bits_of(typename F::Lane x) {
  return std::bit_cast<BitsOf<F>>(x);
}
template <class F>
[[gnu::always_inline]] inline typename F::Lane from_bits(BitsOf<F> bits) {
  return std::bit_cast<typename F::Lane>(bits);
}
// A source, as .ftz reads it.
template <class F, bool Ftz>
[[gnu::always_inline]] inline typename F::Lane read(typename F::Lane x) {
  return Ftz ? from_bits<F>(flush<typename F::Format>(bits_of<F>(x))) : x;
}

// The type in which signs and comparisons take and give values: in f64 the bits, so that no NaN passes
// through a register that knows it as one.
template <class F>
using Exact = std::conditional_t<sizeof(typename F::Lane) == 8, u64, typename F::Lane>;
template <class F, bool Ftz>
[[gnu::always_inline]] inline BitsOf<F> read_bits(Exact<F> x) {
  const auto bits = std::bit_cast<BitsOf<F>>(x);
  return Ftz ? flush<typename F::Format>(bits) : bits;
}

inline constexpr std::string_view add_word = "add", sub_word = "sub", mul_word = "mul", fma_word = "fma",
                                  div_word = "div", rcp_word = "rcp", sqrt_word = "sqrt", abs_word = "abs",
                                  neg_word = "neg", copysign_word = "copysign", min_word = "min",
                                  max_word = "max", nan_word = ".NaN", xorsign_word = ".xorsign.abs",
                                  none_word = "";

// Formats that the host's own operations round as well, but for NaNs: shapes.h, quick.
struct NotQuick {};
template <class Quick, class F, Round R, bool Ftz>
using AsTheHost = std::conditional_t<R == Round::nearest_even && !Ftz &&
                                         (std::is_same_v<F, SingleWidth> || std::is_same_v<F, DoubleWidth>),
                                     Quick, NotQuick>;
template <class T>
struct QuickAdd {
  static T quick(T a, T b) { return a + b; }
};
template <class T>
struct QuickSub {
  static T quick(T a, T b) { return a - b; }
};
template <class T>
struct QuickMul {
  static T quick(T a, T b) { return a * b; }
};
template <class T>
struct QuickFma {
  static T quick(T a, T b, T c) { return std::fma(a, b, c); }
};

template <class F, Round R, bool Ftz>
struct Add : AsTheHost<QuickAdd<typename F::Lane>, F, R, Ftz> {
  using T = typename F::Lane;
  static constexpr std::string_view name = joined<add_word, round_suffix<R>, ftz_suffix<Ftz>, F::word>;
  static T apply(T a, T b) {
    a = read<F, Ftz>(a), b = read<F, Ftz>(b);
    return F::template finished<Ftz>(F::template add<R>(a, b), a, b);
  }
};
template <class F, Round R, bool Ftz>
struct Sub : AsTheHost<QuickSub<typename F::Lane>, F, R, Ftz> {
  using T = typename F::Lane;
  static constexpr std::string_view name = joined<sub_word, round_suffix<R>, ftz_suffix<Ftz>, F::word>;
  static T apply(T a, T b) {
    a = read<F, Ftz>(a), b = read<F, Ftz>(b);
    return F::template finished<Ftz>(F::template sub<R>(a, b), a, b);
  }
};
template <class F, Round R, bool Ftz>
struct Mul : AsTheHost<QuickMul<typename F::Lane>, F, R, Ftz> {
  using T = typename F::Lane;
  static constexpr std::string_view name = joined<mul_word, round_suffix<R>, ftz_suffix<Ftz>, F::word>;
  static T apply(T a, T b) {
    a = read<F, Ftz>(a), b = read<F, Ftz>(b);
    return F::template rounded<R, Ftz>(F::template mul<R>(a, b), F::widen(a) * F::widen(b), a, b);
  }
};
template <class F, Round R, bool Ftz>
struct Fma : AsTheHost<QuickFma<typename F::Lane>, F, R, Ftz> {
  using T = typename F::Lane;
  static constexpr std::string_view name = joined<fma_word, round_suffix<R>, ftz_suffix<Ftz>, F::word>;
  static T apply(T a, T b, T c) {
    a = read<F, Ftz>(a), b = read<F, Ftz>(b), c = read<F, Ftz>(c);
    const f64 exact = Ftz ? float_detail::add_odd(F::widen(a) * F::widen(b), F::widen(c)) : 0.0;
    return F::template rounded<R, Ftz>(F::template fma<R>(a, b, c), exact, a, b, c);
  }
};
template <class F, Round R, bool Ftz>
struct Div {
  using T = typename F::Lane;
  static constexpr std::string_view name = joined<div_word, round_suffix<R>, ftz_suffix<Ftz>, F::word>;
  static T apply(T a, T b) {
    a = read<F, Ftz>(a), b = read<F, Ftz>(b);
    return F::template quotient<R, Ftz>(F::template div<R>(a, b), F::widen(a) / F::widen(b));
  }
};
template <class F, Round R, bool Ftz>
struct Rcp {
  using T = typename F::Lane;
  static constexpr std::string_view name = joined<rcp_word, round_suffix<R>, ftz_suffix<Ftz>, F::word>;
  static T apply(T a) {
    a = read<F, Ftz>(a);
    return F::template quotient<R, Ftz>(F::template div<R>(T{1}, a), 1.0 / F::widen(a));
  }
};
template <class F, Round R, bool Ftz>
struct Sqrt {
  using T = typename F::Lane;
  static constexpr std::string_view name = joined<sqrt_word, round_suffix<R>, ftz_suffix<Ftz>, F::word>;
  static T apply(T a) {
    a = read<F, Ftz>(a);
    return F::template finished<Ftz>(F::template sqrt<R>(a), a);
  }
};

// Signs. Of a NaN they make the canonical one, and only quiet it in f64 (measured on an H200, tests/nvidia).
template <class F, bool Ftz>
struct Abs {
  using T = Exact<F>;
  using Format = typename F::Format;
  static constexpr std::string_view name = joined<abs_word, ftz_suffix<Ftz>, F::word>;
  static T apply(T a) {
    const BitsOf<F> x = read_bits<F, Ftz>(a);
    return std::bit_cast<T>(is_nan<Format>(x) ? F::nan_of(x)
                                              : static_cast<BitsOf<F>>(x & Format::magnitude_mask));
  }
};
template <class F, bool Ftz>
struct Neg {
  using T = Exact<F>;
  using Format = typename F::Format;
  static constexpr std::string_view name = joined<neg_word, ftz_suffix<Ftz>, F::word>;
  static T apply(T a) {
    const BitsOf<F> x = read_bits<F, Ftz>(a);
    return std::bit_cast<T>(is_nan<Format>(x) ? F::nan_of(x) : static_cast<BitsOf<F>>(x ^ Format::sign_mask));
  }
};
// The sign of a, the magnitude of b.
template <class F>
struct Copysign {
  using T = BitsOf<F>;
  using Format = typename F::Format;
  static constexpr std::string_view name = joined<copysign_word, F::word>;
  static T apply(T a, T b) { return (a & Format::sign_mask) | (b & Format::magnitude_mask); }
};

template <class F, bool Max, bool Ftz, bool Nan, bool XorSign>
struct MinMax {
  using T = Exact<F>;
  using Format = typename F::Format;
  static constexpr std::string_view name = joined < Max ? max_word : min_word, ftz_suffix<Ftz>,
                                    Nan ? nan_word : none_word, XorSign ? xorsign_word : none_word,
                                    F::word > ;
  static T apply(T a, T b) {
    BitsOf<F> x = read_bits<F, Ftz>(a), y = read_bits<F, Ftz>(b);
    const BitsOf<F> sign = (x ^ y) & Format::sign_mask;
    if (XorSign) x &= Format::magnitude_mask, y &= Format::magnitude_mask;
    BitsOf<F> r = Max ? ptx_max<Format>(x, y, Nan) : ptx_min<Format>(x, y, Nan);
    if (is_nan<Format>(r)) {
      r = F::nan_of_both(x, y);
    } else if (XorSign) {
      r |= sign;
    }
    return std::bit_cast<T>(r);
  }
};

}  // namespace lockstep::nv
