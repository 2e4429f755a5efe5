// Half functions for GPUs without 16-bit instructions (gfx6, gfx7). The device library marks its own as needing them,
// and LLVM removes functions that the GPU cannot run: their callers would get nothing. Here they go through f32, which
// holds every half exactly, and whose error is far below half's last place.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define PLAIN __attribute__((const))

#define UNARY(name)                                                                                       \
  float __ocml_##name##_f32(float x);                                                                     \
  PLAIN half __ocml_##name##_f16(half x) { return (half)__ocml_##name##_f32((float)x); }                  \
  PLAIN half2 __ocml_##name##_2f16(half2 x) {                                                             \
    return (half2)(__ocml_##name##_f16(x.s0), __ocml_##name##_f16(x.s1));                                 \
  }
UNARY(asin)
UNARY(asinh)
UNARY(atan)
UNARY(atanpi)
UNARY(cbrt)
UNARY(rcbrt)
UNARY(cos)
UNARY(cospi)
UNARY(sin)
UNARY(sinpi)
UNARY(tan)
UNARY(tanpi)
UNARY(logb)
UNARY(rsqrt)
UNARY(native_rsqrt)

float __ocml_native_recip_f32(float x);
PLAIN half __ocml_native_rcp_f16(half x) { return (half)__ocml_native_recip_f32((float)x); }

#define BINARY(name)                                                                                      \
  float __ocml_##name##_f32(float x, float y);                                                            \
  PLAIN half __ocml_##name##_f16(half x, half y) { return (half)__ocml_##name##_f32((float)x, (float)y); } \
  PLAIN half2 __ocml_##name##_2f16(half2 x, half2 y) {                                                    \
    return (half2)(__ocml_##name##_f16(x.s0, y.s0), __ocml_##name##_f16(x.s1, y.s1));                     \
  }
BINARY(atan2)
BINARY(atan2pi)
BINARY(fmod)
BINARY(pow)
BINARY(powr)
BINARY(remainder)

#define BINARY_INT(name)                                                                                  \
  float __ocml_##name##_f32(float x, int y);                                                              \
  PLAIN half __ocml_##name##_f16(half x, int y) { return (half)__ocml_##name##_f32((float)x, y); }        \
  PLAIN half2 __ocml_##name##_2f16(half2 x, int2 y) {                                                     \
    return (half2)(__ocml_##name##_f16(x.s0, y.s0), __ocml_##name##_f16(x.s1, y.s1));                     \
  }
BINARY_INT(pown)
BINARY_INT(rootn)
BINARY_INT(ldexp)

// The second result is a float in f32 and a half here.
#define WITH_HALF(name)                                                                                   \
  float __ocml_##name##_f32(float x, __private float* other);                                             \
  half __ocml_##name##_f16(half x, __private half* other) {                                               \
    float wide;                                                                                           \
    const half result = (half)__ocml_##name##_f32((float)x, &wide);                                       \
    *other = (half)wide;                                                                                  \
    return result;                                                                                        \
  }                                                                                                       \
  half2 __ocml_##name##_2f16(half2 x, __private half2* other) {                                           \
    half low, high;                                                                                       \
    const half2 result = (half2)(__ocml_##name##_f16(x.s0, &low), __ocml_##name##_f16(x.s1, &high));      \
    *other = (half2)(low, high);                                                                          \
    return result;                                                                                        \
  }
WITH_HALF(modf)
WITH_HALF(sincos)
WITH_HALF(sincospi)

// Exact: the largest half below 1 is the greatest fraction.
float __ocml_floor_f32(float x);
half __ocml_fract_f16(half x, __private half* whole) {
  const float floor = __ocml_floor_f32((float)x);
  *whole = (half)floor;
  if ((__builtin_bit_cast(ushort, x) & 0x7FFF) == 0x7C00) return __builtin_bit_cast(half, (ushort)(__builtin_bit_cast(ushort, x) & 0x8000));
  const half fraction = (half)((float)x - floor);
  return fraction >= (half)1.0f ? __builtin_bit_cast(half, (ushort)0x3BFF) : fraction;
}
half2 __ocml_fract_2f16(half2 x, __private half2* whole) {
  half low, high;
  const half2 result = (half2)(__ocml_fract_f16(x.s0, &low), __ocml_fract_f16(x.s1, &high));
  *whole = (half2)(low, high);
  return result;
}

float __ocml_frexp_f32(float x, __private int* exponent);
half __ocml_frexp_f16(half x, __private int* exponent) { return (half)__ocml_frexp_f32((float)x, exponent); }
half2 __ocml_frexp_2f16(half2 x, __private int2* exponent) {
  int low, high;
  const half2 result = (half2)(__ocml_frexp_f16(x.s0, &low), __ocml_frexp_f16(x.s1, &high));
  *exponent = (int2)(low, high);
  return result;
}
float __ocml_remquo_f32(float x, float y, __private int* quotient);
half __ocml_remquo_f16(half x, half y, __private int* quotient) {
  return (half)__ocml_remquo_f32((float)x, (float)y, quotient);
}
half2 __ocml_remquo_2f16(half2 x, half2 y, __private int2* quotient) {
  int low, high;
  const half2 result = (half2)(__ocml_remquo_f16(x.s0, y.s0, &low), __ocml_remquo_f16(x.s1, y.s1, &high));
  *quotient = (int2)(low, high);
  return result;
}

int __ocml_ilogb_f32(float x);
PLAIN int __ocml_ilogb_f16(half x) { return __ocml_ilogb_f32((float)x); }
PLAIN int2 __ocml_ilogb_2f16(half2 x) { return (int2)(__ocml_ilogb_f16(x.s0), __ocml_ilogb_f16(x.s1)); }

// Lengths of vectors: a half's square and the sum of four fit f32.
float __ocml_sqrt_f32(float x);
PLAIN half __ocml_len3_f16(half x, half y, half z) {
  return (half)__ocml_sqrt_f32((float)x * (float)x + (float)y * (float)y + (float)z * (float)z);
}
PLAIN half __ocml_len4_f16(half x, half y, half z, half w) {
  return (half)__ocml_sqrt_f32((float)x * (float)x + (float)y * (float)y + (float)z * (float)z +
                               (float)w * (float)w);
}

// Classes, by the bits.
#define CLASS(name, test)                                                                                 \
  PLAIN int __ocml_##name##_f16(half x) {                                                                 \
    const ushort magnitude = __builtin_bit_cast(ushort, x) & 0x7FFF;                                      \
    return test ? 1 : 0;                                                                                  \
  }                                                                                                       \
  PLAIN short2 __ocml_##name##_2f16(half2 x) {                                                            \
    return (short2)(-__ocml_##name##_f16(x.s0), -__ocml_##name##_f16(x.s1));                              \
  }
CLASS(isfinite, magnitude < 0x7C00)
CLASS(isinf, magnitude == 0x7C00)
CLASS(isnormal, magnitude >= 0x0400 && magnitude < 0x7C00)
