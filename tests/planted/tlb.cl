// cause: tlb
// groups: 512 1024 2048
// local: 64
// mended rule mi25: dependence-chain
// mended rule v100: memory-latency
// arg: page=int:1048576
// arg: x=float[536903680]
// arg: out=float[$items]
__kernel void planted(int page, __global const float* x, __global float* out) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    const int p = (g * 16 + k) & 511;
    sum += x[p * page + p * 64 + l];  // here
  }
  out[get_global_id(0)] = sum;
}

// As many lines, side by side. (LLVM orders the loads for the older GPU one behind the other, in as few registers as it can. Of 2048 groups a V100's
// multiprocessors hold 20 warps on average, which wait for the memory half of their time: that is true, and said.)
__kernel void mended(int page, __global const float* x, __global float* out) {
  const int l = get_local_id(0), g = get_group_id(0);
  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    const int p = (g * 16 + k) & 511;
    sum += x[p * (page >> 14) + p * 64 + l];
  }
  out[get_global_id(0)] = sum;
}
