// Saturated conversions of NaN, infinities and what lies around the limits, with every rounding: scalars, and a lane of
// vectors. NaN becomes 0 (OpenCL C 1.2, 6.2.3.3).
// arg: f buffer float[24] values(nan,inf,-inf,0.5,-0.5,1.5,126.5,127.5,-128.5,-129,255.5,256,32767.5,-32768.5,65535.5,2147483520,2147483648,-2147483648,-2147483904,4294967040,4294967296,9.2e18,-9.3e18,1.9e19)
// arg: d buffer double[24] values(nan,inf,-inf,127.25,-128.75,255.75,32767.25,-32768.5,65535.75,2147483646.5,2147483647.5,-2147483648.5,-2147483648.25,4294967295.5,4294967294.5,9.223372036854774e18,9.223372036854776e18,-9.3e18,1.8446744073709550e19,1.9e19,-0.75,0.5,1e300,-1e300)
// arg: of buffer long[960] zero
// arg: od buffer long[960] zero
// arg: ov buffer long8[240] zero
// launch: kernel=convert_saturated global=24 local=24
// compare: of exact
// compare: od exact
// compare: ov exact
// needs: fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define ROUNDINGS(out, T, x)             \
  out[n++ * 24 + i] = convert_##T##_sat(x);     \
  out[n++ * 24 + i] = convert_##T##_sat_rte(x); \
  out[n++ * 24 + i] = convert_##T##_sat_rtz(x); \
  out[n++ * 24 + i] = convert_##T##_sat_rtp(x); \
  out[n++ * 24 + i] = convert_##T##_sat_rtn(x);
#define TYPES(out, x)       \
  ROUNDINGS(out, char, x)   \
  ROUNDINGS(out, uchar, x)  \
  ROUNDINGS(out, short, x)  \
  ROUNDINGS(out, ushort, x) \
  ROUNDINGS(out, int, x)    \
  ROUNDINGS(out, uint, x)   \
  ROUNDINGS(out, long, x)   \
  ROUNDINGS(out, ulong, x)
__kernel void convert_saturated(__global const float* f, __global const double* d, __global long* of,
                                __global long* od, __global long8* ov) {
  const uint i = get_global_id(0);
  uint n = 0;
  TYPES(of, f[i])
  n = 0;
  TYPES(od, d[i])
  // Vectors, whose lanes are neighbours.
  const float8 x = (float8)(f[i], f[(i + 1) % 24], f[(i + 2) % 24], f[(i + 3) % 24], f[(i + 4) % 24],
                            f[(i + 5) % 24], f[(i + 6) % 24], f[(i + 7) % 24]);
  const double8 y = (double8)(d[i], d[(i + 1) % 24], d[(i + 2) % 24], d[(i + 3) % 24], d[(i + 4) % 24],
                              d[(i + 5) % 24], d[(i + 6) % 24], d[(i + 7) % 24]);
  ov[i] = convert_long8(convert_char8_sat(x));
  ov[24 + i] = convert_long8(convert_short8_sat_rtp(x));
  ov[48 + i] = convert_long8(convert_int8_sat_rtn(x));
  ov[72 + i] = convert_long8_sat_rtz(x);
  ov[96 + i] = convert_long8(convert_char8_sat_rte(y));
  ov[120 + i] = convert_long8(convert_short8_sat(y));
  ov[144 + i] = convert_long8(convert_int8_sat_rte(y));
  ov[168 + i] = convert_long8_sat_rtn(y);
  ov[192 + i] = (long8)(convert_long3(convert_int3_sat(x.s012)), convert_long3(convert_char3_sat_rtn(y.s345)), 7, 7);
  ov[216 + i] = (long8)(convert_long2(convert_short2_sat_rtz(x.s67)), convert_long2(convert_int2_sat(y.s12)),
                        convert_long4(convert_char4_sat_rtp(y.s0246)));
}
