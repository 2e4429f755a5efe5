// shfl, vote, match, redux, activemask: their words and operands.
#include <fmt/format.h>

#include "isa/nv/cross_lane.h"
#include "isa/nv/lower.h"

namespace lockstep::nv {

bool Lowering::lower_cross_lane() {
  const std::string_view name = word(0), type = word(words() - 1);
  const std::vector<Tree>& operands = statement_->operands;
  const bool sync = word(1) == "sync";
  const std::size_t mode = sync ? 2 : 1;
  const auto unknown = [&] { return fail(fmt::format("unknown instruction '{}'", statement_->opcode)); };
  const Semantic* meaning = nullptr;
  std::size_t sources = 1;
  if (name == "shfl") {
    meaning = type == "b32" ? find_shuffle(word(mode), sync) : nullptr;
    sources = 3;
  } else if (name == "vote") {
    meaning = find_vote(word(mode), sync);
    if ((word(mode) == "ballot") != (type == "b32")) meaning = nullptr;
  } else if (name == "match" && has("sync") && has("any") != has("all") && (type == "b32" || type == "b64")) {
    meaning = find_match(has("all"), type == "b64");  // match.any.sync.b32
  } else if (name == "redux" && sync && words() == 4) {
    meaning = find_reduction(fmt::format("{}.{}", word(2), word(3)));
  } else if (name == "elect" && sync && words() == 2) {
    meaning = &elect();
    sources = 0;
  } else if (name == "activemask" && type == "b32") {
    meaning = &active_mask();
    sources = 0;
  }
  if (meaning == nullptr) return unknown();
  const bool masked = has("sync");
  if (!operand_count(1 + sources + (masked ? 1 : 0), 1 + sources + (masked ? 1 : 0))) return false;
  Lowered lowered = start(*meaning, Cost::valu_cross_lane);
  for (u32 i = 0; i < sources; ++i) {
    if (!source(lowered.in.operand[1 + i], operands[1 + i], meaning->source[i])) return false;
  }
  // The mask is the last operand.
  if (masked && !source(lowered.in.operand[5], operands[1 + sources], Kind::u32)) return false;
  const Tree& result = operands[0];
  const bool pair = result.kind == Tree::Kind::pair;
  if (pair && name != "shfl" && name != "match" && name != "elect")
    return fail("this instruction has one result");
  if (!destination(lowered, 0, pair ? result.parts[0] : result, meaning->result)) return false;
  if (pair && !destination(lowered, 4, result.parts[1], Kind::mask)) return false;
  // Waiting lanes must not come back into a guard's mask.
  if (masked) skip_unless_guard();
  emit(lowered);
  return true;
}

}  // namespace lockstep::nv
