// The sum of all numbers, in two ways. Between the atomics is no arithmetic that a compiler could gather them by.
__kernel void each_item(__global const int* in, __global int* sum) {
  atomic_xor(sum, in[get_global_id(0)]);
}

// In local memory first: one atomic of memory for each group.
__kernel void each_group(__global const int* in, __global int* sum) {
  __local int here;
  if (get_local_id(0) == 0) here = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_xor(&here, in[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_xor(sum, here);
}
