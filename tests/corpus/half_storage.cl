// Halves as a storage format: vload_half and vstore_half with every rounding, on every bit pattern class.
// arg: h buffer half[1024] special(seed=261)
// arg: f buffer float[1024] special(seed=262)
// arg: r buffer float[1024] random(seed=263,min=-70000,max=70000)
// arg: loaded buffer float[1024] zero
// arg: loaded4 buffer float4[256] zero
// arg: stored buffer half[5120] zero
// launch: kernel=half_storage global=1024 local=64
// launch: kernel=half_vectors global=256 local=64
// compare: loaded exact
// compare: loaded4 exact
// compare: stored exact
__kernel void half_storage(__global const half* h, __global const float* f, __global const float* r,
                           __global float* loaded, __global float4* loaded4, __global half* stored) {
  const int i = get_global_id(0);
  loaded[i] = vload_half(i, h);
  vstore_half(f[i], i, stored);
  vstore_half_rtz(r[i], i + 1024, stored);
  vstore_half_rtp(r[i] * 0.0009765625f, i + 2048, stored);
  vstore_half_rtn(r[i] * 1e-9f, i + 3072, stored);
}
__kernel void half_vectors(__global const half* h, __global const float* f, __global const float* r,
                           __global float* loaded, __global float4* loaded4, __global half* stored) {
  const int i = get_global_id(0);
  const float4 x = vload_half4(i, h);
  loaded4[i] = x.wzyx;
  vstore_half4_rte(vload4(i, r) * 0.01f, i, stored + 4096);
}
