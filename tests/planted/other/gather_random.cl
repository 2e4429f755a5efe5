// rule: coalescing
// groups: 640
// groups mi300x: 1024
// groups h200: 1024
// mended rule h200: memory-latency
// local: 256
// arg: index=int[$items]:random(seed=19,min=0,max=4194303)
// arg: x=float[4194304]:ramp
// arg: out=float[$items]
// A gather at random places.
__kernel void planted(__global const int* index, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  out[i] = x[index[i]];
}

__kernel void mended(__global const int* index, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  out[i] = x[i + (index[i] & 1)];
}
