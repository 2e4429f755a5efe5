// vstore_half with every rounding around the least half and the greatest one, of floats and of vectors of them.
// arg: a buffer float[32] values(1e-12,-1e-12,1e-8,2e-8,2.98e-8,3e-8,4e-8,5.9e-8,6e-8,-1e-8,-3e-8,1e-7,6e-5,65519,65520,-65520,1e-20,-1e-20,0,-0.0,6.1e-5,-6.1e-5,65504,-65505,65536,1e30,-1e30,inf,-inf,-5e-8,8.9e-8,1.5)
// arg: out buffer ushort[128] zero
// arg: vectors buffer ushort[256] zero
// launch: kernel=half_smallest args=a,out global=32 local=32
// launch: kernel=half_smallest_vectors args=a,vectors global=8 local=8
// compare: out exact
// compare: vectors exact
__kernel void half_smallest(__global const float* a, __global half* out) {
  const int i = get_global_id(0);
  vstore_half_rte(a[i], i, out);
  vstore_half_rtz(a[i], i + 32, out);
  vstore_half_rtp(a[i], i + 64, out);
  vstore_half_rtn(a[i], i + 96, out);
}
__kernel void half_smallest_vectors(__global const float* a, __global half* vectors) {
  const int i = get_global_id(0);
  const float4 x = vload4(i, a);
  vstore_half4_rtp(x, i, vectors);
  vstorea_half4_rtn(x, i + 8, vectors);
  vstore_half3_rtn(x.xyz, i, vectors + 64);
  vstorea_half3_rtp(x.zyx, i + 24, vectors);
  vstore_half2_rtz(x.zw, i, vectors + 128);
  vstorea_half2_rtp(x.xy, i + 80, vectors);
  if (i < 4) vstore_half8_rtp((float8)(x, x.wzyx), i, vectors + 192);
}
