// Inverse trigonometric functions in double precision.
// arg: x buffer double[512] special(seed=3676)
// arg: r buffer double[512] random(seed=3677,min=-1,max=1)
// arg: s buffer double[512] random(seed=3678,min=-20,max=20)
// arg: out buffer double[2048] zero
// arg: arcs buffer double[4096] zero
// launch: kernel=math_double_arcs global=512 local=64
// compare: out ulp=4 flush
// compare: arcs ulp=6 flush
// needs: fp64
// witness: reference
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void math_double_arcs(__global const double* x, __global const double* r, __global const double* s,
                               __global double* out, __global double* arcs) {
  const int i = get_global_id(0);
  const double a = x[i];
  const double p = r[i];
  const double q = s[i];
  out[i] = asin(a);
  out[i + 512] = acos(a);
  out[i + 1024] = asin(p);
  out[i + 1536] = acos(p);
  arcs[i] = atan(a);
  arcs[i + 512] = atan(q);
  arcs[i + 1024] = atan2(a, q);
  arcs[i + 1536] = atan2(p, q);
  arcs[i + 2048] = asinpi(p);
  arcs[i + 2560] = acospi(p);
  arcs[i + 3072] = atanpi(q);
  arcs[i + 3584] = atan2pi(p, q);
}
