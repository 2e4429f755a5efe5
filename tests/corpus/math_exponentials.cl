// Exponentials and logarithms.
// arg: x buffer float[512] special(seed=3827)
// arg: r buffer float[512] random(seed=3828,min=-80,max=80)
// arg: s buffer float[512] random(seed=3829,min=1e-6,max=1e6)
// arg: out buffer float[7168] zero
// arg: near buffer float[1024] zero
// launch: kernel=math_exponentials global=512 local=64
// compare: out ulp=3 flush
// compare: near ulp=2 flush
// witness: reference
// needs: denormals
__kernel void math_exponentials(__global const float* x, __global const float* r, __global const float* s,
                                __global float* out, __global float* near) {
  const int i = get_global_id(0);
  const float a = x[i];
  const float p = r[i];
  const float q = s[i];
  out[i] = exp(a);
  out[i + 512] = exp2(a);
  out[i + 1024] = exp10(a);
  out[i + 1536] = expm1(a);
  out[i + 2048] = exp(p);
  out[i + 2560] = exp2(p);
  out[i + 3072] = exp10(p * 0.375f);
  out[i + 3584] = expm1(p * 0.0625f);
  out[i + 4096] = log(a);
  out[i + 4608] = log2(a);
  out[i + 5120] = log10(a);
  out[i + 5632] = log(q);
  out[i + 6144] = log2(q);
  out[i + 6656] = log10(q);
  near[i] = log1p(a);
  near[i + 512] = log1p(q);
}
