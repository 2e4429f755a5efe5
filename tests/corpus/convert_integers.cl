// Conversions between integer widths, plain and saturating.
// arg: a buffer long[256] special(seed=101)
// arg: out buffer long[6144] zero
// launch: kernel=convert_integers global=256 local=64
// compare: out exact
__kernel void convert_integers(__global const long* a, __global long* out) {
  const int i = get_global_id(0);
  const long x = a[i];
  const ulong u = as_ulong(x);
  const int w = (int)x;
  const uint v = (uint)x;
  __global long* o = out + i * 24;
  o[0] = convert_char(x);
  o[1] = convert_uchar(x);
  o[2] = convert_short(x);
  o[3] = convert_ushort(x);
  o[4] = convert_int(x);
  o[5] = convert_uint(x);
  o[6] = convert_char_sat(x);
  o[7] = convert_uchar_sat(x);
  o[8] = convert_short_sat(x);
  o[9] = convert_ushort_sat(x);
  o[10] = convert_int_sat(x);
  o[11] = convert_uint_sat(x);
  o[12] = as_long(convert_ulong_sat(x));
  o[13] = convert_long_sat(u);
  o[14] = convert_int_sat(u);
  o[15] = convert_char_sat(w);
  o[16] = convert_uchar_sat(w);
  o[17] = convert_short_sat(w);
  o[18] = convert_uint_sat(w);
  o[19] = convert_int_sat(v);
  o[20] = convert_uchar_sat(v);
  o[21] = convert_ushort_sat((short)x);
  o[22] = convert_char_sat((uchar)x);
  o[23] = (long)(char)x + (long)(ushort)x + (long)(short)(x >> 16);
}
