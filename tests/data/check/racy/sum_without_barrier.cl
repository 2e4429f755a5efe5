// A tree sum whose steps are not separated: the next step reads what another wave has still to write.
// arg: in buffer uint[256] ramp(1,1)
// arg: out buffer uint[1] zero
// launch: kernel=sum global=256 local=256
// compare: out exact
__kernel void sum(__global const uint* in, __global uint* out) {
  __local uint part[256];
  uint i = get_local_id(0);
  part[i] = in[i];  // race
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint s = 128; s > 0; s >>= 1) {
    if (i < s)
      part[i] += part[i + s];  // race
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) out[0] = part[0];
}
