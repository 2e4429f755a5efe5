// Data formats of typed buffers: components packed in memory to and from registers.
// Source: "Vega Instruction Set Architecture", chapter "Vector Memory Buffer Instructions", tables of data
// and number formats. A format's name lists its components from the highest bits down; X is in the lowest.
#pragma once
#include <array>

#include "base/types.h"

namespace lockstep::amd {

enum class NumberFormat : u8 { unorm, snorm, uscaled, sscaled, uint, sint, reserved, floating };

struct TexelFormat {
  std::array<u8, 4> bits{};  // of X, Y, Z, W; 0 where there is none
  NumberFormat number = NumberFormat::uint;

  u32 bytes() const { return static_cast<u32>(bits[0] + bits[1] + bits[2] + bits[3]) / 8; }
  bool integer() const { return number == NumberFormat::uint || number == NumberFormat::sint; }
};

// From the fields of a buffer resource or of a typed instruction; bytes() is 0 for what is no format.
TexelFormat buffer_format(u32 data_format, u32 number_format);

// RDNA has one number for both: buffers and images, gfx10 and (`from_rdna3`) gfx11 and later. Sources: "RDNA
// 2" and "RDNA3 Instruction Set Architecture", tables of buffer and image formats; LLVM's assembler writes
// the same numbers (format:[BUF_FMT_...]).
struct SplitFormat {
  u32 data = 0, number = 0;  // 0, 0 for what is no format
};
SplitFormat split_format(u32 unified, bool from_rdna3);
// 0 for what is no format there.
u32 unified_format(u32 data_format, u32 number_format, bool from_rdna3);

// The registers' contents: f32 bits, or 32-bit integers of integer formats. Components that the format lacks
// are 0, W is 1.
std::array<u32, 4> unpack_texel(const TexelFormat& format, const u8* from);
// Numbers are clamped to what the component holds and rounded to nearest even; integers keep their low bits.
void pack_texel(const TexelFormat& format, const std::array<u32, 4>& value, u8* to);

}  // namespace lockstep::amd
