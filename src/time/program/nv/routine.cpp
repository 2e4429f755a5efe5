#include "time/program/nv/routine.h"

#include "base/assert.h"
#include "time/program/nv/latency.h"

namespace lockstep::lowering {
namespace {

using L = LoweredOpcode;
using O = LoweredOperand;

// As ptxas of CUDA 13 makes them for sm_90, read from kernels of one operation each: the way of a zero. A "."
// in front: the next instruction does not need the result; "!": a branch that is taken. Tests are needed by
// what is guarded, or branches, next.
constexpr std::string_view divide_f32 =
    ".MOV .MOV !CALL.REL.NOINC "
    ".SHF.R.U32.HI SHF.R.U32.HI .LOP3.LUT LOP3.LUT .IADD3 .MOV IADD3 .ISETP .MOV ISETP .IMAD.MOV BRA "
    ".FSETP FSETP PLOP3.LUT BRA LOP3.LUT BRA .FSETP .FSETP FSETP BRA LOP3.LUT PLOP3.LUT !BRA "
    "LOP3.LUT !BRA .HFMA2.MMA .MOV !RET.REL.NODEC .IMAD.MOV";
constexpr std::string_view reciprocal_f32 =
    ".MOV .MOV !CALL.REL.NOINC "
    "IMAD.SHL SHF.R.U32.HI ISETP BRA IMAD.SHL ISETP MUFU.RCP !BRA "
    ".IMAD.MOV .IMAD.MOV !RET.REL.NODEC !BRA";
constexpr std::string_view root_f32 =
    ".IMAD.MOV .MOV !CALL.REL.NOINC LOP3.LUT .MOV !BRA .HFMA2.MMA .MOV !RET.REL.NODEC !BRA";
constexpr std::string_view divide_f64 =
    ".IMAD.MOV .MOV .IMAD.MOV .MOV .IMAD.MOV !CALL.REL.NOINC "
    ".FSETP .IMAD.MOV .LOP3.LUT .IMAD.MOV .LOP3.LUT .IMAD.MOV .LOP3.LUT .IMAD.MOV .MOV .LOP3.LUT .IMAD.MOV "
    ".DMUL "
    "ISETP .SEL MUFU.RCP64H .FSETP .LOP3.LUT .IMAD.MOV DFMA DFMA DFMA DFMA DFMA BRA "
    ".LOP3.LUT .IMAD.MOV ISETP SEL LOP3.LUT LOP3.LUT .DFMA .LOP3.LUT "
    "DMUL .LOP3.LUT DFMA .DFMA .IADD3 IADD3 ISETP ISETP !BRA "
    "DSETP BRA DSETP BRA .ISETP .IMAD.MOV .IMAD.MOV BRA .ISETP .LOP3.LUT ISETP "
    ".LOP3.LUT .IMAD.MOV .IMAD.MOV .IMAD.MOV .IMAD.MOV !BRA "
    ".IMAD.MOV .IMAD.MOV .IMAD.MOV !RET.REL.NODEC .IMAD.MOV";
constexpr std::string_view reciprocal_f64 =
    ".LOP3.LUT .IMAD.MOV .MOV .IMAD.MOV .IADD3 !CALL.REL.NOINC "
    "DSETP BRA LOP3.LUT IADD3 ISETP .LOP3.LUT .IMAD.MOV !BRA "
    ".IMAD.MOV .IMAD.MOV !RET.REL.NODEC";
constexpr std::string_view root_f64 =
    ".IMAD.MOV .MOV .IMAD.MOV .MOV .IMAD.MOV .MOV .IMAD.MOV .IMAD.MOV !CALL.REL.NOINC "
    ".ISETP .IMAD.MOV .MOV !BRA DSETP !BRA DADD .IMAD.MOV !RET.REL.NODEC";

std::string_view text_of(SlowWay way) {
  switch (way) {
    case SlowWay::none:
    case SlowWay::match_32:  // rounds of one instruction
    case SlowWay::match_64:
    case SlowWay::yield:  // one instruction
      return {};
    case SlowWay::divide_f32:
      return divide_f32;
    case SlowWay::reciprocal_f32:
      return reciprocal_f32;
    case SlowWay::root_f32:
      return root_f32;
    case SlowWay::divide_f64:
      return divide_f64;
    case SlowWay::reciprocal_f64:
      return reciprocal_f64;
    case SlowWay::root_f64:
      return root_f64;
  }
  return {};
}

bool tests(L opcode) {
  return opcode == L::isetp || opcode == L::fsetp || opcode == L::dsetp || opcode == L::plop3;
}

}  // namespace

std::vector<RoutineStep> routine_of(SlowWay way, u32 capability) {
  std::vector<RoutineStep> steps;
  std::vector<bool> needed;  // by the next one
  for (std::string_view text = text_of(way); !text.empty();) {
    const std::size_t blank = text.find(' ');
    std::string_view word = text.substr(0, blank);
    text = blank == text.npos ? std::string_view{} : text.substr(blank + 1);
    RoutineStep step;
    step.taken = word[0] == '!';
    const bool marked = word[0] == '.' || step.taken;
    if (marked) word.remove_prefix(1);
    std::string_view modifiers;
    const auto opcode = find_lowered_opcode(word, modifiers);
    LOCKSTEP_ASSERT(opcode.has_value(), "routines name opcodes");
    needed.push_back(!marked && *opcode != L::bra);
    step.instruction.opcode = *opcode;
    step.instruction.modifiers = modifiers;
    step.instruction.routine = true;
    steps.push_back(std::move(step));
  }
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const LoweredInstruction &from = steps[i].instruction, &to = steps[i + 1].instruction;
    if (!needed[i]) continue;
    if (!is_fixed(from, capability)) {
      steps[i].stall = 0;
      continue;
    }
    O made;
    made.file = tests(from.opcode) ? O::File::predicate : O::File::general;
    // A test that no branch follows at once is what guards the next.
    const bool guards = tests(from.opcode) && !tests(to.opcode);
    steps[i].stall = static_cast<u8>(latency(from, to, made, guards, capability));
  }
  return steps;
}

}  // namespace lockstep::lowering
