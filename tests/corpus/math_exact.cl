// Functions whose results are exact: remainders, exponents and parts, neighbours, integral values.
// arg: x buffer float[512] special(seed=3054)
// arg: r buffer float[512] random(seed=3055,min=-1000,max=1000)
// arg: s buffer float[512] random(seed=3056,min=-7,max=7)
// arg: out buffer float[10240] zero
// arg: ints buffer int[1536] zero
// launch: kernel=math_exact global=512 local=64
// compare: out exact
// compare: ints exact
// witness: reference
// needs: denormals
__kernel void math_exact(__global const float* x, __global const float* r, __global const float* s,
                         __global float* out, __global int* ints) {
  const int i = get_global_id(0);
  const float a = x[i];
  const float p = r[i];
  const float q = s[i];
  out[i] = fmod(p, q);
  out[i + 512] = remainder(p, q);
  out[i + 1024] = fmod(a, q);
  out[i + 1536] = remainder(a, q);
  out[i + 2048] = ldexp(a, i % 40 - 20);
  int e;
  out[i + 2560] = frexp(a, &e);
  float whole;
  out[i + 3072] = modf(a, &whole);
  out[i + 3584] = whole;
  out[i + 4096] = nextafter(a, p);
  out[i + 4608] = nextafter(p, q);
  out[i + 5120] = logb(a);
  out[i + 5632] = trunc(p);
  out[i + 6144] = rint(p * 0.5f);
  out[i + 6656] = round(p * 0.5f);
  out[i + 7168] = fdim(p, q);
  out[i + 7680] = copysign(a, q);
  out[i + 8192] = fract(p, &whole);
  out[i + 8704] = whole;
  int quotient;
  out[i + 9216] = remquo(p, q, &quotient);
  out[i + 9728] = nan((uint)i);
  ints[i] = isinf(a) || isnan(a) ? 0 : e;
  ints[i + 512] = isinf(a) || isnan(a) || a == 0 ? 0 : ilogb(a);
  ints[i + 1024] = quotient & 7;
}
