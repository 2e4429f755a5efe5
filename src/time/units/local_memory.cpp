#include "time/units/local_memory.h"

#include <algorithm>
#include <array>
#include <bit>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "base/assert.h"

namespace lockstep {
namespace {

constexpr u32 most_banks = 64;
constexpr u32 most_words = 64;  // of one set of lanes

// The turns that banks take for the words of one set of lanes. `share`: lanes that want the same word share
// one. Without branches on what lanes want: hosts would guess them wrong.
template <bool share>
class Turns {
 public:
  explicit Turns(u32 banks) : banks_(banks), mask_(std::has_single_bit(banks) ? banks - 1 : 0) {}

  void add(u64 word) {
    const u64 bank = mask_ != 0 ? word & mask_ : word % banks_;
    const u32 words = words_[bank];
    u32 further = 1;
    if constexpr (share) {
      further = !has(bank, words, word);
      word_[bank][words] = word;  // where it is known, the next one takes this place
    }
    words_[bank] = static_cast<u8>(words + further);
    most_ = std::max(most_, words + further);
  }

  u32 most() const { return most_; }
  void add_to(std::span<u64> bank_turns) const {
    for (std::size_t i = 0; i < bank_turns.size(); ++i) bank_turns[i] += words_[i];
  }

 private:
  static constexpr u32 at_once = 4;

  // Whether the word is among the bank's first so many.
  bool has(u64 bank, u32 words, u64 word) const {
    const u64* const all = word_[bank].data();
    u32 same = 0, first = 0;
    do {
      const u32 among = (1u << std::min(words - first, at_once)) - 1;
#if defined(__AVX2__)
      const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(all + first));
      const __m256i equal = _mm256_cmpeq_epi64(some, _mm256_set1_epi64x(static_cast<i64>(word)));
      same |= static_cast<u32>(_mm256_movemask_pd(_mm256_castsi256_pd(equal))) & among;
#else
      for (u32 i = 0; i < at_once; ++i) same |= u32{all[first + i] == word} << i & among;
#endif
      first += at_once;
    } while (first < words);
    return same != 0;
  }

  u32 banks_;
  u64 mask_;  // of the bank in a word's number, where banks are a power of two
  u32 most_ = 1;
  std::array<u8, most_banks> words_{};                                  // by bank: those that it has to serve
  std::array<std::array<u64, most_words + at_once>, most_banks> word_;  // they
};

template <bool share>
u32 turns_of(const Access& access, u64 lanes, u32 dwords, u32 banks, u32 words_of_bank, u32 successive_words,
             std::span<u64> bank_turns) {
  Turns<share> turns(banks);
  for (u64 rest = lanes; rest != 0; rest &= rest - 1) {
    const u64 first = access.address[static_cast<u32>(std::countr_zero(rest))] / 4;
    for (u32 d = 0; d < dwords; ++d) {
      const u64 word = first + d;
      if (successive_words > 1) {
        // A lane's words of one bank are one.
        if (d == 0 || word % successive_words == 0) turns.add(word / successive_words);
        continue;
      }
      turns.add(words_of_bank == 1 ? word : word / (u64{banks} * words_of_bank) * banks + word % banks);
    }
  }
  turns.add_to(bank_turns);
  return turns.most();
}

// Whether each lane has the address of the lane whose number differs in `bit`, where both take part.
bool agree(const Access& access, u32 bit) {
  for (u64 rest = access.lanes; rest != 0; rest &= rest - 1) {
    const u32 lane = static_cast<u32>(std::countr_zero(rest)), other = lane ^ bit;
    if ((access.lanes >> other & 1) != 0 && access.address[lane] != access.address[other]) return false;
  }
  return true;
}

}  // namespace

BankPasses bank_passes(const Access& access, u32 wave_lanes, u32 lanes_per_pass, u32 banks, u32 words_of_bank,
                       u32 successive_words, std::span<u64> bank_turns, bool pairs_share) {
  LOCKSTEP_ASSERT(banks != 0 && banks <= most_banks && lanes_per_pass <= 64 && successive_words != 0,
                  "local memory has at most 64 banks");
  const bool atomic = access.kind == AccessKind::atomic || access.kind == AccessKind::atomic_return;
  const u32 dwords = std::max<u32>(1, (access.bytes + 3u) / 4);
  const u32 alone = std::max<u32>(1, lanes_per_pass / std::bit_ceil(dwords));
  const bool together = pairs_share && dwords > 1 && access.kind == AccessKind::load && alone < wave_lanes &&
                        (agree(access, 1) || agree(access, 2));
  const u32 group_lanes = together ? 2 * alone : alone;
  BankPasses result;
  result.apart = (wave_lanes + alone - 1) / alone;
  for (u32 lane = 0; lane < wave_lanes; lane += group_lanes) {
    ++result.groups;
    const u64 mask = (group_lanes >= 64 ? ~u64{0} : (u64{1} << group_lanes) - 1) << lane;
    const u64 lanes = access.lanes & mask;
    const u32 words = turns_of<true>(access, lanes, dwords, banks, words_of_bank, successive_words,
                                     atomic ? std::span<u64>() : bank_turns);
    const u32 turns =
        atomic ? turns_of<false>(access, lanes, dwords, banks, words_of_bank, successive_words, bank_turns)
               : words;
    result.extra += turns - 1;
    result.same += turns - words;
  }
  return result;
}

}  // namespace lockstep
