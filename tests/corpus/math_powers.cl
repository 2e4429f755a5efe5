// Powers and roots.
// arg: x buffer float[512] special(seed=3193)
// arg: r buffer float[512] random(seed=3194,min=0.01,max=20)
// arg: s buffer float[512] random(seed=3195,min=-6,max=6)
// arg: out buffer float[3072] zero
// arg: roots buffer float[2048] zero
// arg: lengths buffer float[1024] zero
// launch: kernel=math_powers global=512 local=64
// compare: out ulp=16 flush
// compare: roots ulp=2 flush
// compare: lengths ulp=4 flush
// witness: reference
// needs: denormals
__kernel void math_powers(__global const float* x, __global const float* r, __global const float* s,
                          __global float* out, __global float* roots, __global float* lengths) {
  const int i = get_global_id(0);
  const float a = x[i];
  const float p = r[i];
  const float q = s[i];
  out[i] = pow(a, q);
  out[i + 512] = pow(p, q);
  out[i + 1024] = powr(p, q);
  out[i + 1536] = pown(q, (int)p);
  out[i + 2048] = rootn(p, 3 + (i & 7));
  out[i + 2560] = pow(-p, trunc(q));
  roots[i] = cbrt(a);
  roots[i + 512] = cbrt(q);
  roots[i + 1024] = rsqrt(a);
  roots[i + 1536] = rsqrt(p);
  lengths[i] = hypot(a, q);
  lengths[i + 512] = hypot(p, q);
}
