// The counters of a group are cleared, and counted in with no barrier between: a wave's own atomic behind its
// store hides nothing from the others.
// arg: in buffer uint[512] random(seed=5)
// arg: out buffer uint[64] zero
// launch: kernel=histogram global=512 local=256
// compare: out exact
__kernel void histogram(__global const uint* in, __global uint* out) {
  __local uint h[16];
  uint l = get_local_id(0);
  if (l < 16)
    h[l] = 0;  // race
  atomic_inc(&h[in[get_global_id(0)] & 15]);  // race
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) out[get_group_id(0) * 16 + l] = h[l];
}
