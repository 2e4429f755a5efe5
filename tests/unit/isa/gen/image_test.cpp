// Gen9: what messages to the sampler and typed ones do to an image whose texels say where they lie, by every
// form of message, and what a kernel is told of images and samplers.
#include <gtest/gtest.h>

#include <cstring>

#include "isa/gen/module.h"
#include "isa/gen/wave.h"
#include "isa/image_descriptor.h"
#include "isa/step.h"
#include "machine/target.h"

namespace lockstep {
namespace {

constexpr u64 base = u64{0x10} << 32;
constexpr u64 image_at = 0, sampler_at = 512, texels_at = 1024, arguments_at = 6144, size = 8192;
constexpr u32 width = 4, height = 3, depth = 2, lanes = 8;
constexpr u32 clamps_to_edge = sampler_bits::clamp_to_edge, clamps = sampler_bits::clamp;

f32 value_at(u32 x, u32 y, u32 z) {
  return static_cast<f32>(x + 10 * y + 100 * z);
}

// A float of one channel each texel, in rows of 64 bytes.
ImageDescriptor described(u32 shape) {
  ImageDescriptor image;
  image.address_low = static_cast<u32>(base + texels_at);
  image.address_high = static_cast<u32>((base + texels_at) >> 32);
  image.width = width;
  image.height = (shape & 3) == 1 ? 1 : height;
  image.depth = shape == 2 || shape == 1 ? 1 : depth;
  image.row_pitch = 64;
  image.slice_pitch_low = 64 * image.height;
  image.type = 15, image.order = 1;
  image.bits = 32, image.channels = 1, image.texel_bytes = 4;
  image.number = static_cast<u32>(NumberFormat::floating);
  image.select = 0x01000004;  // R; alpha is one
  image.shape = shape;
  return image;
}

// One thread of eight channels with one message: the image is binding 0, the sampler of the argument 0 and
// that of the program 1.
struct Thread {
  std::vector<u8> memory = std::vector<u8>(size);
  std::unique_ptr<Module> module;
  WaveState wave;
  StepContext context;

  explicit Thread(const std::string& message) {
    std::string info =
        "kernels:\n  - name: test\n    execution_env:\n      grf_count: 128\n      simd_size: 8\n"
        "    payload_arguments:\n";
    const auto argument = [&](const std::string& type, u32 index, u32 offset, u32 bytes,
                              const std::string& more) {
      info += "      - arg_type: " + type + "\n        offset: " + std::to_string(offset) +
              "\n        size: " + std::to_string(bytes) + "\n        arg_index: " + std::to_string(index) +
              "\n" + more;
    };
    argument("arg_bypointer", 0, 0, 0, "        addrmode: stateful\n        addrspace: image\n");
    argument("arg_bypointer", 1, 0, 0,
             "        addrmode: stateful\n        addrspace: sampler\n        sampler_index: 0\n");
    u32 offset = 0;
    for (const char* field : {"image_width", "image_height", "image_depth", "image_array_size",
                              "image_channel_order", "image_channel_data_type"})
      argument(field, 0, 4 * offset++, 4, "");
    argument("sampler_snap_wa", 1, 4 * offset++, 4, "");
    info +=
        "    binding_table_indices:\n      - bti_value: 0\n        arg_index: 0\n"
        "    inline_samplers:\n      - sampler_index: 1\n        addrmode: mirror\n"
        "        filtermode: linear\n        normalized: true\n";
    std::string text = "//@lockstep gen 1\n";
    for (std::size_t at = 0; at < info.size();) {
      const std::size_t end = info.find('\n', at);
      text += "//@lockstep info " + info.substr(at, end - at) + "\n";
      at = end + 1;
    }
    text += "//@lockstep kernel test\n/* [0000] */ " + message +
            "\n/* [0010] */ (W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
    auto loaded = gen::load_module(text, *find_target("gen9"), "test.s");
    EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : to_string(loaded.error()));
    if (loaded.ok()) module = std::move(*loaded);
  }

  // Registers by their number, a word or a float for each channel.
  template <class T>
  void set(u32 number, const std::array<T, lanes>& values) {
    inputs.emplace_back(number, std::array<u32, lanes>{});
    std::memcpy(inputs.back().second.data(), values.data(), sizeof(values));
  }
  template <class T>
  T get(u32 number, u32 lane) const {
    T value;
    std::memcpy(&value, gen::bytes_of(wave) + 32 * number + 4 * lane, 4);
    return value;
  }
  f32 texel(u32 x, u32 y, u32 z, const ImageDescriptor& image) const {
    f32 value;
    std::memcpy(&value, memory.data() + (image.texel_address(x, y, z) - base), 4);
    return value;
  }

