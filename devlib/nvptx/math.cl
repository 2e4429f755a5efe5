// Functions whose versions in libclc are wrong for some arguments, or not exact enough for OpenCL C 1.2 (section 7.4).
#include "nvptx.h"

// ---- ldexp: subnormal results and NaN. At most one multiplication rounds. `bias` is the exponents' bias, `precision` the
// bits of a significand.
#define LDEXP(T, U, bias, precision)                                                               \
  OVER T ldexp(T x, int n) {                                                                             \
    const T up = as_##T((U)(2 * bias) << (precision - 1));                                               \
    /* As many bits more than the least exponent: a subnormal on the way would be rounded twice. */      \
    const int step = bias - 1 - precision;                                                               \
    const T down = as_##T((U)(bias - step) << (precision - 1));                                          \
    n = clamp(n, -3 * bias, 3 * bias);                                                                   \
    if (n > bias) {                                                                                      \
      x *= up, n -= bias;                                                                                \
      if (n > bias) x *= up, n = min(n - bias, bias);                                                    \
    } else if (n < 1 - bias) {                                                                           \
      x *= down, n += step;                                                                              \
      if (n < 1 - bias) x *= down, n = max(n + step, 1 - bias);                                          \
    }                                                                                                    \
    return x * as_##T((U)(n + bias) << (precision - 1));                                                 \
  }
LDEXP(float, uint, 127, 24)
LDEXP(double, ulong, 1023, 53)
MIXED_VECTORS(ldexp, float, int)
MIXED_VECTORS(ldexp, double, int)
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
// At least 1: by powers of 1/x, since those of x overflow. Coefficients of the greatest power of x last.
#define LANCZOS_SUM(T, count, ...)                                            \
  static inline T lanczos_sum_##T(T x) {                                      \
    const T coefficients[2][count] = {__VA_ARGS__}, y = (T)1 / x;             \
    T n = 0, d = 0;                                                           \
    for (int i = 0; i < count; ++i) {                                         \
      n = n * y + coefficients[0][i];                                         \
      d = d * y + coefficients[1][i];                                         \
    }                                                                         \
    return n / d;                                                             \
  }
LANCZOS_SUM(float, 6,
            {58.5206152f, 182.524896f, 211.097103f, 112.252655f, 27.5192015f, 2.50662859f},
            {0.0f, 24.0f, 50.0f, 35.0f, 10.0f, 1.0f})
LANCZOS_SUM(double, 13,
            {23531376880.41075968857200767445163675473, 42919803642.64909876895789904700198885093,
             35711959237.35566804944018545154716670596, 17921034426.03720969991975575445893111267,
             6039542586.352028005064291644307297921070, 1439720407.311721673663223072794912393972,
             248874557.8620541565114603864132294232163, 31426415.58540019438061423162831820536287,
             2876370.628935372441225409051620849613599, 186056.2653952234950402949897160456992822,
             8071.672002365816210638002902272250613822, 210.8242777515793458725097339207133627117,
             2.506628274631000270164908177133837338626},
            {0.0, 39916800.0, 120543840.0, 150917976.0, 105258076.0, 45995730.0, 13339535.0, 2637558.0,
             357423.0, 32670.0, 1925.0, 66.0, 1.0})

#define TGAMMA(T, gauge, tiny, most, least)                                                              \
  OVER T tgamma(T x) {                                                                                   \
    const T a = fabs(x), g = (T)gauge - (T)0.5, pi = (T)3.14159265358979323846;                          \
    if (isnan(x) || x == (T)INFINITY) return x;                                                          \
    if (x == 0) return copysign((T)INFINITY, x);                                                         \
    if (x < 0 && x == floor(x)) return (T)NAN;                                                           \
    if (a < (T)tiny) return 1 / x - (T)0.57721566490153286061;                                           \
    if (x > (T)most) return (T)INFINITY;                                                                 \
    if (x < (T)least) return copysign((T)0, (T)(fmod(floor(x), (T)2) == 0 ? 1 : -1));                    \
    /* Below 1 the sum is less exact: one step of gamma(x + 1) = x gamma(x). */                          \
    const T z = a < 1 ? a + 1 : a;                                                                       \
    const T t = z + g;                                                                                   \
    const T lost = (z - (t - g)) + (g - (t - (t - g)));                                                  \
    const T q = powr(t, (T)0.5 * z - (T)0.25) * exp((T)-0.5 * t);                                        \
    T s = lanczos_sum_##T(z) * (1 + lost * ((z - (T)0.5) / t - 1));                                      \
    if (a < 1) s /= a;                                                                                   \
    if (x > 0) return q * s * q;                                                                         \
    /* gamma(-a) = -pi / (a sin(pi a) gamma(a)) */                                                       \
    return -pi / (a * sinpi(a) * s * q) / q;                                                             \
  }                                                                                                      \
  UNARY_VECTORS(tgamma, T, T)
TGAMMA(float, 1.428456135094165802, 0x1p-12, 36, -44)
TGAMMA(double, 6.024680040776729583740234375, 0x1p-30, 172, -185)

