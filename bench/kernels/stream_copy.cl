// Memory-bound and coalesced: four floats per work-item, scaled, four million floats in all.
// arg: a buffer float4[1048576] random(seed=1,min=-1,max=1)
// arg: b buffer float4[1048576] zero
// launch: kernel=stream_copy global=1048576 local=256
// compare: b exact
__kernel void stream_copy(__global const float4* a, __global float4* b) {
  const int i = get_global_id(0);
  b[i] = a[i] * 2.0f;
}
