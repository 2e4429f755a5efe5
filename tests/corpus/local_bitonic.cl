// A bitonic sort of 256 keys with values per group; barriers in a double loop.
// arg: keys buffer uint[512] bits(seed=541)
// arg: values buffer ushort[512] ramp(0,1)
// launch: kernel=local_bitonic global=512 local=256
// compare: keys exact
// compare: values exact
__kernel void local_bitonic(__global uint* keys, __global ushort* values) {
  __local uint k[256];
  __local ushort v[256];
  const uint l = get_local_id(0);
  k[l] = keys[get_global_id(0)];
  v[l] = values[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint size = 2; size <= 256; size <<= 1) {
    for (uint stride = size >> 1; stride > 0; stride >>= 1) {
      const uint other = l ^ stride;
      if (other > l) {
        const bool up = (l & size) == 0;
        if ((k[l] > k[other]) == up) {
          const uint t = k[l];
          k[l] = k[other];
          k[other] = t;
          const ushort w = v[l];
          v[l] = v[other];
          v[other] = w;
        }
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  keys[get_global_id(0)] = k[l];
  values[get_global_id(0)] = v[l];
}
