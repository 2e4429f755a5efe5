// Control flow of AMD's VLIW GPUs: clauses, the stack of masks, loops. Source: "Evergreen Family Instruction
// Set Architecture", chapters "Control Flow (CF) Program" and "Conditional Execution".
#pragma once
#include <string_view>

#include "isa/semantic.h"

namespace lockstep::vliw {

// What an instruction of the control-flow program does. Clauses' own instructions stand behind the one that
// starts them, so that execution goes from each to the next; what an ALU clause does at its end its last
// packet does (`after`).
enum class Step : u8 {
  // ALU, TEX, VTX. An ALU clause has its lines of the constant buffer brought into the constant cache first:
  // Instruction::detail
  // is how many dwords of the buffer, from its begin, it reads.
  clause,
  push_clause,  // ALU_PUSH_BEFORE
  push,
  jump,  // where no lane runs: gives back masks (detail) and goes to `target`
  else_,
  pop,
  loop_start,
  loop_end,
  loop_break,
  loop_continue,
  nothing,
  end,
};
const Semantic& control(Step flow);

// What follows an ALU clause.
enum class After : u8 { nothing, pop, pop2, else_, break_, continue_ };
void run_after(WaveState& wave, After after);

// A packet: the header, with the number of instructions that follow it and itself in Instruction::slots. Each
// of those reads before any of them writes what another one reads: what would be written too early goes to
// the packet's write buffer, from which moves at its end take it.
const Semantic& packet();
// The end of a clause with a PRED_SET and ExecMask: of the lanes that run, those of the mask in operand [1]
// go on.
const Semantic& take_mask();
// T(n + AR.x) as a source: operand [0] the row of the result, [1] the row of AR, [2] the first row that an
// index of zero means, [3] how many registers there are.
const Semantic& read_relative();
// The same as a result: [1] the row of the value, [4] that of AR.
const Semantic& write_relative();

// Packed into Instruction::detail of a packet's header.
namespace packet_detail {
inline constexpr u32 make(u32 operations, u32 slots, u32 literals, After after) {
  return operations | slots << 4 | literals << 12 | static_cast<u32>(after) << 16;
}
inline constexpr u32 operations(u32 detail) {
  return detail & 15;
}  // that the text has
inline constexpr u32 slots(u32 detail) {
  return (detail >> 4) & 31;
}  // bits x y z w t
inline constexpr u32 literals(u32 detail) {
  return (detail >> 12) & 15;
}  // dwords
inline constexpr After after(u32 detail) {
  return static_cast<After>((detail >> 16) & 7);
}
}  // namespace packet_detail

// The run functions of packets with and without something after them, and of instructions under a predicate.
void run_packet(WaveState& wave, const Instruction& in, StepContext& context);
void run_last_packet(WaveState& wave, const Instruction& in, StepContext& context);
void run_predicated(WaveState& wave, const Instruction& in, StepContext& context);

}  // namespace lockstep::vliw
