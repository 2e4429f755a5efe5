// rule: hot-atomics
// rule h200: atomics
// rule hd530: none
// groups: 512
// groups hd530: 64
// local: 256
// arg: x=int[$items]:random(seed=1,min=0,max=1000000)
// arg: best=int[1]
// The greatest of all by one word of memory.
__kernel void planted(__global const int* x, volatile __global int* best) {
  atomic_max(best, x[get_global_id(0)]);
}

// A tree in each group first.
__kernel void mended(__global const int* x, volatile __global int* best) {
  __local int tree[256];
  const int l = get_local_id(0);
  tree[l] = x[get_global_id(0)];
  for (int part = 128; part > 0; part >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < part) tree[l] = max(tree[l], tree[l + part]);
  }
  if (l == 0) atomic_max(best, tree[0]);
}
