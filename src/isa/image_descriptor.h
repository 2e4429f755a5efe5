// What a handle of an image or a sampler points at in device memory. Where the hardware's own descriptors are
// the driver's secret (PTX), or are of no consequence to the program (Gen9's surface and sampler states), the
// modelled driver's.
#pragma once
#include <array>
#include <vector>

#include "isa/image_coordinates.h"
#include "isa/step.h"
#include "isa/texel.h"
#include "machine/target.h"

namespace lockstep {

// 32-bit words of an image's descriptor.
struct ImageDescriptor {
  static constexpr u32 array = 8, buffer = 16;

  u32 address_low = 0, address_high = 0;
  u32 width = 1, height = 1, depth = 1;  // texels; depth counts the layers of arrays
  u32 row_pitch = 0;                     // bytes
  u32 slice_pitch_low = 0, slice_pitch_high = 0;
  u32 type = 0, order = 0;  // as exec/image.h numbers them
  u32 bits = 8;             // of a channel
  u32 channels = 4;
  u32 number = 0;  // NumberFormat
  u32 select = 0;  // where R, G, B, A come from, a byte each: 0 zero, 1 one, 4 to 7 the channels in memory
  u32 texel_bytes = 4;
  u32 shape =
      2;  // dimensions, the layer not among them; beside them `array` where there are layers, `buffer`

  u64 address() const { return address_low | u64{address_high} << 32; }
  u64 slice_pitch() const { return slice_pitch_low | u64{slice_pitch_high} << 32; }
  u32 dimensions() const { return shape & 3; }
  bool is_array() const { return (shape & array) != 0; }
  bool is_buffer() const { return (shape & buffer) != 0; }
  u64 texel_address(u64 x, u64 y, u64 z) const {
    return address() + z * slice_pitch() + y * row_pitch + x * texel_bytes;
  }
};
static_assert(sizeof(ImageDescriptor) == 64);

// A sampler's descriptor is one word with the bits of OpenCL C's sampler constants; a handle below
// `first_address` is such a word itself.
namespace sampler_bits {
inline constexpr u32 normalized = 1, address_mask = 14, clamp_to_edge = 2, clamp = 4, repeat = 6,
                     mirrored_repeat = 8, linear = 32;
inline constexpr u64 first_address = 65536;
}  // namespace sampler_bits

// What a handle points at where programs look into it, as AMD's do: the hardware's own words, which AMD's
// room writes. Whether there are such images on the target; false on CDNA from gfx940 on.
bool has_hardware_images(const Target& target);
// The words of an image's descriptor, with what the device library reads behind them, and of a sampler's, of
// which `bits` are those above. The target has hardware images.
std::vector<u32> hardware_image_words(const Target& target, const ImageDescriptor& image);
std::vector<u32> hardware_sampler_words(const Target& target, u32 bits);

// Read what a lane's handle points at; false after a fault. Descriptors lie in device memory, where a program
// can write: one that says something that no image has is refused.
bool read_image_descriptor(StepContext& context, u32 lane, u64 handle, ImageDescriptor& descriptor);
bool read_sampler_bits(StepContext& context, u32 lane, u64 handle, u32& bits);

TexelFormat format_of(const ImageDescriptor& image);
Clamp clamp_of(u32 bits);
// How a sampler with these bits looks along a dimension of so many texels.
AxisRule axis_rule(u32 bits, u32 size, bool linear);

using TexelComponents = std::array<u32, 4>;
// R, G, B and A of what lies in memory, and the way back.
TexelComponents selected_components(const ImageDescriptor& image, const TexelComponents& stored);
TexelComponents stored_components(const ImageDescriptor& image, const TexelComponents& value);

// CL_RGBA and the like, CL_UNORM_INT8 and the like (cl.h).
u32 opencl_channel_order(const ImageDescriptor& image);
u32 opencl_channel_type(const ImageDescriptor& image);

// Faults: nothing is there. False.
bool raise_outside(StepContext& context, u32 lane, u64 address, u32 bytes);

}  // namespace lockstep
