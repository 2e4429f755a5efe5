// A unit's own translations: fully associative, least recently used one goes. A page is known from the moment
// its translation has arrived, not before.
#pragma once
#include <vector>

#include "base/types.h"

namespace lockstep {

class Tlb {
 public:
  Tlb() = default;
  explicit Tlb(u32 entries) : entries_(entries) {}

  bool find(u64 page) {
    if (entries_[latest_].page == page) return true;
    // Loads and stores go on in pages of their own.
    if (entries_[before_].page == page) return use(before_);
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].page == page) return use(i);
    }
    return false;
  }

  // The page's translation has arrived.
  void insert(u64 page) {
    std::size_t oldest = 0;
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      if (entries_[i].used < entries_[oldest].used) oldest = i;
    }
    entries_[oldest] = {page, ++clock_};
    before_ = latest_;
    latest_ = oldest;
  }

  void invalidate_all() {
    for (Entry& entry : entries_) entry = {};
  }

 private:
  struct Entry {
    u64 page = ~u64{0};
    u64 used = 0;
  };
  bool use(std::size_t entry) {
    before_ = latest_;
    latest_ = entry;
    entries_[entry].used = ++clock_;
    return true;
  }

  std::vector<Entry> entries_;
  std::size_t latest_ = 0, before_ = 0;  // used last, and the one used last before that
  u64 clock_ = 0;
};

}  // namespace lockstep
