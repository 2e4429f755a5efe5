// rule: occupancy
// groups: 1024
// groups h200: 4096
// groups mi300x: 4096
// groups hd530: 128
// rule rx6900xt: none
// local: 64
// arg: x=float[$items*32]:ramp
// arg: out=float[$items]
#define ROOM 7680
// A tile far larger than what is used of it: few groups fit, too few for the way to memory.
__kernel void planted(__global const float* x, __global float* out) {
  __local float tile[ROOM];
  const int l = get_local_id(0), i = get_global_id(0), all = get_global_size(0);
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < 32; ++k) sum += x[k * all + i];
  tile[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = sum + tile[l ^ 1];
}

__kernel void mended(__global const float* x, __global float* out) {
  __local float tile[64];
  const int l = get_local_id(0), i = get_global_id(0), all = get_global_size(0);
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < 32; ++k) sum += x[k * all + i];
  tile[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = sum + tile[l ^ 1];
}
