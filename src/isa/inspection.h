// A program's instructions with what is known of each, without running it: the decoder's view also of
// programs that hold instructions it does not know.
#pragma once
#include <string>
#include <vector>

#include "isa/semantic.h"

namespace lockstep {

struct InspectedInstruction {
  std::string text;      // as the assembler or PTX has it
  std::string mnemonic;  // its first word
  // What it does; several where one instruction of the text is more than one (VOPD pairs). Empty: unknown.
  std::vector<const Semantic*> meanings;
  std::string problem;  // of an unknown one: why
  std::string file;     // of the source; empty where the compiler gave none
  u32 line = 0;
};

struct InspectedFunction {
  std::string name;
  bool kernel = false;
  std::vector<InspectedInstruction> instructions;
};

struct Inspection {
  std::vector<InspectedFunction> functions;
};

}  // namespace lockstep
