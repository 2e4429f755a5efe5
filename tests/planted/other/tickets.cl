// rule: hot-atomics
// groups: 256
// rule mi25: any
// rule hd530: any
// mended rule: barriers
// local: 256
// arg: x=int[$items]:random(seed=13,min=0,max=3)
// arg: count=uint[64]
// arg: out=int[$items]
// Every work-item takes a place in the output by an atomic of its own.
__kernel void planted(__global const int* x, volatile __global uint* count, __global int* out) {
  const int i = get_global_id(0);
  if (x[i] != 0) out[atomic_add(count, x[i])&(get_global_size(0)-1)] = i;
}

// A place for the group; within it places are counted in local memory by a prefix sum.
__kernel void mended(__global const int* x, volatile __global uint* count, __global int* out) {
  __local uint sums[256];
  __local uint first;
  const int i = get_global_id(0), l = get_local_id(0);
  uint sum = x[i];
  sums[l] = sum;
  for (int d = 1; d < 256; d *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint before = l >= d ? sums[l - d] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += before;
    sums[l] = sum;
  }
  if (l == 255) first = atomic_add(count, sum);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x[i] != 0) out[(first + sum - x[i])&(get_global_size(0)-1)] = i;
}
