// Error and gamma functions in double precision. The logarithm of gamma has no error bound in the
// language; this one is loose.
// arg: r buffer double[512] random(seed=3767,min=-3,max=3)
// arg: s buffer double[512] random(seed=3768,min=0.1,max=25)
// arg: out buffer double[2560] zero
// arg: logs buffer double[1024] zero
// launch: kernel=math_double_gamma global=512 local=64
// compare: out ulp=16 flush
// compare: logs rel=1e-11 abs=1e-12
// needs: fp64
// witness: reference
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void math_double_gamma(__global const double* r, __global const double* s, __global double* out,
                                __global double* logs) {
  const int i = get_global_id(0);
  const double p = r[i];
  const double q = s[i];
  out[i] = erf(p);
  out[i + 512] = erfc(p);
  out[i + 1024] = erf(p * 0.015625);
  out[i + 1536] = tgamma(q);
  out[i + 2048] = tgamma(p);
  logs[i] = lgamma(q);
  logs[i + 512] = lgamma(p - 3.5);
}
