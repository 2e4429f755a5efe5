// rule: imbalance
// mended rule hd530: wave-starts
// groups: 512
// local: 256
// arg: n=int:4096
// arg: x=float[4096]:ramp
// arg: out=float[$items]
// The first work-item of all adds up what is to be there for all; the others have next to nothing to do.
__kernel void planted(int n, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  float v = i;
  if (i == 0)
    for (int k = 0; k < n; ++k) v = v * 0.5f + x[k];
  out[i] = v;
}

// Each takes one value.
__kernel void mended(int n, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  float v = i;
  v = v * 0.5f + x[i & 4095];
  out[i] = v;
}
