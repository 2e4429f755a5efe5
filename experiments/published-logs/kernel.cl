// What benchmarks of peaks do: chains of dependent multiply-adds, as many side by side as a vector is wide; reads by vectors
// that neighbours have side by side, a group's after one another or the whole launch's; copies and sums of arrays of doubles.
// A turn has 128 products, whatever the width: NVIDIA's compilers unroll the benchmark's loops of 16 to 256 (a GTX 480's log has
// 99 % of its peak with one chain, which leaves no room for three instructions of a loop with every 16 products).
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
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
      _Pragma("unroll") for (int k = 0; k < 64 / width; ++k) {                                            \
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
#ifdef cl_khr_fp16
CHAINS(f16_2, half, half2, 2, mad)
#endif
CHAINS(i32_1, int, int, 1, PLAIN)
CHAINS(i32_4, int, int4, 4, PLAIN)
CHAINS(i24_1, int, int, 1, mad24)

// With a third number in each sum, so that no compiler makes other sums and products of them.
#define KEPT(name, scalar, product)                                                                       \
  __kernel void name(__global const float* from, __global float* sink, float first, int rounds) {        \
    scalar a = (scalar)first, b = (scalar)get_local_id(0), c = (scalar)get_group_id(0);                  \
    for (int i = 0; i < rounds; ++i) {                                                                    \
      _Pragma("unroll") for (int k = 0; k < 64; ++k) {                                                    \
        a = product(b, a, c);                                                                             \
        b = product(a, b, c);                                                                             \
      }                                                                                                   \
    }                                                                                                     \
    sink[get_global_id(0)] = (float)b;                                                                    \
  }
KEPT(i32_kept, int, PLAIN)
KEPT(i24_kept, int, mad24)
KEPT(i16_kept, short, PLAIN)
KEPT(i8_kept, char, PLAIN)

#define READS(name, vector, width, first_at, step)                                                        \
  __kernel void name(__global const vector* from, __global float* sink, float first, int rounds) {       \
    int at = first_at;                                                                                    \
    vector sum = 0;                                                                                       \
    for (int i = 0; i < rounds; ++i) {                                                                    \
      _Pragma("unroll") for (int k = 0; k < 4; ++k) {                                                     \
        sum += from[at];                                                                                  \
        at += step;                                                                                       \
      }                                                                                                   \
    }                                                                                                     \
    sink[get_global_id(0)] = SUM_##width(sum);                                                            \
  }
#define LAUNCH get_global_id(0), get_global_size(0)
#define GROUP get_group_id(0) * get_local_size(0) * 4 * rounds + get_local_id(0), get_local_size(0)
#define READS_BY(name, vector, width, way) READS(name, vector, width, way)
READS_BY(read_1, float, 1, LAUNCH)
READS_BY(read_2, float2, 2, LAUNCH)
READS_BY(read_4, float4, 4, LAUNCH)
READS_BY(read_8, float8, 8, LAUNCH)
READS_BY(read_16, float16, 16, LAUNCH)
READS_BY(group_read_1, float, 1, GROUP)
READS_BY(group_read_4, float4, 4, GROUP)
READS_BY(group_read_8, float8, 8, GROUP)
READS_BY(group_read_16, float16, 16, GROUP)

__kernel void copy(__global const double* from, __global double* sink, float first, int rounds) {
  const int at = get_global_id(0);
  sink[at] = from[at];
}

// The second array stands behind the first.
__kernel void triad(__global const double* from, __global double* sink, float first, int rounds) {
  const int at = get_global_id(0);
  sink[at] = from[at] + first * from[at + get_global_size(0)];
}
