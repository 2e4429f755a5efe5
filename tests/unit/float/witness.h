// Witnesses for the float tests: the host processor's own directed rounding (the library never touches the
// host's mode; the tests do), edge values, and a small random generator.
#pragma once
#include <cfenv>
#include <cmath>
#include <vector>

#include "float/bits.h"

namespace lockstep::witness {

inline constexpr Round all_rounds[] = {Round::nearest_even, Round::plus_infinity, Round::minus_infinity,
                                       Round::zero};

// xoshiro-free: splitmix64, seeded per test.
struct Random {
  u64 state;
  u64 next() {
    u64 z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  // Any bit pattern, half of the time with few mantissa bits, so that ties and exact results occur.
  u32 f32_bits() {
    const u64 r = next();
    return u32(r) & (r >> 40 & 1 ? 0xffffffffu : r >> 41 & 1 ? 0xfff00000u : 0xfffff000u);
  }
  u64 f64_bits() {
    const u64 r = next(), s = next();
    return r & (s & 1 ? ~u64(0) : s & 2 ? 0xffffff0000000000ull : 0xfffffffff0000000ull);
  }
};

// The host's operation under a rounding mode. noinline and volatile keep it from being moved or folded.
struct HostRound {
  explicit HostRound(Round r) {
    const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    std::fesetround(modes[int(r)]);
  }
  ~HostRound() { std::fesetround(FE_TONEAREST); }
};
template <class T>
[[gnu::noinline]] T host_add(T a, T b, Round r) {
  const HostRound guard(r);
  volatile T x = a, y = b;
  volatile T z = x + y;
  return z;
}
template <class T>
[[gnu::noinline]] T host_mul(T a, T b, Round r) {
  const HostRound guard(r);
  volatile T x = a, y = b;
  volatile T z = x * y;
  return z;
}
template <class T>
[[gnu::noinline]] T host_div(T a, T b, Round r) {
  const HostRound guard(r);
  volatile T x = a, y = b;
  volatile T z = x / y;
  return z;
}
template <class T>
[[gnu::noinline]] T host_fma(T a, T b, T c, Round r) {
  const HostRound guard(r);
  volatile T x = a, y = b, w = c;
  volatile T z = std::fma(T(x), T(y), T(w));
  return z;
}
template <class T>
[[gnu::noinline]] T host_sqrt(T a, Round r) {
  const HostRound guard(r);
  volatile T x = a;
  volatile T z = std::sqrt(T(x));
  return z;
}
[[gnu::noinline]] inline f32 host_narrow(f64 a, Round r) {
  const HostRound guard(r);
  volatile f64 x = a;
  volatile f32 z = f32(x);
  return z;
}

// Every sign of: zero, the smallest denormals, the denormal/normal border, around 1, halfway patterns, the
// largest, infinity, quiet and signalling NaNs.
template <class F>
std::vector<typename F::Bits> edges() {
  using Bits = typename F::Bits;
  const u64 one = F::one, ulp = u64(1) << F::mantissa_bits;
  const u64 half_mantissa = F::quiet_bit;
  std::vector<u64> list = {0,
                           1,
                           2,
                           3,
                           u64(F::smallest_normal) - 1,
                           u64(F::smallest_normal),
                           u64(F::smallest_normal) + 1,
                           u64(F::smallest_normal) * 2 - 1,
                           half_mantissa,
                           half_mantissa | 1,
                           one - 1,
                           one,
                           one + 1,
                           one + half_mantissa,
                           one + 2 * half_mantissa - 1,
                           one + ulp,
                           one + ulp / 2 * 3,
                           one - ulp,
                           one + ulp * (F::mantissa_bits + 1),
                           one - ulp * (F::mantissa_bits + 1),
                           one - ulp * (F::mantissa_bits + 2),
                           one + ulp * u64(F::mantissa_bits + 1) + 1,
                           one / 2,
                           one / 2 + one,
                           u64(F::largest_finite) - 1,
                           u64(F::largest_finite),
                           u64(F::largest_finite) - ulp,
                           u64(F::largest_finite) + 1 - ulp,
                           u64(F::infinity),
                           u64(F::infinity) + 1,
                           u64(F::default_nan),
                           u64(F::default_nan) + 5};
  std::vector<Bits> result;
  for (u64 x : list) {
    result.push_back(Bits(x));
    result.push_back(Bits(x | F::sign_mask));
  }
  return result;
}

}  // namespace lockstep::witness
