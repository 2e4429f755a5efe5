// Hyperbolic functions and their inverses in double precision.
// arg: x buffer double[512] special(seed=4439)
// arg: r buffer double[512] random(seed=4440,min=-1,max=1)
// arg: s buffer double[512] random(seed=4441,min=1,max=40)
// arg: out buffer double[4096] zero
// arg: tangents buffer double[2048] zero
// launch: kernel=math_double_hyperbolics global=512 local=64
// compare: out ulp=4 flush
// compare: tangents ulp=5 flush
// needs: fp64
// witness: reference
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void math_double_hyperbolics(__global const double* x, __global const double* r,
                                      __global const double* s, __global double* out,
                                      __global double* tangents) {
  const int i = get_global_id(0);
  const double a = x[i];
  const double p = r[i];
  const double q = s[i];
  out[i] = sinh(a);
  out[i + 512] = cosh(a);
  out[i + 1024] = sinh(p);
  out[i + 1536] = cosh(q);
  out[i + 2048] = asinh(a);
  out[i + 2560] = asinh(q);
  out[i + 3072] = acosh(a);
  out[i + 3584] = acosh(q);
  tangents[i] = tanh(a);
  tangents[i + 512] = tanh(p);
  tangents[i + 1024] = atanh(a);
  tangents[i + 1536] = atanh(p);
}
