// The parts of the control chapter, and what they share: addresses of code, faults by name.
#pragma once
#include <span>

#include "isa/amd/table.h"
#include "isa/shapes.h"

namespace lockstep {
class RegisterUse;
}

namespace lockstep::amd {

std::span<const Row> control_flow_rows();      // branches, calls, the end, barriers
std::span<const Row> control_exec_rows();      // the saveexec family
std::span<const Row> control_register_rows();  // s_getreg, s_setreg, modes
std::span<const Row> control_index_rows();     // registers by M0: movrel, s_set_gpr_idx
std::span<const Row> control_message_rows();   // waits, messages, hints, traps

// What s_getreg and s_setreg reach of EXEC, VCC, SCC and the scalar registers; nothing for other
// instructions.
void hardware_register_use(const Instruction& instruction, RegisterUse& use);

// An s_getreg whose value depends on when or where it runs: the clock, the number of the compute unit.
bool reads_issue_register(const Instruction& instruction);

// An s_trap behind which nothing runs.
bool traps_always(const Instruction& instruction);

// s_setprio: the operand's lowest two bits are the wave's priority.
bool sets_priority(const Instruction& instruction);

struct Control {
  static constexpr Shape shape = Shape::control;
};

// Device address of an address in the module's image.
inline u64 device_address(const WaveState& wave, u64 image_address) {
  return wave.code_base + image_address;
}

// Continues at a device address. Raises unknown_target where no instruction begins.
inline void jump_to(WaveState& wave, StepContext& context, u64 address) {
  const u64 bytes = address - wave.code_base - context.text_address;
  if (bytes % 4 == 0 && bytes / 4 < context.text_words && context.index_of_word[bytes / 4] != ~u32{0}) {
    wave.pc = context.index_of_word[bytes / 4];
    return;
  }
  Fault fault;
  fault.kind = FaultKind::unknown_target;
  fault.address = address;
  context.raise(fault);
}

// Where control goes behind an instruction.
struct Continuation {
  bool to_next = true;
  bool to_target = false;    // Instruction::target
  bool to_register = false;  // an address in operand[1]
};
Continuation continuation_of(const Instruction& instruction);

// Stands where the code ends, or breaks off before data: an instruction of no bytes that faults.
const Semantic& past_end();

inline void raise_not_supported(StepContext& context, const char* text) {
  Fault fault;
  fault.kind = FaultKind::not_supported;
  fault.text = text;
  context.raise(fault);
}

}  // namespace lockstep::amd
