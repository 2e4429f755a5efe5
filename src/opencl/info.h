// Answers of the clGet...Info functions.
#pragma once
#include <CL/cl.h>

#include <cstring>
#include <span>
#include <string_view>

#include "base/types.h"

namespace lockstep::opencl {

// Where an answer goes. CL_INVALID_VALUE when the application's place is too small.
class InfoPlace {
 public:
  InfoPlace(size_t size, void* value, size_t* size_ret) : size_(size), value_(value), size_ret_(size_ret) {}

  cl_int bytes(const void* data, size_t count) const {
    if (value_ != nullptr) {
      if (size_ < count) return CL_INVALID_VALUE;
      if (count != 0) std::memcpy(value_, data, count);
    }
    if (size_ret_ != nullptr) *size_ret_ = count;
    return CL_SUCCESS;
  }
  template <class T>
  cl_int value(const T& what) const {
    return bytes(&what, sizeof(T));
  }
  cl_int text(std::string_view what) const {
    if (value_ != nullptr) {
      if (size_ < what.size() + 1) return CL_INVALID_VALUE;
      std::memcpy(value_, what.data(), what.size());
      static_cast<char*>(value_)[what.size()] = '\0';
    }
    if (size_ret_ != nullptr) *size_ret_ = what.size() + 1;
    return CL_SUCCESS;
  }
  template <class Container>
  cl_int list(const Container& what) const {
    return bytes(what.data(), what.size() * sizeof(what.data()[0]));
  }
  void* place() const { return value_; }
  size_t size() const { return size_; }

 private:
  size_t size_;
  void* value_;
  size_t* size_ret_;
};

}  // namespace lockstep::opencl
