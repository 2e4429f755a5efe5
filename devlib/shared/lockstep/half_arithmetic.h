// What half.h and bfloat.h have alike: functions of a type LOCKSTEP_T and of pairs LOCKSTEP_T2 of it, over __hfma, __hneg, __habs, __hmax
// and __hmin of the type and the macros LOCKSTEP_SUM, _DIFFERENCE, _PRODUCT, _QUOTIENT and LOCKSTEP_NAN, which end here.

#define LOCKSTEP_TWO(name, expression)                                                                              \
  LOCKSTEP_ANY LOCKSTEP_T name(LOCKSTEP_T a, LOCKSTEP_T b) { return (LOCKSTEP_T)(expression); }                     \
  LOCKSTEP_PAIR(name##2, name)
#define LOCKSTEP_PAIR(name, scalar)                                                                                 \
  LOCKSTEP_ANY LOCKSTEP_T2 name(LOCKSTEP_T2 a, LOCKSTEP_T2 b) { return {scalar(a.x, b.x), scalar(a.y, b.y)}; }
// Comparisons with NaN are clamped away: what is not above 0 is 0.
LOCKSTEP_ANY LOCKSTEP_T lockstep_clamped(LOCKSTEP_T a) {
  return !((float)a > 0.0f) ? (LOCKSTEP_T)0.0f : (float)a > 1.0f ? (LOCKSTEP_T)1.0f : a;
}
LOCKSTEP_ANY LOCKSTEP_T lockstep_not_negative(LOCKSTEP_T a) {
  return (float)a != (float)a ? LOCKSTEP_NAN : (float)a > 0.0f ? a : (LOCKSTEP_T)0.0f;
}
LOCKSTEP_TWO(__hadd, LOCKSTEP_SUM(a, b))
LOCKSTEP_TWO(__hsub, LOCKSTEP_DIFFERENCE(a, b))
LOCKSTEP_TWO(__hmul, LOCKSTEP_PRODUCT(a, b))
LOCKSTEP_ANY LOCKSTEP_T __hdiv(LOCKSTEP_T a, LOCKSTEP_T b) { return LOCKSTEP_QUOTIENT(a, b); }
LOCKSTEP_PAIR(__h2div, __hdiv)
// A function of its own for each sum and product, so that the compiler does not join them.
#define LOCKSTEP_APART(name, scalar)                                                                                \
  LOCKSTEP_ANY LOCKSTEP_T name(LOCKSTEP_T a, LOCKSTEP_T b) {                                                        \
    _Pragma("clang fp contract(off)") return scalar(a, b);                                                          \
  }
LOCKSTEP_APART(__hadd_rn, LOCKSTEP_SUM)
LOCKSTEP_APART(__hsub_rn, LOCKSTEP_DIFFERENCE)
LOCKSTEP_APART(__hmul_rn, LOCKSTEP_PRODUCT)
#undef LOCKSTEP_APART
LOCKSTEP_PAIR(__hadd2_rn, __hadd_rn)
LOCKSTEP_PAIR(__hsub2_rn, __hsub_rn)
LOCKSTEP_PAIR(__hmul2_rn, __hmul_rn)
LOCKSTEP_ANY LOCKSTEP_T __hadd_sat(LOCKSTEP_T a, LOCKSTEP_T b) { return lockstep_clamped(__hadd(a, b)); }
LOCKSTEP_ANY LOCKSTEP_T __hsub_sat(LOCKSTEP_T a, LOCKSTEP_T b) { return lockstep_clamped(__hsub(a, b)); }
LOCKSTEP_ANY LOCKSTEP_T __hmul_sat(LOCKSTEP_T a, LOCKSTEP_T b) { return lockstep_clamped(__hmul(a, b)); }
LOCKSTEP_PAIR(__hadd2_sat, __hadd_sat)
LOCKSTEP_PAIR(__hsub2_sat, __hsub_sat)
LOCKSTEP_PAIR(__hmul2_sat, __hmul_sat)
LOCKSTEP_PAIR(__hmax2, __hmax)
LOCKSTEP_PAIR(__hmin2, __hmin)
LOCKSTEP_ANY bool __hisnan(LOCKSTEP_T a) { return (float)a != (float)a; }
LOCKSTEP_ANY int __hisinf(LOCKSTEP_T a) {
  return (float)a == __builtin_inff() ? 1 : (float)a == -__builtin_inff() ? -1 : 0;
}
LOCKSTEP_ANY LOCKSTEP_T __hmax_nan(LOCKSTEP_T a, LOCKSTEP_T b) {
  return __hisnan(a) || __hisnan(b) ? LOCKSTEP_NAN : __hmax(a, b);
}
LOCKSTEP_ANY LOCKSTEP_T __hmin_nan(LOCKSTEP_T a, LOCKSTEP_T b) {
  return __hisnan(a) || __hisnan(b) ? LOCKSTEP_NAN : __hmin(a, b);
}
LOCKSTEP_PAIR(__hmax2_nan, __hmax_nan)
LOCKSTEP_PAIR(__hmin2_nan, __hmin_nan)
LOCKSTEP_ANY LOCKSTEP_T2 __hfma2(LOCKSTEP_T2 a, LOCKSTEP_T2 b, LOCKSTEP_T2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
LOCKSTEP_ANY LOCKSTEP_T __hfma_sat(LOCKSTEP_T a, LOCKSTEP_T b, LOCKSTEP_T c) { return lockstep_clamped(__hfma(a, b, c)); }
LOCKSTEP_ANY LOCKSTEP_T __hfma_relu(LOCKSTEP_T a, LOCKSTEP_T b, LOCKSTEP_T c) {
  return lockstep_not_negative(__hfma(a, b, c));
}
LOCKSTEP_ANY LOCKSTEP_T2 __hfma2_sat(LOCKSTEP_T2 a, LOCKSTEP_T2 b, LOCKSTEP_T2 c) {
  return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};
}
LOCKSTEP_ANY LOCKSTEP_T2 __hfma2_relu(LOCKSTEP_T2 a, LOCKSTEP_T2 b, LOCKSTEP_T2 c) {
  return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};
}
// Of complex numbers: a * b + c, by four fused products.
LOCKSTEP_ANY LOCKSTEP_T2 __hcmadd(LOCKSTEP_T2 a, LOCKSTEP_T2 b, LOCKSTEP_T2 c) {
  return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}
