// Accelerations of 2048 bodies, all pairs, positions through local memory.
// arg: position buffer float4[2048] random(seed=1,min=0.1,max=10)
// arg: out buffer float4[2048] zero
// arg: n scalar int 2048
// launch: kernel=nbody global=2048 local=256
// compare: out rel=1e-4 abs=1e-3
__kernel void nbody(__global const float4* position, __global float4* out, int n) {
  __local float4 tile[256];
  const int l = get_local_id(0);
  const float4 p = position[get_global_id(0)];
  float3 sum = (float3)(0.0f);
  for (int t = 0; t < n; t += 256) {
    tile[l] = position[t + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 256; ++k) {
      const float3 d = tile[k].xyz - p.xyz;
      const float inverse = rsqrt(dot(d, d) + 0.05f);
      sum += d * (tile[k].w * inverse * inverse * inverse);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = (float4)(sum, 0.0f);
}
