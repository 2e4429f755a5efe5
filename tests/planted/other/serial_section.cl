// rule: serial-section
// mended rule hd530: barriers
// mended rule mi25: barriers
// mended rule v100: barriers
// groups: 96
// gain v100: least
// gain rx6900xt: least
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

// Half of them, a quarter, an eighth, ...
__kernel void mended(__global const uint* x, __global uint* out) {
  __local uint part[256];
  const int i = get_global_id(0), l = get_local_id(0);
  uint mine = x[i];
  for (int round = 0; round < 4; ++round) {
    part[l] = mine;
    for (int s = 128; s > 0; s >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < s) part[l] += part[l + s];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint all = part[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    mine = mine * 3 + all;
  }
  out[i] = mine;
}
