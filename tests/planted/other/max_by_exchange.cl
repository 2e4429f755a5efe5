// rule: hot-atomics
// groups: 32
// local: 64
// arg: x=int[$items]:random(seed=3,min=0,max=1000000)
// arg: best=int[32]
// The largest of all, by compare-and-exchange on one place.
__kernel void planted(__global const int* x, __global int* best) {
  const int mine = x[get_global_id(0)];
  int seen = best[0];
  while (mine > seen) {
    const int had = atomic_cmpxchg(best, seen, mine);
    if (had == seen) break;
    seen = had;
  }
}
// The group's largest first.
__kernel void mended(__global const int* x, __global int* best) {
  __local int t[64];
  const int l = get_local_id(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 32; s > 0; s /= 2) {
    if (l < s) t[l] = max(t[l], t[l + s]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) {
    const int mine = t[0];
    int seen = best[0];
    while (mine > seen) {
      const int had = atomic_cmpxchg(best, seen, mine);
      if (had == seen) break;
      seen = had;
    }
  }
}
