// How often each word of memory was the target of an atomic.
#pragma once
#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/types.h"

namespace lockstep {

class AddressCounts {
 public:
  void add(u64 address, u32 count) {
    const u64 region = (address >> region_shift) - first_region_;
    Page* page = nullptr;
    if (region < regions_.size() && regions_[region] != nullptr)
      page = (*regions_[region])[address >> page_shift & (pages_per_region - 1)].get();
    if (page == nullptr) page = &make_page(address);
    u16& word = (*page)[address / 4 % words_per_page];
    const u32 sum = word + count;
    word = static_cast<u16>(sum);
    if (sum > 0xFFFF) [[unlikely]]
      large_[address / 4] += sum >> 16;
  }
  void add(const AddressCounts& other);

  struct Hottest {
    u64 address = 0, count = 0;
  };
  // Of equals the lowest address.
  Hottest hottest() const;

 private:
  // Memory that atomics reach has pages of half its size here: the counts' lower 16 bits.
  static constexpr u32 page_shift = 12, region_shift = 24;
  static constexpr u64 words_per_page = (u64{1} << page_shift) / 4;
  static constexpr u64 pages_per_region = u64{1} << (region_shift - page_shift);
  using Page = std::array<u16, words_per_page>;
  using Region = std::array<std::unique_ptr<Page>, pages_per_region>;

  Page& make_page(u64 address);
  template <class Told>
  void each(Told told) const;

  u64 first_region_ = 0;
  std::vector<std::unique_ptr<Region>> regions_;  // from first_region_ on
  std::unordered_map<u64, u64> large_;            // by word: the counts' bits above
};

}  // namespace lockstep
