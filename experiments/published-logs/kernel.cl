// What benchmarks of peaks do: chains of dependent multiply-adds, as many side by side as a vector is wide, and reads by
// vectors that neighbours have side by side.
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define SUM_1(v) (v)
#define SUM_2(v) ((v).x + (v).y)
#define SUM_4(v) (SUM_2((v).xy) + SUM_2((v).zw))
#define SUM_8(v) (SUM_4((v).lo) + SUM_4((v).hi))
#define SUM_16(v) (SUM_8((v).lo) + SUM_8((v).hi))
#define SPREAD_1(v)
#define SPREAD_2(v) v.y += 1;
#define SPREAD_4(v) SPREAD_2(v) v.z += 2; v.w += 3;
#define SPREAD_8(v) SPREAD_4(v) v.s4 += 4; v.s5 += 5; v.s6 += 6; v.s7 += 7;
#define SPREAD_16(v) SPREAD_8(v) v.s8 += 8; v.s9 += 9; v.sa += 10; v.sb += 11; v.sc += 12; v.sd += 13; v.se += 14; v.sf += 15;

#define CHAINS(name, scalar, vector, width, product)                                                      \
  __kernel void name(__global const float* from, __global float* sink, float first, int rounds) {        \
    vector a = (vector)(scalar)first, b = (vector)(scalar)get_local_id(0);                               \
    SPREAD_##width(a)                                                                                     \
    for (int i = 0; i < rounds; ++i) {                                                                    \
      _Pragma("unroll") for (int k = 0; k < 8; ++k) {                                                     \
        a = product(b, a, b);                                                                             \
        b = product(a, b, a);                                                                             \
      }                                                                                                   \
    }                                                                                                     \
    sink[get_global_id(0)] = (float)SUM_##width(b);                                                       \
  }
#define PLAIN(x, y, z) ((x) * (y) + (z))
CHAINS(f32_1, float, float, 1, mad)
CHAINS(f32_2, float, float2, 2, mad)
CHAINS(f32_4, float, float4, 4, mad)
CHAINS(f32_16, float, float16, 16, mad)
CHAINS(f64_1, double, double, 1, mad)
CHAINS(i32_1, int, int, 1, PLAIN)
CHAINS(i32_4, int, int4, 4, PLAIN)
CHAINS(i24_1, int, int, 1, mad24)

#define READS(name, vector, width)                                                                        \
  __kernel void name(__global const vector* from, __global float* sink, float first, int rounds) {       \
    int at = get_global_id(0);                                                                            \
    vector sum = 0;                                                                                       \
    for (int i = 0; i < rounds; ++i) {                                                                    \
      _Pragma("unroll") for (int k = 0; k < 4; ++k) {                                                     \
        sum += from[at];                                                                                  \
        at += get_global_size(0);                                                                         \
      }                                                                                                   \
    }                                                                                                     \
    sink[get_global_id(0)] = SUM_##width(sum);                                                            \
  }
READS(read_1, float, 1)
READS(read_4, float4, 4)
READS(read_8, float8, 8)
READS(read_16, float16, 16)
