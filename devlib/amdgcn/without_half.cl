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
UNARY(sinpi)
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

// Through f32 a sum would be rounded twice. In f64 it is exact wherever a half's rounding could tell: products have 22
// bits, and beside a term that is far away only the term's own bits count.
double __ocml_fma_f64(double x, double y, double z);
PLAIN half __ocml_fma_f16(half x, half y, half z) {
  return (half)__ocml_fma_f64((double)x, (double)y, (double)z);
}
PLAIN half2 __ocml_fma_2f16(half2 x, half2 y, half2 z) {
  return (half2)(__ocml_fma_f16(x.s0, y.s0, z.s0), __ocml_fma_f16(x.s1, y.s1, z.s1));
}
#define OVER __attribute__((overloadable, const))
#include "../vectors.h"
OVER half fma(half x, half y, half z) { return __ocml_fma_f16(x, y, z); }
TERNARY_VECTORS(fma, half)

// Image instructions move 16-bit components from GCN 3 on; before, LLVM does not end when it is asked for them.
#define READ_SAMPLED(image, coordinates)                                                                  \
  __attribute__((overloadable)) half4 read_imageh(read_only image i, sampler_t s, coordinates at) {       \
    return convert_half4(read_imagef(i, s, at));                                                          \
  }
#define ACCESS(image, coordinates)                                                                        \
  __attribute__((overloadable)) half4 read_imageh(read_only image i, coordinates at) {                    \
    return convert_half4(read_imagef(i, at));                                                             \
  }                                                                                                       \
  __attribute__((overloadable)) void write_imageh(write_only image i, coordinates at, half4 texel) {      \
    write_imagef(i, at, convert_float4(texel));                                                           \
  }
READ_SAMPLED(image1d_t, int)
READ_SAMPLED(image1d_t, float)
READ_SAMPLED(image1d_array_t, int2)
READ_SAMPLED(image1d_array_t, float2)
READ_SAMPLED(image2d_t, int2)
READ_SAMPLED(image2d_t, float2)
READ_SAMPLED(image2d_array_t, int4)
READ_SAMPLED(image2d_array_t, float4)
READ_SAMPLED(image3d_t, int4)
READ_SAMPLED(image3d_t, float4)
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
ACCESS(image1d_t, int)
ACCESS(image1d_buffer_t, int)
ACCESS(image1d_array_t, int2)
ACCESS(image2d_t, int2)
ACCESS(image2d_array_t, int4)
ACCESS(image3d_t, int4)
