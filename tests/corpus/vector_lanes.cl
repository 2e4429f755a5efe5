// Vectors of 2, 3, 4, 8 and 16: swizzles, halves, odd and even lanes, element writes.
// arg: a buffer int16[128] bits(seed=301)
// arg: o2 buffer int2[256] zero
// arg: o3 buffer int3[256] zero
// arg: o4 buffer int4[512] zero
// arg: o8 buffer int8[256] zero
// arg: o16 buffer int16[128] zero
// launch: kernel=vector_lanes global=128 local=64
// compare: o2 exact
// compare: o3 exact
// compare: o4 exact
// compare: o8 exact
// compare: o16 exact
__kernel void vector_lanes(__global const int16* a, __global int2* o2, __global int3* o3, __global int4* o4,
                           __global int8* o8, __global int16* o16) {
  const int i = get_global_id(0);
  const int16 x = a[i];
  o2[2 * i] = x.s3c ^ x.lo.lo.yx;
  o2[2 * i + 1] = (int2)(x.sf, x.s0 & x.s1);
  int3 t = x.s147;
  t.y = x.s9;
  t.zx = t.xz ^ (int2)(5, 6);
  o3[2 * i] = t;
  o3[2 * i + 1] = x.hi.lo.wzy | t.yyx;
  o4[4 * i] = x.even.lo;
  o4[4 * i + 1] = x.odd.hi;
  o4[4 * i + 2] = (int4)(t, 1) & x.scdef;
  o4[4 * i + 3] = x.s0123 < x.s4567;
  o8[2 * i] = x.even ^ x.odd;
  o8[2 * i + 1] = (int8)(x.hi.odd, x.lo.even);
  int16 y = x;
  y.s02468ace = x.s13579bdf;
  y.sf = 77;
  o16[i] = y >> 3;
}
