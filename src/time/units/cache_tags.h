// The tags of a set-associative cache with LRU replacement, or segmented LRU. An entry whose line is still on
// its way carries the number of its outstanding miss and is not replaced.
//
// What a look-up reads lies together: 15 bits made of each line's number, the ways' ranks from the one used
// longest ago on, and masks of ways, for 16 ways one line of the host's cache. The numbers themselves, and
// what the owner keeps of each line, follow in an array of entries. Both are zeros as long as nothing was put
// into them, so that a large cache of which little is used costs little.
#pragma once
#include <algorithm>
#include <bit>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "base/assert.h"
#include "base/divider.h"
#include "base/types.h"
#include "base/zeroed_array.h"

namespace lockstep {

struct NoLineData {};

// `Data`: what the owner keeps of each line; zeros at first. `MissNumber`: of outstanding misses, which are
// numbered from 0 to two less than it can hold.
template <typename Data, typename MissNumber = u32>
class CacheTagsWith {
 public:
  static constexpr u32 none = ~0u;
  static constexpr u32 arrived = ~0u;  // no outstanding miss
  static constexpr u64 invalid = ~u64{0};
  static constexpr u32 most_protecting_ways = 32;  // of a cache that protects lines

  CacheTagsWith() = default;
  CacheTagsWith(u32 sets, u32 ways)
      : ways_(ways),
        tag_words_((ways + 3) / 4),
        rank_words_((ways + 7) / 8),
        aged_(tag_words_ + rank_words_),
        all_ways_(ways == 64 ? ~u64{0} : (u64{1} << ways) - 1),
        sets_(sets),
        by_sets_(sets),
        by_ways_(ways) {
    LOCKSTEP_ASSERT(sets > 0 && ways > 0 && ways <= 64, "a cache has sets, each of up to 64 ways");
    const u32 words = tag_words_ + rank_words_ + 2;
    stride_ = words <= 8 ? std::bit_ceil(words) : (words + 7) / 8 * 8;
    make();
    most_ = entries();
  }

  u32 sets() const { return sets_; }
  u32 entries() const { return sets_ * ways_; }
  // Of the host's memory.
  std::size_t host_bytes() const { return words_.size() * sizeof(u64) + entry_.size() * sizeof(Entry); }
  u64 line(u32 entry) const { return entry_[entry].line() - 1; }
  u32 miss(u32 entry) const { return entry_[entry].miss - u32{1}; }
  Data& data(u32 entry) { return entry_[entry].data; }
  void set_miss(u32 entry, u32 miss) {
    const u32 set = set_of(entry);
    set_miss(entry, set, entry - set * ways_, miss);
  }
  void invalidate(u32 entry) {
    const u32 set = set_of(entry);
    const u32 way = entry - set * ways_;
    write_tag(block(set), way, 0);
    if (protected_ != 0) block(set)[aged()] &= ~protected_bit(way);
    vacant_ += !entry_[entry].is_empty();
    entry_[entry].hold(0);
  }

  // `line` is a line number; `index` chooses the set (callers that hash pass something else than the line).
  u32 find(u64 line, u64 index) { return find_in(line, set_at(index)); }

  // Who needs its set several times asks for it once.
  u32 set_at(u64 index) const { return static_cast<u32>(by_sets_.remainder(index)); }
  u32 find_in(u64 line, u32 set) {
    const u32 entry = peek_in(line, set);
    if (entry != none) use(entry, set);
    return entry;
  }
  void use(u32 entry, u32 set) {
    u64* const words = block(set);
    const u32 way = entry - set * ways_;
    touch(words, way);
    if (protected_ != 0) protect_way(words, way);
  }
  u32 peek_in(u64 line, u32 set) const {
    for (u64 equal = equal_tags(block(set), tag_of(line)); equal != 0; equal &= equal - 1) {
      const u32 entry = set * ways_ + static_cast<u32>(std::countr_zero(equal));
      if (entry_[entry].line() == line + 1) [[likely]]
        return entry;
    }
    return none;
  }

