// A work queue: items drawn with an atomic counter until it is empty, results collected by append; then sorted by key
// so that the order of appending does not show.
// arg: work buffer uint[512] bits(seed=641)
// arg: next buffer uint[2] zero
// arg: list buffer uint[1024] fill(4294967295)
// arg: out buffer uint[1024] zero
// launch: kernel=draw global=128 local=64 args=work,next,list
// launch: kernel=rank_sort global=1024 local=64 args=list,out
// compare: next exact
// compare: out exact
__kernel void draw(__global const uint* work, volatile __global uint* next, __global uint* list) {
  for (;;) {
    const uint item = atomic_inc(&next[0]);
    if (item >= 512) {
      break;
    }
    const uint x = work[item];
    for (uint k = 0; k < (x & 3u); ++k) {
      const uint at = atomic_add(&next[1], 1u);
      if (at < 1024) {
        list[at] = (item << 2 | k) * 3u + 1u;
      }
    }
  }
}
__kernel void rank_sort(__global const uint* list, __global uint* out) {
  const int i = get_global_id(0);
  const uint key = list[i];
  int rank = 0;
  for (int k = 0; k < 1024; ++k) {
    rank += list[k] < key || (list[k] == key && k < i);
  }
  out[rank] = key;
}
