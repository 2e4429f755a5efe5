// One function per address space, casts between pointer types within a space, byte views of words.
// arg: a buffer uint[256] bits(seed=761)
// arg: scratch local uint[64]
// arg: out buffer uint[1024] zero
// launch: kernel=address_spaces global=256 local=64
// compare: out exact
uint sum_global(__global const uchar* p, int n) {
  uint sum = 0;
  for (int k = 0; k < n; ++k) {
    sum = sum * 3u + p[k];
  }
  return sum;
}
uint sum_local(__local const ushort* p, int n) {
  uint sum = 0;
  for (int k = 0; k < n; ++k) {
    sum = sum * 5u + p[k];
  }
  return sum;
}
uint sum_private(const uchar* p, int n) {
  uint sum = 0;
  for (int k = 0; k < n; ++k) {
    sum = sum * 7u + p[k];
  }
  return sum;
}
__kernel void address_spaces(__global const uint* a, __local uint* scratch, __global uint* out) {
  const int i = get_global_id(0);
  const int l = get_local_id(0);
  scratch[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint words[4];
  for (int k = 0; k < 4; ++k) {
    words[k] = scratch[(l * 3 + k) & 63] + k;
  }
  out[4 * i] = sum_global((__global const uchar*)(a + (i & 0xf0)) + (i & 15), 9);
  out[4 * i + 1] = sum_local((__local const ushort*)scratch + (l & 31), 1 + (l & 7));
  out[4 * i + 2] = sum_private((const uchar*)words + (i & 7), 8);
  ((__global ushort*)out)[8 * i + 6] = (ushort)(a[i] >> 5);
  ((__global uchar*)out)[16 * i + 15] = (uchar)a[i];
}
