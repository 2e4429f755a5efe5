// What the checker of checked runs is told of Intel's registers.
#pragma once
#include "isa/byte_step.h"
#include "isa/gen/wave.h"

namespace lockstep::gen {

// Places beyond the register file's bytes: eight of each channel's accumulator, one that stands for the
// mantissa of each channel of an extended register.
namespace place {
inline constexpr u32 accumulator = file::symbols;
inline constexpr u32 mantissa = accumulator + 8 * 32;
inline constexpr u32 end = mantissa + 8 * 32;
}  // namespace place

extern const ByteRegisters byte_registers;

// The parts of it that describe messages.
void describe_message(const WaveState& wave, const Instruction& in, const StepContext& context,
                      ByteMessage& message);
ByteTransfer describe_transfer(const WaveState& wave, const Instruction& in, u32 number);
void describe_channels(const WaveState& wave, const Operation& operation, ByteChannels& channels);

}  // namespace lockstep::gen
