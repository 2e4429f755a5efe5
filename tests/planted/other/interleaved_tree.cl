// rule: divergence
// rule h200: barriers
// rule hd530: any
// rule mi300x: any
// mended rule mi300x: barriers
// mended rule h200: barriers
// mended rule hd530: barriers
// gain: any
// groups: 640
// local: 256
// arg: x=float[$items]:ramp
// arg: out=float[$groups]
// What no_divergence saves has all lanes of a wave in each step's accesses, the twin waits at barriers for more of them. An H200 loses nothing by it and 7 % at barriers, as the twin does.
// Sixteen sums of a group, neighbours first: fewer and fewer lanes of each wave take part.
__kernel void planted(__global const float* x, __global float* out) {
  __local float t[256];
  const int l = get_local_id(0);
  float mine = x[get_global_id(0)], all = 0;
  for (int round = 0; round < 16; ++round) {
    t[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < 256; s *= 2) {
      if ((l & (2 * s - 1)) == 0) t[l] += t[l + s];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    all += t[0];
    mine = mine * 0.5f + 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = all;
}
// Halves first: whole waves take part, or none of their lanes.
__kernel void mended(__global const float* x, __global float* out) {
  __local float t[256];
  const int l = get_local_id(0);
  float mine = x[get_global_id(0)], all = 0;
  for (int round = 0; round < 16; ++round) {
    t[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 128; s > 0; s /= 2) {
      if (l < s) t[l] += t[l + s];
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    all += t[0];
    mine = mine * 0.5f + 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = all;
}
