// Control flow of Intel's GPUs: every channel has an instruction pointer of its own, and waits at an
// instruction until the thread comes there. Source: "Skylake PRM, volume 2a: Command Reference: Instructions"
// (if, else, endif, while, break, cont, goto, join, jmpi, call, ret, halt).
#pragma once
#include <string_view>

#include "isa/semantic.h"

namespace lockstep::gen {

enum class Control : u8 {
  if_,
  else_,
  endif,
  while_,
  break_,
  continue_,
  halt,
  goto_,
  goto_back,
  join,
  jump,
  call,
  ret,
  wait,
  nothing,
  illegal
};

struct ControlOperation {
  std::string_view mnemonic;
  Control flow;
  u8 targets;  // labels
  RunFunction run;
  const Semantic* meaning;
};
// jmpi with a distance in a register.
void run_jump_by_register(WaveState& wave, const Instruction& in, StepContext& context);

// What rooms that follow a program's flow ask for.
const Semantic& jump_meaning();  // jmpi, with a label or a register
const Semantic& call_meaning();
const Semantic& return_meaning();

// nullptr where there is none.
const ControlOperation* find_control(std::string_view mnemonic);

}  // namespace lockstep::gen
