// Names put together at compile time, for families of instructions that differ in a relation, an operation or
// a type.
#pragma once
#include <array>
#include <string_view>

#include "isa/lane_types.h"

namespace lockstep::amd {

// Up to 31 characters.
struct Name {
  std::array<char, 32> text{};
  std::size_t size = 0;

  constexpr Name(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
      for (const char c : part) text[size++] = c;
    }
  }
  constexpr operator std::string_view() const { return {text.data(), size}; }
};

// How mnemonics call a lane's type.
template <class T>
constexpr std::string_view type_name() {
  if constexpr (std::is_same_v<T, i16>) return "i16";
  if constexpr (std::is_same_v<T, u16>) return "u16";
  if constexpr (std::is_same_v<T, i32>) return "i32";
  if constexpr (std::is_same_v<T, u32>) return "u32";
  if constexpr (std::is_same_v<T, i64>) return "i64";
  if constexpr (std::is_same_v<T, u64>) return "u64";
  if constexpr (std::is_same_v<T, F16>) return "f16";
  if constexpr (std::is_same_v<T, f32>) return "f32";
  if constexpr (std::is_same_v<T, f64>) return "f64";
}

}  // namespace lockstep::amd
