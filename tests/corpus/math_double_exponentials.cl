// Exponentials and logarithms in double precision.
// arg: x buffer double[512] special(seed=4557)
// arg: r buffer double[512] random(seed=4558,min=-80,max=80)
// arg: s buffer double[512] random(seed=4559,min=1e-6,max=1e6)
// arg: out buffer double[7168] zero
// arg: near buffer double[1024] zero
// launch: kernel=math_double_exponentials global=512 local=64
// compare: out ulp=3 flush
// compare: near ulp=2 flush
// needs: fp64
// witness: reference
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void math_double_exponentials(__global const double* x, __global const double* r,
                                       __global const double* s, __global double* out,
                                       __global double* near) {
  const int i = get_global_id(0);
  const double a = x[i];
  const double p = r[i];
  const double q = s[i];
  out[i] = exp(a);
  out[i + 512] = exp2(a);
  out[i + 1024] = exp10(a);
  out[i + 1536] = expm1(a);
  out[i + 2048] = exp(p);
  out[i + 2560] = exp2(p);
  out[i + 3072] = exp10(p * 0.375);
  out[i + 3584] = expm1(p * 0.0625);
  out[i + 4096] = log(a);
  out[i + 4608] = log2(a);
  out[i + 5120] = log10(a);
  out[i + 5632] = log(q);
  out[i + 6144] = log2(q);
  out[i + 6656] = log10(q);
  near[i] = log1p(a);
  near[i + 512] = log1p(q);
}