  // What `find` and `victim` will read comes into the host's nearest cache: the set, and of what lies in it
  // the entry that the line has, or most likely takes. Without branches: each would be as hard to foresee as
  // the look-up's own, which waits for less then. (Inlined: GCC takes a function that only prefetches for one
  // without effects and drops its calls.)
  [[gnu::always_inline]] void prefetch_set(u32 set) const { __builtin_prefetch(block(set), 1); }
  [[gnu::always_inline]] void prefetch_line(u64 line, u32 set) const {
    const u64* const words = block(set);
    const u64 equal = equal_tags(words, tag_of(line));
    const u64 oldest = equal_ranks(words, 0) & ~words[pending()] & (u64{equal != 0} - 1);
    const u64 ways = equal | oldest | u64{1} << (ways_ - 1);
    __builtin_prefetch(&entry_[set * ways_ + static_cast<u32>(std::countr_zero(ways))], 1);
  }
  [[gnu::always_inline]] void prefetch_entry(u32 entry) const {
    __builtin_prefetch(&entry_[entry], 1);
    __builtin_prefetch(block(set_of(entry)), 1);
  }

  // The entry to take for a new line: an empty one, else the least recently used one. `none` when lines are
  // on their way to all. The caller reads what was there before it calls `place`.
  u32 victim(u64 index) const { return victim_in(set_at(index)); }
  [[gnu::always_inline]] u32 victim_in(u32 set) const {
    const u64* const words = block(set);
    const u64 free = all_ways_ & ~words[pending()];
    u64 best = vacant_ != 0 ? equal_tags(words, 0) & free : 0;
    if (best == 0) best = words[aged()] & free;
    if (best == 0) {
      if (free == 0) return none;
      for (u32 rank = 0; best == 0; ++rank) best = equal_ranks(words, static_cast<u8>(rank)) & free;
    }
    return set * ways_ + static_cast<u32>(std::countr_zero(best));
  }

  // Of a set's entries for which `holds` is true the one used longest ago; none.
  template <typename Holds>
  u32 oldest_in(u32 set, const Holds& holds) const {
    for (u32 rank = 0; rank < ways_; ++rank) {
      // Ways that were never used share the lowest rank.
      for (u64 ways = equal_ranks(block(set), static_cast<u8>(rank)); ways != 0; ways &= ways - 1) {
        const u32 entry = set * ways_ + static_cast<u32>(std::countr_zero(ways));
        if (holds(entry)) return entry;
      }
    }
    return none;
  }

  // Of each set so many lines, those used again last, stay where new ones come and go: segmented LRU
  // (Karedla, Love and Wherry, Caching Strategies to Improve Disk System Performance, 1994).
  void protect(u32 lines) {
    LOCKSTEP_ASSERT(lines < ways_ && ways_ <= most_protecting_ways,
                    "some of a set's lines are protected, not all");
    protected_ = lines;
  }
  // The cache keeps no more lines than that, though it has an entry for more.
  void keep_at_most(u32 lines) { most_ = std::min(lines, entries()); }
  // As victim_in. Where all is taken that the cache may keep, and not by the set itself, a line of another
  // set goes: of one that chance chooses the one used longest ago that is not protected, if any is.
  u32 make_room_in(u32 set) {
    const u32 entry = victim_in(set);
    if (entry == none || !entry_[entry].is_empty() || entries() - vacant_ < most_) return entry;
    constexpr u32 tries_unprotected = 16;
    u32 other = none;
    for (u32 tries = 0; other == none && tries < sets_; ++tries) {
      // By a linear congruence modulo 2^32 (Knuth, The Art of Computer Programming 2, 3.3.4, table 1, line
      // 15).
      chance_ = chance_ * 1664525 + 1013904223;
      const u32 its_set = static_cast<u32>(u64{chance_} * sets_ >> 32);
      const u64 stay = tries < tries_unprotected ? block(its_set)[aged()] >> protected_shift : 0;
      other = oldest_in(its_set, [&](u32 line) {
        return !entry_[line].is_empty() && miss(line) == arrived &&
               (stay >> (line - its_set * ways_) & 1) == 0;
      });
    }
    if (other == none) return none;
    invalidate(other);
    return entry;
  }

  void place(u32 entry, u64 line, u32 miss) { place_in(set_of(entry), entry, line, miss); }
  void place_in(u32 set, u32 entry, u64 line, u32 miss) {
    const u32 way = entry - set * ways_;
    u64* const words = block(set);
    used_ = true;
    const bool stays = protected_ == 0 || entry_[entry].line() == line + 1;
    write_tag(words, way, tag_of(line));
    vacant_ -= entry_[entry].is_empty();
    entry_[entry].hold(line + 1);
    set_miss(entry, set, way, miss);
    if (stays) {
      touch(words, way);
    } else {
      come_in(words, way);
    }
  }

