// Tables of vectors of three, which take the memory of four, alone and in structures; vectors by value through calls.
// arg: a buffer uint[256] bits(seed=1751)
// arg: out buffer ulong[256] zero
// launch: kernel=constant_vectors3 global=256 local=64
// compare: out exact
struct entry {
  uchar tag;
  short3 move;
  char3 sign;
};
__constant uchar3 bytes[4] = {(uchar3)(1, 2, 3), (uchar3)(0), (uchar3)(250, 251, 252), (uchar3)(7)};
__constant ushort3 words[3] = {(ushort3)(100, 200, 300), (ushort3)(9), (ushort3)(65535, 1, 2)};
__constant ulong3 longs[2] = {(ulong3)(1, 2, 1UL << 40), (ulong3)(5, 6, 7)};
__constant float3 reals[3] = {(float3)(0.5f, 2, 4), (float3)(8), (float3)(16, 32, 64)};
__constant struct entry entries[3] = {{1, (short3)(2, 3, 4), (char3)(5, 6, 7)},
                                      {8, (short3)(-9), (char3)(1, -1, 2)},
                                      {11, (short3)(12, 13, 14), (char3)(15)}};

__attribute__((noinline)) ulong sum16(ulong16 v) {
  const ulong8 half_sum = v.lo * (ulong8)(3) + v.hi;
  return half_sum.s0 + 5 * half_sum.s3 + 7 * half_sum.s7;
}
__attribute__((noinline)) ulong16 spread(uchar3 b, ulong3 l) {
  return (ulong16)(l.x, l.y, l.z, b.x, b.y, b.z, l.x + b.x, l.zyx, 1, 2, 3, 4, b.z, l.y);
}

__kernel void constant_vectors3(__global const uint* a, __global ulong* out) {
  const int i = get_global_id(0);
  const uint x = a[i];
  const uchar3 b = bytes[x & 3];
  const ushort3 w = words[(x >> 2 & 255) % 3];
  const ulong3 l = longs[x >> 10 & 1];
  const float3 r = reals[(x >> 11 & 255) % 3];
  __constant struct entry* e = &entries[(x >> 19 & 255) % 3];
  ulong h = b.x + 10 * b.y + 100 * b.z;
  h = h * 31 + w.x + 3 * w.y + 7 * w.z;
  h = h * 31 + l.x + l.y * 5 + l.z * 9;
  h = h * 31 + (ulong)(r.x + 2 * r.y + 4 * r.z);
  h = h * 31 + e->tag + (ushort)e->move.x * 3 + (ushort)e->move.y * 5 + (ushort)e->move.z * 7;
  h = h * 31 + (uchar)e->sign.x + (uchar)e->sign.y * 3 + (uchar)e->sign.z * 5;
  out[i] = h + sum16(spread(b, l));
}
