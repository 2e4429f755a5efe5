// An array of zeros, at the begin of a line of the host's cache. The operating system hands out a large one's
// pages as they are touched, so that one that is little used costs little; others lie where something lay
// before.
#pragma once
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
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
  explicit ZeroedArray(std::size_t size) : items_(make(size), Free{size * sizeof(T)}), size_(size) {}

  std::size_t size() const { return size_; }
  T* data() { return items_.get(); }
  const T* data() const { return items_.get(); }
  T& operator[](std::size_t i) { return items_.get()[i]; }
  const T& operator[](std::size_t i) const { return items_.get()[i]; }

 private:
  // From here on pages of its own: below it clearing costs less than what the kernel takes for them.
  static constexpr std::size_t own_pages = 1 << 19;
  static constexpr std::size_t line = 64;

  static T* make(std::size_t size) {
    const std::size_t bytes = size * sizeof(T);
    void* memory = nullptr;
    if (bytes < own_pages) {
      memory = std::aligned_alloc(line, (bytes + line) / line * line);
      if (memory != nullptr) std::memset(memory, 0, bytes);
    } else {
      // Shared, though nobody shares it: a page that is read first, as a cache's set is, is a page of its own
      // from then on. A private one would be the kernel's page of zeros, and writing to it would stop all
      // other threads for a moment.
      memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED) {
        memory = nullptr;
      } else {
        madvise(memory, bytes, MADV_DONTFORK);  // a child's writes would be ours
      }
    }
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* items) const {
      if (bytes < own_pages) {
        std::free(items);
      } else {
        munmap(items, bytes);
      }
    }
  };
  std::unique_ptr<T, Free> items_;
  std::size_t size_ = 0;
};

}  // namespace lockstep
