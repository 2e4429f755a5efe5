// What a PTX opcode is among the nodes' operations.
#pragma once
#include "time/program/nv/ir.h"

namespace lockstep::lowering {

// Fills in operation, size, sign and the like; `name` as opcode_name gives it. False where the table of nodes
// has nothing of its own for it: Op::other.
bool describe(std::string_view name, Node& node);

// Words of an opcode: whether one of them (but the first) is `word`; the last, the one before.
bool has_word(std::string_view name, std::string_view word);
std::string_view last_word(std::string_view name);
std::string_view word_before_last(std::string_view name);
u8 type_bits(std::string_view type);  // predicates: 1

}  // namespace lockstep::lowering
