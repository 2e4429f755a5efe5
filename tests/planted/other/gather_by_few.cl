// rule: occupancy
// mended rule: coalescing
// groups: 768
// groups hd530: 96
// local: 64
// arg: turns=int:6
// arg: x=float[$items]:random(seed=1,min=0,max=1)
// arg: idx=int[$items]:random(seed=2,min=0,max=6143)
// arg: out=float[$items]
// Values by way of other values, and a scratch of 28 KB of which a hundredth is used.
#define BODY(SIZE)                                                     \
  __local float scratch[SIZE];                                         \
  const int l = get_local_id(0), i = get_global_id(0);                 \
  for (int k = l; k < SIZE; k += 512) scratch[k] = 0;                  \
  scratch[l] = x[i];                                                   \
  barrier(CLK_LOCAL_MEM_FENCE);                                        \
  int j = i;                                                           \
  float sum = scratch[l ^ 1];                                          \
  for (int k = 0; k < turns; ++k) sum += x[j = idx[j]];                \
  out[i] = sum;

__kernel void planted(int turns, __global const float* x, __global const int* idx, __global float* out) {
  BODY(7168)
}

__kernel void mended(int turns, __global const float* x, __global const int* idx, __global float* out) {
  BODY(64)
}
