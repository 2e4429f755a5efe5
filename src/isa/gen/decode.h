// From a line of text to what runs.
#pragma once
#include "base/diagnostic.h"
#include "isa/gen/operation.h"

namespace lockstep::gen {

struct Decoded {
  Instruction in;
  Operation operation;
  // Addresses in the kernel, where the operation has jumps.
  u32 jump_address = 0, other_jump_address = 0;
  bool jumps = false;
};

// A symbol's address in place of an immediate: where in the register file the loader puts it.
struct SymbolOperand {
  u32 offset = 0;
  u32 type = 1;
};

// Errors, without a place: "unknown-instruction", "bad-operand", "not-supported".
Expected<Decoded> decode(const LineText& line, const SymbolOperand* symbol);

}  // namespace lockstep::gen
