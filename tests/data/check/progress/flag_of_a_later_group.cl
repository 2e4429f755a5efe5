// Every group but the last waits for a flag that the last group sets.
// arg: flag buffer uint[1] zero
// arg: out buffer uint[1024] zero
// launch: kernel=wait global=1024 local=64
// compare: out exact
__kernel void wait(volatile __global uint* flag, __global uint* out) {
  if (get_group_id(0) == get_num_groups(0) - 1) {
    if (get_local_id(0) == 0) atomic_xchg(flag, 9);
  } else {
    while (flag[0] == 0)
      ;
  }
  out[get_global_id(0)] = get_group_id(0) + 1;
}
