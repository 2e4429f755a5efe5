// Error and gamma functions. The logarithm of gamma has no error bound in the language; this one is
// loose.
// arg: r buffer float[512] random(seed=3037,min=-3,max=3)
// arg: s buffer float[512] random(seed=3038,min=0.1,max=25)
// arg: out buffer float[2560] zero
// arg: logs buffer float[1024] zero
// launch: kernel=math_gamma global=512 local=64
// compare: out ulp=16 flush
// compare: logs rel=2e-5 abs=2e-6
// witness: reference
__kernel void math_gamma(__global const float* r, __global const float* s, __global float* out,
                         __global float* logs) {
  const int i = get_global_id(0);
  const float p = r[i];
  const float q = s[i];
  out[i] = erf(p);
  out[i + 512] = erfc(p);
  out[i + 1024] = erf(p * 0.015625f);
  out[i + 1536] = tgamma(q);
  out[i + 2048] = tgamma(p);
  logs[i] = lgamma(q);
  logs[i + 512] = lgamma(p - 3.5f);
}
