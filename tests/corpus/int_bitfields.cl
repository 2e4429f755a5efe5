// Bit-field extraction, insertion, reversal, byte permutation and Gray codes.
// arg: a buffer uint[512] bits(seed=51)
// arg: b buffer uint[512] bits(seed=52)
// arg: out buffer uint[5120] zero
// launch: kernel=int_bitfields global=512 local=64
// compare: out exact
uint reverse(uint x) {
  x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
  x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
  x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
  x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
  return (x >> 16) | (x << 16);
}
__kernel void int_bitfields(__global const uint* a, __global const uint* b, __global uint* out) {
  const int i = get_global_id(0);
  const uint x = a[i];
  const uint y = b[i];
  const uint n = y & 31u;
  const uint w = (y >> 5) & 15u;
  __global uint* o = out + i * 10;
  o[0] = (x >> n) & ((1u << w) - 1u);
  o[1] = as_uint((as_int(x) << 7) >> 20);
  o[2] = (x & ~(((1u << w) - 1u) << 4)) | ((y & ((1u << w) - 1u)) << 4);
  o[3] = reverse(x);
  o[4] = (x >> 24) | ((x >> 8) & 0xff00u) | ((x << 8) & 0xff0000u) | (x << 24);
  o[5] = x ^ (x >> 1);
  o[6] = (x & 0xff00ff00u) >> 8 | (y & 0x00ff00ffu) << 8;
  o[7] = 31u - clz(x | 1u);
  o[8] = popcount(x & (0u - x)) + popcount((x & (0u - x)) - 1u);
  o[9] = as_uint(as_uchar4(x).wzyx) + as_uint(as_uchar4(y).yxwz);
}
