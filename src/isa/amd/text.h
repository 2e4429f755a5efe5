// AMD assembly text in pieces: mnemonic, operands, modifiers. The text is LLVM's own, so it is regular; what
// does not parse is a diagnostic.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "isa/instruction.h"
#include "isa/semantic.h"

namespace lockstep::amd {

struct Text {
  std::string_view mnemonic;                // without its encoding suffix
  std::string_view suffix;                  // "_e32", "_e64", "_dpp", "_sdwa", or empty
  std::vector<std::string_view> operands;   // "v[0:1]", "-|s3|", "0x40", "off"
  std::vector<std::string_view> modifiers;  // "offset:16", "glc", "quad_perm:[0,1,2,3]"

  // The value behind "name:", empty if there is no such modifier.
  std::optional<std::string_view> modifier(std::string_view name) const;
  bool has(std::string_view name) const;
};

Text split(std::string_view instruction);

// The first modifier with a value that no instruction is known to have; empty where all are known.
std::string_view unknown_modifier(const Text& text);

// An integer as assemblers write it: decimal or 0x, with a minus sign.
std::optional<i64> parse_integer(std::string_view text);

// A register operand: v5, v[0:3], s[2:3], a7, vcc, exec_lo, m0, ttmp4, flat_scratch, null, ... Kind none if
// the text is no register. Accumulation registers are vector rows from `accumulation_base` on.
inline constexpr u32 accumulation_base = 256;
// Behind the numbered scalar registers: null reads as 0, and what is written to it goes where nothing reads.
inline constexpr u32 null_register = 128, null_result = null_register + 2, scalar_registers = null_result + 2;
// The same register as a result: null's is null_result.
Operand as_result(Operand operand);
Operand parse_register(std::string_view text, u32 target_major);

// A source: register or constant, with neg, abs and sext. `kind` says how constants are widened; `literal` is
// the last word of the encoding, which holds the value of symbolic operands. Nothing if the text is neither.
std::optional<Operand> parse_source(std::string_view text, Kind kind, u32 literal, u32 target_major);

}  // namespace lockstep::amd
