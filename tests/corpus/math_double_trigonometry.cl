// Sines, cosines and tangents in double precision: special values, random ones over many periods, and
// in half turns.
// arg: x buffer double[512] special(seed=4582)
// arg: r buffer double[512] random(seed=4583,min=-1e6,max=1e6)
// arg: s buffer double[512] random(seed=4584,min=-3,max=3)
// arg: out buffer double[4096] zero
// arg: tangents buffer double[1536] zero
// launch: kernel=math_double_trigonometry global=512 local=64
// compare: out ulp=4 flush
// compare: tangents ulp=6 flush
// needs: fp64
// witness: reference
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void math_double_trigonometry(__global const double* x, __global const double* r,
                                       __global const double* s, __global double* out,
                                       __global double* tangents) {
  const int i = get_global_id(0);
  const double a = x[i];
  const double p = r[i];
  const double q = s[i];
  out[i] = sin(a);
  out[i + 512] = cos(a);
  out[i + 1024] = sin(p);
  out[i + 1536] = cos(p);
  out[i + 2048] = sinpi(q);
  out[i + 2560] = cospi(q);
  double c;
  out[i + 3072] = sincos(q, &c);
  out[i + 3584] = c;
  tangents[i] = tan(q);
  tangents[i + 512] = tan(p);
  tangents[i + 1024] = tanpi(q);
}
