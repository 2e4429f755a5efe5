#include "exec/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/image_descriptor.h"

namespace lockstep {
namespace {

Diagnostic unsupported(const std::string& name, std::string why) {
  return {"unsupported-image", {}, fmt::format("'{}': {}", name, why), ""};
}

struct TypeInfo {
  ChannelType type;
  u32 bits;
  NumberFormat number;
};

constexpr TypeInfo type_infos[] = {
    {ChannelType::snorm8, 8, NumberFormat::snorm},     {ChannelType::snorm16, 16, NumberFormat::snorm},
    {ChannelType::unorm8, 8, NumberFormat::unorm},     {ChannelType::unorm16, 16, NumberFormat::unorm},
    {ChannelType::signed8, 8, NumberFormat::sint},     {ChannelType::signed16, 16, NumberFormat::sint},
    {ChannelType::signed32, 32, NumberFormat::sint},   {ChannelType::unsigned8, 8, NumberFormat::uint},
    {ChannelType::unsigned16, 16, NumberFormat::uint}, {ChannelType::unsigned32, 32, NumberFormat::uint},
    {ChannelType::half, 16, NumberFormat::floating},   {ChannelType::single, 32, NumberFormat::floating},
};

constexpr u8 zero = 0, one = 1, X = 4, Y = 5, Z = 6, W = 7;

struct OrderInfo {
  ChannelOrder order;
  u32 channels;
  std::array<u8, 4> select;  // the source of R, G, B, A
};

constexpr OrderInfo order_infos[] = {
    {ChannelOrder::r, 1, {X, zero, zero, one}}, {ChannelOrder::a, 1, {zero, zero, zero, X}},
    {ChannelOrder::rg, 2, {X, Y, zero, one}},   {ChannelOrder::ra, 2, {X, zero, zero, Y}},
    {ChannelOrder::rgba, 4, {X, Y, Z, W}},      {ChannelOrder::bgra, 4, {Z, Y, X, W}},
    {ChannelOrder::intensity, 1, {X, X, X, X}}, {ChannelOrder::luminance, 1, {X, X, X, one}},
};

const TypeInfo* info_of(ChannelType type) {
  const auto found = std::find_if(std::begin(type_infos), std::end(type_infos),
                                  [&](const TypeInfo& info) { return info.type == type; });
  return found == std::end(type_infos) ? nullptr : found;
}

const OrderInfo* info_of(ChannelOrder order) {
  const auto found = std::find_if(std::begin(order_infos), std::end(order_infos),
                                  [&](const OrderInfo& info) { return info.order == order; });
  return found == std::end(order_infos) ? nullptr : found;
}

// Linear surfaces begin each row at a multiple of 256 bytes (the address library of gfx9 and later for
// swizzle mode LINEAR; before, 64 elements or 256 bytes, whichever is less: a multiple of 256 fits both).
constexpr u64 row_alignment = image_row_alignment;

Expected<u64> write_words(DeviceMemory& memory, std::span<const u32> words, const std::string& name) {
  std::vector<u8> bytes(words.size_bytes());
  std::memcpy(bytes.data(), words.data(), bytes.size());
  Expected<u64> address = memory.allocate(bytes.size(), 256, fmt::format("descriptor of '{}'", name));
  if (!address) return address;
  if (const Status written = memory.write(*address, bytes); !written) return written.error();
  return address;
}

Status check(const Target& target, const ImageDescription& d, const std::string& name) {
  const ImageLimits most = image_limits(target);
  if (most.width == 0)
    return unsupported(name, fmt::format("{} has no images that are modelled", target.name));
  if (texel_bytes(d.format) == 0) return unsupported(name, "its channel order and type do not go together");
  if (d.width == 0 || d.height == 0 || d.depth == 0 || d.layers == 0)
    return unsupported(name, "an image has at least one texel in every dimension");
  const u64 width = d.shape == ImageShape::d1_buffer ? most.buffer_texels : most.width;
  if (d.width > width || d.rows() > most.height ||
      d.slices() > (d.shape == ImageShape::d3 ? most.depth : most.layers)) {
    return unsupported(name, fmt::format("{} x {} x {} texels or layers are more than {} x {} x {}", d.width,
                                         d.rows(), d.slices(), width, most.height,
                                         d.shape == ImageShape::d3 ? most.depth : most.layers));
  }
  const u64 row = d.width * texel_bytes(d.format);
  if (d.host_row_pitch() < row || d.host_slice_pitch() < d.host_row_pitch() * (d.rows() - 1) + row)
    return unsupported(name, "its rows or slices overlap: a pitch is too small");
  return Success{};
}

// Of targets whose programs do not look into descriptors.
bool has_plain_descriptors(const Target& target) {
  return target.isa == IsaFamily::ptx || target.isa == IsaFamily::gen || target.isa == IsaFamily::r600;
}

u32 dimensions_of(ImageShape shape) {
  switch (shape) {
    case ImageShape::d1:
    case ImageShape::d1_buffer:
    case ImageShape::d1_array:
      return 1;
    case ImageShape::d2:
    case ImageShape::d2_array:
      return 2;
    case ImageShape::d3:
      break;
  }
  return 3;
}

Expected<u64> make_descriptor(DeviceMemory& memory, const Target& target, const ImageObject& image,
                              const std::string& name) {
  const ImageDescription& d = image.description;
  const TypeInfo& type = *info_of(d.format.type);
  const OrderInfo& order = *info_of(d.format.order);
  const bool is_array = d.shape == ImageShape::d1_array || d.shape == ImageShape::d2_array;
  ImageDescriptor own;
  own.address_low = static_cast<u32>(image.address);
  own.address_high = static_cast<u32>(image.address >> 32);
  own.width = static_cast<u32>(d.width);
  own.height = static_cast<u32>(d.rows());
  own.depth = static_cast<u32>(d.slices());
  own.row_pitch = static_cast<u32>(image.row_pitch);
  own.slice_pitch_low = static_cast<u32>(image.slice_pitch);
  own.slice_pitch_high = static_cast<u32>(image.slice_pitch >> 32);
  own.type = static_cast<u32>(d.format.type);
  own.order = static_cast<u32>(d.format.order);
  own.bits = type.bits;
  own.channels = order.channels;
  own.number = static_cast<u32>(type.number);
  for (u32 i = 0; i < 4; ++i) own.select |= u32{order.select[i]} << (8 * i);
  own.texel_bytes = texel_bytes(d.format);
  own.shape = dimensions_of(d.shape) | (is_array ? ImageDescriptor::array : 0) |
              (d.shape == ImageShape::d1_buffer ? ImageDescriptor::buffer : 0);
  if (!has_plain_descriptors(target)) return write_words(memory, hardware_image_words(target, own), name);
  std::array<u32, sizeof(own) / 4> words{};
  std::memcpy(words.data(), &own, sizeof(own));
  return write_words(memory, words, name);
}

Diagnostic wrong_contents(u64 given, u64 needed) {
  return {"wrong-contents", {}, fmt::format("{} bytes are given, {} are needed", given, needed), ""};
}

// Bytes that a region takes on the host.
u64 bytes_on_host(const ImageRegion& region, u64 texel, u64 row_pitch, u64 slice_pitch) {
  return (region.extent[2] - 1) * slice_pitch + (region.extent[1] - 1) * row_pitch + region.extent[0] * texel;
}

// Calls `row(device address, host offset, bytes)` for every row of the region.
template <class F>
Status for_rows(const ImageObject& image, const ImageRegion& region, u64 host_bytes, u64 row_pitch,
                u64 slice_pitch, F row) {
  const ImageDescription& d = image.description;
  const u64 size[3] = {d.width, d.rows(), d.slices()};
  for (u32 i = 0; i < 3; ++i) {
    if (region.extent[i] == 0 || region.origin[i] > size[i] ||
        region.extent[i] > size[i] - region.origin[i]) {
      return Diagnostic{"wrong-region",
                        {},
                        fmt::format("texels {} to {} do not lie within an image of {} in that dimension",
                                    region.origin[i], region.origin[i] + region.extent[i], size[i]),
                        ""};
    }
  }
  const u64 texel = texel_bytes(d.format);
  const u64 needed = bytes_on_host(region, texel, row_pitch, slice_pitch);
  if (host_bytes < needed) return wrong_contents(host_bytes, needed);
  for (u64 z = 0; z < region.extent[2]; ++z) {
    for (u64 y = 0; y < region.extent[1]; ++y) {
      const u64 at = image.texel_address(region.origin[0], region.origin[1] + y, region.origin[2] + z);
      const Status done = row(at, z * slice_pitch + y * row_pitch, region.extent[0] * texel);
      if (!done) return done;
    }
  }
  return Success{};
}

}  // namespace

u32 texel_bytes(const ImageFormat& format) {
  const TypeInfo* type = info_of(format.type);
  const OrderInfo* order = info_of(format.order);
  if (type == nullptr || order == nullptr) return 0;
  const bool integer = type->number == NumberFormat::uint || type->number == NumberFormat::sint;
  // OpenCL 1.2, table 5.6: intensity and luminance are fractions or floats, BGRA has bytes.
  if ((format.order == ChannelOrder::intensity || format.order == ChannelOrder::luminance) && integer)
    return 0;
  if (format.order == ChannelOrder::bgra && type->bits != 8) return 0;
  return type->bits / 8 * order->channels;
}

ImageLimits image_limits(const Target& target) {
  // "CUDA C++ Programming Guide", table "Technical Specifications per Compute Capability": textures of 2D and
  // 3D; the least of the generations from 2.0 on for the third dimension and layers.
  if (target.isa == IsaFamily::ptx) return {16384, 16384, 2048, 2048, 1u << 27};
  // "Skylake PRM, volume 2d", RENDER_SURFACE_STATE: 14 bits of width and height, 11 of depth, 27 of a
  // buffer's.
  if (target.isa == IsaFamily::gen) return {16384, 16384, 2048, 2048, 1u << 27};
  // "Evergreen 3D Register Reference Guide", SQ_TEX_RESOURCE_WORD0 and 1: 14 bits of width and height; depth
  // and layers as Mesa's r600 driver has them.
  if (target.isa == IsaFamily::r600) return {16384, 16384, 2048, 2048, 1u << 27};
  if (!has_hardware_images(target)) return {};
  // The descriptor's fields: 14 bits of width and height, 13 of depth and of layers. OpenCL gives 2048 as the
  // least limit of depth, layers and 3D extents, which AMD's runtime reports.
  return {16384, 16384, 8192, 8192, 1u << 27};
}

std::vector<ImageFormat> image_formats(const Target& target) {
  std::vector<ImageFormat> formats;
  if (image_limits(target).width == 0) return formats;
  for (const OrderInfo& order : order_infos) {
    for (const TypeInfo& type : type_infos) {
      const ImageFormat format{order.order, type.type};
      if (texel_bytes(format) != 0) formats.push_back(format);
    }
  }
  return formats;
}

Expected<ImageObject> make_image(DeviceMemory& memory, const Target& target,
                                 const ImageDescription& description, std::span<const u8> contents,
                                 const std::string& name) {
  if (const Status fine = check(target, description, name); !fine) return fine.error();
  if (!contents.empty() && contents.size() < description.host_bytes())
    return wrong_contents(contents.size(), description.host_bytes());
  ImageObject image;
  image.description = description;
  const u64 row = description.width * texel_bytes(description.format);
  image.row_pitch = description.shape == ImageShape::d1_buffer
                        ? row
                        : (row + row_alignment - 1) / row_alignment * row_alignment;
  image.slice_pitch = image.row_pitch * description.rows();
  image.bytes = image.slice_pitch * description.slices();
  const Expected<u64> texels = memory.allocate(image.bytes, 256, name);
  if (!texels) return texels.error();
  image.address = *texels;
  const Expected<u64> descriptor = make_descriptor(memory, target, image, name);
  if (!descriptor) {
    memory.free(image.address);
    return descriptor.error();
  }
  image.descriptor = *descriptor;
  if (!contents.empty()) {
    const Status written = write_region(memory, image, whole(description), contents,
                                        description.host_row_pitch(), description.host_slice_pitch());
    if (!written) return written.error();
  }
  return image;
}

Expected<ImageObject> make_image_over(DeviceMemory& memory, const Target& target,
                                      const ImageDescription& description, u64 address,
                                      const std::string& name) {
  if (const Status fine = check(target, description, name); !fine) return fine.error();
  const bool flat = description.shape == ImageShape::d2;
  if (description.shape != ImageShape::d1_buffer && !flat) {
    return unsupported(name,
                       "only a two-dimensional or a one-dimensional buffer image lies in a buffer's memory");
  }
  ImageObject image;
  image.description = description;
  image.address = address;
  image.row_pitch = flat ? description.host_row_pitch() : description.width * texel_bytes(description.format);
  if (flat && (image.row_pitch % row_alignment != 0 || address % row_alignment != 0 ||
               image.row_pitch / texel_bytes(description.format) > image_limits(target).width))
    return unsupported(
        name, fmt::format("its address and row pitch are no multiples of {}, or its rows are too far apart",
                          row_alignment));
  const u64 tight = description.width * texel_bytes(description.format);
  const bool pitch_is_told = target.major != 10 || target.minor != 1;
  if (flat && !pitch_is_told &&
      image.row_pitch != (tight + row_alignment - 1) / row_alignment * row_alignment)
    return unsupported(name,
                       fmt::format("the descriptors of {} hold no row pitch: only that of an image without "
                                   "gaps between rows will do",
                                   target.name));
  image.slice_pitch = image.row_pitch * description.rows();
  image.bytes =
      (description.rows() - 1) * image.row_pitch + description.width * texel_bytes(description.format);
  image.owns_texels = false;
  if (!memory.find(address, image.bytes))
    return unsupported(name, fmt::format("{} bytes at {:#x} are no device memory", image.bytes, address));
  const Expected<u64> descriptor = make_descriptor(memory, target, image, name);
  if (!descriptor) return descriptor.error();
  image.descriptor = *descriptor;
  return image;
}

Expected<u64> make_image_descriptor(DeviceMemory& memory, const Target& target, const ImageObject& image,
                                    const std::string& name) {
  ImageDescription description = image.description;
  description.row_pitch = description.slice_pitch = 0;  // of the host's contents
  if (const Status fine = check(target, description, name); !fine) return fine.error();
  return make_descriptor(memory, target, image, name);
}

void free_image(DeviceMemory& memory, const ImageObject& image) {
  memory.free(image.descriptor);
  if (image.owns_texels) memory.free(image.address);
}

ImageRegion whole(const ImageDescription& description) {
  return {{0, 0, 0}, {description.width, description.rows(), description.slices()}};
}

Status write_region(DeviceMemory& memory, const ImageObject& image, const ImageRegion& region,
                    std::span<const u8> from, u64 row_pitch, u64 slice_pitch) {
  return for_rows(image, region, from.size(), row_pitch, slice_pitch, [&](u64 device, u64 host, u64 bytes) {
    return memory.write(device, from.subspan(host, bytes));
  });
}

Status read_region(const DeviceMemory& memory, const ImageObject& image, const ImageRegion& region,
                   std::span<u8> to, u64 row_pitch, u64 slice_pitch) {
  return for_rows(image, region, to.size(), row_pitch, slice_pitch, [&](u64 device, u64 host, u64 bytes) {
    return memory.read(device, to.subspan(host, bytes));
  });
}

Expected<std::vector<u8>> read_image(const DeviceMemory& memory, const ImageObject& image) {
  const ImageDescription& d = image.description;
  std::vector<u8> bytes(d.host_bytes());
  const Status done = read_region(memory, image, whole(d), bytes, d.host_row_pitch(), d.host_slice_pitch());
  if (!done) return done.error();
  return bytes;
}

Expected<u64> make_sampler(DeviceMemory& memory, const Target& target, const SamplerDescription& description,
                           const std::string& name) {
  u32 bits = (description.normalized ? sampler_bits::normalized : 0) |
             (description.linear ? sampler_bits::linear : 0);
  switch (description.addressing) {
    case AddressingMode::clamp_to_edge:
      bits |= sampler_bits::clamp_to_edge;
      break;
    case AddressingMode::clamp:
      bits |= sampler_bits::clamp;
      break;
    case AddressingMode::repeat:
      bits |= sampler_bits::repeat;
      break;
    case AddressingMode::mirrored_repeat:
      bits |= sampler_bits::mirrored_repeat;
      break;
    case AddressingMode::none:
      break;
  }
  if (has_plain_descriptors(target)) return write_words(memory, std::span<const u32>(&bits, 1), name);
  if (!has_hardware_images(target))
    return unsupported(name, fmt::format("{} has no images that are modelled", target.name));
  return write_words(memory, hardware_sampler_words(target, bits), name);
}

}  // namespace lockstep
