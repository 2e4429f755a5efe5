// What statements of PTX are, for those that move them.
#pragma once
#include <algorithm>

#include "isa/nv/syntax.h"

namespace lockstep::nv {

inline bool has(const Statement& statement, std::string_view word) {
  return std::ranges::find(statement.words, word) != statement.words.end();
}

// All of a group wait there.
inline bool is_group_barrier(const Statement& statement) {
  const std::string_view word = statement.words.front();
  return (word == "bar" || word == "barrier") && !has(statement, "warp") && statement.guard == no_index;
}

inline bool is_branch(const Statement& statement) {
  const std::string_view word = statement.words.front();
  return word == "bra" || word == "brx";
}

// It always leads elsewhere.
inline bool leaves(const Statement& statement) {
  const std::string_view word = statement.words.front();
  return statement.guard == no_index &&
         (is_branch(statement) || word == "ret" || word == "exit" || word == "trap");
}

// Behind it another block begins.
inline bool ends_block(const Statement& statement) {
  const std::string_view word = statement.words.front();
  return is_branch(statement) || word == "ret" || word == "exit" || word == "trap" || word == "call";
}

// It loads what the kernel may not change (PTX 9.7.9.9).
inline bool loads_what_stays(const Statement& statement) {
  return statement.words.front() == "ld" && has(statement, "global") && has(statement, "nc") &&
         statement.guard == no_index && statement.operands.size() == 2;
}

// Whether its first operand is what it gives.
inline bool gives_result(const Statement& statement) {
  static constexpr std::string_view without[] = {"st",       "red",       "bar",  "barrier", "bra",
                                                 "brx",      "ret",       "exit", "membar",  "fence",
                                                 "prefetch", "prefetchu", "trap", "call"};
  return !statement.operands.empty() &&
         std::ranges::find(without, statement.words.front()) == std::end(without);
}

template <class Use>
void for_each_register(const OperandTree& operand, Use&& use) {
  if (operand.kind == OperandTree::Kind::reg) use(operand.index);
  for (const OperandTree& part : operand.parts) for_each_register(part, use);
}

}  // namespace lockstep::nv
