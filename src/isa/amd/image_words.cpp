// The words that kernels of AMD's GPUs are handed for images and samplers.
// What follows the hardware's descriptor (channel type, order and width in dwords 8 to 10) is what
// rocm-device-libs' get_image_* functions read, in the numbering of the "HSA Runtime Specification".
#include <algorithm>

#include "isa/amd/image_resource.h"
#include "isa/image_descriptor.h"

namespace lockstep {
namespace {

using amd::ImageLayout;
using amd::ImageType;

constexpr u32 descriptor_words = 12;

// IMG_DATA_FORMAT and BUF_DATA_FORMAT number these alike: by bits of a channel and channels.
u32 data_format(u32 bits, u32 channels) {
  switch (bits * channels) {
    case 8:
      return 1;  // 8
    case 16:
      return channels == 1 ? 2 : 3;  // 16, 8_8
    case 32:
      return channels == 1 ? 4 : channels == 2 ? 5 : 10;  // 32, 16_16, 8_8_8_8
    case 64:
      return channels == 2 ? 11 : 12;  // 32_32, 16_16_16_16
    default:
      return 14;  // 32_32_32_32
  }
}

ImageType type_of(const ImageDescriptor& image) {
  switch (image.dimensions()) {
    case 1:
      return image.is_array() ? ImageType::d1_array : ImageType::d1;
    case 2:
      return image.is_array() ? ImageType::d2_array : ImageType::d2;
    default:
      return ImageType::d3;
  }
}

}  // namespace

bool has_hardware_images(const Target& target) {
  return amd::image_layout(target) != ImageLayout::none;
}

std::vector<u32> hardware_image_words(const Target& target, const ImageDescriptor& image) {
  const ImageLayout layout = amd::image_layout(target);
  const u32 format = data_format(image.bits, image.channels);
  std::array<u8, 4> select{};
  for (u32 i = 0; i < 4; ++i) select[i] = static_cast<u8>(image.select >> (8 * i));
  std::vector<u32> words(descriptor_words);
  if (image.is_buffer()) {
    const auto buffer = amd::encode_buffer_image(image.address(), image.width, image.texel_bytes, format,
                                                 image.number, select, layout);
    std::copy(buffer.begin(), buffer.end(), words.begin());
  } else {
    amd::ImageResource resource;
    resource.base = image.address();
    resource.data_format = format;
    resource.number_format = image.number;
    resource.select = select;
    resource.type = type_of(image);
    resource.width = image.width;
    resource.height = image.height;
    resource.depth = resource.type == ImageType::d3 ? image.depth : 1;
    resource.layers = resource.type == ImageType::d3 ? 1 : image.depth;
    resource.pitch = image.row_pitch / image.texel_bytes;
    const amd::ImageWords image_words = encode(resource, layout);
    std::copy(image_words.begin(), image_words.end(), words.begin());
  }
  words[8] = image.type;
  words[9] = image.order;
  words[10] = image.width;
  return words;
}

std::vector<u32> hardware_sampler_words(const Target& target, u32 bits) {
  amd::SamplerResource sampler;
  sampler.clamp.fill(clamp_of(bits));
  sampler.unnormalized = (bits & sampler_bits::normalized) == 0;
  sampler.magnify_linear = sampler.minify_linear = (bits & sampler_bits::linear) != 0;
  const amd::SamplerWords words = encode(sampler, amd::image_layout(target));
  return {words.begin(), words.end()};
}

}  // namespace lockstep
