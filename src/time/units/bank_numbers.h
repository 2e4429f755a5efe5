// A number for each of up to 64 banks of memory, of sixteen bits, compared all at once: a loop over those
// that are asked for would end where the host's processor does not expect it.
//
// Numbers are ages, or the lowest bits of clocks: of those banks alone of which the clock lies less than 2^15
// clocks away.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "base/types.h"

namespace lockstep {

inline constexpr u32 most_banks = 64;
using BankNumbers = std::array<u16, most_banks>;  // at the begin of 32 bytes

#if defined(__AVX2__)
namespace bank_numbers {

// Of sixteen numbers those of banks that are not asked for become the highest that there is.
[[gnu::always_inline]] inline __m256i asked_for(__m256i of, u64 banks) {
  const __m256i bit = _mm256_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
                                        static_cast<short>(32768));
  const __m256i asked = _mm256_set1_epi16(static_cast<short>(banks));
  return _mm256_or_si256(of, _mm256_cmpeq_epi16(_mm256_and_si256(asked, bit), _mm256_setzero_si256()));
}

// The least one, as the lowest word.
[[gnu::always_inline]] inline __m128i least_of(__m256i of) {
  return _mm_minpos_epu16(_mm_min_epu16(_mm256_castsi256_si128(of), _mm256_extracti128_si256(of, 1)));
}

[[gnu::always_inline]] inline u32 lowest_word(__m128i of) {
  return static_cast<u32>(_mm_cvtsi128_si32(of)) & 0xFFFF;
}
}  // namespace bank_numbers
#endif

// Of the banks, which are some of the first `count`, the one with the least number; there is one.
inline u32 least_bank(const BankNumbers& numbers, u64 banks, [[maybe_unused]] u32 count) {
  if ((banks & (banks - 1)) == 0) return static_cast<u32>(std::countr_zero(banks));
#if defined(__AVX2__)
  using namespace bank_numbers;
  const auto sixteen = [&](u32 first) {
    return asked_for(_mm256_load_si256(reinterpret_cast<const __m256i*>(&numbers[first])), banks >> first);
  };
  const auto place_of = [](__m256i of, __m128i least) {
    const __m256i same = _mm256_cmpeq_epi16(of, _mm256_broadcastw_epi16(least));
    return static_cast<u32>(std::countr_zero(static_cast<u32>(_mm256_movemask_epi8(same)))) / 2;
  };
  __m256i of = sixteen(0);
  __m128i least = least_of(of);
  u32 base = 0;
  for (u32 first = 16; first < count; first += 16) {
    const __m256i others = sixteen(first);
    const __m128i other = least_of(others);
    if (lowest_word(other) >= lowest_word(least)) continue;
    of = others;
    least = other;
    base = first;
  }
  return base + place_of(of, least);
#else
  u32 oldest = static_cast<u32>(std::countr_zero(banks));
  for (u64 bits = banks & (banks - 1); bits != 0; bits &= bits - 1) {
    const u32 bank = static_cast<u32>(std::countr_zero(bits));
    if (numbers[bank] < numbers[oldest]) oldest = bank;
  }
  return oldest;
#endif
}

// Those of the banks whose time is later than `now`.
inline u64 later_banks(const BankNumbers& times, u64 banks, u32 count, u64 now) {
  u64 later = 0;
#if defined(__AVX2__)
  const __m256i from = _mm256_set1_epi16(static_cast<short>(now));
  for (u32 first = 0; first < count; first += 16) {
    const __m256i all = _mm256_load_si256(reinterpret_cast<const __m256i*>(&times[first]));
    const __m256i is_later = _mm256_cmpgt_epi16(_mm256_sub_epi16(all, from), _mm256_setzero_si256());
    const __m128i bytes =
        _mm_packs_epi16(_mm256_castsi256_si128(is_later), _mm256_extracti128_si256(is_later, 1));
    later |= u64{static_cast<u32>(_mm_movemask_epi8(bytes))} << first;
  }
#else
  for (u32 bank = 0; bank < count; ++bank) later |= u64{static_cast<i16>(times[bank] - now) > 0} << bank;
#endif
  return banks & later;
}

// The first of the banks' times, but not before `now`; ~0: there is none.
inline u64 first_time(const BankNumbers& times, u64 banks, [[maybe_unused]] u32 count, u64 now) {
  u32 least = 0xFFFF;
#if defined(__AVX2__)
  using namespace bank_numbers;
  const __m256i from = _mm256_set1_epi16(static_cast<short>(now));
  for (u32 first = 0; first < count; first += 16) {
    const __m256i all = _mm256_load_si256(reinterpret_cast<const __m256i*>(&times[first]));
    const __m256i ahead = _mm256_max_epi16(_mm256_sub_epi16(all, from), _mm256_setzero_si256());
    least = std::min(least, lowest_word(least_of(asked_for(ahead, banks >> first))));
  }
#else
  for (u64 bits = banks; bits != 0; bits &= bits - 1) {
    const u32 bank = static_cast<u32>(std::countr_zero(bits));
    least = std::min(least, static_cast<u32>(std::max(0, i32{static_cast<i16>(times[bank] - now)})));
  }
#endif
  return least == 0xFFFF ? ~u64{0} : now + least;
}

}  // namespace lockstep
