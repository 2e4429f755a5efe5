// A queue in one piece of memory: first in, first out, growing as needed. What is far apart in a std::deque
// lies side by side here, and an empty queue holds no memory.
#pragma once
#include <vector>

#include "base/types.h"

namespace lockstep {

template <typename T>
class Ring {
 public:
  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  T& front() { return items_[first_]; }
  const T& front() const { return items_[first_]; }
  // From the front.
  T& operator[](std::size_t i) { return items_[(first_ + i) & (capacity_ - 1)]; }
  const T& operator[](std::size_t i) const { return items_[(first_ + i) & (capacity_ - 1)]; }
  T& push_back(const T& item) {
    if (count_ == capacity_) [[unlikely]]
      grow();
    T& place = items_[(first_ + count_) & (capacity_ - 1)];
    place = item;
    ++count_;
    return place;
  }
  void pop_front() {
    first_ = (first_ + 1) & (capacity_ - 1);
    --count_;
  }
  void clear() { first_ = count_ = 0; }

 private:
  void grow() {
    std::vector<T> larger(items_.empty() ? 16 : items_.size() * 2);
    for (std::size_t i = 0; i < count_; ++i) larger[i] = items_[(first_ + i) & (items_.size() - 1)];
    items_.swap(larger);
    capacity_ = items_.size();
    first_ = 0;
  }

  std::vector<T> items_;
  std::size_t capacity_ = 0;  // a power of two
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace lockstep
