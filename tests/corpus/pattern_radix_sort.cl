// Two passes of a 4-bit radix sort within a group of 128: counting with local atomics-free scans, stable scatter.
// arg: keys buffer uint[256] random(seed=951,min=0,max=255)
// arg: out buffer uint[256] zero
// launch: kernel=radix_sort global=256 local=128
// compare: out exact
__kernel void radix_sort(__global const uint* keys, __global uint* out) {
  __local uint data[2][128];
  __local uint start[16];
  const int l = get_local_id(0);
  data[0][l] = keys[get_global_id(0)] * 256u + (uint)l;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int pass = 0; pass < 2; ++pass) {
    const int from = pass & 1;
    const uint key = data[from][l];
    const uint digit = (key >> (8 + 4 * pass)) & 15u;
    if (l < 16) {
      uint below = 0;
      for (int k = 0; k < 128; ++k) {
        below += ((data[from][k] >> (8 + 4 * pass)) & 15u) < (uint)l;
      }
      start[l] = below;
    }
    uint before = 0;
    for (int k = 0; k < l; ++k) {
      before += ((data[from][k] >> (8 + 4 * pass)) & 15u) == digit;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    data[1 - from][start[digit] + before] = key;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = data[0][l];
}
