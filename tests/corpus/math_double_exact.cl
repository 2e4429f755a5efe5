// Functions whose results are exact in double precision: remainders, exponents and parts, neighbours,
// integral values.
// arg: x buffer double[512] special(seed=3784)
// arg: r buffer double[512] random(seed=3785,min=-1000,max=1000)
// arg: s buffer double[512] random(seed=3786,min=-7,max=7)
// arg: out buffer double[10240] zero
// arg: ints buffer int[1536] zero
// launch: kernel=math_double_exact global=512 local=64
// compare: out exact
// compare: ints exact
// needs: fp64
// witness: reference
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void math_double_exact(__global const double* x, __global const double* r, __global const double* s,
                                __global double* out, __global int* ints) {
  const int i = get_global_id(0);
  const double a = x[i];
  const double p = r[i];
  const double q = s[i];
  out[i] = fmod(p, q);
  out[i + 512] = remainder(p, q);
  out[i + 1024] = fmod(a, q);
  out[i + 1536] = remainder(a, q);
  out[i + 2048] = ldexp(a, i % 40 - 20);
  int e;
  out[i + 2560] = frexp(a, &e);
  double whole;
  out[i + 3072] = modf(a, &whole);
  out[i + 3584] = whole;
  out[i + 4096] = nextafter(a, p);
  out[i + 4608] = nextafter(p, q);
  out[i + 5120] = logb(a);
  out[i + 5632] = trunc(p);
  out[i + 6144] = rint(p * 0.5);
  out[i + 6656] = round(p * 0.5);
  out[i + 7168] = fdim(p, q);
  out[i + 7680] = copysign(a, q);
  out[i + 8192] = fract(p, &whole);
  out[i + 8704] = whole;
  int quotient;
  out[i + 9216] = remquo(p, q, &quotient);
  out[i + 9728] = nan((ulong)i);
  ints[i] = isinf(a) || isnan(a) ? 0 : e;
  ints[i + 512] = isinf(a) || isnan(a) || a == 0 ? 0 : ilogb(a);
  ints[i + 1024] = quotient & 7;
}
