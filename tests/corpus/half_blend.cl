// Halves loaded as floats, blended, and stored rounded toward zero: sums that must not be rounded to half in between.
// arg: a buffer half[512] random(seed=40,min=0,max=1)
// arg: b buffer half[512] random(seed=41,min=0,max=1)
// arg: o buffer ushort[512] zero
// launch: kernel=blend global=128 local=32
// compare: o exact
__kernel void blend(__global const half* a, __global const half* b, __global half* o) {
  const int i = get_global_id(0); float4 x = vload_half4(i, a), y = vload_half4(i, b);
  vstore_half4_rtz(x + 0.25f * (y - x), i, o);
}
