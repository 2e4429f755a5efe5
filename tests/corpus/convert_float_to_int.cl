// float to every integer type: saturating with each rounding mode, and plain within range.
// arg: a buffer float[512] special(seed=111)
// arg: r buffer float[512] random(seed=112,min=-130,max=130)
// arg: out buffer long[16384] zero
// launch: kernel=convert_float_to_int global=512 local=64
// compare: out exact
// needs: denormals
__kernel void convert_float_to_int(__global const float* a, __global const float* r, __global long* out) {
  const int i = get_global_id(0);
  const float x = isnan(a[i]) ? 0.0f : a[i];
  const float y = r[i];
  __global long* o = out + i * 32;
  o[0] = convert_int_sat(x);
  o[1] = convert_int_sat_rte(x);
  o[2] = convert_int_sat_rtz(x);
  o[3] = convert_int_sat_rtp(x);
  o[4] = convert_int_sat_rtn(x);
  o[5] = convert_uint_sat(x);
  o[6] = convert_uint_sat_rte(x);
  o[7] = convert_uint_sat_rtp(x);
  o[8] = convert_short_sat(x);
  o[9] = convert_short_sat_rte(x);
  o[10] = convert_ushort_sat_rtn(x);
  o[11] = convert_char_sat_rtp(x);
  o[12] = convert_uchar_sat_rte(x);
  o[13] = convert_uchar_sat(x);
  o[14] = convert_long_sat(x);
  o[15] = convert_long_sat_rte(x);
  o[16] = as_long(convert_ulong_sat(x));
  o[17] = as_long(convert_ulong_sat_rtp(x));
  o[18] = convert_int(y);
  o[19] = convert_int_rte(y);
  o[20] = convert_int_rtp(y);
  o[21] = convert_int_rtn(y);
  o[22] = convert_char_rte(y * 0.9f);
  o[23] = convert_short_rtn(y * 100.0f);
  o[24] = convert_uint_rte(fabs(y));
  o[25] = convert_long_rte(y * 1e9f);
  o[26] = convert_long_rtn(y * 1e9f);
  o[27] = as_long(convert_ulong(fabs(y) * 1e16f));
  o[28] = (int)y + (short)y;
  o[29] = (uint)fabs(y * 1e7f);
  o[30] = (long)(y * 1e12f);
  o[31] = (uchar)fabs(y);
}
