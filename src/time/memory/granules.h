// Granules: the 64 parts of a cache line, or of a request, each at least a byte, as bits of a word.
//
// Runs: what an instruction asks of lines that lie side by side goes as one request, and each cache does for
// its lines in one step what it would do for them one after the other. Nothing is read or written sooner for
// it: a run arrives with its last line, each line takes its cycles, and a cache that was idle meanwhile has
// worked on the first ones as they came. What is stored to a run is said by words of 4 bytes.
#pragma once
#include <algorithm>
#include <bit>

#include "base/types.h"

namespace lockstep {

inline u32 log2_of(u32 value) {
  return static_cast<u32>(std::countr_zero(value));
}

inline u64 low_bits(u32 count) {
  return count >= 64 ? ~u64{0} : (u64{1} << count) - 1;
}

inline u32 low_bits32(u32 count) {
  return static_cast<u32>(low_bits(count));
}

// Bits 0, 2, 4, ... side by side.
inline u64 even_bits(u64 x) {
  x &= 0x5555'5555'5555'5555;
  x = (x | x >> 1) & 0x3333'3333'3333'3333;
  x = (x | x >> 2) & 0x0F0F'0F0F'0F0F'0F0F;
  x = (x | x >> 4) & 0x00FF'00FF'00FF'00FF;
  x = (x | x >> 8) & 0x0000'FFFF'0000'FFFF;
  return (x | x >> 16) & 0x0000'0000'FFFF'FFFF;
}

// Bits 0, 4, 8, ... side by side.
inline u64 fourth_bits(u64 x) {
  x &= 0x1111'1111'1111'1111;
  x = (x | x >> 3) & 0x0303'0303'0303'0303;
  x = (x | x >> 6) & 0x000F'000F'000F'000F;
  x = (x | x >> 12) & 0x0000'00FF'0000'00FF;
  return (x | x >> 24) & 0x0000'0000'0000'FFFF;
}

// Bits 0, 1 << shift, 2 << shift, ... side by side; `shift` is 3 at most.
inline u64 bits_apart(u64 x, u32 shift) {
  if (shift == 0) return x;
  if (shift == 1) return even_bits(x);
  x = fourth_bits(x);
  return shift == 2 ? x : even_bits(x);
}

// Each of the lower 32 bits twice.
inline u64 doubled_bits(u64 x) {
  x &= 0xFFFF'FFFF;
  x = (x | x << 16) & 0x0000'FFFF'0000'FFFF;
  x = (x | x << 8) & 0x00FF'00FF'00FF'00FF;
  x = (x | x << 4) & 0x0F0F'0F0F'0F0F'0F0F;
  x = (x | x << 2) & 0x3333'3333'3333'3333;
  x = (x | x << 1) & 0x5555'5555'5555'5555;
  return x | x << 1;
}

// Sectors of a line, or of a request, of a power of two of bytes that have some of its granules.
inline u8 sectors_of(u64 granules, u32 bytes, u32 sector_bytes) {
  const u32 each = std::max(1u, 64 * sector_bytes >> log2_of(bytes));
  u8 count = 0;
  for (u32 at = 0; at < 64; at += each) count += (granules >> at & low_bits(each)) != 0;
  return count;
}

// Bytes by which stores and atomics of caches in sectors count, and by which a read says what it leaves out.
inline constexpr u32 request_sector = 32;

// A granule is a 64th of a line or request, at least a byte.
inline u32 granule_shift(u32 bytes) {
  return bytes > 64 ? log2_of(bytes) - 6 : 0;
}

inline constexpr u32 most_run_bytes = 256;  // their words are bits of one word
inline constexpr u32 most_run_lines = 4;

// Granules of a line of 64 or 128 bytes as words of 4 bytes. Granules that are not whole words cannot be said
// so.
inline bool whole_words(u64 granules, u32 line_bytes) {
  u64 all = granules & granules >> 1;
  if (line_bytes == 128) return (all & 0x5555'5555'5555'5555) * 3 == granules;
  all &= all >> 2;
  return (all & 0x1111'1111'1111'1111) * 15 == granules;
}
inline u64 words_of(u64 granules, u32 line_bytes) {
  if (~granules == 0) return low_bits(line_bytes / 4);
  return bits_apart(granules, 2 - granule_shift(line_bytes));
}
// The other way, of a line or request of any size, and of larger words, too.
inline u64 granules_of(u64 words, u32 bytes, u32 word_shift = 2) {
  if (bytes >= 64 && words == low_bits(bytes >> word_shift)) return ~u64{0};
  for (u32 shift = granule_shift(bytes); shift < word_shift; ++shift) words = doubled_bits(words);
  return words;
}

}  // namespace lockstep
