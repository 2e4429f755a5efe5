// Independent chains of multiply-adds: as many as a packet has operations, or a multiple.
__kernel void wide(__global const float* from, __global float* to, int rounds) {
  const size_t i = get_global_id(0);
  float x[20];
  const float a = from[0], b = from[1];
#pragma unroll
  for (int k = 0; k < 20; ++k) x[k] = a + k;
  for (int n = 0; n < rounds; ++n) {
#pragma unroll
    for (int k = 0; k < 20; ++k) x[k] = mad(x[k], a, b);
#pragma unroll
    for (int k = 0; k < 20; ++k) x[k] = mad(x[k], b, a);
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 20; ++k) sum += x[k];
  to[i] = sum;
}

// One chain: an operation a packet.
__kernel void narrow(__global const float* from, __global float* to, int rounds) {
  const size_t i = get_global_id(0);
  const float a = from[0], b = from[1];
  float x = a;
  for (int n = 0; n < rounds; ++n) {
#pragma unroll
    for (int k = 0; k < 40; ++k) x = mad(x, a, b);
  }
  to[i] = x;
}
