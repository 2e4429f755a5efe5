// From a line of text to what runs.
#pragma once
#include <optional>

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

// What the dwords of a0 were last made of, as far as the text shows it: a number, to which the program may
// have added others. Messages that have their descriptor there are known by it.
struct AddressConstants {
  std::array<std::optional<u32>, 8> dword;
};

// Errors, without a place: "unknown-instruction", "bad-operand", "not-supported".
Expected<Decoded> decode(const LineText& line, const SymbolOperand* symbol, AddressConstants& constants);

}  // namespace lockstep::gen