  void run(const ImageDescriptor& image, u32 sampler = clamps_to_edge) {
    if (module == nullptr) return;
    std::memcpy(memory.data() + image_at, &image, sizeof(image));
    std::memcpy(memory.data() + sampler_at, &sampler, sizeof(sampler));
    for (u32 z = 0; z < image.depth; ++z)
      for (u32 y = 0; y < image.height; ++y)
        for (u32 x = 0; x < image.width; ++x) {
          const f32 value = value_at(x, y, z);
          const u64 at = texels_at + z * image.slice_pitch_low + y * image.row_pitch + 4 * x;
          std::memcpy(memory.data() + at, &value, 4);
        }
    LaunchState state;
    state.module = module.get();
    state.program = &module->programs.at(0);
    state.range.global = {lanes, 1, 1};
    state.range.local = {lanes, 1, 1};
    std::vector<ArgumentValue> values(2);
    const u64 image_handle = base + image_at, sampler_handle = base + sampler_at;
    for (u32 i = 0; i < 2; ++i) {
      values[i].bytes.resize(8);
      std::memcpy(values[i].bytes.data(), i == 0 ? &image_handle : &sampler_handle, 8);
    }
    const std::vector<u8> arguments = module->isa->arguments(state, values);
    std::memcpy(memory.data() + arguments_at, arguments.data(), arguments.size());
    state.arguments_address = base + arguments_at;
    module->isa->begin_wave(wave, state, GroupId{});
    for (const auto& [number, input] : inputs)
      std::memcpy(gen::bytes_of(wave) + 32 * number, input.data(), sizeof(input));
    context.global = {memory.data(), base, memory.size()};
    while (context.event == Event::none) {
      const Instruction& in = module->code.instructions[wave.pc++];
      in.run(wave, in, context);
    }
  }
  bool fine() const { return context.fault.kind == FaultKind::none; }

