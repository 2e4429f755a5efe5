// shuffle and shuffle2 with constant and run-time masks, select and bitselect on vectors, any and all.
// arg: a buffer float4[256] random(seed=321,min=-1,max=1)
// arg: b buffer float4[256] random(seed=322,min=-1,max=1)
// arg: m buffer uint4[256] bits(seed=323)
// arg: f buffer float4[1024] zero
// arg: s buffer short8[256] zero
// arg: o buffer int4[768] zero
// launch: kernel=vector_shuffle global=256 local=64
// compare: f exact
// compare: s exact
// compare: o exact
__kernel void vector_shuffle(__global const float4* a, __global const float4* b, __global const uint4* m,
                             __global float4* f, __global short8* s, __global int4* o) {
  const int i = get_global_id(0);
  const float4 x = a[i];
  const float4 y = b[i];
  const uint4 w = m[i];
  f[4 * i] = shuffle(x, (uint4)(3, 0, 1, 1));
  f[4 * i + 1] = shuffle2(x, y, (uint4)(7, 2, 4, 1));
  f[4 * i + 2] = shuffle(x, w & 3u);
  f[4 * i + 3] = select(x, y, as_int4(w));
  const short8 t = as_short8(w);
  s[i] = shuffle2(t, t.s76543210 * (short)3, (ushort8)(0, 9, 2, 11, 4, 13, 6, 15));
  o[3 * i] = bitselect(as_int4(x), as_int4(y), as_int4(w));
  o[3 * i + 1] = (int4)(any(x > y), all(x > y), any(isless(x, y)), all(as_int4(w) < 0));
  o[3 * i + 2] = (x > y) ? as_int4(w) : as_int4(x);
}
