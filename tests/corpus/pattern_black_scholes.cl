// Black-Scholes prices of calls and puts: exp, log, sqrt and a polynomial for the normal distribution.
// arg: spot buffer float[512] random(seed=911,min=5,max=30)
// arg: strike buffer float[512] random(seed=912,min=1,max=100)
// arg: years buffer float[512] random(seed=913,min=0.25,max=10)
// arg: call buffer float[512] zero
// arg: put buffer float[512] zero
// launch: kernel=black_scholes global=512 local=128
// compare: call abs=5e-5 rel=5e-5
// compare: put abs=5e-5 rel=5e-5
float normal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  const float tail =
      0.39894228f * exp(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0.0f ? 1.0f - tail : tail;
}
__kernel void black_scholes(__global const float* spot, __global const float* strike,
                            __global const float* years, __global float* call, __global float* put) {
  const int i = get_global_id(0);
  const float s = spot[i];
  const float x = strike[i];
  const float t = years[i];
  const float root = 0.3f * sqrt(t);
  const float d1 = (log(s / x) + (0.02f + 0.045f) * t) / root;
  const float d2 = d1 - root;
  const float discounted = x * exp(-0.02f * t);
  call[i] = s * normal(d1) - discounted * normal(d2);
  put[i] = discounted * normal(-d2) - s * normal(-d1);
}
