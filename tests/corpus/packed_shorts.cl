// Vectors of two and four shorts, which the machine packs: arithmetic, shifts, extrema, multiply-add, swizzles.
// arg: a buffer short4[512] special(seed=1041)
// arg: b buffer short4[512] special(seed=1042)
// arg: s buffer short4[4608] zero
// arg: u buffer ushort2[2048] zero
// launch: kernel=packed_shorts global=512 local=64
// compare: s exact
// compare: u exact
__kernel void packed_shorts(__global const short4* a, __global const short4* b, __global short4* s,
                            __global ushort2* u) {
  const int i = get_global_id(0);
  const short4 x = a[i];
  const short4 y = b[i];
  const ushort4 w = as_ushort4(x);
  const ushort4 v = as_ushort4(y);
  s[i] = as_short4(w + v);
  s[i + 512] = as_short4(w - v.yxwz);
  s[i + 1024] = as_short4(convert_ushort4(convert_uint4(w) * convert_uint4(v)));
  s[i + 1536] = max(x, y);
  s[i + 2048] = min(x.wzyx, y);
  s[i + 2560] = x >> (y & (short)15);
  s[i + 3072] = as_short4(w << (v & (ushort)15));
  s[i + 3584] = as_short4(convert_ushort4(convert_uint4(w) * convert_uint4(v) + convert_uint4(w.yyzz)));
  s[i + 4096] = as_short4(max(w, v) >> (ushort)3);
  u[i] = w.xy + v.zw;
  u[i + 512] = (ushort2)(w.x, v.w) | (ushort2)(v.y, w.z);
  u[i + 1024] = min(w.hi, v.lo) * (ushort)5;
  u[i + 1536] = w.odd ^ v.even.yx;
}
