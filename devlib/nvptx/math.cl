// Functions whose versions in libclc are wrong for some arguments, or not exact enough for OpenCL C 1.2 (section 7.4).
#include "vectors.h"

// ---- ldexp: subnormal results and NaN. At most one multiplication rounds.
OVER float ldexp(float x, int n) {
  n = clamp(n, -330, 330);
  if (n > 127) {
    x *= 0x1p127f, n -= 127;
    if (n > 127) x *= 0x1p127f, n = min(n - 127, 127);
  } else if (n < -126) {
    // 24 bits more than the format's least exponent: a subnormal on the way would be rounded twice.
    x *= 0x1p-102f, n += 102;
    if (n < -126) x *= 0x1p-102f, n = max(n + 102, -126);
  }
  return x * as_float((uint)(n + 127) << 23);
}
OVER double ldexp(double x, int n) {
  n = clamp(n, -2300, 2300);
  if (n > 1023) {
    x *= 0x1p1023, n -= 1023;
    if (n > 1023) x *= 0x1p1023, n = min(n - 1023, 1023);
  } else if (n < -1022) {
    x *= 0x1p-969, n += 969;
    if (n < -1022) x *= 0x1p-969, n = max(n + 969, -1022);
  }
  return x * as_double((ulong)(n + 1023) << 52);
}
MIXED_VECTORS(ldexp, float, int)
MIXED_VECTORS(ldexp, double, int)
#define LDEXP_ONE(T, n) OVER T##n ldexp(T##n x, int k) { return ldexp(x, (int##n)k); }
EACH_N(LDEXP_ONE, float)
EACH_N(LDEXP_ONE, double)

// ---- sinh, cosh of doubles: libclc reads its tables outside of their bounds for a NaN.
OVER double sinh(double x) {
  const double a = fabs(x);
  double r;
  if (a < 22.0) {
    const double e = expm1(a);
    r = 0.5 * (e + e / (e + 1.0));
  } else {
    const double h = exp(0.5 * a);
    r = 0.5 * h * h;
  }
  return isnan(x) ? x : copysign(r, x);
}
OVER double cosh(double x) {
  const double a = fabs(x);
  if (a < 22.0) {
    const double e = exp(a);
    return 0.5 * e + 0.5 / e;
  }
  const double h = exp(0.5 * a);
  return 0.5 * h * h;
}
UNARY_VECTORS(sinh, double, double)
UNARY_VECTORS(cosh, double, double)

// ---- tgamma after Lanczos, with the coefficients that the Boost library publishes for 24 and 53 bits
// (lanczos6m24, lanczos13m53): gamma(x) = sum(x) * (t / e)^(x - 0.5) / e^g..., t = x + g - 0.5. The power is taken
// twice to half its exponent, so that it does not overflow first; what is lost in rounding t goes back in as a factor.
// At least 1: by powers of 1/x, since those of x overflow.
static inline float lanczos_sum_float(float x) {
  const float y = 1.0f / x;
  float n = 58.5206152f;
  n = n * y + 182.524896f;
  n = n * y + 211.097103f;
  n = n * y + 112.252655f;
  n = n * y + 27.5192015f;
  n = n * y + 2.50662859f;
  float d = 24.0f;
  d = d * y + 50.0f;
  d = d * y + 35.0f;
  d = d * y + 10.0f;
  d = d * y + 1.0f;
  return n / d;
}
static inline double lanczos_sum_double(double x) {
  const double y = 1.0 / x;
  double n = 23531376880.41075968857200767445163675473;
  n = n * y + 42919803642.64909876895789904700198885093;
  n = n * y + 35711959237.35566804944018545154716670596;
  n = n * y + 17921034426.03720969991975575445893111267;
  n = n * y + 6039542586.352028005064291644307297921070;
  n = n * y + 1439720407.311721673663223072794912393972;
  n = n * y + 248874557.8620541565114603864132294232163;
  n = n * y + 31426415.58540019438061423162831820536287;
  n = n * y + 2876370.628935372441225409051620849613599;
  n = n * y + 186056.2653952234950402949897160456992822;
  n = n * y + 8071.672002365816210638002902272250613822;
  n = n * y + 210.8242777515793458725097339207133627117;
  n = n * y + 2.506628274631000270164908177133837338626;
  double d = 39916800.0;
  d = d * y + 120543840.0;
  d = d * y + 150917976.0;
  d = d * y + 105258076.0;
  d = d * y + 45995730.0;
  d = d * y + 13339535.0;
  d = d * y + 2637558.0;
  d = d * y + 357423.0;
  d = d * y + 32670.0;
  d = d * y + 1925.0;
  d = d * y + 66.0;
  d = d * y + 1.0;
  return n / d;
}

