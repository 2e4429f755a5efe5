// Inclusive prefix sums (Hillis and Steele) and exclusive ones (Blelloch) within a group of 256.
// arg: a buffer uint[512] random(seed=511,min=0,max=1000)
// arg: inclusive buffer uint[512] zero
// arg: exclusive buffer uint[512] zero
// launch: kernel=local_scan global=512 local=256
// compare: inclusive exact
// compare: exclusive exact
__kernel void local_scan(__global const uint* a, __global uint* inclusive, __global uint* exclusive) {
  __local uint buffer[2][256];
  __local uint tree[256];
  const int l = get_local_id(0);
  const int i = get_global_id(0);
  int from = 0;
  buffer[0][l] = a[i];
  tree[l] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < 256; d *= 2) {
    buffer[1 - from][l] = buffer[from][l] + (l >= d ? buffer[from][l - d] : 0u);
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  inclusive[i] = buffer[from][l];
  for (int d = 1; d < 256; d *= 2) {
    const int right = (l + 1) * 2 * d - 1;
    if (right < 256) {
      tree[right] += tree[right - d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) {
    tree[255] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 128; d > 0; d /= 2) {
    const int right = (l + 1) * 2 * d - 1;
    if (right < 256) {
      const uint left = tree[right - d];
      tree[right - d] = tree[right];
      tree[right] += left;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  exclusive[i] = tree[l];
}
