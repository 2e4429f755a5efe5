// A tile is filled again while other waves still read it: the barrier at the loop's end is missing.
// arg: in buffer uint[512] ramp(0,1)
// arg: out buffer uint[128] zero
// launch: kernel=tiles global=128 local=128
// compare: out exact
__kernel void tiles(__global const uint* in, __global uint* out) {
  __local uint tile[128];
  uint i = get_local_id(0), sum = 0;
  for (uint t = 0; t < 4; ++t) {
    tile[i] = in[t * 128 + i];  // race
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += tile[(i + 64) & 127];  // race
  }
  out[i] = sum;
}
