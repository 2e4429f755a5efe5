// Keys that are all there already: the exchanges find them, change nothing, and so race with no load.
// arg: keys buffer uint[32] ramp(1,1)
// arg: out buffer uint[256] zero
// launch: kernel=find global=256 local=64
// compare: out exact
__kernel void find(__global uint* keys, __global uint* out) {
  uint i = get_global_id(0), at = i & 31;
  uint seen = keys[at];
  uint old = atomic_cmpxchg((volatile __global uint*)&keys[at], 0u, i + 1);
  out[i] = seen == old ? old + keys[31 - at] : 0;
}
