__kernel void copy(__global const float* from, __global float* to, int never) {
  const size_t i = get_global_id(0);
  to[i] = from[i];
}

__kernel void copy4(__global const float* from, __global float* to, int never) {
  const size_t i = get_global_id(0);
  ((__global float4*)to)[i] = ((__global const float4*)from)[i];
}

// The same with an atomic that no work-item comes to.
__kernel void copy_atomic(__global const float* from, __global float* to, int never) {
  const size_t i = get_global_id(0);
  if (never) atomic_add((__global int*)to, 1);
  to[i] = from[i];
}

// A chain of additions, each of which needs the one before.
__kernel void chain(__global const float* from, __global float* to, int never) {
  const float by = from[0];
  float x = from[1];
  for (int i = 0; i < ROUNDS; ++i) {
#pragma unroll
    for (int k = 0; k < 500; ++k) x += by;
  }
  to[get_global_id(0)] = x;
}
