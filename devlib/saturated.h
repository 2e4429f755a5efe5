// Saturated conversions from floats, as OpenCL C 1.2 (6.2.3.3) wants them: what is out of range becomes the nearest
// value, NaN becomes 0. SATURATED holds the functions' attributes. Once rounded, a value below the limit (2 to the power of
// the result's bits, less one with a sign) is at most the largest result.
#pragma once
#define SATURATED_SIGNED(T, F, rounding, round, limit, least, largest)                       \
  SATURATED T convert_##T##_sat##rounding(F x) {                                             \
    const F y = round(x);                                                                    \
    return y != y ? (T)0 : y >= (F)limit ? largest : y <= (F)-limit ? least : convert_##T(y); \
  }                                                                                          \
  SATURATED_VECTORS(T, F, rounding)
#define SATURATED_UNSIGNED(T, F, rounding, round, limit, largest)      \
  SATURATED T convert_##T##_sat##rounding(F x) {                       \
    const F y = round(x);                                              \
    return y >= (F)limit ? largest : y > (F)0 ? convert_##T(y) : (T)0; \
  }                                                                    \
  SATURATED_VECTORS(T, F, rounding)

#define SATURATED_VECTORS(T, F, rounding)                                                   \
  SATURATED T##2 convert_##T##2_sat##rounding(F##2 x) {                                     \
    return (T##2)(convert_##T##_sat##rounding(x.x), convert_##T##_sat##rounding(x.y));      \
  }                                                                                         \
  SATURATED T##3 convert_##T##3_sat##rounding(F##3 x) {                                     \
    return (T##3)(convert_##T##2_sat##rounding(x.xy), convert_##T##_sat##rounding(x.z));    \
  }                                                                                         \
  SATURATED T##4 convert_##T##4_sat##rounding(F##4 x) {                                     \
    return (T##4)(convert_##T##2_sat##rounding(x.lo), convert_##T##2_sat##rounding(x.hi));  \
  }                                                                                         \
  SATURATED T##8 convert_##T##8_sat##rounding(F##8 x) {                                     \
    return (T##8)(convert_##T##4_sat##rounding(x.lo), convert_##T##4_sat##rounding(x.hi));  \
  }                                                                                         \
  SATURATED T##16 convert_##T##16_sat##rounding(F##16 x) {                                  \
    return (T##16)(convert_##T##8_sat##rounding(x.lo), convert_##T##8_sat##rounding(x.hi)); \
  }

#define SATURATED_ROUNDINGS(shape, T, F, ...)   \
  shape(T, F, , trunc, __VA_ARGS__)             \
  shape(T, F, _rtz, trunc, __VA_ARGS__)         \
  shape(T, F, _rte, rint, __VA_ARGS__)          \
  shape(T, F, _rtp, ceil, __VA_ARGS__)          \
  shape(T, F, _rtn, floor, __VA_ARGS__)
#define SATURATED_SIGNED_TYPES(F)                                                                    \
  SATURATED_ROUNDINGS(SATURATED_SIGNED, char, F, 0x1p7f, (char)CHAR_MIN, (char)CHAR_MAX)             \
  SATURATED_ROUNDINGS(SATURATED_SIGNED, short, F, 0x1p15f, (short)SHRT_MIN, (short)SHRT_MAX)         \
  SATURATED_ROUNDINGS(SATURATED_SIGNED, int, F, 0x1p31f, INT_MIN, INT_MAX)                           \
  SATURATED_ROUNDINGS(SATURATED_SIGNED, long, F, 0x1p63f, LONG_MIN, LONG_MAX)
#define SATURATED_UNSIGNED_TYPES(F)                                                 \
  SATURATED_ROUNDINGS(SATURATED_UNSIGNED, uchar, F, 0x1p8f, (uchar)UCHAR_MAX)       \
  SATURATED_ROUNDINGS(SATURATED_UNSIGNED, ushort, F, 0x1p16f, (ushort)USHRT_MAX)    \
  SATURATED_ROUNDINGS(SATURATED_UNSIGNED, uint, F, 0x1p32f, UINT_MAX)               \
  SATURATED_ROUNDINGS(SATURATED_UNSIGNED, ulong, F, 0x1p64f, ULONG_MAX)
