// From a line of AMD assembly (as LLVM prints it) to an Instruction. Everything that the text leaves unsaid
// comes from the table row, everything that the encoding says more plainly than the text (branch targets,
// wait counts, DPP controls, LDS offsets) from the encoding.
#pragma once
#include <span>

#include "base/diagnostic.h"
#include "isa/amd/table.h"
#include "isa/instruction.h"

namespace lockstep::amd {

struct Encoded {
  std::string_view text;
  std::span<const u32> words;  // of the linked code
  u64 address = 0;
};

// A diagnostic "unknown-instruction" for a mnemonic that the target's table lacks, "bad-operand" for operands
// that do not fit it. Its place is left to the caller. Branches get their target's address in
// operand[1].value; the caller turns it into an index.
Expected<Instruction> decode(const Encoded& encoded, const Target& target);

// Memory formats (decode_memory.cpp): fills operands, offsets and flags by the convention in format.h.
struct Text;
Status decode_memory(const Text& text, const Encoded& encoded, const Row& row, const Target& target,
                     Instruction& out);
bool is_memory_mnemonic(std::string_view mnemonic);
// Order, scope and cache policy of a memory instruction (decode_policy.cpp).
AccessPolicy access_policy(const Text& text, const Row& row, const Target& target);

// Shared by both: the diagnostic for an operand that is not what the instruction takes.
Diagnostic bad_operand(std::string_view instruction, std::string_view why);

}  // namespace lockstep::amd
