// The vendors' minimum and maximum families, over bits: F is Half, Single or Double. All are free of
// branches.
//   amd_min/amd_max      V_MIN_*, V_MAX_* (CDNA4 ISA 12.11, the same pseudocode as Vega's): a NaN loses
//   against
//                        a number; with MODE.IEEE a signalling NaN wins, quieted; -0 < +0.
//   legacy_min/_max      V_MIN_LEGACY_F32, V_MAX_LEGACY_F32 (Southern Islands ISA): DirectX 9's comparison.
//   ptx_min/ptx_max      min, max of PTX ISA 9.7.3: a NaN loses, two NaNs give the canonical NaN, -0 < +0;
//                        with .NaN any NaN gives the canonical NaN.
//   propagating_min/_max V_MINIMUM_*, V_MAXIMUM_* (RDNA4 ISA): IEEE 754-2019 minimum and maximum.
#pragma once
#include "float/bits.h"

namespace lockstep {

namespace float_detail {

// Orders numbers as integers: negative ones below positive ones, -0 below +0.
template <class F>
[[gnu::always_inline]] constexpr bool ordered_less(typename F::Bits a, typename F::Bits b) {
  using Bits = typename F::Bits;
  using Signed = std::make_signed_t<Bits>;
  constexpr int top = F::mantissa_bits + F::exponent_bits;
  const Bits ka = Bits(a ^ (Bits(Signed(a) >> top) & F::magnitude_mask));
  const Bits kb = Bits(b ^ (Bits(Signed(b) >> top) & F::magnitude_mask));
  return Signed(ka) < Signed(kb);
}

template <class F>
[[gnu::always_inline]] constexpr typename F::Bits number_or_signal(typename F::Bits a, typename F::Bits b,
                                                                   typename F::Bits chosen, bool ieee) {
  using Bits = typename F::Bits;
  // Masks and not selects, which g++ would turn into branches.
  const Bits wanted = ieee ? Bits(~Bits(0)) : Bits(0);
  const Bits signal_a = Bits(Bits(0 - Bits(is_signaling_nan<F>(a))) & wanted);
  const Bits signal_b = Bits(Bits(0 - Bits(is_signaling_nan<F>(b))) & wanted);
  Bits r = is_nan<F>(b) ? a : chosen;
  r = is_nan<F>(a) ? b : r;
  r = Bits((quiet<F>(b) & signal_b) | (r & ~signal_b));
  return Bits((quiet<F>(a) & signal_a) | (r & ~signal_a));
}

// V_MINIMUM_F32's order: a signalling S0, a signalling S1, a quiet S0, a quiet S1.
template <class F>
[[gnu::always_inline]] constexpr typename F::Bits propagate(typename F::Bits a, typename F::Bits b,
                                                            typename F::Bits chosen) {
  using Bits = typename F::Bits;
  Bits r = is_nan<F>(b) ? quiet<F>(b) : chosen;
  r = is_nan<F>(a) ? quiet<F>(a) : r;
  r = is_signaling_nan<F>(b) ? quiet<F>(b) : r;
  return is_signaling_nan<F>(a) ? quiet<F>(a) : r;
}

}  // namespace float_detail

template <class F>
[[gnu::always_inline]] constexpr typename F::Bits amd_min(typename F::Bits a, typename F::Bits b, bool ieee) {
  return float_detail::number_or_signal<F>(a, b, float_detail::ordered_less<F>(b, a) ? b : a, ieee);
}
template <class F>
[[gnu::always_inline]] constexpr typename F::Bits amd_max(typename F::Bits a, typename F::Bits b, bool ieee) {
  return float_detail::number_or_signal<F>(a, b, float_detail::ordered_less<F>(a, b) ? b : a, ieee);
}
template <class F>
[[gnu::always_inline]] constexpr typename F::Bits amd_min3(typename F::Bits a, typename F::Bits b,
                                                           typename F::Bits c, bool ieee) {
  return amd_min<F>(amd_min<F>(a, b, ieee), c, ieee);
}
template <class F>
[[gnu::always_inline]] constexpr typename F::Bits amd_max3(typename F::Bits a, typename F::Bits b,
                                                           typename F::Bits c, bool ieee) {
  return amd_max<F>(amd_max<F>(a, b, ieee), c, ieee);
}
// With a NaN among the operands: the minimum of the three. Otherwise the pseudocode compares the maximum as a
// number, so that +0 and -0 are the same there.
template <class F>
[[gnu::always_inline]] constexpr typename F::Bits amd_med3(typename F::Bits a, typename F::Bits b,
                                                           typename F::Bits c, bool ieee) {
  using Bits = typename F::Bits;
  using float_detail::ordered_less;
  const Bits ab = ordered_less<F>(a, b) ? b : a;
  const Bits ac = ordered_less<F>(a, c) ? c : a;
  const Bits bc = ordered_less<F>(b, c) ? c : b;
  const Bits most = ordered_less<F>(ab, c) ? c : ab;
  // Equal as numbers: the same bits, or both zero.
  const Bits differs_a = (most ^ a) == 0 ? Bits(0) : magnitude<F>(Bits(most | a));
  const Bits differs_b = (most ^ b) == 0 ? Bits(0) : magnitude<F>(Bits(most | b));
  Bits r = differs_b == 0 ? ac : ab;
  r = differs_a == 0 ? bc : r;
  const Bits with_nan = amd_min3<F>(a, b, c, ieee);
  // A mask and not a select, which g++ would turn into branches around the minimum.
  const Bits nan = Bits(0 - (Bits(is_nan<F>(a)) | Bits(is_nan<F>(b)) | Bits(is_nan<F>(c))));
  return Bits((with_nan & nan) | (r & ~nan));
}

[[gnu::always_inline]] inline f32 legacy_min_f32(f32 a, f32 b) {
  return a < b ? a : b;
}
[[gnu::always_inline]] inline f32 legacy_max_f32(f32 a, f32 b) {
  return a >= b ? a : b;
}

template <class F>
constexpr typename F::Bits ptx_canonical_nan = typename F::Bits(F::magnitude_mask);
// PTX leaves the NaN's payload open for f64; the hardware's default is taken.
template <>
inline constexpr u64 ptx_canonical_nan<Double> = 0xfff8000000000000ull;

namespace float_detail {
template <class F>
[[gnu::always_inline]] constexpr typename F::Bits ptx_select(typename F::Bits a, typename F::Bits b,
                                                             typename F::Bits chosen, bool nan_wins) {
  using Bits = typename F::Bits;
  Bits wins = is_nan<F>(b) ? ptx_canonical_nan<F> : chosen;
  wins = is_nan<F>(a) ? ptx_canonical_nan<F> : wins;
  Bits loses = is_nan<F>(b) ? a : chosen;
  loses = is_nan<F>(a) ? b : loses;
  loses = is_nan<F>(loses) ? ptx_canonical_nan<F> : loses;
  return nan_wins ? wins : loses;
}
}  // namespace float_detail

template <class F>
[[gnu::always_inline]] constexpr typename F::Bits ptx_min(typename F::Bits a, typename F::Bits b,
                                                          bool nan_wins = false) {
  return float_detail::ptx_select<F>(a, b, float_detail::ordered_less<F>(b, a) ? b : a, nan_wins);
}
template <class F>
[[gnu::always_inline]] constexpr typename F::Bits ptx_max(typename F::Bits a, typename F::Bits b,
                                                          bool nan_wins = false) {
  return float_detail::ptx_select<F>(a, b, float_detail::ordered_less<F>(a, b) ? b : a, nan_wins);
}

template <class F>
[[gnu::always_inline]] constexpr typename F::Bits propagating_min(typename F::Bits a, typename F::Bits b) {
  return float_detail::propagate<F>(a, b, float_detail::ordered_less<F>(b, a) ? b : a);
}
template <class F>
[[gnu::always_inline]] constexpr typename F::Bits propagating_max(typename F::Bits a, typename F::Bits b) {
  return float_detail::propagate<F>(a, b, float_detail::ordered_less<F>(a, b) ? b : a);
}

}  // namespace lockstep
