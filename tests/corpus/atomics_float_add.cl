// Floating-point addition by compare-and-swap loops, on global and local memory; the terms are such that every order
// gives the same sum.
// arg: a buffer float[512] zero
// arg: total buffer float[4] zero
// launch: kernel=fill_terms global=512 local=64
// launch: kernel=add_terms global=512 local=64
// compare: total exact
// options: -cl-std=CL1.2
void add_global(volatile __global float* target, float value) {
  uint old = 0;
  uint expected;
  do {
    expected = old;
    old = atomic_cmpxchg((volatile __global uint*)target, expected, as_uint(as_float(expected) + value));
  } while (old != expected);
}
void add_local(volatile __local float* target, float value) {
  uint old = 0;
  uint expected;
  do {
    expected = old;
    old = atomic_cmpxchg((volatile __local uint*)target, expected, as_uint(as_float(expected) + value));
  } while (old != expected);
}
__kernel void fill_terms(__global float* a, __global float* total) {
  const int i = get_global_id(0);
  a[i] = (float)((i * 37) % 101 - 50) * 0.25f;
}
__kernel void add_terms(__global float* a, __global float* total) {
  __local float sums[2];
  const int i = get_global_id(0);
  if (get_local_id(0) < 2) {
    sums[get_local_id(0)] = 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  add_local(&sums[i & 1], a[i]);
  if ((i & 3) == 0) {
    add_global(&total[2], a[i] * 2.0f);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 2) {
    add_global(&total[get_local_id(0)], sums[get_local_id(0)]);
  }
}
