// The largest of ranges of numbers that change by ranges: a segment tree.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/types.h"

namespace lockstep::lowering {

// Numbers by place, to which ranges are added and of which ranges' largest is asked.
class Heights {
 public:
  explicit Heights(const std::vector<i32>& values) {
    while (size_ < values.size()) size_ *= 2;
    most_.assign(2 * size_, 0);
    more_.assign(2 * size_, 0);
    std::copy(values.begin(), values.end(), most_.begin() + static_cast<std::ptrdiff_t>(size_));
    for (std::size_t i = size_; i-- > 1;) most_[i] = std::max(most_[2 * i], most_[2 * i + 1]);
  }
  // [begin, end)
  void add(u32 begin, u32 end, i32 by) {
    if (begin < end) add(1, 0, size_, begin, end, by);
  }
  i32 most(u32 begin, u32 end) const { return begin < end ? most(1, 0, size_, begin, end) : 0; }

 private:
  void add(std::size_t node, std::size_t low, std::size_t high, u32 begin, u32 end, i32 by) {
    if (end <= low || high <= begin) return;
    if (begin <= low && high <= end) {
      most_[node] += by;
      more_[node] += by;
      return;
    }
    const std::size_t middle = (low + high) / 2;
    add(2 * node, low, middle, begin, end, by);
    add(2 * node + 1, middle, high, begin, end, by);
    most_[node] = std::max(most_[2 * node], most_[2 * node + 1]) + more_[node];
  }
  i32 most(std::size_t node, std::size_t low, std::size_t high, u32 begin, u32 end) const {
    if (end <= low || high <= begin) return 0;
    if (begin <= low && high <= end) return most_[node];
    const std::size_t middle = (low + high) / 2;
    return std::max(most(2 * node, low, middle, begin, end), most(2 * node + 1, middle, high, begin, end)) +
           more_[node];
  }

  std::size_t size_ = 1;
  std::vector<i32> most_, more_;
};

}  // namespace lockstep::lowering
