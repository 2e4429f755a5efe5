// The descriptors of images (T#, 256 bits) and samplers (S#, 128 bits), to and from their words.
// Sources: "Vega Instruction Set Architecture", chapter "Vector Memory Operations", tables "Image Resource
// Definition" and "Sampler Definition"; for gfx6 to gfx8 the same tables of the "Southern Islands", "Sea
// Islands" and "Graphics Core Next 3 Instruction Set Architecture"; for RDNA "RDNA 2" and "RDNA3 Instruction
// Set Architecture", tables "Image Resource Definition", and for gfx12 ROCm's runtime (hsa-runtime/image,
// resource_gfx12.h), whose words the manual's are.
#pragma once
#include <array>

#include "isa/amd/texel.h"
#include "isa/image_coordinates.h"
#include "machine/target.h"

namespace lockstep::amd {

// Generations lay the descriptor's upper half and its tiling out differently.
enum class ImageLayout : u8 {
  none,  // the target has no images, or none that is described here
  gcn1,  // gfx6 to gfx8: tiling index, pitch of 14 bits, last array layer in word 5
  gcn5,  // gfx9: swizzle mode, pitch of 16 bits, last array layer in the depth
  // One format number, a width of two pieces; the pitch is in the depth where that is free (gfx10.3 and
  // later), else rows begin at multiples of 256 bytes.
  rdna1,  // gfx10
  rdna3,  // gfx11: other format numbers
  rdna4,  // gfx12: levels in other places
};

// none for targets without image instructions (gfx940 and later CDNA).
ImageLayout image_layout(const Target& target);

enum class ImageType : u8 {
  buffer = 0,
  d1 = 8,
  d2,
  d3,
  cube,
  d1_array,
  d2_array,
  d2_samples,
  d2_array_samples
};

struct ImageResource {
  u64 base = 0;  // bytes, a multiple of 256
  u32 data_format = 0;
  u32 number_format = 0;
  std::array<u8, 4> select{4, 5, 6, 7};  // where each component comes from: 0 zero, 1 one, 4..7 X Y Z W
  ImageType type = ImageType::d2;
  u32 width = 1, height = 1;  // texels
  u32 depth = 1;              // of a 3D image
  u32 pitch = 1;              // texels from one row to the next
  u32 first_layer = 0;
  u32 layers = 1;  // of an array, from layer 0 on
  u32 first_level = 0, last_level = 0;
  u32 tiling = 0;  // swizzle mode or tiling index, as the descriptor has it
  bool linear = true;

  bool is_array() const { return type == ImageType::d1_array || type == ImageType::d2_array; }
  // Coordinates: without and with the layer.
  u32 dimensions() const {
    return type == ImageType::d1 || type == ImageType::d1_array ? 1 : type == ImageType::d3 ? 3 : 2;
  }
  u32 coordinates() const { return dimensions() + (is_array() ? 1 : 0); }
  // From one layer, or slice of a 3D image, to the next, bytes.
  u64 slice_bytes(u32 texel_bytes) const {
    return u64{pitch} * texel_bytes * (dimensions() == 1 ? 1 : height);
  }
};

using ImageWords = std::array<u32, 8>;
ImageWords encode(const ImageResource& resource, ImageLayout layout);
ImageResource decode(const ImageWords& words, ImageLayout layout);

enum class BorderColour : u8 { transparent_black, opaque_black, opaque_white, from_table };

struct SamplerResource {
  std::array<Clamp, 3> clamp{};  // by dimension
  bool unnormalized = false;
  bool truncates = false;  // coordinates of unfiltered reads are cut off, not rounded, to 1/256 of a texel
  bool magnify_linear = false;
  bool minify_linear = false;
  u8 depth_filter = 0;  // 0 as the others, 1 point, 2 linear
  u8 level_filter = 0;  // 0 none, 1 point, 2 linear
  BorderColour border = BorderColour::transparent_black;
};

using SamplerWords = std::array<u32, 4>;
// The words that the compiler's device library has for a constant sampler of the same kind.
SamplerWords encode(const SamplerResource& resource, ImageLayout layout);
SamplerResource decode(const SamplerWords& words);

// A typed buffer's resource (V#) as one-dimensional buffer images have it: records of a texel each.
std::array<u32, 4> encode_buffer_image(u64 base, u32 texels, u32 texel_bytes, u32 data_format,
                                       u32 number_format, const std::array<u8, 4>& select,
                                       ImageLayout layout);

}  // namespace lockstep::amd