// ---- lgamma: of an infinity it is +infinity (C99, F.9.5.3), and where gamma has a pole it has no sign. libclc divides by
// the square of a small negative number, which may be none.
#define LGAMMA_R(T, suffix, S)                                                \
  OVER T lgamma_r(T x, S int* sign) {                                         \
    int s;                                                                    \
    const T result = ORIGINAL(lgamma_r, suffix)(x, &s);                       \
    *sign = x <= 0 && x == floor(x) ? 0 : s;                                  \
    if (x < 0 && x > (T)-0x1p-60) return -log(-x);                            \
    return isinf(x) ? (T)INFINITY : result;                                   \
  }                                                                           \
  POINTER_VECTORS_IN(lgamma_r, T, int, S)
#define LGAMMA(unused, T, suffix)                                             \
  T ORIGINAL(lgamma_r, suffix)(T x, __private int* sign);                     \
  LGAMMA_R(T, suffix, __private)                                              \
  LGAMMA_R(T, suffix, __local)                                                \
  LGAMMA_R(T, suffix, __global)                                               \
  OVER T lgamma(T x) {                                                        \
    int sign;                                                                 \
    return lgamma_r(x, &sign);                                                \
  }                                                                           \
  UNARY_VECTORS(lgamma, T, T)
AROUND_REALS(LGAMMA, lgamma)

// ---- erfc of floats: libclc's exponents -z*z - 0.5625 are not exact where they pass a power of two, which costs 57 units
// in the last place. This is (1 + 2x) exp(x*x) erfc(x) for x to 10.1 as a polynomial in (x - 3) / (x + 3), the form of
// M. M. Shepherd and J. G. Laframboise (Mathematics of Computation 36, 1981), with an error of 2^-28.
OVER float erfc(float x) {
  const float coefficients[] = {-0.000277326922223f, -0.000798339141543f, 0.00199447459135f, 0.00257943468494f,
                                -0.0237902341829f,   0.0682935097622f,    -0.119272652703f,  0.129646575644f,
                                -0.0475622805351f,   -0.135621143373f,    1.25300805783f};
  const float a = fabs(x), t = (a - 3.0f) / (a + 3.0f);
  float sum = 0.0f;
  for (int i = 0; i < 11; ++i) sum = fma(sum, t, coefficients[i]);
  // The square in two parts: its rounding would be an error of the exponent.
  const float square = a * a, rest = fma(a, a, -square);
  const float e = exp(-square);
  const float r = a > 10.1f ? 0.0f : fma(-rest, e, e) * sum / fma(2.0f, a, 1.0f);
  return x < 0.0f ? 2.0f - r : r;
}
UNARY_VECTORS(erfc, float, float)

// ---- Signs of zero.
AROUND_REALS(POSITIVE_ZERO, cospi)
AROUND_REALS(ZERO_OF_ARGUMENT, atan)
AROUND_REALS(ZERO_OF_ARGUMENT, atanpi)
AROUND_REALS(ZERO_OF_ARGUMENT, erf)
AROUND_REALS(ZERO_OF_ARGUMENT, expm1)
AROUND_REALS(ZERO_OF_ARGUMENT, sin)
AROUND_REALS(ZERO_OF_ARGUMENT, sinpi)
AROUND_REALS(ZERO_OF_ARGUMENT, tan)
// tanpi of an even number is a zero of its sign, of an odd one of the other sign (OpenCL 1.2, 7.5.1).
#define TANPI(function, T, suffix)                                            \
  T ORIGINAL(tanpi, suffix)(T x);                                             \
  OVER T tanpi(T x) {                                                         \
    const T result = ORIGINAL(tanpi, suffix)(x);                              \
    const bool odd = x - 2 * trunc(x / 2) != 0;                               \
    return result == 0 ? copysign((T)0, odd ? -x : x) : result;               \
  }                                                                           \
  UNARY_VECTORS(tanpi, T, T)
AROUND_REALS(TANPI, tanpi)

// ---- cos of great doubles: libclc's own is repaired among the originals.
double ORIGINAL(cos, f64)(double x);
OVER double cos(double x) { return ORIGINAL(cos, f64)(x); }
UNARY_VECTORS(cos, double, double)

// ---- acospi of a NaN with a sign: libclc looks at the exponent of its magnitude, which has the sign (see frexp).
double ORIGINAL(acospi, f64)(double x);
OVER double acospi(double x) { return isnan(x) ? x : ORIGINAL(acospi, f64)(x); }
UNARY_VECTORS(acospi, double, double)

// ---- Subnormal floats, of which libclc makes zeros here.
float ORIGINAL(exp, f32)(float x);
float ORIGINAL(exp2, f32)(float x);
OVER float exp(float x) {
  if (!(x < -87.0f)) return ORIGINAL(exp, f32)(x);
  const float root = ORIGINAL(exp, f32)(0.5f * x);
  return root * root;
}
OVER float exp2(float x) {
  return x < -126.0f ? ORIGINAL(exp2, f32)(x + 64.0f) * 0x1p-64f : ORIGINAL(exp2, f32)(x);
}
UNARY_VECTORS(exp, float, float)
UNARY_VECTORS(exp2, float, float)

