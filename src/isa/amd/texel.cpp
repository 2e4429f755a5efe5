#include "isa/amd/texel.h"

#include <algorithm>

namespace lockstep::amd {
namespace {

constexpr std::array<std::array<u8, 4>, 15> component_bits = {{{},
                                                               {8},
                                                               {16},
                                                               {8, 8},
                                                               {32},
                                                               {16, 16},
                                                               {11, 11, 10},
                                                               {10, 11, 11},
                                                               {2, 10, 10, 10},
                                                               {10, 10, 10, 2},
                                                               {8, 8, 8, 8},
                                                               {32, 32},
                                                               {16, 16, 16, 16},
                                                               {32, 32, 32},
                                                               {32, 32, 32, 32}}};

// RDNA numbers the pairs of data and number format one after the other; the sets of number formats, by bit.
constexpr u8 no_floats = 0b0011'1111, with_floats = 0b1011'1111, words = 0b1011'0000,
             only_floats = 0b1000'0000, no_scaled = 0b0011'0011;
constexpr std::array<u8, 15> rdna_numbers = {0,           no_floats,   with_floats, no_floats, words,
                                             with_floats, with_floats, with_floats, no_floats, no_floats,
                                             no_floats,   words,       with_floats, words,     words};
constexpr std::array<u8, 15> rdna3_numbers = {0,           no_floats,   with_floats, no_floats, words,
                                              with_floats, only_floats, only_floats, no_scaled, no_floats,
                                              no_floats,   words,       with_floats, words,     words};

// Calls look(unified, data, number) for every format.
template <class F>
void for_formats(bool from_rdna3, F look) {
  const std::array<u8, 15>& numbers = from_rdna3 ? rdna3_numbers : rdna_numbers;
  u32 unified = 1;
  for (u32 data = 1; data < numbers.size(); ++data) {
    for (u32 number = 0; number < 8; ++number) {
      if ((numbers[data] >> number & 1) != 0) look(unified++, data, number);
    }
  }
}

}  // namespace

SplitFormat split_format(u32 unified, bool from_rdna3) {
  using Formats = std::array<SplitFormat, 128>;
  static const std::array<Formats, 2> known = [] {
    std::array<Formats, 2> made{};
    for (const bool rdna3 : {false, true})
      for_formats(rdna3, [&](u32 each, u32 data, u32 number) { made[rdna3][each] = {data, number}; });
    return made;
  }();
  return unified < known[0].size() ? known[from_rdna3][unified] : SplitFormat{};
}

u32 unified_format(u32 data_format, u32 number_format, bool from_rdna3) {
  u32 found = 0;
  for_formats(from_rdna3, [&](u32 each, u32 data, u32 number) {
    if (data == data_format && number == number_format) found = each;
  });
  return found;
}

TexelFormat buffer_format(u32 data_format, u32 number_format) {
  TexelFormat format;
  format.number = static_cast<NumberFormat>(number_format & 7);
  if (data_format >= component_bits.size() || format.number == NumberFormat::reserved) return format;
  const std::array<u8, 4>& bits = component_bits[data_format];
  const bool small = std::any_of(bits.begin(), bits.end(), [](u8 b) { return b == 8 || b == 2; });
  const bool wide = bits[0] == 32;
  // 32-bit components are integers or floats, 8- and 2-bit ones no floats.
  if (format.number == NumberFormat::floating ? small : (wide && !format.integer())) return format;
  format.bits = bits;
  return format;
}

}  // namespace lockstep::amd
