// PTX: descriptors of images lie in device memory, where a program can write whatever it likes. Nothing that
// it writes there lets an instruction reach beyond the memory: it ends in a fault, or in texels within.
#include "isa/image_descriptor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "isa/nv/module.h"
#include "isa/step.h"
#include "isa/wave.h"
#include "machine/target.h"

namespace lockstep {
namespace {

constexpr u64 base = u64{0x10} << 32;
constexpr u64 descriptor_at = 0, texels_at = 1024, arguments_at = 6144, size = 8192;

// One wave whose kernel gets the descriptor's address and two numbers; the memory ends where the vector does.
struct Machine {
  std::unique_ptr<Module> module;
  std::vector<u8> memory = std::vector<u8>(size);
  FaultKind fault = FaultKind::none;
  std::string text;

  explicit Machine(const std::string& body) {
    const std::string source =
        ".version 7.8\n.target sm_70\n.address_size 64\n"
        ".visible .entry k(.param .u64 image, .param .u32 x, .param .u32 y)\n{\n"
        ".reg .b32 %r<20>;\n.reg .f32 %f<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<2>;\n"
        "ld.param.u64 %rd0, [image];\nld.param.u32 %r0, [x];\nld.param.u32 %r1, [y];\n"
        "mov.u32 %r2, %tid.x;\nadd.u32 %r0, %r0, %r2;\n"
        "mov.b32 %f0, %r0;\nmov.b32 %f1, %r1;\nshl.b32 %r3, %r0, 4;\n" +
        body + "\nret;\n}\n";
    auto loaded = nv::load_module(source, *find_target("sm_70"), "test.ptx");
    EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : to_string(loaded.error()));
    if (loaded.ok()) module = std::move(*loaded);
  }

