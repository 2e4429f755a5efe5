// What a texture, surface or sampler handle of a PTX program points at in device memory. The hardware's own
// headers are the driver's secret; this is the modelled driver's.
#pragma once
#include "base/types.h"

namespace lockstep::nv {

// 32-bit words of an image's descriptor.
struct ImageWords {
  u32 address_low = 0, address_high = 0;
  u32 width = 1, height = 1, depth = 1;  // texels; depth counts the layers of arrays
  u32 row_pitch = 0;                     // bytes
  u32 slice_pitch_low = 0, slice_pitch_high = 0;
  u32 type = 0, order = 0;  // as exec/image.h numbers them
  u32 bits = 8;             // of a channel
  u32 channels = 4;
  u32 number = 0;  // amd::NumberFormat
  u32 select = 0;  // where R, G, B, A come from, a byte each: 0 zero, 1 one, 4 to 7 the channels in memory
  u32 texel_bytes = 4;
  u32 is_array = 0;

  u64 address() const { return address_low | u64{address_high} << 32; }
  u64 slice_pitch() const { return slice_pitch_low | u64{slice_pitch_high} << 32; }
};
static_assert(sizeof(ImageWords) == 64);

// A sampler's descriptor is one word with the bits of OpenCL C's sampler constants; a handle below 65536 is
// such a word itself.
namespace sampler_bits {
inline constexpr u32 normalized = 1, address_mask = 14, clamp_to_edge = 2, clamp = 4, repeat = 6,
                     mirrored_repeat = 8, linear = 32;
inline constexpr u64 first_address = 65536;
}  // namespace sampler_bits

}  // namespace lockstep::nv
