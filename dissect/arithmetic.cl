// Chains of one operation, which OPERATION names. In latency_short and _long each step waits for the one before it; in
// throughput_short and _long eight chains run side by side. a is the type's one and b its zero, which no compiler knows:
// values stay what they are. Two variables that are worked into each other (x += y; y += x) stand where a chain
// on one variable could be summed up beforehand. WAVE and GROUP are the work-items of the two kinds of launch.
#include "repeat.h"

#define f32_add 1
#define f32_mul 2
#define f32_fma 3
#define f64_add 4
#define f64_mul 5
#define f64_fma 6
#define i32_add 7
#define i32_mul 8
#define i32_mad 9
#define i32_mad24 10
#define i32_shift 11
#define convert_f32 12
#define convert_f64 13
#define reciprocal 14
#define rsqrt_f32 15
#define exp2_f32 16
#define sin_f32 17
#define f16_add 18
#define f16_fma 19
#define f16_fma_packed 20
#define f32_fma_packed 21

#if OPERATION == f64_add || OPERATION == f64_mul || OPERATION == f64_fma || OPERATION == convert_f64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define T double
#elif OPERATION >= i32_add && OPERATION <= i32_shift
#define T int
#elif OPERATION == f16_add || OPERATION == f16_fma
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define T half
#elif OPERATION == f16_fma_packed
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define T half2
#elif OPERATION == f32_fma_packed
#define T float2
#else
#define T float
#endif

// TWO: a step is two operations.
#if OPERATION == f32_add || OPERATION == f64_add || OPERATION == i32_add || OPERATION == f16_add
#define TWO(x, y) x += y; y += x;
#elif OPERATION == f32_mul || OPERATION == f64_mul || OPERATION == i32_mul
#define TWO(x, y) x *= y; y *= x;
#elif OPERATION == f32_fma || OPERATION == f64_fma || OPERATION == f16_fma || OPERATION == f16_fma_packed || \
    OPERATION == f32_fma_packed
#define TWO(x, y) x = fma(x, a, b); x = fma(x, a, b);
#elif OPERATION == i32_mad
#define TWO(x, y) x = x * a + b; x = x * a + b;
#elif OPERATION == i32_mad24
#define TWO(x, y) x = mad24(x, 0x5bd1f, b); x = mad24(x, 0x5bd1f, b);
#elif OPERATION == i32_shift
#define TWO(x, y) x = x << (y & 31); x = x << (y & 31);
#elif OPERATION == convert_f32
#define TWO(x, y) x = (float)as_int(x); x = (float)as_int(x);
#elif OPERATION == convert_f64
#define TWO(v, w) v = (double)as_int2(v).s0; v = (double)as_int2(v).s0;
#elif OPERATION == reciprocal
#define TWO(x, y) x = native_recip(x); x = native_recip(x);
#elif OPERATION == rsqrt_f32
#define TWO(x, y) x = native_rsqrt(x); x = native_rsqrt(x);
#elif OPERATION == exp2_f32
#define TWO(x, y) x = native_exp2(x); x = native_exp2(x);
#elif OPERATION == sin_f32
#define TWO(x, y) x = native_sin(x); x = native_sin(x);
#endif

#define ONE TWO(x0, y0)
#define EIGHT TWO(x0, y0) TWO(x1, y1) TWO(x2, y2) TWO(x3, y3) TWO(x4, y4) TWO(x5, y5) TWO(x6, y6) TWO(x7, y7)

#define CHAIN(NAME, ITEMS, BODY) \
  __kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void NAME(__global T* out, __global const T* in, \
                                                                         uint rounds) { \
    const uint item = get_global_id(0); \
    const T a = in[0] + (T)1, b = in[1]; \
    T x0 = in[item], y0 = in[item + 8]; \
    T x1 = x0 + a, y1 = y0 + a, x2 = x1 + a, y2 = y1 + a, x3 = x2 + a, y3 = y2 + a, x4 = x3 + a, y4 = y3 + a; \
    T x5 = x4 + a, y5 = y4 + a, x6 = x5 + a, y6 = y5 + a, x7 = x6 + a, y7 = y6 + a; \
    NOT_UNROLLED \
    for (uint round = 0; round < rounds; ++round) { \
      BODY \
    } \
    out[item] = x0 + y0 + x1 + y1 + x2 + y2 + x3 + y3 + x4 + y4 + x5 + y5 + x6 + y6 + x7 + y7; \
  }

CHAIN(latency_short, WAVE, SHORT(ONE))
CHAIN(latency_long, WAVE, LONG(ONE))
CHAIN(throughput_short, GROUP, SHORT(EIGHT))
CHAIN(throughput_long, GROUP, LONG(EIGHT))
