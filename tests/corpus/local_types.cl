// Local memory of every element size: bytes, shorts, vectors, doubles' worth of longs, structures; reads across lanes.
// arg: a buffer int[256] bits(seed=551)
// arg: out buffer long[256] zero
// launch: kernel=local_types global=256 local=64
// compare: out exact
typedef struct {
  uchar tag;
  short level;
  int3 place;
  long total;
} Item;
__kernel void local_types(__global const int* a, __global long* out) {
  __local uchar bytes[64];
  __local short shorts[64];
  __local int4 quads[64];
  __local ulong longs[64];
  __local Item items[64];
  __local uint2 pairs[64];
  const int l = get_local_id(0);
  const int x = a[get_global_id(0)];
  bytes[l] = (uchar)x;
  shorts[63 - l] = (short)(x >> 8);
  quads[l] = (int4)(x, x + 1, x >> 2, ~x);
  longs[l] = (ulong)(uint)x * (uint)x;
  pairs[l] = (uint2)(x, l);
  items[l].tag = (uchar)(x >> 3);
  items[l].level = (short)(l * 3);
  items[l].place = (int3)(l, x, 7);
  items[l].total = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  const int n = (l * 5 + 3) & 63;
  long sum = bytes[n] + shorts[n ^ 1];
  sum += quads[(n + 1) & 63].y ^ quads[n].w;
  sum += (long)(longs[63 - n] >> 5);
  sum ^= (long)items[n].tag + items[n].level * items[(n + 9) & 63].place.x + items[n].place.y;
  sum += items[l ^ 32].total - pairs[n].y + pairs[n].x;
  out[get_global_id(0)] = sum;
}
