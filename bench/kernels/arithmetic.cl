// Arithmetic-bound: chains of fused multiply-adds and of integer operations, 1024 rounds, almost no memory.
// arg: out buffer float[65536] zero
// arg: bits buffer uint[65536] zero
// arg: rounds scalar int 1024
// launch: kernel=arithmetic global=65536 local=256
// compare: out exact
// compare: bits exact
__kernel void arithmetic(__global float* out, __global uint* bits, int rounds) {
  const uint i = get_global_id(0);
  float x = (float)(i & 1023u) * 0.0009765625f;
  float y = 0.75f;
  float z = -0.5f;
  uint u = i * 2654435761u + 1u;
  uint v = ~i;
  for (int k = 0; k < rounds; ++k) {
    x = fma(x, 0.5f, y);
    y = fma(y, -0.25f, x);
    z = fma(z, 0.75f, y);
    u = (u << 5 | u >> 27) + v;
    v = (v ^ u) * 3u;
    u ^= v >> 7;
  }
  out[i] = x + y + z;
  bits[i] = u ^ v;
}
