// Local memory that a group takes limits how many groups a compute unit holds. -D ROOM=words of it.
#ifndef ROOM
#define ROOM 64
#endif
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void neighbours(int n, __global const float* in,
                                                                         __global float* out) {
  __local float room[ROOM];
  int i = get_global_id(0), l = get_local_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += in[i + k * 4096];
  room[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = sum - room[63 - l];
}
