// All wait for a flag that nobody sets.
// arg: flag buffer uint[4] zero
// arg: out buffer uint[256] zero
// launch: kernel=wait global=256 local=128
// compare: out exact
__kernel void wait(volatile __global uint* flag, __global uint* out) {
  while (flag[2] == 0)  // waits
    ;
  out[get_global_id(0)] = 1;
}
