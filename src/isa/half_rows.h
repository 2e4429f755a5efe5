// Rows of f16 widened to f32 and narrowed again; the f32 are kept as their bits. The lane loops of f16
// arithmetic run on the wide values.
#pragma once
#include "base/types.h"
#include "float/half.h"

#if defined(__F16C__) && defined(__AVX2__)
#include <immintrin.h>
#endif

namespace lockstep {

// bits[i] is an f16 in the low 16 bits; what lies above is ignored. Exact; a NaN stays one.
template <int W>
inline void widen_half_row(const u32* bits, u32 shift, u32* out) {
#if defined(__F16C__) && defined(__AVX2__)
  // The compiler does not vectorise f16 conversions by itself: without the host's instruction a packed
  // multiply-add takes six times as long (bench/isa_bench).
  const __m128i count = _mm_cvtsi32_si128(static_cast<int>(shift));
  const __m256i low = _mm256_set1_epi32(0xFFFF);
  for (int i = 0; i < W; i += 8) {
    const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bits + i));
    const __m256i halves = _mm256_and_si256(_mm256_srl_epi32(words, count), low);
    const __m128i packed =
        _mm_packus_epi32(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_castps_si256(_mm256_cvtph_ps(packed)));
  }
#else
  for (int i = 0; i < W; ++i) out[i] = as_u32(f16_to_f32(static_cast<u16>(bits[i] >> shift)));
#endif
}

// To nearest even. Not for NaNs: their payloads may differ between hosts.
template <int W>
inline void narrow_half_row(const u32* values, u32* out) {
#if defined(__F16C__) && defined(__AVX2__)
  for (int i = 0; i < W; i += 8) {
    const __m128i packed =
        _mm256_cvtps_ph(_mm256_castsi256_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(values + i))),
                        _MM_FROUND_TO_NEAREST_INT);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_cvtepu16_epi32(packed));
  }
#else
  for (int i = 0; i < W; ++i) out[i] = f32_to_f16(as_f32(values[i]));
#endif
}

}  // namespace lockstep