  // The next to go, unless it is used again.
  void age(u32 entry) {
    const u32 set = set_of(entry);
    block(set)[aged()] |= u64{1} << (entry - set * ways_);
  }

  // What was on its way will not come.
  void drop_misses() {
    for (u32 entry = 0; entry < entries() && outstanding_ != 0; ++entry) {
      if (entry_[entry].miss == 0) continue;
      set_miss(entry, arrived);
      invalidate(entry);
    }
  }

  // Lines on their way are dropped too: they arrive for those who wait and are not kept.
  void invalidate_all() {
    chance_ = 0;
    if (!used_) return;
    if (outstanding_ == 0 && entries() > 4096) {
      make();
      return;
    }
    for (u32 set = 0; set < sets_; ++set) {
      u64* const words = block(set);
      for (u32 i = 0; i < tag_words_; ++i) words[i] = 0;
      words[aged()] = 0;
    }
    for (u32 entry = 0; entry < entries(); ++entry) entry_[entry].hold(0);
    vacant_ = entries();
    used_ = outstanding_ != 0;
  }

 private:
  // Small, so that what large caches hold stays near the host's processor: 48 bits of the line's number.
  struct Entry {
    u32 low;  // of the line, plus 1
    u16 high;
    MissNumber miss;  // plus 1
    [[no_unique_address]] Data data;
    u64 line() const { return u64{high} << 32 | low; }
    bool is_empty() const { return (low | high) == 0; }
    void hold(u64 line) {
      low = static_cast<u32>(line);
      high = static_cast<u16>(line >> 32);
    }
  };
  static constexpr u64 every_tag = 0x0001'0001'0001'0001, every_rank = 0x0101'0101'0101'0101;

  // 0 is an empty way's.
  static u64 tag_of(u64 line) { return (line * 0x9E37'79B9'7F4A'7C15 >> 48) | 1; }
  // The ways that have this tag, this rank. (What is read behind the tags, or the ranks, is the same set's.)
#if defined(__AVX2__)
  // Most caches have no more than 16 ways: one step.
  u64 equal_tags(const u64* words, u64 tag) const {
    const __m256i wanted = _mm256_set1_epi16(static_cast<short>(tag));
    const auto four_words = [&](u32 i) {
      const __m256i tags = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + i));
      const __m256i same = _mm256_cmpeq_epi16(tags, wanted);
      const __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(same), _mm256_extracti128_si256(same, 1));
      return u64{static_cast<u32>(_mm_movemask_epi8(bytes))} << i * 4;
    };
    u64 equal = four_words(0);
    for (u32 i = 4; i < tag_words_; i += 4) equal |= four_words(i);
    return equal & all_ways_;
  }
  u64 equal_ranks(const u64* words, u8 rank) const {
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(rank));
    const auto two_words = [&](u32 i) {
      const __m128i ranks = _mm_loadu_si128(reinterpret_cast<const __m128i*>(words + tag_words_ + i));
      return u64{static_cast<u32>(_mm_movemask_epi8(_mm_cmpeq_epi8(ranks, wanted)))} << i * 8;
    };
    u64 equal = two_words(0);
    for (u32 i = 2; i < rank_words_; i += 2) equal |= two_words(i);
    return equal & all_ways_;
  }
#else
  u64 equal_tags(const u64* words, u64 tag) const {
    u64 equal = 0;
    for (u32 way = 0; way < ways_; ++way)
      equal |= u64{(words[way / 4] >> way % 4 * 16 & 0xFFFF) == tag} << way;
    return equal;
  }
  u64 equal_ranks(const u64* words, u8 rank) const {
    u64 equal = 0;
    for (u32 way = 0; way < ways_; ++way) equal |= u64{ranks_of(words)[way] == rank} << way;
    return equal;
  }
