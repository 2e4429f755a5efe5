// cause: hot_atomics
// groups: 512 1024 2048
// local: 256
// arg: x=int[$items]:ramp
// arg: count=int[$items]
__kernel void planted(__global const int* x, __global int* count) {
  const int i = get_global_id(0);
  atomic_cmpxchg(&count[0], x[i], i);  // here
}

__kernel void mended(__global const int* x, __global int* count) {
  const int i = get_global_id(0);
  atomic_cmpxchg(&count[i], x[i], i);
}