LOCKSTEP_ANY LOCKSTEP_T2 __hneg2(LOCKSTEP_T2 a) { return {__hneg(a.x), __hneg(a.y)}; }
LOCKSTEP_ANY LOCKSTEP_T2 __habs2(LOCKSTEP_T2 a) { return {__habs(a.x), __habs(a.y)}; }
LOCKSTEP_ANY LOCKSTEP_T2 __hisnan2(LOCKSTEP_T2 a) {
  return {(LOCKSTEP_T)(float)__hisnan(a.x), (LOCKSTEP_T)(float)__hisnan(a.y)};
}

// Comparisons of both: 1 or 0 for each, whether both hold (__hb...2), or a mask. Those with u hold where a value is NaN.
#define LOCKSTEP_ORDER(name, expression)                                                                            \
  LOCKSTEP_ANY bool __h##name(LOCKSTEP_T left, LOCKSTEP_T right) {                                                  \
    const float a = (float)left, b = (float)right;                                                                  \
    return expression;                                                                                              \
  }                                                                                                                 \
  LOCKSTEP_ANY LOCKSTEP_T2 __h##name##2(LOCKSTEP_T2 a, LOCKSTEP_T2 b) {                                             \
    return {(LOCKSTEP_T)(float)__h##name(a.x, b.x), (LOCKSTEP_T)(float)__h##name(a.y, b.y)};                        \
  }                                                                                                                 \
  LOCKSTEP_ANY bool __hb##name##2(LOCKSTEP_T2 a, LOCKSTEP_T2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  LOCKSTEP_ANY unsigned int __h##name##2_mask(LOCKSTEP_T2 a, LOCKSTEP_T2 b) {                                       \
    return (__h##name(a.x, b.x) ? 0xFFFFu : 0u) | (__h##name(a.y, b.y) ? 0xFFFF0000u : 0u);                         \
  }
