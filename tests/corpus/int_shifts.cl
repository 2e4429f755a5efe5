// Shifts by constants and variables of every width, with the amount taken modulo the width by the source.
// arg: a buffer long[256] bits(seed=41)
// arg: n buffer int[256] random(seed=42,min=0,max=63)
// arg: out buffer long[4096] zero
// launch: kernel=int_shifts global=256 local=64
// compare: out exact
__kernel void int_shifts(__global const long* a, __global const int* n, __global long* out) {
  const int i = get_global_id(0);
  const long x = a[i];
  const int s = n[i];
  __global long* o = out + i * 16;
  o[0] = as_long(as_ulong(x) << s);
  o[1] = x >> s;
  o[2] = as_long(as_ulong(x) >> s);
  o[3] = as_long(as_ulong(x) << 13);
  o[4] = x >> 33;
  o[5] = as_long(as_ulong(x) >> 47);
  o[6] = (int)((uint)x << (s & 31));
  o[7] = (int)x >> (s & 31);
  o[8] = (uint)x >> (s & 31);
  o[9] = (short)((ushort)x << (s & 15));
  o[10] = (short)x >> (s & 15);
  o[11] = (char)((uchar)x << (s & 7));
  o[12] = (uchar)x >> (s & 7);
  o[13] = (((uint)x << 7) | ((uint)x >> 25)) + ((uint)x << 3);
  o[14] = (long)((1ul << s) - 1ul);
  o[15] = ((x >> 4) & 0xff) | (((uint)x >> 9) & 0x1ffu) << 8;
}
