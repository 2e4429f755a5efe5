#include "run/image_argument.h"

#include <fmt/format.h>

#include <optional>

namespace lockstep {
namespace {

std::optional<ChannelType> type_of(const corpus::ImageFormat& format) {
  const u32 bytes = corpus::bytes_of(format.storage);
  switch (format.type) {
    case corpus::ChannelType::unorm8:
      return ChannelType::unorm8;
    case corpus::ChannelType::signed_integer:
      return bytes == 1 ? ChannelType::signed8 : bytes == 2 ? ChannelType::signed16 : ChannelType::signed32;
    case corpus::ChannelType::unsigned_integer:
      return bytes == 1   ? ChannelType::unsigned8
             : bytes == 2 ? ChannelType::unsigned16
                          : ChannelType::unsigned32;
    case corpus::ChannelType::real:
      if (bytes == 8) return std::nullopt;
      return bytes == 2 ? ChannelType::half : ChannelType::single;
  }
  return std::nullopt;
}

std::optional<ChannelOrder> order_of(const corpus::ImageFormat& format) {
  switch (format.channels) {
    case 1:
      return ChannelOrder::r;
    case 2:
      return ChannelOrder::rg;
    case 4:
      return ChannelOrder::rgba;
    default:
      return std::nullopt;
  }
}

AddressingMode addressing_of(std::string_view word) {
  if (word == "clamp_to_edge") return AddressingMode::clamp_to_edge;
  if (word == "clamp") return AddressingMode::clamp;
  if (word == "repeat") return AddressingMode::repeat;
  if (word == "mirrored_repeat") return AddressingMode::mirrored_repeat;
  return AddressingMode::none;
}

}  // namespace

Expected<ImageObject> make_image(DeviceMemory& memory, const Target& target, const corpus::Argument& argument,
                                 std::span<const u8> contents) {
  const auto type = type_of(argument.format);
  const auto order = order_of(argument.format);
  if (!type || !order) {
    return Diagnostic{"unsupported-argument",
                      {},
                      fmt::format("argument '{}': no image has texels of this format", argument.name),
                      ""};
  }
  ImageDescription description;
  description.format = {*order, *type};
  description.width = argument.extent[0];
  switch (argument.shape) {
    case corpus::ImageShape::d1:
      description.shape = ImageShape::d1;
      break;
    case corpus::ImageShape::d1_buffer:
      description.shape = ImageShape::d1_buffer;
      break;
    case corpus::ImageShape::d1_array:
      description.shape = ImageShape::d1_array;
      description.layers = argument.extent[1];
      break;
    case corpus::ImageShape::d2:
      description.shape = ImageShape::d2;
      description.height = argument.extent[1];
      break;
    case corpus::ImageShape::d2_array:
      description.shape = ImageShape::d2_array;
      description.height = argument.extent[1];
      description.layers = argument.extent[2];
      break;
    case corpus::ImageShape::d3:
      description.shape = ImageShape::d3;
      description.height = argument.extent[1];
      description.depth = argument.extent[2];
      break;
  }
  return make_image(memory, target, description, contents, argument.name);
}

Expected<u64> make_sampler(DeviceMemory& memory, const Target& target, const corpus::Argument& argument) {
  SamplerDescription description;
  description.normalized = argument.sampler.normalized;
  description.addressing = addressing_of(argument.sampler.addressing);
  description.linear = argument.sampler.linear;
  return make_sampler(memory, target, description, argument.name);
}

}  // namespace lockstep