  void run(const ImageDescriptor& words, u64 handle = base + descriptor_at, u32 x = 0, u32 y = 0) {
    if (module == nullptr) return;
    // A descriptor that reaches beyond the memory is written as far as there is memory.
    if (handle >= base && handle - base < size)
      std::memcpy(memory.data() + (handle - base), &words,
                  std::min<u64>(sizeof(words), size - (handle - base)));
    std::memcpy(memory.data() + arguments_at, &handle, 8);
    std::memcpy(memory.data() + arguments_at + 8, &x, 4);
    std::memcpy(memory.data() + arguments_at + 12, &y, 4);
    LaunchState state;
    state.module = module.get();
    state.program = &module->programs.at(0);
    state.range.global = {32, 1, 1};
    state.range.local = {32, 1, 1};
    state.arguments_address = base + arguments_at;
    WaveState wave;
    module->isa->begin_wave(wave, state, GroupId{});
    StepContext context;
    context.global = {memory.data(), base, memory.size()};
    for (u32 steps = 0; steps < 1000; ++steps) {
      const Instruction& instruction = module->code.instructions[wave.pc++];
      instruction.run(wave, instruction, context);
      if (context.event == Event::end || context.event == Event::fault) break;
      context.event = Event::none;
    }
    fault = context.fault.kind;
    text = context.fault.text != nullptr ? context.fault.text : "";
  }
};

ImageDescriptor good() {
  ImageDescriptor words;
  words.address_low = static_cast<u32>(base + texels_at);
  words.address_high = static_cast<u32>((base + texels_at) >> 32);
  words.width = 16;
  words.height = 8;
  words.row_pitch = 64;
  words.slice_pitch_low = 512;
  words.select = 0x07060504;
  return words;
}

const std::vector<std::string>& instructions() {
  static const std::vector<std::string> all = {
      "tex.1d.v4.u32.s32 {%r4,%r5,%r6,%r7}, [%rd0, {%r0}];",
      "tex.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd0, {%f0,%f1}];",
      "mov.u64 %rd1, 35;\ntex.2d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd0, %rd1, {%f0,%f1}];",
      "mov.u64 %rd1, 39;\ntex.3d.v4.f32.f32 {%f4,%f5,%f6,%f7}, [%rd0, %rd1, {%f0,%f1,%f0,%f0}];",
      "tex.a2d.v4.u32.s32 {%r4,%r5,%r6,%r7}, [%rd0, {%r1,%r0,%r1,%r1}];",
      "suld.b.1d.b8.trap {%r4}, [%rd0, {%r0}];",
      "suld.b.2d.v4.b32.clamp {%r4,%r5,%r6,%r7}, [%rd0, {%r3,%r1}];",
      "suld.b.3d.v2.b64.zero {%rd4,%rd5}, [%rd0, {%r3,%r1,%r1,%r1}];",
      "suld.b.a2d.v4.b32.clamp {%r4,%r5,%r6,%r7}, [%rd0, {%r1,%r3,%r1,%r1}];",
      "sust.b.1d.b8.clamp [%rd0, {%r0}], {%r4};",
      "sust.b.2d.v4.b32.clamp [%rd0, {%r3,%r1}], {%r4,%r5,%r6,%r7};",
      "sust.p.2d.v4.b32.clamp [%rd0, {%r0,%r1}], {%r4,%r5,%r6,%r7};",
      "sust.p.3d.v4.b32.zero [%rd0, {%r0,%r1,%r1,%r1}], {%r4,%r5,%r6,%r7};",
      "txq.width.b32 %r4, [%rd0];\nsuq.channel_data_type.b32 %r5, [%rd0];\nsuq.channel_order.b32 %r6, "
      "[%rd0];",
  };
  return all;
}

// The words by their place in memory.
void set_word(ImageDescriptor& words, u32 number, u32 value) {
  std::memcpy(reinterpret_cast<u8*>(&words) + std::size_t{4} * number, &value, 4);
}

TEST(PtxImages, AGoodDescriptorServesEveryInstruction) {
  for (const std::string& body : instructions()) {
    Machine machine(body);
    machine.run(good());
    // Work-items beyond the row trap where the instruction says so.
    if (body.find(".trap") != body.npos) continue;
    EXPECT_EQ(machine.fault, FaultKind::none) << body << machine.text;
  }
}

TEST(PtxImages, WhatNoImageHasIsRefused) {
  const auto refused = [](const char* what, auto change) {
    for (const std::string& body : instructions()) {
      ImageDescriptor words = good();
      change(words);
      Machine machine(body);
      machine.run(words);
      EXPECT_EQ(machine.fault, FaultKind::not_supported) << what << "\n" << body;
      EXPECT_NE(machine.text.find("no image's descriptor"), std::string::npos) << machine.text;
    }
  };
  for (const u32 bits : {0u, 1u, 4u, 7u, 9u, 24u, 33u, 64u, 256u, 264u, 0x80000008u, ~0u})
    refused("bits", [&](ImageDescriptor& words) { words.bits = bits; });
  for (const u32 channels : {0u, 3u, 5u, 16u, 0x40000004u, ~0u})
    refused("channels", [&](ImageDescriptor& words) { words.channels = channels; });
  // Both wrong in a way that their product hides.
  refused("channels and bits", [](ImageDescriptor& words) { words.channels = 1, words.bits = 32 << 24; });
  refused("channels and size", [](ImageDescriptor& words) { words.channels = 0, words.texel_bytes = 0; });
  refused("more channels", [](ImageDescriptor& words) { words.channels = 8, words.texel_bytes = 8; });
  for (const u32 bytes : {0u, 1u, 3u, 5u, 16u, 17u, 255u, 256u, 260u, 0x80000004u, ~0u})
    refused("texel size", [&](ImageDescriptor& words) { words.texel_bytes = bytes; });
  for (const u32 number : {8u, 255u, 256u, ~0u})
    refused("number format", [&](ImageDescriptor& words) { words.number = number; });
  for (const u32 texels : {0u, (1u << 30) + 1, 1u << 31, ~0u}) {
    refused("width", [&](ImageDescriptor& words) { words.width = texels; });
    refused("height", [&](ImageDescriptor& words) { words.height = texels; });
    refused("depth", [&](ImageDescriptor& words) { words.depth = texels; });
  }
  refused("nothing",
          [](ImageDescriptor& words) { std::memset(static_cast<void*>(&words), 0, sizeof(words)); });
  refused("ones",
          [](ImageDescriptor& words) { std::memset(static_cast<void*>(&words), 0xFF, sizeof(words)); });
}

TEST(PtxImages, ImagesThatReachBeyondTheMemoryAreFaults) {
  for (const std::string& body : instructions()) {
    if (body.starts_with("txq")) continue;
    for (const u64 address : {u64{0}, base - 1, base + size - 1, base + size, ~u64{0} - 2}) {
      ImageDescriptor words = good();
      words.address_low = static_cast<u32>(address);
      words.address_high = static_cast<u32>(address >> 32);
      Machine machine(body);
      machine.run(words);
      EXPECT_TRUE(machine.fault == FaultKind::outside_memory || machine.fault == FaultKind::misaligned)
          << body << std::hex << address;
    }
  }
}

TEST(PtxImages, HandlesOfNothingAreFaults) {
  for (const std::string& body : instructions()) {
    Machine machine(body);
    for (const u64 handle : {u64{0}, base - 64, base + size - 63, base + size, ~u64{0}, ~u64{0} - 63}) {
      machine.run(good(), handle);
      EXPECT_EQ(machine.fault, FaultKind::outside_memory) << body << std::hex << handle;
    }
  }
}

// Whatever the words say: no crash, no access beyond the memory (which a sanitizer sees), a fault or an end.
TEST(PtxImages, AnyWords) {
  std::mt19937 random(20'2611);
  constexpr u32 interesting[] = {0,          1,          2,          3,          4,    7,
                                 8,          12,         16,         31,         32,   64,
                                 255,        256,        1 << 30,    0x7FFFFFFF, ~0u,  0x80000000,
                                 0x3FFFFFFF, 0xFFFFFFF0, 0x00000010, 0x10000000, 1024, 8192};
  for (const std::string& body : instructions()) {
    Machine machine(body);
    for (u32 round = 0; round < 500; ++round) {
      ImageDescriptor words = good();
      // From one wrong word to nothing but wrong ones; formats that go together, so that most get further.
      for (u32 changes = 1 + random() % 6; changes > 0; --changes)
        set_word(
            words, random() % 16,
            random() % 3 == 0 ? static_cast<u32>(random()) : interesting[random() % std::size(interesting)]);
      if (random() % 2 == 0) {
        words.bits = 8u << random() % 3;
        words.channels = 1 + random() % 4;
        words.texel_bytes = words.channels * words.bits / 8;
        words.number = random() % 8;
      }
      const u32 x = random() % 2 == 0 ? interesting[random() % std::size(interesting)] : random() % 20;
      const u32 y = random() % 2 == 0 ? static_cast<u32>(random()) : random() % 10;
      const u64 handle = base + (random() % 8 == 0 ? random() % (size + 64) : descriptor_at);
      machine.run(words, handle, x, y);
    }
  }
}

}  // namespace
}  // namespace lockstep