#endif
  void make() {
    words_ = ZeroedArray<u64>(std::size_t{sets_} * stride_);
    entry_ = ZeroedArray<Entry>(entries());
    vacant_ = entries();
    used_ = false;
  }
  u64* block(u32 set) { return words_.data() + std::size_t{set} * stride_; }
  const u64* block(u32 set) const { return words_.data() + std::size_t{set} * stride_; }
  u32 aged() const { return aged_; }
  u32 pending() const { return aged_ + 1; }
  u8* ranks_of(u64* words) const { return reinterpret_cast<u8*>(words + tag_words_); }
  const u8* ranks_of(const u64* words) const { return reinterpret_cast<const u8*>(words + tag_words_); }
  u32 set_of(u32 entry) const { return static_cast<u32>(by_ways_.quotient(entry)); }
  static void write_tag(u64* words, u32 way, u64 tag) {
    u64& word = words[way / 4];
    const u32 at = way % 4 * 16;
    word = (word & ~(u64{0xFFFF} << at)) | tag << at;
  }
  void set_miss(u32 entry, u32 set, u32 way, u32 miss) {
    MissNumber& held = entry_[entry].miss;
    if (miss != arrived) {
      outstanding_ += held == 0;
      block(set)[pending()] |= u64{1} << way;
    } else if (held != 0) {
      --outstanding_;
      block(set)[pending()] &= ~(u64{1} << way);
    }
    held = static_cast<MissNumber>(miss + 1);
  }
  // The way becomes the most recently used one: ranks above its own fall by one.
  void touch(u64* words, u32 way) {
    words[aged()] &= ~(u64{1} << way);
    u8* const ranks = ranks_of(words);
    const u8 rank = ranks[way];
    if (rank + 1u == ways_) return;
#if defined(__AVX2__)
    if (rank_words_ == 2) {
      __m128i* const all = reinterpret_cast<__m128i*>(ranks);
      const __m128i before = _mm_loadu_si128(all);
      const __m128i above = _mm_cmpgt_epi8(before, _mm_set1_epi8(static_cast<char>(rank)));
      _mm_storeu_si128(all, _mm_add_epi8(before, above));
      ranks[way] = static_cast<u8>(ways_ - 1);
      return;
    }
#endif
    const u64 above = (rank + 1) * every_rank;
    for (u32 i = 0; i < rank_words_; ++i) {
      u64& word = words[tag_words_ + i];
      word -= (((word | every_rank * 0x80) - above) & (every_rank * 0x80)) >> 7;
    }
    ranks[way] = static_cast<u8>(ways_ - 1);
  }

  // Which of a set's ways are protected is noted beside which were aged. They are those used last.
  static constexpr u32 protected_shift = most_protecting_ways;
  static u64 protected_bit(u32 way) { return u64{1} << (protected_shift + way); }
  // The way, which is used again; where that is one too many, of the others the one used longest ago is not
  // any more.
  void protect_way(u64* words, u32 way) {
    u64& word = words[aged()];
    word |= protected_bit(way);
    if (static_cast<u32>(std::popcount(word >> protected_shift)) <= protected_) return;
    const u8* const ranks = ranks_of(words);
    u32 oldest = way;
    for (u64 bits = word >> protected_shift; bits != 0; bits &= bits - 1) {
      const u32 other = static_cast<u32>(std::countr_zero(bits));
      if (ranks[other] < ranks[oldest]) oldest = other;
    }
    word &= ~protected_bit(oldest);
  }
  // A new line is used longer ago than those that are protected, and later than all others.
  void come_in(u64* words, u32 way) {
    u64& word = words[aged()];
    word &= ~(protected_bit(way) | u64{1} << way);
    u8* const ranks = ranks_of(words);
    u32 rank = ways_;
    for (u64 bits = word >> protected_shift; bits != 0; bits &= bits - 1)
      rank = std::min<u32>(rank, ranks[std::countr_zero(bits)]);
    const u32 before = ranks[way];
    if (before < rank) --rank;
    for (u32 other = 0; other < ways_; ++other) {
      if (ranks[other] > before && ranks[other] <= rank) {
        --ranks[other];
      } else if (ranks[other] < before && ranks[other] >= rank) {
        ++ranks[other];
      }
    }
    ranks[way] = static_cast<u8>(rank);
  }

  u32 ways_ = 1, tag_words_ = 1, rank_words_ = 1, aged_ = 2, stride_ = 4;
  u64 all_ways_ = 1;
  u32 sets_ = 0;
  Divider by_sets_, by_ways_;
  ZeroedArray<u64> words_;  // of each set: tags, ranks, ways that were aged, ways with a miss
  ZeroedArray<Entry> entry_;
  u64 outstanding_ = 0;
  u64 vacant_ = 0;     // entries without a line
  u64 most_ = 0;       // lines that are kept
  u32 protected_ = 0;  // of a set
  u32 chance_ = 0;
  bool used_ = false;  // since it was empty
};

using CacheTags = CacheTagsWith<NoLineData>;

}  // namespace lockstep
