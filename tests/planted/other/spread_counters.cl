// rule: hot-atomics
// groups: 640
// gain hd530: least
// rule h200: atomics
// mended rule h200: memory-latency
// local: 256
// arg: x=int[$items*4]:random(seed=17,min=1,max=9)
// arg: count=int[$items]
// Four counters for all.
__kernel void planted(__global const int* x, volatile __global int* count) {
  const int i = get_global_id(0), all = get_global_size(0);
  for (int k = 0; k < 4; ++k) atomic_max(&count[(i + k) % 4], x[k * all + i]);
}

__kernel void mended(__global const int* x, volatile __global int* count) {
  const int i = get_global_id(0), all = get_global_size(0);
  int most = 0;
  for (int k = 0; k < 4; ++k) most = max(most, x[k * all + i]);
  count[i] = most;
}
