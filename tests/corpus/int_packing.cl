// Packing and unpacking of chars and shorts, stores of single bytes and words at odd places.
// arg: a buffer uchar[1024] bits(seed=71)
// arg: b buffer short[512] bits(seed=72)
// arg: words buffer uint[256] zero
// arg: bytes buffer uchar[1024] zero
// arg: halves buffer ushort[512] zero
// launch: kernel=int_packing global=256 local=64
// compare: words exact
// compare: bytes exact
// compare: halves exact
__kernel void int_packing(__global const uchar* a, __global const short* b, __global uint* words,
                          __global uchar* bytes, __global ushort* halves) {
  const int i = get_global_id(0);
  const uint p = a[4 * i], q = a[4 * i + 1], r = a[4 * i + 2], s = a[4 * i + 3];
  words[i] = p | (q << 8) | (r << 16) | (s << 24);
  bytes[4 * i + 3] = p + q;
  bytes[4 * i + 1] = (uchar)(r * s);
  bytes[4 * i] = (uchar)(-(char)p);
  bytes[4 * i + 2] = p > q ? r : s;
  const int lo = b[2 * i], hi = b[2 * i + 1];
  halves[2 * i + 1] = (ushort)(lo * 3 + hi);
  halves[2 * i] = (ushort)(((uint)(lo & 0xff) << 8) | ((hi >> 8) & 0xff));
}
