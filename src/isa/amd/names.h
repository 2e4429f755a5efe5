// Names put together at compile time, for families of instructions that differ in a relation and a type.
#pragma once
#include <array>
#include <string_view>

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

}  // namespace lockstep::amd
