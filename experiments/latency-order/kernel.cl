// One wave follows pointers round and round 4 KB: each load's address is what the one before it read.
__kernel void through_l1(__global const uint* next, __global uint* sink, int steps) {
  uint at = get_local_id(0);
  for (int i = 0; i < steps; ++i) at = next[at] & 1023;
  sink[get_local_id(0)] = at;
}

__kernel void through_local(__global const uint* next, __global uint* sink, int steps) {
  __local uint copy[1024];
  for (uint i = get_local_id(0); i < 1024; i += get_local_size(0)) copy[i] = next[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint at = get_local_id(0);
  for (int i = 0; i < steps; ++i) at = copy[at] & 1023;
  sink[get_local_id(0)] = at;
}

// All work-items read the same address of constant memory.
__kernel void through_constant(__constant const uint* next, __global uint* sink, int steps) {
  uint at = 0;
  for (int i = 0; i < steps; ++i) at = next[at] & 1023;
  sink[get_local_id(0)] = at;
}
