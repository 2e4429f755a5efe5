// rule: dependence-chain
// groups: 192
// groups h200: 1056
// groups mi300x: 608
// groups v100: 240
// groups mi25: 128
// groups hd530: 6
// groups rx6900xt: 160
// gain hd530: any
// gain h200: any
// mended rule: dependence-chain
// local: 64
// arg: x=int[1024]:ramp(67,61)
// arg: out=int[$items]
#define ROOM 7168
// A list in local memory: each place is known when the one before has come.
__kernel void planted(__global const int* x, __global int* out) {
  __local int next[ROOM];
  const int l = get_local_id(0);
#pragma unroll
  for (int k = 0; k < 16; ++k) next[k * 64 + l] = x[k * 64 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  int p = l;
#pragma unroll 8
  for (int k = 0; k < 1024; ++k) p = next[p & 1023];
  out[get_global_id(0)] = p;
}

// As many places that are known from the start. (It adds them up: half as many instructions again, which is what bounds it on an H200.)
__kernel void mended(__global const int* x, __global int* out) {
  __local int next[ROOM];
  const int l = get_local_id(0);
#pragma unroll
  for (int k = 0; k < 16; ++k) next[k * 64 + l] = x[k * 64 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  int p = 0;
#pragma unroll 16
  for (int k = 0; k < 1024; ++k) p += next[(l + k * 61) & 1023];
  out[get_global_id(0)] = p;
}
