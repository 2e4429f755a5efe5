// cause: private_memory
// groups: 64 256 512
// groups h200: 128 528 1056
// local: 256
// arg: k=int:7
// arg: x=float[4096]:ramp
// arg: out=float[$items]
__kernel void planted(int k, __global const float* x, __global float* out) {
  float t[64];
  const int i = get_global_id(0);
#pragma unroll 8
  for (int j = 0; j < 64; ++j) t[j] = x[j * 64 + (i & 63)];
  float sum = 0;
#pragma unroll 1
  for (int j = 0; j < 192; ++j) sum += t[(j * k) & 63];  // here
  out[i] = sum;
}

__kernel void mended(int k, __global const float* x, __global float* out) {
  const int i = get_global_id(0);
  float sum = 0;
#pragma unroll 32
  for (int j = 0; j < 192; ++j) sum += x[((j * k) & 63) * 64 + (i & 63)];
  out[i] = sum;
}
