// Arithmetic of halves with separate roundings, comparisons, selections, and the functions that are exact.
// arg: a buffer half[512] special(seed=1001)
// arg: b buffer half[512] special(seed=1002)
// arg: c buffer half[512] random(seed=1003,min=-16,max=16)
// arg: out buffer half[9216] zero
// arg: ratios buffer half[2048] zero
// launch: kernel=half_arithmetic global=512 local=64
// compare: out exact
// compare: ratios ulp=1
// needs: fp16
// witness: reference
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel void half_arithmetic(__global const half* a, __global const half* b, __global const half* c,
                              __global half* out, __global half* ratios) {
  const int i = get_global_id(0);
  const half x = a[i];
  const half y = b[i];
  const half z = c[i];
  __global half* o = out + i;
  o[0] = x + y;
  o[512] = x - y;
  o[1024] = x * y;
  o[1536] = x * y + z;
  o[2048] = fma(x, y, z);
  o[2560] = -x;
  o[3072] = fabs(x);
  o[3584] = floor(x);
  o[4096] = ceil(x);
  o[4608] = trunc(x);
  o[5120] = rint(x);
  o[5632] = x < y ? x : z;
  o[6144] = (x == y) + 2 * (x < y) + 4 * (x >= y) + 8 * isnan(x) + 16 * isinf(y);
  o[6656] = copysign(z, x);
  o[7168] = z * z - z;
  o[7680] = fmax(z, (half)1.5h) + fmin(z, (half)-2.5h);
  o[8192] = fma(z, z, (half)0.5h);
  o[8704] = (half)3.0h - z;
  ratios[i] = x / y;
  ratios[i + 512] = sqrt(x);
  ratios[i + 1024] = z / (half)3.0h;
  ratios[i + 1536] = (half)1.0h / z;
}
