// Constant memory: program-scope tables of several types, a constant argument, uniform and divergent indices.
// arg: a buffer uint[512] bits(seed=751)
// arg: weights buffer float[16] random(seed=752,min=0,max=1)
// arg: out buffer uint[512] zero
// arg: f buffer float[512] zero
// launch: kernel=constant_tables global=512 local=64
// compare: out exact
// compare: f exact
#pragma OPENCL FP_CONTRACT OFF
__constant uint primes[16] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
__constant uchar nibbles[] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
__constant short2 moves[4] = {(short2)(0, 1), (short2)(1, 0), (short2)(0, -1), (short2)(-1, 0)};
__constant char name[] = "lockstep";
__kernel void constant_tables(__global const uint* a, __constant float* weights, __global uint* out,
                              __global float* f) {
  const int i = get_global_id(0);
  const uint x = a[i];
  uint sum = 0;
  for (int k = 0; k < 8; ++k) {
    sum += nibbles[(x >> (4 * k)) & 15u] * primes[k + 8];
  }
  sum += primes[x & 15u] * primes[get_group_id(0) & 15];
  const short2 move = moves[(x >> 7) & 3u];
  sum += (uint)(move.x * 3 + move.y * 5) + name[(x >> 9) & 7u];
  out[i] = sum;
  f[i] = weights[x & 15u] * 0.5f + weights[get_group_id(0)];
}
