// Every integer type to float, in the default and the four explicit rounding modes.
// arg: a buffer long[512] special(seed=121)
// arg: out buffer float[12288] zero
// launch: kernel=convert_int_to_float global=512 local=64
// compare: out exact
__kernel void convert_int_to_float(__global const long* a, __global float* out) {
  const int i = get_global_id(0);
  const long x = a[i];
  const ulong u = as_ulong(x);
  const int w = (int)(x >> 7);
  const uint v = (uint)(x >> 9);
  __global float* o = out + i * 24;
  o[0] = convert_float(x);
  o[1] = convert_float_rte(x);
  o[2] = convert_float(u);
  o[3] = convert_float(w);
  o[4] = convert_float(v);
  o[5] = convert_float_rtz(w);
  o[6] = convert_float_rtp(w);
  o[7] = convert_float_rtn(w);
  o[8] = convert_float_rtz(v);
  o[9] = convert_float_rtp(v);
  o[10] = convert_float_rtn(v);
  o[11] = convert_float_rtz(x);
  o[12] = convert_float_rtp(x);
  o[13] = convert_float_rtn(x);
  o[14] = convert_float_rtz(u);
  o[15] = convert_float_rtp(u);
  o[16] = convert_float_rtn(u);
  o[17] = convert_float((char)x);
  o[18] = convert_float((uchar)x);
  o[19] = convert_float((short)x);
  o[20] = convert_float((ushort)x);
  o[21] = (float)((w >> 8) & 0xff) + (float)((w >> 24) & 0xff);
  o[22] = (float)(x != 0);
  o[23] = (float)(uchar)(x >> 16) * 0.5f;
}
