// Sines, cosines and tangents: special values, random ones over many periods, and in half turns.
// arg: x buffer float[512] special(seed=3852)
// arg: r buffer float[512] random(seed=3853,min=-30000,max=30000)
// arg: s buffer float[512] random(seed=3854,min=-3,max=3)
// arg: out buffer float[4096] zero
// arg: tangents buffer float[1536] zero
// launch: kernel=math_trigonometry global=512 local=64
// compare: out ulp=4 flush
// compare: tangents ulp=6 flush
// witness: reference
__kernel void math_trigonometry(__global const float* x, __global const float* r, __global const float* s,
                                __global float* out, __global float* tangents) {
  const int i = get_global_id(0);
  const float a = x[i];
  const float p = r[i];
  const float q = s[i];
  out[i] = sin(a);
  out[i + 512] = cos(a);
  out[i + 1024] = sin(p);
  out[i + 1536] = cos(p);
  out[i + 2048] = sinpi(q);
  out[i + 2560] = cospi(q);
  float c;
  out[i + 3072] = sincos(q, &c);
  out[i + 3584] = c;
  tangents[i] = tan(q);
  tangents[i + 512] = tan(p);
  tangents[i + 1024] = tanpi(q);
}
