// AMD: descriptors of images and samplers come from registers, which a program fills as it likes. Whatever
// the words say, an instruction ends in a fault or reaches texels within the memory and nothing else.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "isa/amd/decode.h"
#include "isa/amd/image_resource.h"
#include "isa/step.h"
#include "machine/target.h"

namespace lockstep::amd {
namespace {

constexpr u64 base = u64{0x10} << 32;
constexpr u64 size = 1 << 16;  // the memory ends where its vector does
constexpr u32 descriptor_at = 8, sampler_at = 16, coordinates_at = 0, data_at = 16;

struct Machine {
  std::vector<u8> memory = std::vector<u8>(size, 0x5A);
  WaveState wave;
  Outcome outcome;
  StepContext context;
  const Target* target;
  ImageLayout layout;

  explicit Machine(const char* name) : target(find_target(name)), layout(image_layout(*target)) {
    const u32 lanes = target->major >= 10 ? 32 : 64;
    wave.allocate(lanes, 32, 128);
    wave.valid_lanes = wave.all_lanes();
    wave.set_exec(wave.all_lanes());
    context.global = {memory.data(), base, size};
    context.outcome = &outcome;
  }

  Instruction decoded(const std::string& text) const {
    const std::array<u32, 2> words{};
    const Expected<Instruction> in = decode({text, words, 0}, *target);
    EXPECT_TRUE(in) << target->name << ": " << text << ": " << (in ? "" : in.error().message);
    return in ? *in : Instruction{};
  }
  void describe(const ImageWords& image, const SamplerWords& sampler) {
    for (u32 i = 0; i < image.size(); ++i) wave.write_scalar(descriptor_at + i, image[i]);
    for (u32 i = 0; i < sampler.size(); ++i) wave.write_scalar(sampler_at + i, sampler[i]);
  }
  FaultKind run(const Instruction& in) {
    if (in.meaning == nullptr) return FaultKind::none;
    outcome.access_count = 0;
    context.fault = {};
    context.event = Event::none;
    run_function(*in.meaning, wave.lanes)(wave, in, context);
    if (context.fault.kind != FaultKind::none) return context.fault.kind;
    for (u32 i = 0; i < outcome.access_count; ++i) {
      const Access& access = outcome.access[i];
      for (u32 lane = 0; lane < wave.lanes; ++lane) {
        if ((access.lanes >> lane & 1) != 0) {
          EXPECT_TRUE(context.global.contains(access.address[lane], access.bytes)) << access.address[lane];
        }
      }
    }
    return FaultKind::none;
  }
};

constexpr const char* targets[] = {"gfx600",  "gfx803",  "gfx900",  "gfx908", "gfx90a",
                                   "gfx1010", "gfx1030", "gfx1100", "gfx1201"};

std::vector<std::string> instructions(const Target& target) {
  std::vector<std::string> all;
  const std::string image = ", s[8:15]", both = ", s[8:15], s[16:19]";
  const bool old = target.major <= 9;
  const auto add = [&](const std::string& name, const std::string& data, const std::string& coordinates,
                       const std::string& resources, const std::string& mask, const std::string& more) {
    all.push_back("image_" + name + " " + data + ", " + coordinates + resources + " dmask:" + mask + more);
  };
  // Coordinates for the most that an image may want, and for fewer.
  const std::vector<std::pair<std::string, std::string>> dimensions =
      old ? std::vector<std::pair<std::string, std::string>>{{"v[0:3]", " da"}, {"v[0:3]", ""}, {"v0", ""}}
          : std::vector<std::pair<std::string, std::string>>{{"v[0:3]", " dim:SQ_RSRC_IMG_2D_ARRAY"},
                                                             {"v[0:2]", " dim:SQ_RSRC_IMG_3D"},
                                                             {"v[0:1]", " dim:SQ_RSRC_IMG_1D_ARRAY"},
                                                             {"v0", " dim:SQ_RSRC_IMG_1D"}};
  for (const auto& [coordinates, more] : dimensions) {
    const std::string units = target.major >= 12 ? "" : " unorm";
    add("load", "v[16:19]", coordinates, image, "0xf", units + more);
    add("load_mip", "v[16:19]", coordinates, image, "0xf", units + more);
    if (target.major >= 8) add("load", "v[16:19]", coordinates, image, "0xf", units + " d16" + more);
    add("store", "v[16:19]", coordinates, image, "0xf", units + more);
    add("store", "v16", coordinates, image, "0x4", units + more);
    add("get_resinfo", "v[16:19]", "v0", image, "0xf", more);
    const std::string returns = target.major >= 12 ? " th:TH_ATOMIC_RETURN" : units + " glc";
    add(target.major >= 12 ? "atomic_add_uint" : "atomic_add", "v16", coordinates, image, "0x1",
        returns + more);
    add("atomic_swap", "v[16:17]", coordinates, image, "0x3", returns + more);
    add("atomic_cmpswap", "v[16:17]", coordinates, image, "0x3", returns + more);
    add("atomic_cmpswap", "v[16:19]", coordinates, image, "0xf", returns + more);
    add("sample", "v[16:19]", coordinates, both, "0xf", more);
    if (target.name == "gfx90a") continue;
    for (const char* name : {"sample_lz", "sample_l", "sample_b"})
      add(name, "v[16:19]", coordinates, both, "0xf", more);
    add("sample_d", "v[16:19]", "v[0:7]", both, "0xf", more);
  }
  return all;
}

ImageResource good() {
  ImageResource resource;
  resource.base = base + 256;
  resource.data_format = 10;  // 8_8_8_8
  resource.number_format = static_cast<u32>(NumberFormat::unorm);
  resource.width = resource.pitch = 64;
  resource.height = 16;
  return resource;
}

void coordinates(Machine& machine, u32 value) {
  for (u32 row = 0; row < 8; ++row)
    for (u32 lane = 0; lane < machine.wave.lanes; ++lane) machine.wave.row(row)[lane] = value;
}

class AmdImages : public testing::TestWithParam<const char*> {};

TEST_P(AmdImages, AGoodDescriptorServesEveryInstruction) {
  Machine machine(GetParam());
  machine.describe(encode(good(), machine.layout), encode(SamplerResource{}, machine.layout));
  coordinates(machine, 0);
  u32 served = 0;
  for (const std::string& text : instructions(*machine.target))
    served += machine.run(machine.decoded(text)) == FaultKind::none ? 1 : 0;
  EXPECT_GT(served, instructions(*machine.target).size() / 3);
}

// Formats of which there are no texels; with a size of 0, a step through the image would divide or loop by
// it.
TEST_P(AmdImages, WhatIsNoFormatIsRefused) {
  Machine machine(GetParam());
  coordinates(machine, 0);
  for (const std::string& text : instructions(*machine.target)) {
    if (text.starts_with("image_get_resinfo")) continue;
    const Instruction in = machine.decoded(text);
    for (u32 data = 0; data < 64; ++data) {
      for (u32 number = 0; number < 16; ++number) {
        ImageResource resource = good();
        resource.data_format = data;
        resource.number_format = number;
        if (buffer_format(data, number & 7).bytes() != 0 && number < 8) continue;
        machine.describe(encode(resource, machine.layout), encode(SamplerResource{}, machine.layout));
        EXPECT_EQ(machine.run(in), FaultKind::not_supported) << text << ": format " << data << ", " << number;
      }
    }
  }
}

TEST_P(AmdImages, ImagesThatReachBeyondTheMemoryAreFaults) {
  Machine machine(GetParam());
  coordinates(machine, 0);
  for (const u64 address : {u64{0}, base - 256, base + size, u64{0xFFFFFFFFFF00}}) {
    ImageResource resource = good();
    resource.base = address;
    machine.describe(encode(resource, machine.layout), encode(SamplerResource{}, machine.layout));
    for (const std::string& text : instructions(*machine.target)) {
      if (text.starts_with("image_get_resinfo")) continue;
      EXPECT_NE(machine.run(machine.decoded(text)), FaultKind::none) << text << std::hex << " " << address;
    }
  }
  EXPECT_EQ(machine.memory, std::vector<u8>(size, 0x5A));
}

// Whatever the words and the coordinates say.
TEST_P(AmdImages, AnyWords) {
  Machine machine(GetParam());
  std::mt19937 random(20'2611);
  const auto edge = [&]() -> u32 {
    constexpr u32 edges[] = {0,          1,          2,          15,         63,         64,
                             0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FFFFFFF,
                             0x80000000, 0xFFFFFFFF, 0x3FFF,     0x4000,     0xFFFF,     0x7C007C00,
                             0x42800000, 0x4F000000, 0x3F000000, 0x3FFFFFFF};
    return random() % 4 == 0 ? static_cast<u32>(random()) : edges[random() % std::size(edges)];
  };
  u32 served = 0;
  for (const std::string& text : instructions(*machine.target)) {
    const Instruction in = machine.decoded(text);
    for (u32 round = 0; round < 600; ++round) {
      ImageResource resource = good();
      resource.data_format = random() % 15;
      resource.number_format = random() % 8;
      constexpr ImageType types[] = {ImageType::d1, ImageType::d2, ImageType::d3, ImageType::d1_array,
                                     ImageType::d2_array};
      resource.type = types[random() % std::size(types)];
      resource.layers = 1 + random() % 5;
      resource.depth = 1 + random() % 5;
      for (u8& from : resource.select) from = static_cast<u8>(random() % 8);
      ImageWords image = encode(resource, machine.layout);
      // Bits that are wrong somewhere, words that are wrong altogether, or nothing that was ever right.
      const u32 kind = random() % 4;
      if (kind == 1) image[random() % 8] ^= 1u << random() % 32;
      if (kind == 2) image[2 + random() % 6] = edge();
      if (kind == 3)
        for (u32& word : image) word = edge();
      SamplerWords sampler;
      for (u32& word : sampler) word = edge();
      sampler[3] &= 0x3FFFFFFF;  // a border colour from a table is refused
      machine.describe(image, sampler);
      for (u32 row = coordinates_at; row < coordinates_at + 8; ++row)
        for (u32 lane = 0; lane < machine.wave.lanes; ++lane)
          machine.wave.row(row)[lane] = random() % 2 == 0 ? edge() : random() % 70;
      for (u32 row = data_at; row < data_at + 4; ++row)
        for (u32 lane = 0; lane < machine.wave.lanes; ++lane) machine.wave.row(row)[lane] = edge();
      machine.wave.set_exec(random() % 3 == 0 ? machine.wave.all_lanes()
                                              : (u64{random()} << 32 | random()) & machine.wave.all_lanes());
      served += machine.run(in) == FaultKind::none ? 1 : 0;
    }
  }
  EXPECT_GT(served, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Every, AmdImages, testing::ValuesIn(targets),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace lockstep::amd
