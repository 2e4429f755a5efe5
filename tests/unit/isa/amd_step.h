// Runs single lines of AMD assembly on a wave: decoded from text, without an assembler.
#pragma once
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "isa/amd/decode.h"
#include "isa/step.h"

namespace lockstep::amd {

struct Stepper {
  WaveState wave;
  StepContext context;
  const Target* target = nullptr;

  explicit Stepper(const char* name = "gfx900", u32 lanes = 64) : target(find_target(name)) {
    wave.allocate(lanes, 32, 128);
    wave.set_exec(wave.all_lanes());
  }

  // `words` is the encoding where it says what the text does not.
  Instruction decoded(const std::string& text, std::vector<u32> words = {}, u64 address = 0) {
    const Expected<Instruction> in = decode({text, words, address}, *target);
    EXPECT_TRUE(in) << text << ": " << (in ? "" : in.error().message);
    Instruction instruction = in ? *in : Instruction{};
    if (in) instruction.run = run_function(*instruction.meaning, wave.lanes);
    return instruction;
  }
  void run(const Instruction& in) {
    context.event = Event::none;
    context.fault = {};
    if (in.run != nullptr) in.run(wave, in, context);
  }
  void run(const std::string& text, std::vector<u32> words = {}, u64 address = 0) {
    run(decoded(text, std::move(words), address));
  }
  void fill(u32 row, u32 value) {
    for (u32 lane = 0; lane < wave.lanes; ++lane) wave.row(row)[lane] = value;
  }
};

// Values at which integer arithmetic changes its behaviour.
inline constexpr std::array<u32, 22> edge_values{
    0,          1,          2,          3,          31,         32,         33,       0x7F,
    0x80,       0xFF,       0x7FFF,     0x8000,     0xFFFF,     0x7FFFFF,   0x800000, 0xFFFFFF,
    0x12345678, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF,
};

}  // namespace lockstep::amd
