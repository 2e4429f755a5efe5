// The fast functions: half_ has 8192 ulp, native_ is left to the device; here it is asked for the
// same.
// arg: r buffer float[512] random(seed=3169,min=0.1,max=30)
// arg: s buffer float[512] random(seed=3170,min=-3,max=3)
// arg: halves buffer float[7168] zero
// arg: natives buffer float[7168] zero
// launch: kernel=math_native global=512 local=64
// compare: halves ulp=8192
// compare: natives ulp=8192 abs=1e-5
// witness: reference
__kernel void math_native(__global const float* r, __global const float* s, __global float* halves,
                          __global float* natives) {
  const int i = get_global_id(0);
  const float p = r[i];
  const float q = s[i];
  halves[i] = half_sin(q);
  halves[i + 512] = half_cos(q);
  halves[i + 1024] = half_tan(q * 0.4f);
  halves[i + 1536] = half_exp(q);
  halves[i + 2048] = half_exp2(q);
  halves[i + 2560] = half_exp10(q);
  halves[i + 3072] = half_log(p);
  halves[i + 3584] = half_log2(p);
  halves[i + 4096] = half_log10(p);
  halves[i + 4608] = half_sqrt(p);
  halves[i + 5120] = half_rsqrt(p);
  halves[i + 5632] = half_recip(p);
  halves[i + 6144] = half_divide(q, p);
  halves[i + 6656] = half_powr(p, q);
  natives[i] = native_sin(q);
  natives[i + 512] = native_cos(q);
  natives[i + 1024] = native_tan(q * 0.4f);
  natives[i + 1536] = native_exp(q);
  natives[i + 2048] = native_exp2(q);
  natives[i + 2560] = native_exp10(q);
  natives[i + 3072] = native_log(p);
  natives[i + 3584] = native_log2(p);
  natives[i + 4096] = native_log10(p);
  natives[i + 4608] = native_sqrt(p);
  natives[i + 5120] = native_rsqrt(p);
  natives[i + 5632] = native_recip(p);
  natives[i + 6144] = native_divide(q, p);
  natives[i + 6656] = native_powr(p, q);
}
