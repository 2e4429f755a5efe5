// The registers of an instruction: vector registers are r0 to r127 of 32 bytes, the accumulators follow from
// 128 on (acc0 128, one for every eight channels; mme0 to mme7 from 160 on); scalars are as below.
#pragma once
#include "isa/register_use.h"

namespace lockstep {
struct Instruction;
}
namespace lockstep::gen {

struct GenProgram;

namespace scalar_number {
inline constexpr u32 flag0 = 128, flag1 = 129, address = 130, control = 131, notification = 132, state = 133;
}
namespace vector_number {
inline constexpr u32 accumulator = 128, extended = 160;
}

// Where a register lies in the wave's register file and how many bytes it has; no_place: nowhere.
inline constexpr u32 no_place = ~u32{0};
u32 register_place(RegisterFile file, u32 number);
u32 register_bytes_of(RegisterFile file);

void register_use(const Instruction& in, const GenProgram& program, RegisterUse& use);

}  // namespace lockstep::gen
