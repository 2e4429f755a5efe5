// Differences of bytes and of half-words of two words, both ways round: a compiler may subtract parts of registers
// at once, and must not take one difference for the other.
// arg: a buffer uint[256] bits(seed=1)
// arg: b buffer uint[256] bits(seed=2)
// arg: out buffer int[1024] zero
// launch: kernel=byte_differences global=256 local=64
// compare: out exact
__kernel void byte_differences(__global const uint* a, __global const uint* b, __global int* out) {
  const int i = get_global_id(0);
  const uint x = a[i], y = b[i];
  out[4 * i] = (int)(x & 0xff) - (int)(y & 0xff);
  out[4 * i + 1] = (int)(y & 0xff) - (int)(x & 0xff);
  out[4 * i + 2] = (int)(x >> 16) - (int)(y >> 16);
  out[4 * i + 3] = (int)(y >> 16) - (int)(x >> 16);
}
