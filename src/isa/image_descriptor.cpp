#include "isa/image_descriptor.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lockstep {
namespace {

bool describes_image(const ImageDescriptor& image) {
  constexpr u32 most_texels = 1 << 30;  // coordinates are 32-bit integers
  const bool good_bits = image.bits == 8 || image.bits == 16 || image.bits == 32;
  const bool good_size = std::min({image.width, image.height, image.depth}) >= 1 &&
                         std::max({image.width, image.height, image.depth}) <= most_texels;
  return good_bits && good_size && image.channels >= 1 && image.channels <= 4 &&
         image.texel_bytes == image.channels * image.bits / 8 &&
         image.number <= static_cast<u32>(NumberFormat::floating);
}

}  // namespace

bool raise_outside(StepContext& context, u32 lane, u64 address, u32 bytes) {
  Fault fault;
  fault.kind = FaultKind::outside_memory;
  fault.bytes = static_cast<u8>(bytes);
  fault.lane = lane;
  fault.address = address;
  context.raise(fault);
  return false;
}

bool read_image_descriptor(StepContext& context, u32 lane, u64 handle, ImageDescriptor& descriptor) {
  if (!context.global.contains(handle, sizeof(descriptor))) return raise_outside(context, lane, handle, 64);
  std::memcpy(&descriptor, context.global.at(handle), sizeof(descriptor));
  if (describes_image(descriptor)) return true;
  Fault fault;
  fault.kind = FaultKind::not_supported;
  fault.text = "a texture or surface handle at which no image's descriptor is";
  context.raise(fault);
  return false;
}

bool read_sampler_bits(StepContext& context, u32 lane, u64 handle, u32& bits) {
  bits = static_cast<u32>(handle);
  if (handle < sampler_bits::first_address) return true;
  if (!context.global.contains(handle, 4)) return raise_outside(context, lane, handle, 4);
  std::memcpy(&bits, context.global.at(handle), 4);
  return true;
}

TexelFormat format_of(const ImageDescriptor& image) {
  TexelFormat format;
  for (u32 i = 0; i < image.channels && i < 4; ++i) format.bits[i] = static_cast<u8>(image.bits);
  format.number = static_cast<NumberFormat>(image.number);
  return format;
}

Clamp clamp_of(u32 bits) {
  switch (bits & sampler_bits::address_mask) {
    case sampler_bits::clamp_to_edge:
      return Clamp::last_texel;
    case sampler_bits::repeat:
      return Clamp::wrap;
    case sampler_bits::mirrored_repeat:
      return Clamp::mirror;
    default:
      return Clamp::border;
  }
}

AxisRule axis_rule(u32 bits, u32 size, bool linear) {
  AxisRule rule;
  rule.size = size;
  rule.clamp = clamp_of(bits);
  rule.normalized = (bits & sampler_bits::normalized) != 0;
  rule.linear = linear;
  rule.truncates = true;
  return rule;
}

TexelComponents selected_components(const ImageDescriptor& image, const TexelComponents& stored) {
  const u32 one = format_of(image).integer() ? 1 : std::bit_cast<u32>(1.0f);
  TexelComponents result{};
  for (u32 i = 0; i < 4; ++i) {
    const u32 from = (image.select >> (8 * i)) & 0xFF;
    result[i] = from == 0 ? 0 : from == 1 ? one : stored[(from - 4) & 3];
  }
  return result;
}

TexelComponents stored_components(const ImageDescriptor& image, const TexelComponents& value) {
  TexelComponents stored{};
  for (u32 i = 0; i < 4; ++i) {
    const u32 from = (image.select >> (8 * i)) & 0xFF;
    if (from >= 4 && from - 4 < image.channels) stored[from - 4] = value[i];
  }
  return stored;
}

u32 opencl_channel_order(const ImageDescriptor& image) {
  constexpr u32 orders[] = {0x10B1, 0x10B0, 0x10BA, 0x10B2, 0x10BB, 0x10B3, 0x10B4, 0x10BC, 0x10B5,
                            0x10B6, 0x10B7, 0x10C3, 0,      0,      0,      0,      0x10B8, 0x10B9};
  return image.order < std::size(orders) ? orders[image.order] : 0;
}

u32 opencl_channel_type(const ImageDescriptor& image) {
  return 0x10D0 + (image.type < 4 ? image.type : image.type - 1);
}

}  // namespace lockstep
