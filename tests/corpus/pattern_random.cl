// Random number generators: xorshift128, a 64-bit linear congruence, PCG, and Philox-like rounds; a Monte Carlo count.
// arg: out buffer uint[2048] zero
// arg: inside buffer uint[1] zero
// launch: kernel=generate global=512 local=128
// compare: out exact
// compare: inside exact
__kernel void generate(__global uint* out, volatile __global uint* inside) {
  const uint i = get_global_id(0);
  uint4 s = (uint4)(i + 1u, 362436069u, 521288629u, 88675123u ^ i);
  ulong state = 0x853c49e6748fea9bul + i;
  uint2 counter = (uint2)(i, 7u);
  uint key = 0xcafef00du;
  uint hits = 0;
  uint pcg = 0;
  for (int k = 0; k < 20; ++k) {
    const uint t = s.x ^ (s.x << 11);
    s = (uint4)(s.yzw, s.w ^ (s.w >> 19) ^ t ^ (t >> 8));
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    const uint x = (uint)(((state >> 18) ^ state) >> 27);
    const uint r = (uint)(state >> 59);
    pcg ^= (x >> r) | (x << ((0u - r) & 31u));
    counter = (uint2)(mul_hi(0xd256d193u, counter.x) ^ key ^ counter.y, counter.x * 0xd256d193u);
    key += 0x9e3779b9u;
    const uint px = s.w >> 20;
    const uint py = pcg >> 20;
    hits += px * px + py * py < 4096u * 4096u;
  }
  out[4 * i] = s.w;
  out[4 * i + 1] = (uint)(state >> 32);
  out[4 * i + 2] = pcg;
  out[4 * i + 3] = counter.x ^ counter.y;
  atomic_add(inside, hits);
}
