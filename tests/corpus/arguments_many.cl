// A kernel with an argument of every kind and size, in an order that needs padding.
// arg: c scalar char -7
// arg: d scalar double 2.5
// arg: s scalar ushort 65000
// arg: v scalar float3 1.5,-2.5,3.5
// arg: b scalar uchar2 250,3
// arg: l scalar long -5000000000
// arg: e scalar int8 1,-2,3,-4,5,-6,7,-8
// arg: a buffer float[64] ramp(0,0.25)
// arg: tmp local float[64]
// arg: f scalar float 0.125
// arg: more local int4[64]
// arg: w scalar ulong4 1,2,3,0xffffffffffffffff
// arg: out buffer float[64] zero
// arg: wide buffer long[64] zero
// launch: kernel=arguments_many global=64 local=64
// compare: out exact
// compare: wide exact
// needs: fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel void arguments_many(char c, double d, ushort s, float3 v, uchar2 b, long l, int8 e,
                             __global const float* a, __local float* tmp, float f, __local int4* more,
                             ulong4 w, __global float* out, __global long* wide) {
  const int i = get_global_id(0);
  tmp[i] = a[i] * f + v.y;
  more[i] = e.lo * i + e.hi;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int4 q = more[(i + 1) & 63];
  out[i] = tmp[63 - i] + (float)d * v.x + v.z * (float)c;
  wide[i] = l + s * (long)b.x + b.y + q.x * q.w + q.y - q.z + (long)(w.x + w.y * w.z + w.w);
}
