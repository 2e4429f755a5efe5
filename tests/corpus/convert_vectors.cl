// Conversions and reinterpretations of whole vectors.
// arg: a buffer int4[256] bits(seed=141)
// arg: f buffer float4[256] random(seed=142,min=-400,max=400)
// arg: c buffer char4[256] zero
// arg: u buffer uchar4[512] zero
// arg: s buffer short8[256] zero
// arg: l buffer long4[256] zero
// arg: g buffer float4[1024] zero
// launch: kernel=convert_vectors global=256 local=64
// compare: c exact
// compare: u exact
// compare: s exact
// compare: l exact
// compare: g exact
__kernel void convert_vectors(__global const int4* a, __global const float4* f, __global char4* c,
                              __global uchar4* u, __global short8* s, __global long4* l, __global float4* g) {
  const int i = get_global_id(0);
  const int4 x = a[i];
  const float4 y = f[i];
  c[i] = convert_char4(x);
  u[2 * i] = convert_uchar4_sat(x >> 20);
  u[2 * i + 1] = convert_uchar4_sat_rte(y);
  s[i] = as_short8(x) + convert_short8((uchar8)(convert_uchar4(x), convert_uchar4(x >> 8)));
  l[i] = convert_long4(x) * 3 + convert_long4_rtn(y);
  g[4 * i] = convert_float4(x);
  g[4 * i + 1] = convert_float4_rtz(as_uint4(x));
  g[4 * i + 2] = convert_float4(convert_uchar4(as_uint4(x) >> 24u));
  g[4 * i + 3] = as_float4((as_int4(y) & 0x7fffffff) | 0x40000000);
}
