// CLK_ADDRESS_CLAMP outside of an image: (0, 0, 0, 0) where the channel order has an alpha channel, (0, 0, 0,
// 1) where it has none (OpenCL C 1.2, 6.12.14.2, "Border color").
#include <gtest/gtest.h>

#include "exec/image.h"
#include "functional_launch.h"

namespace lockstep {
namespace {

constexpr const char* border = R"(
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void k(read_only image2d_t image, sampler_t given, global float4* out) {
  out[0] = read_imagef(image, nearest, (int2)(-1, 1));
  out[1] = read_imagef(image, nearest, (float2)(1.5f, 7.5f));
  out[2] = read_imagef(image, linear, (float2)(2.0f, 2.0f));
  out[3] = read_imagef(image, given, (float2)(9.0f, 1.0f));
  out[4] = read_imagef(image, linear, (float2)(0.0f, 0.5f));
  out[5] = read_imagef(image, edge, (int2)(-1, 1));
}
)";

class ImageBorder : public ::testing::TestWithParam<const char*> {};

TEST_P(ImageBorder, IsTransparentOnlyWhereThereIsAnAlphaChannel) {
  CompileRequest request;
  request.path = "border.cl";
  request.source = border;
  request.target = find_target(GetParam());
  FunctionalLaunch launch(request);
  ASSERT_TRUE(launch.loaded());
  SamplerDescription sampler;
  sampler.addressing = AddressingMode::clamp;
  const u64 given = make_sampler(launch.memory(), *request.target, sampler, "given").value();
  for (const ChannelOrder order :
       {ChannelOrder::rgba, ChannelOrder::a, ChannelOrder::intensity, ChannelOrder::ra, ChannelOrder::r,
        ChannelOrder::rg, ChannelOrder::luminance}) {
    SCOPED_TRACE(static_cast<int>(order));
    const bool alpha =
        order != ChannelOrder::r && order != ChannelOrder::rg && order != ChannelOrder::luminance;
    ImageDescription description;
    description.width = description.height = 4;
    description.format = {order, ChannelType::unorm8};
    const std::vector<u8> ones(description.host_bytes(), 255);
    const auto image = make_image(launch.memory(), *request.target, description, ones, "image");
    ASSERT_TRUE(image.ok()) << to_string(image.error());
    const u64 out = launch.buffer(std::vector<float>(24, -1.0f));
    launch.pass(image->descriptor), launch.pass(given), launch.pass(out);
    ASSERT_TRUE(launch.run("k", 1, 1));
    const std::vector<float> got = launch.read<float>(out, 24);
    for (std::size_t read = 0; read < 4; ++read) {
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(got[4 * read + i], i == 3 && !alpha ? 1.0f : 0.0f)
            << "read " << read << ", component " << i;
    }
    // Half of it is the border; the edge itself is the image's.
    EXPECT_EQ(got[4 * 4 + 3], alpha ? 0.5f : 1.0f);
    EXPECT_EQ(got[4 * 5 + 3], 1.0f);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ImageBorder,
                         ::testing::Values("gfx600", "gfx803", "gfx900", "gfx90a", "gfx1010", "gfx1030",
                                           "gfx1100", "gfx1201", "sm_35", "sm_90"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace lockstep