OVER float tgamma(float x) {
  const float a = fabs(x), g = 1.428456135094165802f - 0.5f;
  if (isnan(x) || x == INFINITY) return x;
  if (x == 0.0f) return copysign(INFINITY, x);
  if (x < 0.0f && x == floor(x)) return NAN;
  if (a < 0x1p-12f) return 1.0f / x - 0.57721566f;
  if (x > 36.0f) return INFINITY;
  if (x < -44.0f) return copysign(0.0f, fmod(floor(x), 2.0f) == 0.0f ? 1.0f : -1.0f);
  // Below 1 the sum is less exact: one step of gamma(x + 1) = x gamma(x).
  const float z = a < 1.0f ? a + 1.0f : a;
  const float t = z + g;
  const float lost = (z - (t - g)) + (g - (t - (t - g)));
  const float h = 0.5f * z - 0.25f;
  const float q = powr(t, h) * exp(-0.5f * t);
  const float correction = 1.0f + lost * ((z - 0.5f) / t - 1.0f);
  float s = lanczos_sum_float(z) * correction;
  if (a < 1.0f) s /= a;
  if (x > 0.0f) return q * s * q;
  // gamma(-a) = -pi / (a sin(pi a) gamma(a))
  return -3.14159265f / (a * sinpi(a) * s * q) / q;
}
OVER double tgamma(double x) {
  const double a = fabs(x), g = 6.024680040776729583740234375 - 0.5;
  if (isnan(x) || x == (double)INFINITY) return x;
  if (x == 0.0) return copysign((double)INFINITY, x);
  if (x < 0.0 && x == floor(x)) return (double)NAN;
  if (a < 0x1p-30) return 1.0 / x - 0.57721566490153286061;
  if (x > 172.0) return (double)INFINITY;
  if (x < -185.0) return copysign(0.0, fmod(floor(x), 2.0) == 0.0 ? 1.0 : -1.0);
  const double z = a < 1.0 ? a + 1.0 : a;
  const double t = z + g;
  const double lost = (z - (t - g)) + (g - (t - (t - g)));
  const double h = 0.5 * z - 0.25;
  const double q = powr(t, h) * exp(-0.5 * t);
  const double correction = 1.0 + lost * ((z - 0.5) / t - 1.0);
  double s = lanczos_sum_double(z) * correction;
  if (a < 1.0) s /= a;
  if (x > 0.0) return q * s * q;
  return -3.14159265358979323846 / (a * sinpi(a) * s * q) / q;
}
UNARY_VECTORS(tgamma, float, float)
UNARY_VECTORS(tgamma, double, double)

// ---- add_sat, sub_sat of long: libclc takes the sign of a sum that has wrapped.
OVER long add_sat(long a, long b) {
  const long sum = (long)((ulong)a + (ulong)b);
  return ((a ^ sum) & (b ^ sum)) < 0 ? (a < 0 ? LONG_MIN : LONG_MAX) : sum;
}
OVER long sub_sat(long a, long b) {
  const long difference = (long)((ulong)a - (ulong)b);
  return ((a ^ b) & (a ^ difference)) < 0 ? (a < 0 ? LONG_MIN : LONG_MAX) : difference;
}
BINARY_VECTORS(add_sat, long)
BINARY_VECTORS(sub_sat, long)

// ---- nextafter and nan: libclc loses the sign of a zero and makes an infinity of nan(0).
OVER float nextafter(float x, float y) {
  if (isnan(x)) return x;
  if (isnan(y) || x == y) return y;
  const uint bits = as_uint(x);
  if (bits << 1 == 0) return as_float((as_uint(y) & 0x80000000u) | 1);
  return as_float((x < y) == (bits < 0x80000000u) ? bits + 1 : bits - 1);
}
OVER double nextafter(double x, double y) {
  if (isnan(x)) return x;
  if (isnan(y) || x == y) return y;
  const ulong bits = as_ulong(x), sign = 1ul << 63;
  if (bits << 1 == 0) return as_double((as_ulong(y) & sign) | 1);
  return as_double((x < y) == (bits < sign) ? bits + 1 : bits - 1);
}
OVER float nan(uint code) { return as_float(0x7FC00000u | (code & 0x3FFFFFu)); }
OVER double nan(ulong code) { return as_double(0x7FF8000000000000ul | (code & 0x7FFFFFFFFFFFFul)); }
BINARY_VECTORS(nextafter, float)
BINARY_VECTORS(nextafter, double)
UNARY_VECTORS(nan, float, uint)
UNARY_VECTORS(nan, double, ulong)

// ---- rotate of int: before sm_32, LLVM 19 makes shifts of it that are right up to 31 only, and takes a mask before
// them away. A rotation within 64 bits it leaves as it is.
int reflect(__constant const char* what) __asm__("__nvvm_reflect");
OVER uint rotate(uint x, uint n) {
  n &= 31;
  if (reflect("__CUDA_ARCH") >= 320) return x << n | x >> (-n & 31);
  return (uint)(((ulong)x << 32 | x) << n >> 32);
}
OVER int rotate(int x, int n) { return (int)rotate((uint)x, (uint)n); }
BINARY_VECTORS(rotate, uint)
BINARY_VECTORS(rotate, int)

// ---- frexp of doubles: LLVM takes abs.f64 for a mask on the bits, which keeps the sign of a NaN.
#define FREXP(S)                                                                              \
  OVER double frexp(double x, S int* exponent) {                                              \
    const bool plain = fabs(x) <= DBL_MAX && x != 0.0;                                        \
    const bool small = fabs(x) < 0x1p-1022;                                                   \
    const ulong bits = as_ulong(small ? x * 0x1p54 : x);                                      \
    *exponent = plain ? (int)((bits >> 52) & 0x7FF) - 1022 - (small ? 54 : 0) : 0;            \
    return plain ? as_double((bits & 0x800FFFFFFFFFFFFFul) | 0x3FE0000000000000ul) : x;       \
  }                                                                                           \
  POINTER_VECTORS_IN(frexp, double, int, S)
FREXP(__private)
FREXP(__local)
FREXP(__global)
