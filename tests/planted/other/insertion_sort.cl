// rule: private-memory
// groups: 128
// groups mi25: 1024
// rule rx6900xt: none
// groups mi300x: 2432
// groups h200: 2112
// rule mi25: any
// rule hd530: dependence-chain
// gain: least
// local: 64
// arg: x=int[$items*16]:random(seed=15,min=0,max=9999)
// arg: out=int[$items]
// Each work-item sorts sixteen values of its own at indices that the values decide. (LLVM keeps so few in registers on the
// larger of AMD's GPUs.)
__kernel void planted(__global const int* x, __global int* out) {
  const int i = get_global_id(0), all = get_global_size(0);
  int v[16];
  for (int k = 0; k < 16; ++k) v[k] = x[k * all + i];
#pragma unroll 1
  for (int k = 1; k < 16; ++k) {
    const int one = v[k];
    int j = k;
#pragma unroll 1
    for (; j > 0 && v[j - 1] > one; --j) v[j] = v[j - 1];
    v[j] = one;
  }
  out[i] = v[7];
}

// A network of compare and swap: every index is known.
__kernel void mended(__global const int* x, __global int* out) {
  const int i = get_global_id(0), all = get_global_size(0);
  int v[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) v[k] = x[k * all + i];
#pragma unroll
  for (int round = 0; round < 16; ++round) {
#pragma unroll
    for (int k = round & 1; k < 15; k += 2) {
      const int low = min(v[k], v[k + 1]), high = max(v[k], v[k + 1]);
      v[k] = low;
      v[k + 1] = high;
    }
  }
  out[i] = v[7];
}
