// Float vectors: arithmetic lane by lane, relational results as masks, geometric functions.
// arg: a buffer float4[256] random(seed=341,min=-3,max=3)
// arg: b buffer float4[256] random(seed=342,min=-3,max=3)
// arg: f buffer float4[768] zero
// arg: g buffer float[2048] zero
// launch: kernel=vector_float global=256 local=64
// compare: f exact
// compare: g rel=1e-5 abs=1e-5
#pragma OPENCL FP_CONTRACT OFF
__kernel void vector_float(__global const float4* a, __global const float4* b, __global float4* f,
                           __global float* g) {
  const int i = get_global_id(0);
  const float4 x = a[i];
  const float4 y = b[i];
  f[3 * i] = x * y + x.wzyx;
  f[3 * i + 1] = fma(x, y, (float4)(1.0f, 2.0f, 3.0f, 4.0f)) - floor(y);
  f[3 * i + 2] = fmax(x, y.xxyy) + convert_float4((x > y) & 7);
  __global float* o = g + i * 8;
  o[0] = dot(x, y);
  o[1] = length(x);
  o[2] = distance(x.xyz, y.xyz);
  o[3] = normalize(x).y;
  const float3 c = cross(x.xyz, y.xyz);
  o[4] = c.x + c.y * 2.0f;
  o[5] = c.z;
  o[6] = fast_length(x.xy);
  o[7] = cross(x, y).w + dot(x.xy, y.yx);
}