float ORIGINAL(rootn, f32)(float x, int n);
OVER float rootn(float x, int n) { return n == 1 ? x : n == -1 ? 1.0f / x : ORIGINAL(rootn, f32)(x, n); }
MIXED_VECTORS(rootn, float, int)

// Of small divisors the dividend is first brought below 2^64 of them, which takes a multiple of 2^64 off the quotient;
// both are then scaled up. All of it is exact.
float ORIGINAL(fmod, f32)(float x, float y);
float ORIGINAL(remainder, f32)(float x, float y);
float ORIGINAL(remquo, f32)(float x, float y, __private int* quotient);
static inline bool small_divisor(float y) { return fabs(y) < 0x1p-100f; }
static inline float scaled_dividend(float x, float y) {
  const float multiple = y * 0x1p64f;
  return (fabs(x) < fabs(multiple) ? x : ORIGINAL(fmod, f32)(x, multiple)) * 0x1p64f;
}
static inline bool nothing_to_divide(float x, float y) { return fabs(x) < 0x1p-126f && !isnan(y); }
#define OF_DIVISION(function)                                                                                \
  OVER float function(float x, float y) {                                                                    \
    if (small_divisor(y)) return ORIGINAL(function, f32)(scaled_dividend(x, y), y * 0x1p64f) * 0x1p-64f;     \
    return nothing_to_divide(x, y) ? x : ORIGINAL(function, f32)(x, y);                                      \
  }                                                                                                          \
  BINARY_VECTORS(function, float)
OF_DIVISION(fmod)
OF_DIVISION(remainder)
#define REMQUO_OF_FLOATS(S)                                                                                  \
  OVER float remquo(float x, float y, S int* quotient) {                                                     \
    int q = 0;                                                                                               \
    const float r = small_divisor(y)                                                                         \
                        ? ORIGINAL(remquo, f32)(scaled_dividend(x, y), y * 0x1p64f, &q) * 0x1p-64f           \
                    : nothing_to_divide(x, y) ? x                                                            \
                                              : ORIGINAL(remquo, f32)(x, y, &q);                             \
    *quotient = q;                                                                                           \
    return r;                                                                                                \
  }                                                                                                          \
  REMQUO_VECTORS(float, S)

// ---- With a second result: of what is above.
#define SECOND_RESULTS(S)                                                                                 \
  FRACT(OVER, fract, floor, S, float, uint, 0x80000000u, 0x7F800000u, 0x3F800000u)                        \
  FRACT(OVER, fract, floor, S, double, ulong, 0x8000000000000000ul, 0x7FF0000000000000ul,                 \
        0x3FF0000000000000ul)                                                                             \
  POINTER_VECTORS_IN(fract, float, float, S)                                                              \
  POINTER_VECTORS_IN(fract, double, double, S)                                                            \
  REMQUO_OF_FLOATS(S)                                                                                     \
  SINCOS(float, S)                                                                                        \
  SINCOS(double, S)
SECOND_RESULTS(__private)
SECOND_RESULTS(__local)
SECOND_RESULTS(__global)

// ---- add_sat, sub_sat of int and long: libclc takes the sign of a sum that has wrapped.
OVER int add_sat(int a, int b) {
  return __builtin_elementwise_add_sat(a, b);
}
OVER int sub_sat(int a, int b) {
  return __builtin_elementwise_sub_sat(a, b);
}
OVER long add_sat(long a, long b) {
  return __builtin_elementwise_add_sat(a, b);
}
OVER long sub_sat(long a, long b) {
  return __builtin_elementwise_sub_sat(a, b);
}
BINARY_VECTORS(add_sat, int)
BINARY_VECTORS(sub_sat, int)
BINARY_VECTORS(add_sat, long)
BINARY_VECTORS(sub_sat, long)

// ---- nextafter; libclc makes an infinity of nan(0).
NEXTAFTER(OVER, nextafter, float, uint, 0x80000000u, 0x7F800000u)
NEXTAFTER(OVER, nextafter, double, ulong, 0x8000000000000000ul, 0x7FF0000000000000ul)
OVER float nan(uint code) { return as_float(0x7FC00000u | (code & 0x3FFFFFu)); }
OVER double nan(ulong code) { return as_double(0x7FF8000000000000ul | (code & 0x7FFFFFFFFFFFFul)); }
BINARY_VECTORS(nextafter, float)
BINARY_VECTORS(nextafter, double)
UNARY_VECTORS(nan, float, uint)
UNARY_VECTORS(nan, double, ulong)

// ---- rotate of int: before sm_32, LLVM 19 makes shifts of it that are right up to 31 only, and takes a mask before
// them away. A rotation within 64 bits it leaves as it is.
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

// ---- smoothstep of doubles with scalar edges: libclc lacks it.
#define SMOOTHSTEP(T, n)                                                                                 \
  OVER T##n smoothstep(T low, T high, T##n x) { return smoothstep((T##n)low, (T##n)high, x); }
EACH_N(SMOOTHSTEP, double)
