// Groups as large as the device allows (256 here) that use much local memory (16 KiB) and several barriers each.
// arg: a buffer uint[1024] bits(seed=1241)
// arg: out buffer uint[1024] zero
// launch: kernel=group_large global=1024 local=256
// compare: out exact
__kernel void group_large(__global const uint* a, __global uint* out) {
  __local uint pool[4096];
  const uint l = get_local_id(0);
  const uint x = a[get_global_id(0)];
  for (uint k = 0; k < 16; ++k) {
    pool[k * 256 + (l ^ (k * 17))] = x * (k + 1u) + k;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  for (uint round = 0; round < 4; ++round) {
    for (uint k = 0; k < 16; ++k) {
      sum = rotate(sum, 5u) ^ pool[(l * 16 + k * (round * 2 + 1)) & 4095u];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    pool[(l + round * 256) & 4095u] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}
