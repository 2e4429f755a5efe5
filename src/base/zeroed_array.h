// An array of zeros whose pages the operating system hands out as they are touched: a large one that is
// little used costs little.
#pragma once
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

#include "base/types.h"

namespace lockstep {

template <typename T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size)
      : items_(static_cast<T*>(std::calloc(size == 0 ? 1 : size, sizeof(T)))), size_(size) {
    if (items_ == nullptr) throw std::bad_alloc();
  }

  std::size_t size() const { return size_; }
  T* data() { return items_.get(); }
  const T* data() const { return items_.get(); }
  T& operator[](std::size_t i) { return items_.get()[i]; }
  const T& operator[](std::size_t i) const { return items_.get()[i]; }

 private:
  struct Free {
    void operator()(T* items) const { std::free(items); }
  };
  std::unique_ptr<T, Free> items_;
  std::size_t size_ = 0;
};

}  // namespace lockstep
