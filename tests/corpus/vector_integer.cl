// Integer builtins on vectors of chars, shorts and longs: the narrow types that a GPU packs or promotes.
// arg: a buffer uint4[256] special(seed=331)
// arg: b buffer uint4[256] special(seed=332)
// arg: c16 buffer char16[1024] zero
// arg: s8 buffer ushort8[1024] zero
// arg: l2 buffer long2[768] zero
// launch: kernel=vector_integer global=256 local=64
// compare: c16 exact
// compare: s8 exact
// compare: l2 exact
__kernel void vector_integer(__global const uint4* a, __global const uint4* b, __global char16* c16,
                             __global ushort8* s8, __global long2* l2) {
  const int i = get_global_id(0);
  const char16 c = as_char16(a[i]);
  const char16 d = as_char16(b[i]);
  c16[4 * i] = add_sat(c, d);
  c16[4 * i + 1] = max(c, d) - min(c, d);
  c16[4 * i + 2] = as_char16(abs_diff(c, d));
  c16[4 * i + 3] = rotate(c, d) ^ (c >> (char16)3);
  const ushort8 s = as_ushort8(a[i]);
  const ushort8 t = as_ushort8(b[i]);
  s8[4 * i] = sub_sat(s, t);
  s8[4 * i + 1] = mul_hi(s, t) + s * t;
  s8[4 * i + 2] = hadd(s, t) ^ rhadd(s, t);
  s8[4 * i + 3] = clz(s) + popcount(t) * (ushort8)256;
  const long2 x = as_long2(a[i]);
  const long2 y = as_long2(b[i]);
  l2[3 * i] = max(x, y);
  l2[3 * i + 1] = mul_hi(x, y);
  l2[3 * i + 2] = sub_sat(x, y);
}
