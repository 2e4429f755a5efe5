// Differences and shifts of bytes and half-words of two words, both ways round: a compiler may compute with parts of
// registers, and must not take one for the other.
// arg: a buffer uint[256] bits(seed=1)
// arg: b buffer uint[256] bits(seed=2)
// arg: out buffer int[2560] zero
// launch: kernel=byte_differences global=256 local=64
// compare: out exact
__kernel void byte_differences(__global const uint* a, __global const uint* b, __global int* out) {
  const int i = get_global_id(0);
  const uint x = a[i], y = b[i];
  __global int* to = out + 10 * i;
  to[0] = (int)(x & 0xff) - (int)(y & 0xff);
  to[1] = (int)(y & 0xff) - (int)(x & 0xff);
  to[2] = (int)(x >> 16) - (int)(y >> 16);
  to[3] = (int)(y >> 16) - (int)(x >> 16);
  to[4] = (x & 0x1f) << (y & 0x1f);
  to[5] = (y & 0x1f) << (x & 0x1f);
  to[6] = (x & 0xff) << ((y & 0xff) & 31);
  to[7] = (y & 0xff) << ((x & 0xff) & 31);
  to[8] = as_int((float)(x & 0xff) - (float)(y & 0xff));
  to[9] = as_int((float)(y & 0xff) - (float)(x & 0xff));
}
