// Which lines share a set of the first level, and which of a set's lines go for a new one. Launches: sets.py.
#include "memory_kernels.h"

// The lines' addresses begin at a multiple of 2 GB.
static __attribute__((device)) inline const u32* begin_of(const u32* in) { return (const u32*)(((u64)in + (1ull << 31) - 1) >> 31 << 31); }
__attribute__((shared)) static u32 come[32];
static __attribute__((device)) __attribute__((always_inline)) inline u32 latency(const u32* at) {
  u32 begin, end;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(begin)::"memory");
  *(volatile u32*)(come + ITEM) = near(at);
  asm volatile("mov.u32 %0, %%clock;" : "=r"(end)::"memory");
  return end - begin;
}
// A line of set 0, by the answers of `hashed` for bits 9 to 11, and for 12 to 14; of another set with that number xored.
static __attribute__((device)) inline u32 of_set(u32 k) { return k << 9 ^ ((k & 1) != 0 ? 0x71 : 0) ^ ((k & 2) != 0 ? 0x1B : 0) ^ ((k & 4) != 0 ? 0x176 : 0); }
static __attribute__((device)) inline u32 also_of_set(u32 k) { return k << 12 ^ ((k & 1) != 0 ? 0x149 : 0) ^ ((k & 2) != 0 ? 0x39 : 0) ^ ((k & 4) != 0 ? 0x1E1 : 0); }

// out[i]: the latency of line 2^bit ^ low behind loads of it and of five lines of set 0, for all low below 512; then of `random` lines
// whose numbers follow, those over 120 cycles alone.
KERNEL hashed(u32* out, const u32* in, u32 bit, u32 random) {
  if (ITEM != 0) return;
  const u32* first = begin_of(in);
  u32 sum = 0, at = 0;
  for (u32 low = 0; low < 512 + random; ++low) {
    const u32 line = low < 512 ? 1u << bit ^ low : mix(low) & 0xFFFFFF;
    sum += near(first + line * 32ull);
    for (u32 k = 1; k < 6; ++k) sum += near(first + (bit < 12 ? also_of_set(k) : of_set(k)) * 32ull + (sum == 0x12345));
    const u32 cycles = latency(first + line * 32ull + (sum == 0x12345));
    if (low < 512) {
      out[low] = cycles;
    } else if (cycles > 120 && at < 128) {
      out[512 + at++] = line;
    }
  }
}
// The latencies of `count` loads of `lines` lines of a set, in turn, or by chance.
KERNEL order(u32* out, const u32* in, u32 set, u32 lines, u32 count, u32 chance) {
  if (ITEM != 0) return;
  const u32* first = begin_of(in);
  for (u32 i = 0; i < count; ++i) {
    const u32 k = chance != 0 ? (u32)((u64)mix(i + chance * 1000) * lines >> 32) : i % lines;
    out[i] = latency(first + (set ^ of_set(k)) * 32ull) << 8 | k;
  }
}
