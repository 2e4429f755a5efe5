// Texels: components packed in memory to and from values of 32 bits. What the numbers mean is alike on all
// GPUs ("OpenCL Specification" 1.2, 8.3 "Conversion Rules").
#pragma once
#include <array>

#include "base/types.h"

namespace lockstep {

// Numbered as AMD's descriptors have them.
enum class NumberFormat : u8 { unorm, snorm, uscaled, sscaled, uint, sint, reserved, floating };

struct TexelFormat {
  std::array<u8, 4> bits{};  // of X, Y, Z, W from the lowest bits up; 0 where there is none
  NumberFormat number = NumberFormat::uint;

  u32 bytes() const { return static_cast<u32>(bits[0] + bits[1] + bits[2] + bits[3]) / 8; }
  bool integer() const { return number == NumberFormat::uint || number == NumberFormat::sint; }
};

// f32 bits, or 32-bit integers of integer formats. Components that the format lacks are 0, W is 1.
std::array<u32, 4> unpack_texel(const TexelFormat& format, const u8* from);
// Numbers are clamped to what the component holds and rounded to nearest even, integers clamped (8.3.4).
void pack_texel(const TexelFormat& format, const std::array<u32, 4>& value, u8* to);

}  // namespace lockstep
