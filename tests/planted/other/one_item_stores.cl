// rule: serial-section
// groups: 256
// groups h200: 528
// groups mi300x: 1216
// groups hd530: 24
// local: 256
// arg: x=float[$items]:ramp
// arg: out=float[$items*4]
// One work-item of each group writes what all have worked out.
__kernel void planted(__global const float* x, __global float* out) {
  __local float results[256];
  const int i = get_global_id(0), l = get_local_id(0), all = get_global_size(0);
  float v = x[i];
  for (int round = 0; round < 4; ++round) {
    v = v * v + 1;
    results[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
      for (int k = 0; k < 256; ++k) out[round * all + i + k] = results[k] * 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// Each its own.
__kernel void mended(__global const float* x, __global float* out) {
  const int i = get_global_id(0), all = get_global_size(0);
  float v = x[i];
  for (int round = 0; round < 4; ++round) {
    v = v * v + 1;
    out[round * all + i] = v * 0.5f;
  }
}
