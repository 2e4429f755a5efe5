// Powers and roots in double precision.
// arg: x buffer double[512] special(seed=3923)
// arg: r buffer double[512] random(seed=3924,min=0.01,max=20)
// arg: s buffer double[512] random(seed=3925,min=-6,max=6)
// arg: out buffer double[3072] zero
// arg: roots buffer double[2048] zero
// arg: lengths buffer double[1024] zero
// launch: kernel=math_double_powers global=512 local=64
// compare: out ulp=16 flush
// compare: roots ulp=2 flush
// compare: lengths ulp=4 flush
// needs: fp64
// witness: reference
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void math_double_powers(__global const double* x, __global const double* r, __global const double* s,
                                 __global double* out, __global double* roots, __global double* lengths) {
  const int i = get_global_id(0);
  const double a = x[i];
  const double p = r[i];
  const double q = s[i];
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
