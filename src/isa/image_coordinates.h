// Where a sampler looks: from a coordinate to the texels of one dimension and their weight.
// Source: the "OpenCL Specification" 1.2, section 8.2 "Addressing and filter modes", gives the real-number
// rules; the hardware does them in fixed point with 8 bits behind the point (VkPhysicalDeviceLimits of AMD's
// Vulkan drivers: subTexelPrecisionBits 8).
#pragma once
#include "base/types.h"

namespace lockstep {

inline constexpr u32 weight_bits = 8;
inline constexpr u32 weight_one = 1u << weight_bits;

// How a coordinate outside of the image is brought inside.
enum class Clamp : u8 {
  wrap,
  mirror,
  last_texel,
  mirror_once_last_texel,
  half_border,
  mirror_once_half_border,
  border,
  mirror_once_border
};

// Texels of one dimension; -1 is the border.
struct TexelPair {
  i32 first = 0, second = 0;
  u32 weight = 0;  // of the second, in 1/256; 0 where nothing is filtered
};

struct AxisRule {
  u32 size = 1;
  Clamp clamp = Clamp::last_texel;
  bool normalized = false;
  bool linear = false;
  bool truncates = false;
};

// Coordinates are rounded to 1/256 of a texel, halves up (cut off where the rule truncates and does not
// filter); a NaN counts as 0.
TexelPair texels_at(const AxisRule& rule, f32 coordinate);

// The layer of an array: rounded to nearest even and clamped.
u32 layer_at(f32 coordinate, u32 layers);

}  // namespace lockstep
