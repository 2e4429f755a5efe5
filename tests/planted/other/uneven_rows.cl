// rule: divergence
// groups: 512
// local: 256
// arg: lengths=int[$items]:random(seed=31,min=0,max=32767)
// arg: x=float[4096]:ramp
// arg: out=float[$items]
// Few rows are long, most are short: each work-item its own.
__kernel void planted(__global const int* lengths, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  const int r = lengths[i], n = r < 1500 ? 256 : 8;
  float sum = i;
  for (int k = 0; k < n; ++k) sum = sum * 0.5f + (float)(k ^ r);
  out[i] = sum;
}

// The long ones side by side, in waves that are long as seldom.
__kernel void mended(__global const int* lengths, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  const int r = lengths[i], n = lengths[i & ~63] < 1500 ? 256 : 8;
  float sum = i;
  for (int k = 0; k < n; ++k) sum = sum * 0.5f + (float)(k ^ r);
  out[i] = sum;
}
