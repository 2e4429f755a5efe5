#include "isa/nv/unobserved.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "isa/nv/statements.h"

namespace lockstep::nv {
namespace {

bool has_any(const Statement& statement, std::span<const std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return has(statement, word); });
}

// Counts where registers stand, results among them.
void count_uses(const OperandTree& operand, std::vector<u32>& uses) {
  if (operand.kind == OperandTree::Kind::reg && operand.index < uses.size()) ++uses[operand.index];
  for (const OperandTree& part : operand.parts) count_uses(part, uses);
}

bool is_atomic(const Statement& statement) {
  return (statement.words.front() == "atom" || statement.words.front() == "red") && !has(statement, "shared");
}

// Whether it reads memory that atomics may change, or shows to others when they were performed.
bool observes(const Statement& statement) {
  static constexpr std::array<std::string_view, 4> own{"param", "const", "local", "shared"};
  const std::string_view word = statement.words.front();
  if (word == "ld") return !has(statement, "nc") && !has_any(statement, own);
  static constexpr std::array<std::string_view, 13> others{
      "call", "cp",   "fence", "membar",   "suld",     "sust",     "sured",
      "tex",  "tld4", "wmma",  "multimem", "mbarrier", "tensormap"};
  return std::ranges::find(others, word) != others.end();
}

}  // namespace

void mark_unread(FunctionTree& function) {
  std::vector<u32> uses(function.registers.size(), 0);
  for (const Statement& statement : function.body) {
    for (const OperandTree& operand : statement.operands) count_uses(operand, uses);
    if (statement.guard < uses.size()) ++uses[statement.guard];
  }
  for (Statement& statement : function.body) {
    if (statement.words.front() != "atom" || statement.operands.empty()) continue;
    const OperandTree& result = statement.operands.front();
    statement.unread = result.kind == OperandTree::Kind::sink ||
                       (result.kind == OperandTree::Kind::reg && uses[result.index] == 1);
  }
}

void mark_unobserved(FunctionTree& function) {
  static constexpr std::array<std::string_view, 6> operations{"add", "min", "max", "and", "or", "xor"};
  static constexpr std::array<std::string_view, 6> integers{"u32", "s32", "b32", "u64", "s64", "b64"};
  const auto one_of = [](const Statement& statement, std::span<const std::string_view> list) {
    return std::ranges::find_first_of(statement.words, list);
  };
  std::vector<Statement*> atomics;
  for (Statement& statement : function.body) {
    if (observes(statement)) return;
    if (is_atomic(statement)) atomics.push_back(&statement);
  }
  for (const Statement* atomic : atomics) {
    const auto none = atomic->words.end();
    const auto operation = one_of(*atomic, operations), type = one_of(*atomic, integers);
    if (operation == none || type == none) return;
    if (*operation != *one_of(*atomics.front(), operations) || *type != *one_of(*atomics.front(), integers))
      return;
    if (has(*atomic, "release") || has(*atomic, "acquire") || has(*atomic, "acq_rel")) return;
    if (atomic->words.front() == "atom" && !atomic->unread) return;
  }
  for (Statement* atomic : atomics) atomic->unobserved = true;
}

}  // namespace lockstep::nv
