// Inverse trigonometric functions.
// arg: x buffer float[512] special(seed=2946)
// arg: r buffer float[512] random(seed=2947,min=-1,max=1)
// arg: s buffer float[512] random(seed=2948,min=-20,max=20)
// arg: out buffer float[2048] zero
// arg: arcs buffer float[4096] zero
// launch: kernel=math_arcs global=512 local=64
// compare: out ulp=4 flush
// compare: arcs ulp=6 flush
// witness: reference
__kernel void math_arcs(__global const float* x, __global const float* r, __global const float* s,
                        __global float* out, __global float* arcs) {
  const int i = get_global_id(0);
  const float a = x[i];
  const float p = r[i];
  const float q = s[i];
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
