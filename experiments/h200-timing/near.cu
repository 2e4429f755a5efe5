// What the first level keeps of data that its multiprocessor reads again, and how much of the storage that local memory shares with it
// it has. Sizes and launches: near.py.
#include "memory_kernels.h"

static __attribute__((device)) inline u32 near4(const u32* at) {
  u32 a, b, c, d;
  asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(at));
  return a ^ b ^ c ^ d;
}
#define WAIT asm volatile("bar.sync 0;" ::: "memory")

// Each group its own n words, `turns` times in turn; LOCAL: bytes of local memory that it has beside.
template <u32 LOCAL> static __attribute__((device)) inline void own(u32* out, const u32* in, u32 n, u32 turns) {
  u32 sum = 0;
  const u32* mine = in + GROUP * n;
  if constexpr (LOCAL != 0) {
    __attribute__((shared)) static u32 words[LOCAL / 4];
    words[ITEM] = n;
    WAIT;
    sum = words[ITEM ^ 1] - n;
  }
  for (u32 t = 0; t < turns; ++t) {
    for (u32 i = ITEM * 4; i < n; i += ITEMS * 4) sum += near4(mine + i);
    WAIT;
  }
  if (sum == 0x12345) out[GROUP] = sum;
}
#define OWN(LOCAL) KERNEL own_##LOCAL(u32* out, const u32* in, u32 n, u32 turns) { own<LOCAL>(out, in, n, turns); }
OWN(0) OWN(4096) OWN(8192) OWN(15360) OWN(16384) OWN(24576) OWN(49152)
// By words.
KERNEL words(u32* out, const u32* in, u32 n, u32 turns) {
  u32 sum = 0;
  const u32* mine = in + GROUP * n;
  for (u32 t = 0; t < turns; ++t) {
    for (u32 i = ITEM; i < n; i += ITEMS) sum += near(mine + i);
    WAIT;
  }
  if (sum == 0x12345) out[GROUP] = sum;
}
// Forth and back.
KERNEL back(u32* out, const u32* in, u32 n, u32 turns) {
  u32 sum = 0;
  const u32* mine = in + GROUP * n;
  for (u32 t = 0; t < turns; ++t) {
    for (u32 i = ITEM * 4; i < n; i += ITEMS * 4) sum += near4(mine + ((t & 1) != 0 ? n - ITEMS * 4 - i + ITEM * 8 : i));
    WAIT;
  }
  if (sum == 0x12345) out[GROUP] = sum;
}
// Random lines of them.
KERNEL random_lines(u32* out, const u32* in, u32 n, u32 turns) {
  u32 sum = 0;
  const u32* mine = in + GROUP * n;
  for (u32 t = 0; t < turns; ++t)
    for (u32 i = ITEM; i < n; i += ITEMS) {
      const u32 line = (u64)mix(t * 7919 + i / 32 * 31 + ITEM / 32) * (n / 32) >> 32;
      sum += near(mine + line * 32 + ITEM % 32);
    }
  if (sum == 0x12345) out[GROUP] = sum;
}
// n words, `stores` words stored elsewhere, then the n words again.
KERNEL between(u32* out, const u32* in, u32 n, u32 stores) {
  u32 sum = 0;
  const u32* mine = in + GROUP * n;
  for (u32 i = ITEM * 4; i < n; i += ITEMS * 4) sum += near4(mine + i);
  WAIT;
  for (u32 i = ITEM * 4; i < stores; i += ITEMS * 4) store4(out + GROUP * stores + i, sum);
  WAIT;
  for (u32 i = ITEM * 4; i < n; i += ITEMS * 4) sum += near4(mine + i);
  if (sum == 0x12345) out[GROUP] = sum;
}
// Stores of n words, whole or a word of each four, and loads of them.
KERNEL stored(u32* out, const u32* in, u32 n, u32 step) {
  u32 sum = 0;
  u32* mine = out + GROUP * n;
  for (u32 i = ITEM * step; i < n; i += ITEMS * step) mine[i] = i;
  WAIT;
  for (u32 i = ITEM * step; i < n; i += ITEMS * step) sum += near(mine + i);
  if (sum == 0x12345) out[GROUP] = sum;
}
// Whatever, with LOCAL KB of local memory and about VALUES registers: what the driver gives local memory (launch__shared_mem_config_size).
template <u32 LOCAL, u32 VALUES> static __attribute__((device)) inline void share(u32* out, const u32* in, u32 n) {
  u32 v[VALUES + 1], sum = 0;
  if constexpr (LOCAL != 0) {
    __attribute__((shared)) static u32 words[LOCAL * 256];
    words[ITEM % (LOCAL * 256)] = n;
    WAIT;
    sum = words[(ITEM ^ 1) % (LOCAL * 256)] - n;
  }
#pragma unroll
  for (u32 i = 0; i <= VALUES; ++i) v[i] = in[ITEM + i * 64];
  for (u32 t = 0; t < n; ++t) {
#pragma unroll
    for (u32 i = 0; i <= VALUES; ++i) v[i] = v[i] * v[(i + 1) % (VALUES + 1)] + t;
  }
#pragma unroll
  for (u32 i = 0; i <= VALUES; ++i) sum ^= v[i];
  if (sum == 0x12345) out[GROUP] = sum;
}
#define SHARE(LOCAL, VALUES) KERNEL share_##LOCAL##_##VALUES(u32* out, const u32* in, u32 n) { share<LOCAL, VALUES>(out, in, n); }
#define SHARES(VALUES) SHARE(0, VALUES) SHARE(1, VALUES) SHARE(2, VALUES) SHARE(3, VALUES) SHARE(4, VALUES) SHARE(6, VALUES) SHARE(7, VALUES) \
  SHARE(8, VALUES) SHARE(12, VALUES) SHARE(15, VALUES) SHARE(16, VALUES) SHARE(20, VALUES) SHARE(24, VALUES) SHARE(31, VALUES) \
  SHARE(32, VALUES) SHARE(40, VALUES) SHARE(47, VALUES)
SHARES(0) SHARES(24)
