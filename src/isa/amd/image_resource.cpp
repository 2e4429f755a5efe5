#include "isa/amd/image_resource.h"

namespace lockstep::amd {
namespace {

u32 bits(u32 word, u32 first, u32 count) {
  return (word >> first) & ((1u << count) - 1);
}

// Linear surfaces: swizzle mode 0; before gfx9 entry 8 of the tiling table, which Linux' amdgpu fills with
// ARRAY_LINEAR_ALIGNED on every chip.
constexpr u32 linear_swizzle = 0, linear_tiling_index = 8;

bool is_rdna(ImageLayout layout) {
  return layout == ImageLayout::rdna1 || layout == ImageLayout::rdna3 || layout == ImageLayout::rdna4;
}

ImageWords encode_rdna(const ImageResource& r, ImageLayout layout) {
  ImageWords w{};
  const u32 format = unified_format(r.data_format, r.number_format, layout != ImageLayout::rdna1);
  w[0] = static_cast<u32>(r.base >> 8);
  w[1] = (static_cast<u32>(r.base >> 40) & 0xFF) | ((r.width - 1) & 3) << 30;
  w[2] = (r.width - 1) >> 2 | (r.height - 1) << 14;
  for (u32 i = 0; i < 4; ++i) w[3] |= u32{r.select[i]} << (3 * i);
  w[3] |= (r.linear ? linear_swizzle : r.tiling) << 20 | static_cast<u32>(r.type) << 28;
  if (layout == ImageLayout::rdna4) {
    w[1] |= format << 17 | r.first_level << 25;
    w[3] |= r.last_level << 15;
  } else {
    w[1] |= format << 20;
    w[3] |= r.first_level << 12 | r.last_level << 16;
  }
  if (layout == ImageLayout::rdna1) w[2] |= 1u << 31;  // says that the level is part of the resource
  const bool depth_is_free = !r.is_array() && r.type != ImageType::d3;
  w[4] = (r.is_array() ? r.layers - 1 : depth_is_free ? r.pitch - 1 : r.depth - 1) | r.first_layer << 16;
  return w;
}

ImageResource decode_rdna(const ImageWords& w, ImageLayout layout) {
  ImageResource r;
  r.base = u64{w[0]} << 8 | u64{w[1] & 0xFF} << 40;
  const bool rdna4 = layout == ImageLayout::rdna4;
  const SplitFormat format =
      split_format(rdna4 ? bits(w[1], 17, 8) : bits(w[1], 20, 8), layout != ImageLayout::rdna1);
  r.data_format = format.data;
  r.number_format = format.number;
  r.width = (bits(w[1], 30, 2) | bits(w[2], 0, rdna4 ? 14 : 12) << 2) + 1;
  r.height = bits(w[2], 14, rdna4 ? 16 : 14) + 1;
  for (u32 i = 0; i < 4; ++i) r.select[i] = static_cast<u8>(bits(w[3], 3 * i, 3));
  r.first_level = rdna4 ? bits(w[1], 25, 5) : bits(w[3], 12, 4);
  r.last_level = rdna4 ? bits(w[3], 15, 5) : bits(w[3], 16, 4);
  r.tiling = bits(w[3], 20, 5);
  r.linear = r.tiling == linear_swizzle;
  r.type = static_cast<ImageType>(bits(w[3], 28, 4));
  r.first_layer = bits(w[4], 16, 13);
  const u32 depth = bits(w[4], 0, rdna4 ? 14 : 13) + 1;
  if (r.is_array()) r.layers = depth;
  if (r.type == ImageType::d3) r.depth = depth;
  // Of arrays and solids, and where it is not said: the width in whole 256 bytes.
  const u32 said = bits(w[4], 0, rdna4 ? 16 : 14);
  const u32 texel = buffer_format(r.data_format, r.number_format).bytes();
  const u32 unit = texel == 0 ? 1 : 256 / texel;
  const bool told = !r.is_array() && r.type != ImageType::d3 && said != 0;
  r.pitch = told ? said + 1 : (r.width + unit - 1) / unit * unit;
  return r;
}

}  // namespace

ImageLayout image_layout(const Target& target) {
  if (target.isa != IsaFamily::amdgcn) return ImageLayout::none;
  if (target.major >= 6 && target.major <= 8) return ImageLayout::gcn1;
  if (target.major == 9 && target.minor != 4) return ImageLayout::gcn5;
  if (target.major == 10) return ImageLayout::rdna1;
  if (target.major == 11) return ImageLayout::rdna3;
  if (target.major == 12) return ImageLayout::rdna4;
  return ImageLayout::none;
}

ImageWords encode(const ImageResource& r, ImageLayout layout) {
  if (is_rdna(layout)) return encode_rdna(r, layout);
  ImageWords w{};
  w[0] = static_cast<u32>(r.base >> 8);
  w[1] = static_cast<u32>(r.base >> 40) & 0xFF;
  w[1] |= r.data_format << 20 | r.number_format << 26;
  w[2] = (r.width - 1) | (r.height - 1) << 14;
  for (u32 i = 0; i < 4; ++i) w[3] |= u32{r.select[i]} << (3 * i);
  const u32 tiling = !r.linear                     ? r.tiling
                     : layout == ImageLayout::gcn5 ? linear_swizzle
                                                   : linear_tiling_index;
  w[3] |= r.first_level << 12 | r.last_level << 16 | tiling << 20 | static_cast<u32>(r.type) << 28;
  const u32 last_layer = r.layers - 1;
  if (layout == ImageLayout::gcn5) {
    w[4] = (r.is_array() ? last_layer : r.depth - 1) | (r.pitch - 1) << 13;
    w[5] = r.first_layer;
  } else {
    w[4] = (r.depth - 1) | (r.pitch - 1) << 13;
    w[5] = r.first_layer | (r.is_array() ? last_layer : 0) << 13;
  }
  return w;
}

ImageResource decode(const ImageWords& w, ImageLayout layout) {
  if (is_rdna(layout)) return decode_rdna(w, layout);
  ImageResource r;
  r.base = u64{w[0]} << 8 | u64{w[1] & 0xFF} << 40;
  r.data_format = bits(w[1], 20, 6);
  r.number_format = bits(w[1], 26, 4);
  r.width = bits(w[2], 0, 14) + 1;
  r.height = bits(w[2], 14, 14) + 1;
  for (u32 i = 0; i < 4; ++i) r.select[i] = static_cast<u8>(bits(w[3], 3 * i, 3));
  r.first_level = bits(w[3], 12, 4);
  r.last_level = bits(w[3], 16, 4);
  r.tiling = bits(w[3], 20, 5);
  r.type = static_cast<ImageType>(bits(w[3], 28, 4));
  r.depth = bits(w[4], 0, 13) + 1;
  r.first_layer = bits(w[5], 0, 13);
  if (layout == ImageLayout::gcn5) {
    r.pitch = bits(w[4], 13, 16) + 1;
    r.layers = r.depth;
    r.linear = r.tiling == linear_swizzle;
  } else {
    r.pitch = bits(w[4], 13, 14) + 1;
    r.layers = bits(w[5], 13, 13) + 1;
    r.linear = r.tiling == linear_tiling_index;
  }
  if (r.is_array()) {
    r.depth = 1;
  } else {
    r.layers = 1;
  }
  if (r.type != ImageType::d3) r.depth = 1;
  return r;
}

SamplerWords encode(const SamplerResource& s, ImageLayout layout) {
  SamplerWords w{};
  for (u32 i = 0; i < 3; ++i) w[0] |= static_cast<u32>(s.clamp[i]) << (3 * i);
  constexpr u32 compare_equal_or_less = 3, no_cube_wrap = 1u << 28;
  w[0] |= compare_equal_or_less << 12 | u32{s.unnormalized} << 15 | u32{s.truncates} << 27 | no_cube_wrap;
  w[1] = 0xFFFu << 12;  // the highest level of detail
  w[2] = u32{s.magnify_linear} << 20 | u32{s.minify_linear} << 22 | u32{s.depth_filter} << 24 |
         u32{s.level_filter} << 26;
  if (layout == ImageLayout::gcn5) w[2] |= 1u << 31;  // anisotropy is not asked for by the filter
  w[3] = static_cast<u32>(s.border) << 30;
  return w;
}

SamplerResource decode(const SamplerWords& w) {
  SamplerResource s;
  for (u32 i = 0; i < 3; ++i) s.clamp[i] = static_cast<Clamp>(bits(w[0], 3 * i, 3));
  s.unnormalized = bits(w[0], 15, 1) != 0;
  s.truncates = bits(w[0], 27, 1) != 0;
  // The upper bit of each asks for anisotropy, which changes nothing in an image of one level.
  s.magnify_linear = bits(w[2], 20, 1) != 0;
  s.minify_linear = bits(w[2], 22, 1) != 0;
  s.depth_filter = static_cast<u8>(bits(w[2], 24, 2));
  s.level_filter = static_cast<u8>(bits(w[2], 26, 2));
  s.border = static_cast<BorderColour>(bits(w[3], 30, 2));
  return s;
}

std::array<u32, 4> encode_buffer_image(u64 base, u32 texels, u32 texel_bytes, u32 data_format,
                                       u32 number_format, const std::array<u8, 4>& select,
                                       ImageLayout layout) {
  std::array<u32, 4> w{};
  w[0] = static_cast<u32>(base);
  w[1] = (static_cast<u32>(base >> 32) & 0xFFFF) | texel_bytes << 16;
  w[2] = texels * texel_bytes;
  for (u32 i = 0; i < 4; ++i) w[3] |= u32{select[i]} << (3 * i);
  if (!is_rdna(layout)) {
    w[3] |= number_format << 12 | data_format << 15;
    return w;
  }
  // Ranges are checked by records (OOB_SELECT 0), which are texels.
  w[2] = texels;
  w[3] |= unified_format(data_format, number_format, layout != ImageLayout::rdna1) << 12;
  if (layout == ImageLayout::rdna1) w[3] |= 1u << 24;
  return w;
}

}  // namespace lockstep::amd
