// The names of images' formats and shapes, and of samplers' ways to address, in texts of arguments.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.h"

namespace lockstep::corpus {

struct FormatName {
  std::string_view name;
  ImageFormat format;
};

inline constexpr std::array<FormatName, 18> format_names = {{
    {"rgba8", {4, ChannelType::unorm8, Scalar::u8}},
    {"rgba8ui", {4, ChannelType::unsigned_integer, Scalar::u8}},
    {"rgba8i", {4, ChannelType::signed_integer, Scalar::i8}},
    {"rgba16f", {4, ChannelType::real, Scalar::f16}},
    {"rgba32f", {4, ChannelType::real, Scalar::f32}},
    {"r32f", {1, ChannelType::real, Scalar::f32}},
    {"rgba32i", {4, ChannelType::signed_integer, Scalar::i32}},
    {"rgba32ui", {4, ChannelType::unsigned_integer, Scalar::u32}},
    {"r32ui", {1, ChannelType::unsigned_integer, Scalar::u32}},
    {"r8", {1, ChannelType::unorm8, Scalar::u8}},
    {"rg8", {2, ChannelType::unorm8, Scalar::u8}},
    {"r16f", {1, ChannelType::real, Scalar::f16}},
    {"rg16f", {2, ChannelType::real, Scalar::f16}},
    {"rg32f", {2, ChannelType::real, Scalar::f32}},
    {"rgba16ui", {4, ChannelType::unsigned_integer, Scalar::u16}},
    {"rgba16i", {4, ChannelType::signed_integer, Scalar::i16}},
    {"r32i", {1, ChannelType::signed_integer, Scalar::i32}},
    {"rg32ui", {2, ChannelType::unsigned_integer, Scalar::u32}},
}};

struct ImageKind {
  std::string_view name;
  ImageShape shape;
  u32 extents;
};

inline constexpr std::array<ImageKind, 6> image_kinds = {{{"image1d", ImageShape::d1, 1},
                                                          {"image1d_buffer", ImageShape::d1_buffer, 1},
                                                          {"image1d_array", ImageShape::d1_array, 2},
                                                          {"image2d", ImageShape::d2, 2},
                                                          {"image3d", ImageShape::d3, 3},
                                                          {"image2d_array", ImageShape::d2_array, 3}}};

inline const std::vector<std::string> addressing_names = {"none", "clamp_to_edge", "clamp", "repeat",
                                                          "mirrored_repeat"};

}  // namespace lockstep::corpus
