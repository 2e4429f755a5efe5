// Each work-item sums a row of a table in local memory. -D ROW=words from one row to the next.
#ifndef ROW
#define ROW 32
#endif
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void rows(int turns, __global float* out) {
  __local float table[64 * ROW];
  int l = get_local_id(0);
  for (int k = 0; k < 32; ++k) table[k * ROW + l % 32 + l / 32 * 32 * ROW] = l + k;
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int turn = 0; turn < turns; ++turn)
    for (int k = 0; k < 32; ++k) sum += table[l * ROW + (k + turn) % 32];
  out[get_global_id(0)] = sum;
}
