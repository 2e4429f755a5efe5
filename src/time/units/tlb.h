// Translations of one level: fully associative, least recently used one goes. A translation that is on its
// way can be waited for.
#pragma once
#include <vector>

#include "base/types.h"

namespace lockstep {

class Tlb {
 public:
  Tlb() = default;
  explicit Tlb(u32 entries) : entries_(entries) {}

  struct Entry {
    u64 page = ~u64{0};
    u64 used = 0;
    u64 ready = 0;  // cycle from which the translation is known
  };

  // nullptr on a miss.
  Entry* find(u64 page) {
    if (entries_[latest_].page == page) return &entries_[latest_];
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].page == page) {
        latest_ = i;
        entries_[i].used = ++clock_;
        return &entries_[i];
      }
    }
    return nullptr;
  }

  void insert(u64 page, u64 ready) {
    std::size_t oldest = 0;
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      if (entries_[i].used < entries_[oldest].used) oldest = i;
    }
    entries_[oldest] = {page, ++clock_, ready};
    latest_ = oldest;
  }

 private:
  std::vector<Entry> entries_;
  std::size_t latest_ = 0;
  u64 clock_ = 0;
};

}  // namespace lockstep
