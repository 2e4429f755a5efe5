// rule: none
// rule v100: hot-atomics
// rule rx6900xt: hot-atomics
// groups: 64
// gain: any
// mended rule hd530: serial-section
// local: 256
// arg: x=int[$items*8]:random(seed=1,min=0,max=99)
// arg: counter=uint[64]
// Every work-item counts in one word what it finds. LLVM's back end for AMD's GPUs adds up within the wave by itself.
__kernel void planted(__global const int* x, volatile __global uint* counter) {
  const int i = get_global_id(0), all = get_global_size(0);
  for (int k = 0; k < 8; ++k)
    if (x[k * all + i] < 80) atomic_inc(counter);
}

// (What the estimate takes away is that all meet in one word; the twin also has an eighth of the atomics, and less.)
// In a register, then in the group's word, then in the one of all.
__kernel void mended(__global const int* x, volatile __global uint* counter) {
  const int i = get_global_id(0), l = get_local_id(0), all = get_global_size(0);
  __local uint sums[256];
  uint count = 0;
  for (int k = 0; k < 8; ++k) count += x[k * all + i] < 80;
  sums[l] = count;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) {
    for (int k = 1; k < 16; ++k) count += sums[l + 16 * k];
    sums[l] = count;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    for (int k = 1; k < 16; ++k) count += sums[k];
    atomic_add(counter, count);
  }
}
