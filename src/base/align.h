// Sizes and places rounded up to what they have to be a multiple of.
#pragma once
#include <type_traits>

namespace lockstep {

// The least multiple of `alignment`, which is at least 1, that is not below `value`.
template <class T>
constexpr T align_up(T value, std::type_identity_t<T> alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace lockstep
