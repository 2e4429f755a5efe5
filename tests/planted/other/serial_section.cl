// rule: serial-section
// mended rule hd530: barriers
// mended rule v100: barriers
// groups: 96
// gain v100: any
// gain hd530: any
// local: 256
// arg: x=uint[$items]:ramp
// arg: out=uint[$items]
// One work-item adds up what all have written.
__kernel void planted(__global const uint* x, __global uint* out) {
  __local uint part[256];
  __local uint sum;
  const int i = get_global_id(0), l = get_local_id(0);
  uint mine = x[i];
  for (int round = 0; round < 4; ++round) {
    part[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
      uint all = 0;
      for (int k = 0; k < 256; ++k) all += part[k];
      sum = all;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    mine = mine * 3 + sum;
  }
  out[i] = mine;
}

// (Its steps come one after the other all the same: the twin saves up to a quarter less than equal work would, and more where waits at barriers stay.)
// Sixteen of them, and each what those have. (Where sixteen are one thread of eight, the others still wait.)
__kernel void mended(__global const uint* x, __global uint* out) {
  __local uint part[256], sums[16];
  const int i = get_global_id(0), l = get_local_id(0);
  uint mine = x[i];
  for (int round = 0; round < 4; ++round) {
    part[l] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16) {
      uint some = 0;
      for (int k = 0; k < 16; ++k) some += part[l + 16 * k];
      sums[l] = some;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint all = 0;
    for (int k = 0; k < 16; ++k) all += sums[k];
    mine = mine * 3 + all;
  }
  out[i] = mine;
}
