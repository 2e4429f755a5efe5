// Saturation to 64 bits: conversions of floats with every rounding, NaN among them (OpenCL C 1.2, 6.2.3.3), and sums, differences
// and multiply-adds around the limits, as scalars and as lanes of vectors.
// arg: f buffer float[24] values(nan,inf,-inf,0.5,-0.5,1.5,2.5,-2.5,-3.75,-0.0,1e-30,2147483648,4294967296,9.0e18,9.223371e18,9.223372e18,9.3e18,-9.223372e18,-9.3e18,1.8446742e19,1.8446744e19,1.9e19,-1,1e38)
// arg: a buffer long[24] values(0,0,-1,1,9223372036854775807,9223372036854775807,-9223372036854775807,5,-5,4294967296,-4294967296,3,1,3037000500,-3037000500,6148914691236517205,2,-9223372036854775807,9223372036854775807,-1,123456789,-987654321,72057594037927936,7)
// arg: b buffer long[24] values(-9223372036854775807,9223372036854775807,1,-1,2,-2,2,7,7,4294967296,4294967296,-1,0,3037000500,3037000500,3,9223372036854775807,-9223372036854775807,9223372036854775807,-9223372036854775807,987654321,123456789,128,-7)
// arg: c buffer long[24] values(-1,1,9223372036854775807,-9223372036854775807,1,1,1,1,-1,0,0,9223372036854775807,-9223372036854775807,0,-9223372036854775807,-9223372036854775807,-9223372036854775807,-1,1,0,-5,5,-9223372036854775807,49)
// arg: o buffer long[240] zero
// arg: v buffer long4[168] zero
// launch: kernel=long_saturated global=24 local=24
// compare: o exact
// compare: v exact
#define ROUNDINGS(T)                           \
  o[n++ * 24 + i] = convert_##T##_sat(f[i]);     \
  o[n++ * 24 + i] = convert_##T##_sat_rte(f[i]); \
  o[n++ * 24 + i] = convert_##T##_sat_rtz(f[i]); \
  o[n++ * 24 + i] = convert_##T##_sat_rtp(f[i]); \
  o[n++ * 24 + i] = convert_##T##_sat_rtn(f[i]);
#define NEXT(p) (long4)(p[i], p[(i + 1) % 24], p[(i + 2) % 24], p[(i + 3) % 24])
__kernel void long_saturated(__global const float* f, __global const long* a, __global const long* b, __global const long* c,
                             __global long* o, __global long4* v) {
  const uint i = get_global_id(0);
  uint n = 0;
  ROUNDINGS(long)
  ROUNDINGS(ulong)
  const float4 x = (float4)(f[i], f[(i + 1) % 24], f[(i + 2) % 24], f[(i + 3) % 24]);
  // A decimal constant cannot say LONG_MIN.
  const long4 p = NEXT(a), q = NEXT(b) + (NEXT(b) == -LONG_MAX), r = NEXT(c);
  v[i] = convert_long4_sat_rte(x);
  v[24 + i] = as_long4(convert_ulong4_sat_rtp(x));
  v[48 + i] = mad_sat(p, q, r);
  v[72 + i] = as_long4(mad_sat(as_ulong4(p), as_ulong4(q), as_ulong4(r)));
  v[96 + i] = sub_sat(p, q);
  v[120 + i] = (long4)(add_sat(p.xyz, q.xyz), mad_sat(p.x, q.x, r.x));
  v[144 + i] = (long4)(mad_sat(p.xy, q.xy, r.xy), mad_sat(p.zyx, q.zyx, r.zyx).xz);
}