LOCKSTEP_ORDER(eq, a == b)
#if defined(__HIP_PLATFORM_AMD__)
LOCKSTEP_ORDER(ne, a != b)  // AMD has it so
#else
LOCKSTEP_ORDER(ne, a < b || a > b)
#endif
LOCKSTEP_ORDER(lt, a < b)
LOCKSTEP_ORDER(le, a <= b)
LOCKSTEP_ORDER(gt, a > b)
LOCKSTEP_ORDER(ge, a >= b)
LOCKSTEP_ORDER(equ, !(a < b || a > b))
LOCKSTEP_ORDER(neu, a != b)
LOCKSTEP_ORDER(ltu, !(a >= b))
LOCKSTEP_ORDER(leu, !(a > b))
LOCKSTEP_ORDER(gtu, !(a <= b))
LOCKSTEP_ORDER(geu, !(a < b))
#undef LOCKSTEP_ORDER

#define LOCKSTEP_SIGN(sign, function)                                                                               \
  LOCKSTEP_ANY LOCKSTEP_T2 operator sign(LOCKSTEP_T2 a, LOCKSTEP_T2 b) { return function(a, b); }                   \
  LOCKSTEP_ANY LOCKSTEP_T2& operator sign##=(LOCKSTEP_T2& a, LOCKSTEP_T2 b) { return a = function(a, b); }
LOCKSTEP_SIGN(+, __hadd2)
LOCKSTEP_SIGN(-, __hsub2)
LOCKSTEP_SIGN(*, __hmul2)
LOCKSTEP_SIGN(/, __h2div)
#undef LOCKSTEP_SIGN
#define LOCKSTEP_SIGN(sign, function) \
  LOCKSTEP_ANY bool operator sign(LOCKSTEP_T2 a, LOCKSTEP_T2 b) { return function(a, b); }
LOCKSTEP_SIGN(==, __hbeq2)
LOCKSTEP_SIGN(!=, __hbneu2)
LOCKSTEP_SIGN(<, __hblt2)
LOCKSTEP_SIGN(<=, __hble2)
LOCKSTEP_SIGN(>, __hbgt2)
LOCKSTEP_SIGN(>=, __hbge2)
#undef LOCKSTEP_SIGN
LOCKSTEP_ANY LOCKSTEP_T2 operator+(LOCKSTEP_T2 a) { return a; }
LOCKSTEP_ANY LOCKSTEP_T2 operator-(LOCKSTEP_T2 a) { return __hneg2(a); }
LOCKSTEP_ANY LOCKSTEP_T2& operator++(LOCKSTEP_T2& a) { return a += LOCKSTEP_T2{(LOCKSTEP_T)1.0f, (LOCKSTEP_T)1.0f}; }
LOCKSTEP_ANY LOCKSTEP_T2& operator--(LOCKSTEP_T2& a) { return a -= LOCKSTEP_T2{(LOCKSTEP_T)1.0f, (LOCKSTEP_T)1.0f}; }
LOCKSTEP_ANY LOCKSTEP_T2 operator++(LOCKSTEP_T2& a, int) {
  const LOCKSTEP_T2 before = a;
  ++a;
  return before;
}
LOCKSTEP_ANY LOCKSTEP_T2 operator--(LOCKSTEP_T2& a, int) {
  const LOCKSTEP_T2 before = a;
  --a;
  return before;
}
#undef LOCKSTEP_TWO
#undef LOCKSTEP_PAIR
#undef LOCKSTEP_T
#undef LOCKSTEP_T2
#undef LOCKSTEP_NAN
#undef LOCKSTEP_SUM
#undef LOCKSTEP_DIFFERENCE
#undef LOCKSTEP_PRODUCT
#undef LOCKSTEP_QUOTIENT
