// The last group to take a ticket clears the counters behind all others, for the next launch.
// arg: ticket buffer uint[1] zero
// arg: sum buffer uint[1] zero
// arg: out buffer uint[2] zero
// launch: kernel=total global=256 local=64
// launch: kernel=total global=256 local=64
// compare: out exact
__kernel void total(volatile __global uint* ticket, volatile __global uint* sum, __global uint* out) {
  if (get_local_id(0) != 0) return;
  atomic_add(sum, get_group_id(0) + 1);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (atomic_inc(ticket) == get_num_groups(0) - 1) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[0] += *(__global uint*)sum;
    *(__global uint*)sum = 0;
    *(__global uint*)ticket = 0;
  }
}