 private:
  std::vector<std::pair<u32, std::array<u32, lanes>>> inputs;
};

constexpr std::array<u32, lanes> xs{0, 1, 2, 3, 0, 1, 4, ~0u}, ys{0, 1, 2, 0, 1, 2, 0, 1},
    zs{0, 1, 0, 1, 1, 0, 1, 1};
std::array<f32, lanes> floats(const std::array<u32, lanes>& values) {
  std::array<f32, lanes> made{};
  for (u32 i = 0; i < lanes; ++i) made[i] = static_cast<f32>(static_cast<i32>(values[i]));
  return made;
}
bool inside(u32 lane) {
  return xs[lane] < width;
}

TEST(GenImages, TexelsByNumberInEveryShape) {
  struct Form {
    u32 shape;
    const char* without_level;  // ld_lz: the coordinates from r11 on
    const char* with_level;     // ld: the level is the third
    u32 registers;
  };
  const std::vector<Form> forms = {
      {1, "send (8|M0) r20:w r11 0x2 0x0243A000", "send (8|M0) r20:w r11 0x2 0x06427000", 1},
      {2, "send (8|M0) r20:w r11 0x2 0x0443A000", "send (8|M0) r20:w r11 0x2 0x06427000", 2},
      {3, "send (8|M0) r20:w r11 0x2 0x0643A000", "send (8|M0) r20:w r11 0x2 0x08427000", 3},
      {1 | ImageDescriptor::array, "send (8|M0) r20:w r11 0x2 0x0443A000",
       "send (8|M0) r20:w r11 0x2 0x06427000", 2},
      {2 | ImageDescriptor::array, "send (8|M0) r20:w r11 0x2 0x0643A000",
       "send (8|M0) r20:w r11 0x2 0x08427000", 3},
  };
  for (const Form& form : forms) {
    for (const bool level : {false, true}) {
      Thread thread(level ? form.with_level : form.without_level);
      const ImageDescriptor image = described(form.shape);
      const u32 dimensions = form.shape & 3;
      const bool array = image.is_array();
      const u32 second = dimensions > 1 ? 1 : array ? 2 : 0, third = dimensions + (array ? 1 : 0) > 2 ? 2 : 0;
      thread.set(11, xs);
      thread.set(12, second == 1 ? ys : second == 2 ? zs : std::array<u32, lanes>{});
      std::array<u32, lanes> levels{};
      levels[5] = level ? 1 : 0;
      thread.set(13, level ? levels : zs);
      if (level) thread.set(14, zs);
      thread.run(image);
      ASSERT_TRUE(thread.fine()) << thread.context.fault.text;
      for (u32 lane = 0; lane < lanes; ++lane) {
        const f32 expected =
            inside(lane) && !(level && lane == 5)
                ? value_at(xs[lane], second == 1 ? ys[lane] : 0, second == 2 || third != 0 ? zs[lane] : 0)
                : 0;
        EXPECT_EQ(thread.get<f32>(20, lane), expected) << "shape " << form.shape << " lane " << lane;
        EXPECT_EQ(thread.get<f32>(23, lane), 1.0f) << "alpha";
      }
    }
  }
}

TEST(GenImages, TheSamplersOfArgumentAndProgram) {
  // Unnormalised and nearest, at the edge: r11 x, r12 y, in two pieces with a header.
  Thread edge("sends (8|M0) r20:w r10 r11 0x82 0x024B8000");
  edge.set(10, std::array<u32, lanes>{});
  edge.set(11, floats(xs));
  edge.set(12, floats(ys));
  edge.run(described(2), clamps_to_edge);
  ASSERT_TRUE(edge.fine()) << edge.context.fault.text;
  for (u32 lane = 0; lane < lanes; ++lane) {
    const u32 x = xs[lane] == ~0u ? 0 : std::min(xs[lane], width - 1);
    EXPECT_EQ(edge.get<f32>(20, lane), value_at(x, ys[lane], 0)) << lane;
  }
  Thread border("sends (8|M0) r20:w r10 r11 0x82 0x024B8000");
  border.set(10, std::array<u32, lanes>{});
  border.set(11, floats(xs));
  border.set(12, floats(ys));
  border.run(described(2), clamps);
  for (u32 lane = 0; lane < lanes; ++lane)
    EXPECT_EQ(border.get<f32>(20, lane), inside(lane) ? value_at(xs[lane], ys[lane], 0) : 0) << lane;
  // Normalised, mirrored, linear: between texels in x, a level in front (sample_l).
  Thread linear("send (8|M0) r20:w r11 0x2 0x06422100");
  std::array<f32, lanes> at{}, rows{};
  for (u32 lane = 0; lane < lanes; ++lane) {
    at[lane] = (static_cast<f32>(lane % 3) + 1.0f) / width;  // halfway between two texels
    rows[lane] = (1.0f + 0.5f) / height;
  }
  linear.set(11, std::array<f32, lanes>{});
  linear.set(12, at);
  linear.set(13, rows);
  linear.run(described(2));
  ASSERT_TRUE(linear.fine()) << linear.context.fault.text;
  for (u32 lane = 0; lane < lanes; ++lane)
    EXPECT_NEAR(linear.get<f32>(20, lane), static_cast<f32>(lane % 3) + 10.5f, 0.05f) << lane;
}

TEST(GenImages, AHeaderLeavesComponentsOut) {
  Thread thread("send (8|M0) r20:w r10 0x2 0x062B8000");
  std::array<u32, lanes> header{};
  header[2] = 0x6000;  // green and blue
  thread.set(10, header);
  thread.set(11, floats(xs));
  thread.set(12, floats(ys));
  thread.run(described(2));
  ASSERT_TRUE(thread.fine()) << thread.context.fault.text;
  EXPECT_EQ(thread.get<f32>(20, 1), value_at(xs[1], ys[1], 0));
  EXPECT_EQ(thread.get<f32>(21, 1), 1.0f);
}

TEST(GenImages, TypedWritesAndReads) {
  for (const u32 shape : {u32{1}, u32{2}, u32{3}, 1 | ImageDescriptor::array, 2 | ImageDescriptor::array}) {
    const ImageDescriptor image = described(shape);
    const u32 coordinates = image.dimensions() + (image.is_array() ? 1 : 0);
    const std::array<const char*, 3> writes{"sends (8|M0) null:ud r11 r12 0x10C 0x02035000",
                                            "sends (8|M0) null:ud r11 r12 0x14C 0x02035000",
                                            "sends (8|M0) null:ud r11 r12 0x18C 0x02035000"};
    Thread write(writes.at(coordinates - 1));
    const std::array<u32, lanes>& second = image.dimensions() == 1 ? zs : ys;
    std::array<f32, lanes> red{};
    for (u32 lane = 0; lane < lanes; ++lane) red[lane] = 1000.0f + static_cast<f32>(lane);
    write.set(11, xs);
    if (coordinates > 1) write.set(12, second);
    if (coordinates > 2) write.set(13, zs);
    write.set(11 + coordinates, red);
    write.run(image);
    ASSERT_TRUE(write.fine()) << write.context.fault.text;
    u32 changed = 0;
    for (u32 z = 0; z < image.depth; ++z)
      for (u32 y = 0; y < image.height; ++y)
        for (u32 x = 0; x < image.width; ++x) changed += write.texel(x, y, z, image) >= 1000.0f;
    u32 expected = 0;
    for (u32 lane = 0; lane < 6; ++lane) {
      const u32 y = image.dimensions() > 1 ? ys[lane] : 0, z = image.depth > 1 ? zs[lane] : 0;
      bool last = true;  // of those that write to the same texel
      for (u32 later = lane + 1; later < 6; ++later)
        last = last && !(xs[later] == xs[lane] && (image.dimensions() < 2 || ys[later] == ys[lane]) &&
                         (image.depth < 2 || zs[later] == zs[lane]));
      if (!last) continue;
      ++expected;
      EXPECT_EQ(write.texel(xs[lane], y, z, image), red[lane]) << "shape " << shape << " lane " << lane;
    }
    EXPECT_EQ(changed, expected) << "shape " << shape;
    const std::array<const char*, 3> reads{"send (8|M0) r20:ud r11 0xC 0x02415000",
                                           "send (8|M0) r20:ud r11 0xC 0x04415000",
                                           "send (8|M0) r20:ud r11 0xC 0x06415000"};
    Thread read(reads.at(coordinates - 1));
    read.set(11, xs);
    if (coordinates > 1) read.set(12, second);
    if (coordinates > 2) read.set(13, zs);
    read.run(image);
    ASSERT_TRUE(read.fine()) << read.context.fault.text;
    for (u32 lane = 0; lane < lanes; ++lane) {
      const u32 y = image.dimensions() > 1 ? ys[lane] : 0, z = image.depth > 1 ? zs[lane] : 0;
      EXPECT_EQ(read.get<f32>(20, lane), inside(lane) ? value_at(xs[lane], y, z) : 0);
      EXPECT_EQ(read.get<f32>(23, lane), inside(lane) ? 1.0f : 0);
    }
  }
}

TEST(GenImages, WhatKernelsAreTold) {
  Thread sized("send (8|M0) r20:w r11 0x2 0x0242A000");
  sized.set(11, std::array<u32, lanes>{});
  sized.run(described(2 | ImageDescriptor::array), clamps);
  ASSERT_TRUE(sized.fine()) << sized.context.fault.text;
  EXPECT_EQ(sized.get<u32>(20, 0), width);
  EXPECT_EQ(sized.get<u32>(21, 0), height);
  EXPECT_EQ(sized.get<u32>(22, 0), depth);
  // The cross-thread data lie from r2 on.
  constexpr u32 cl_r = 0x10B0, cl_float = 0x10DE;
  const std::array<u32, 7> expected{width, height, 1, depth, cl_r, cl_float, ~u32{0}};
  for (u32 i = 0; i < expected.size(); ++i) EXPECT_EQ(sized.get<u32>(2, i), expected[i]) << i;
}

TEST(GenImages, WhatIsNoImageIsRefused) {
  ImageDescriptor image = described(2);
  image.bits = 7;
  Thread thread("send (8|M0) r20:w r11 0x2 0x0443A000");
  thread.run(image);
  EXPECT_EQ(thread.context.fault.kind, FaultKind::not_supported);
  Thread unbound("send (8|M0) r20:w r11 0x2 0x0443A005");
  unbound.run(described(2));
  EXPECT_EQ(unbound.context.fault.kind, FaultKind::not_supported);
  Thread sampler("send (8|M0) r20:w r11 0x2 0x04438200");
  sampler.run(described(2));
  EXPECT_EQ(sampler.context.fault.kind, FaultKind::not_supported);
}

}  // namespace
}  // namespace lockstep
