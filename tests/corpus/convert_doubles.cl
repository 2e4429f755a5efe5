// Conversions from and to double: integers of every width, floats in every rounding mode.
// arg: a buffer double[512] special(seed=131)
// arg: l buffer long[512] special(seed=132)
// arg: r buffer double[512] random(seed=133,min=-3e9,max=3e9)
// arg: ints buffer long[8192] zero
// arg: floats buffer float[4096] zero
// arg: doubles buffer double[8192] zero
// launch: kernel=convert_doubles global=512 local=64
// compare: ints exact
// compare: floats exact
// compare: doubles exact
// needs: fp64 denormals
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void convert_doubles(__global const double* a, __global const long* l, __global const double* r,
                              __global long* ints, __global float* floats, __global double* doubles) {
  const int i = get_global_id(0);
  const double x = isnan(a[i]) ? 1.0 : a[i];
  const double y = r[i];
  const long w = l[i];
  __global long* p = ints + i * 16;
  p[0] = convert_int_sat(x);
  p[1] = convert_int_sat_rte(x);
  p[2] = convert_int_sat_rtp(x);
  p[3] = convert_int_sat_rtn(x);
  p[4] = convert_uint_sat(x);
  p[5] = convert_uint_sat_rte(x);
  p[6] = convert_long_sat(x);
  p[7] = convert_long_sat_rte(x);
  p[8] = as_long(convert_ulong_sat(x));
  p[9] = convert_short_sat_rte(x);
  p[10] = convert_uchar_sat_rtn(x);
  p[11] = convert_int(y * 0.25);
  p[12] = convert_int_rte(y * 0.25);
  p[13] = convert_long_rtn(y * 1e6);
  p[14] = (uint)fabs(y);
  p[15] = (long)y;
  __global float* q = floats + i * 8;
  q[0] = convert_float(a[i]);
  q[1] = convert_float_rte(a[i]);
  q[2] = convert_float_rtz(y);
  q[3] = convert_float_rtp(y);
  q[4] = convert_float_rtn(y);
  q[5] = (float)(y * 1e-3);
  q[6] = convert_float_rtz(x);
  q[7] = convert_float_rtp(x);
  __global double* d = doubles + i * 16;
  d[0] = convert_double(w);
  d[1] = convert_double(as_ulong(w));
  d[2] = convert_double((int)w);
  d[3] = convert_double((uint)w);
  d[4] = convert_double((short)w);
  d[5] = convert_double((uchar)w);
  d[6] = convert_double_rtz(w);
  d[7] = convert_double_rtp(w);
  d[8] = convert_double_rtn(w);
  d[9] = convert_double_rtz(as_ulong(w));
  d[10] = convert_double_rtp(as_ulong(w));
  d[11] = convert_double(q[5]);
  d[12] = (double)(float)y;
  d[13] = convert_double_rte(as_ulong(w));
  d[14] = (double)(w > 0);
  d[15] = convert_double(as_float((int)w | 0x00800000));
}
