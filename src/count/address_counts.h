// How often each word of memory was the target of an atomic.
#pragma once
#include <array>
#include <memory>
#include <unordered_map>

#include "base/types.h"

namespace lockstep {

class AddressCounts {
 public:
  void add(u64 address, u64 count) {
    const u64 page = address >> page_shift;
    Recent& recent = recent_[page % recent_.size()];
    if (recent.page != page) recent = {page, &page_of(page)};
    (*recent.words)[address / 4 % words_per_page] += count;
  }
  void add(const AddressCounts& other);

  struct Hottest {
    u64 address = 0, count = 0;
  };
  // Of equals the lowest address.
  Hottest hottest() const;

 private:
  static constexpr u32 page_shift = 12;
  static constexpr u64 words_per_page = (u64{1} << page_shift) / 4;
  using Page = std::array<u64, words_per_page>;
  struct Recent {
    u64 page = ~u64{0};
    Page* words = nullptr;
  };

  Page& page_of(u64 page);

  std::unordered_map<u64, std::unique_ptr<Page>> pages_;
  std::array<Recent, 16> recent_{};
};

}  // namespace lockstep
