// One step of an n-body simulation of 256 bodies, positions through local memory.
// arg: position buffer float4[256] random(seed=831,min=0.1,max=10)
// arg: velocity buffer float4[256] random(seed=832,min=-1,max=1)
// arg: out buffer float4[256] zero
// launch: kernel=nbody global=256 local=64
// compare: out rel=2e-5 abs=2e-5
__kernel void nbody(__global const float4* position, __global const float4* velocity, __global float4* out) {
  __local float4 tile[64];
  const int i = get_global_id(0);
  const int l = get_local_id(0);
  const float4 p = position[i];
  float3 acceleration = (float3)(0.0f);
  for (int t = 0; t < 256; t += 64) {
    tile[l] = position[t + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; ++k) {
      const float4 q = tile[k];
      const float3 d = q.xyz - p.xyz;
      const float r2 = dot(d, d) + 0.05f;
      const float inverse = rsqrt(r2);
      acceleration += d * (q.w * inverse * inverse * inverse);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float4 v = velocity[i];
  v.xyz += acceleration * 0.001f;
  out[i] = (float4)(p.xyz + v.xyz * 0.001f, length(v.xyz));
}
