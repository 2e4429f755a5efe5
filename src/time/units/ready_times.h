// When each of up to 32 waves is ready, asked for sets of them as masks: without branches that would depend
// on who is in a set, which the host's processor guesses wrong.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "base/types.h"

namespace lockstep {

// Times are below 2^63, but those of waves in no set that is asked for may be anything.
using ReadyTimes = std::array<u64, 32>;

struct LaterWaves {
  u32 waves = 0;
  u64 first = ~u64{0};  // the earliest of their times
};

#if defined(__AVX2__)

namespace ready_times {

inline constexpr i64 no_time = std::numeric_limits<i64>::max();

// All ones for those of four waves that are in the set.
inline __m256i members(u32 set, u32 from) {
  const __m256i bit = _mm256_setr_epi64x(1, 2, 4, 8);
  return _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(set >> from), bit), bit);
}
inline __m256i less(__m256i a, __m256i b) {
  return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi64(a, b));
}
inline u64 least(__m256i times) {
  const __m256i halves = less(times, _mm256_permute4x64_epi64(times, 0x4E));
  return static_cast<u64>(_mm256_extract_epi64(less(halves, _mm256_shuffle_epi32(halves, 0x4E)), 0));
}
inline __m256i four_from(const ReadyTimes& times, u32 from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(times.data() + from));
}

}  // namespace ready_times

// Those of the set, of the first `count` waves, whose time is later than `now`.
inline LaterWaves later_waves(const ReadyTimes& times, u32 set, u32 count, u64 now) {
  using namespace ready_times;
  // Often there are one or two: most waves wait for something that says when it is over.
  if (const u32 second = set & (set - 1); (second & (second - 1)) == 0) {
    const u64 one = set == 0 ? 0 : times[static_cast<u32>(std::countr_zero(set))];
    const u64 other = second == 0 ? 0 : times[static_cast<u32>(std::countr_zero(second))];
    const u32 waves = (one > now ? set ^ second : 0) | (other > now ? second : 0);
    return {waves, std::min(one > now ? one : ~u64{0}, other > now ? other : ~u64{0})};
  }
  const __m256i current = _mm256_set1_epi64x(static_cast<i64>(now)), none = _mm256_set1_epi64x(no_time);
  __m256i first = none;
  u32 waves = 0;
  for (u32 i = 0; i < count; i += 4) {
    const __m256i four = four_from(times, i);
    const __m256i later = _mm256_and_si256(_mm256_cmpgt_epi64(four, current), members(set, i));
    waves |= static_cast<u32>(_mm256_movemask_pd(_mm256_castsi256_pd(later))) << i;
    first = less(first, _mm256_blendv_epi8(none, four, later));
  }
  return {waves, waves == 0 ? ~u64{0} : least(first)};
}

// The bit of the wave of the set that is ready first, of equals the lowest; the set has one of the first
// `count`.
inline u32 earliest_wave(const ReadyTimes& times, u32 set, u32 count) {
  using namespace ready_times;
  const __m256i none = _mm256_set1_epi64x(no_time);
  __m256i first = none;
  for (u32 i = 0; i < count; i += 4)
    first = less(first, _mm256_blendv_epi8(none, four_from(times, i), members(set, i)));
  const __m256i wanted = _mm256_set1_epi64x(static_cast<i64>(least(first)));
  u32 equal = 0;
  for (u32 i = 0; i < count; i += 4) {
    const __m256i same = _mm256_cmpeq_epi64(four_from(times, i), wanted);
    equal |= static_cast<u32>(_mm256_movemask_pd(_mm256_castsi256_pd(same))) << i;
  }
  equal &= set;
  return equal & -equal;
}

#else

inline LaterWaves later_waves(const ReadyTimes& times, u32 set, u32, u64 now) {
  LaterWaves later;
  for (u32 bits = set; bits != 0; bits &= bits - 1) {
    const u64 time = times[static_cast<u32>(std::countr_zero(bits))];
    if (time <= now) continue;
    later.waves |= bits & -bits;
    later.first = std::min(later.first, time);
  }
  return later;
}

inline u32 earliest_wave(const ReadyTimes& times, u32 set, u32) {
  u32 earliest = static_cast<u32>(std::countr_zero(set));
  for (u32 bits = set; bits != 0; bits &= bits - 1) {
    const u32 other = static_cast<u32>(std::countr_zero(bits));
    if (times[other] < times[earliest]) earliest = other;
  }
  return u32{1} << earliest;
}

#endif

}  // namespace lockstep
