// Hyperbolic functions and their inverses.
// arg: x buffer float[512] special(seed=3709)
// arg: r buffer float[512] random(seed=3710,min=-1,max=1)
// arg: s buffer float[512] random(seed=3711,min=1,max=40)
// arg: out buffer float[4096] zero
// arg: tangents buffer float[2048] zero
// launch: kernel=math_hyperbolics global=512 local=64
// compare: out ulp=4 flush
// compare: tangents ulp=5 flush
// witness: reference
__kernel void math_hyperbolics(__global const float* x, __global const float* r, __global const float* s,
                               __global float* out, __global float* tangents) {
  const int i = get_global_id(0);
  const float a = x[i];
  const float p = r[i];
  const float q = s[i];
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
