// Functions of NaN with a sign, and without.
// arg: a buffer ulong[4] values(0xfff8000000000000,0xfff8000000000001,0x7ff8000000000000,0x7ff8000000000001)
// arg: out buffer double[32] zero
// launch: kernel=math_double_nan global=4 local=4
// compare: out exact
// needs: fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void math_double_nan(__global const ulong* a, __global double* out) {
  const int i = get_global_id(0);
  const double x = as_double(a[i]);
  vstore8((double8)(acospi(x), asinpi(x), acos(x), asin(x), log(x), cbrt(x), exp(x), tanpi(x)), i, out);
}
