// Double-precision arithmetic with separate roundings, on special and random values.
// arg: a buffer double[512] special(seed=241)
// arg: b buffer double[512] special(seed=242)
// arg: c buffer double[512] random(seed=243,min=-10,max=10)
// arg: out buffer double[12288] zero
// launch: kernel=double_arithmetic global=512 local=64
// compare: out exact
// needs: fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
__kernel void double_arithmetic(__global const double* a, __global const double* b, __global const double* c,
                                __global double* out) {
  const int i = get_global_id(0);
  const double x = a[i];
  const double y = b[i];
  const double z = c[i];
  __global double* o = out + i * 24;
  o[0] = x + y;
  o[1] = x - y;
  o[2] = x * y;
  o[3] = x / y;
  o[4] = x * y + z;
  o[5] = fma(x, y, z);
  o[6] = sqrt(x);
  o[7] = fabs(x) + copysign(z, y);
  o[8] = -x;
  o[9] = floor(x);
  o[10] = ceil(x);
  o[11] = trunc(x);
  o[12] = rint(x);
  o[13] = round(z);
  o[14] = x > y ? x : z;
  o[15] = isless(x, y) + 2 * isequal(x, y) + 4 * isunordered(x, y) + 8 * isgreaterequal(x, z);
  o[16] = isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * isnormal(x) + 16 * signbit(x);
  o[17] = (x < y) + 2 * (x <= y) + 4 * (x == y) + 8 * (x != y) + 16 * (x >= y) + 32 * (x > y);
  o[18] = z / 3.0;
  o[19] = 1.0 / z;
  o[20] = z * z + z;
  o[21] = fmax(z, 0.25) + fmin(z, -1.5);
  o[22] = fma(-z, z, y);
  o[23] = sqrt(fabs(z));
}
