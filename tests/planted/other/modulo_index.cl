// rule: integer-division
// groups: 512
// groups mi300x: 2048
// groups h200: 2048
// mended rule hd530: coalescing
// groups hd530: 96
// local: 256
// arg: n=uint:1000
// arg: mask=uint:1023
// arg: x=float[1024]:ramp
// arg: out=float[$items]
// A ring whose length is known at run time only.
__kernel void planted(uint n, uint mask, __global const float* x, __global float* out) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < 32; ++k) sum += x[(i + k) % n];
  out[i] = sum;
}

// A power of two.
__kernel void mended(uint n, uint mask, __global const float* x, __global float* out) {
  const uint i = get_global_id(0);
  float sum = 0;
  for (uint k = 0; k < 32; ++k) sum += x[(i + k) & mask];
  out[i] = sum;
}
