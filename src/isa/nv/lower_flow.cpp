// Branches, calls and barriers.
#include <fmt/format.h>

#include "isa/nv/control.h"
#include "isa/nv/lower.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {

bool Lowering::lower_branch() {
  const std::string_view name = word(0);
  if (name == "bra") {
    const Tree* to = operand_tree(0);
    if (to == nullptr || !operand_count(1, 1)) return false;
    if (to->kind != Tree::Kind::name) return fail("a branch goes to a label");
    Lowered lowered = start(branch(), Cost::branch);
    lowered.label = to->name;
    lowered.conditional = statement_->guard != no_index;
    lowered.ends = !lowered.conditional;
    emit(lowered);
    return true;
  }
  if (!operand_count(0, 0)) return false;
  if (name == "trap") {
    if (statement_->guard != no_index) {
      // Over the trap where the guard does not hold.
      Lowered over = start(branch(), Cost::branch);
      over.guard = statement_->guard;
      over.in.guard = statement_->guard_negated ? 1 : 2;
      over.conditional = true;
      over.target = static_cast<u32>(result_.code.size()) + 2;
      result_.code.push_back(over);
      unguarded_ = true;
    }
    Lowered lowered = start(trap(), Cost::end);
    lowered.ends = true;
    emit(lowered);
    return true;
  }
  if (name == "ret" && !function_.kernel) {
    Lowered lowered = start(branch(), Cost::branch);
    lowered.label = "\nend";
    lowered.conditional = statement_->guard != no_index;
    lowered.ends = !lowered.conditional;
    emit(lowered);
    return true;
  }
  Lowered lowered = start(exit_lanes(), Cost::end);
  lowered.ends = statement_->guard == no_index;
  emit(lowered);
  return true;
}

// brx.idx index, list
bool Lowering::lower_indexed_branch() {
  if (!operand_count(2, 2)) return false;
  const Tree& list = statement_->operands[1];
  const auto found = function_.branch_targets.find(list.name);
  if (list.kind != Tree::Kind::name || found == function_.branch_targets.end())
    return fail("brx.idx takes a list of labels (.branchtargets)");
  if (statement_->guard != no_index) return fail("a guarded brx.idx is not supported");
  Lowered lowered = start(indexed_branch(), Cost::branch);
  if (!source(lowered.in.operand[1], statement_->operands[0], Kind::u32)) return false;
  lowered.labels = found->second.labels;
  lowered.ends = true;
  emit(lowered);
  return true;
}

// A call's parameters lie in the callee's frame, which begins behind the caller's.
bool Lowering::lower_call() {
  std::size_t at = 0;
  const std::vector<Tree>& operands = statement_->operands;
  if (at < operands.size() && operands[at].kind == Tree::Kind::list) ++at;
  if (at >= operands.size()) return fail("a call names a function");
  const Tree& name = operands[at];
  if (name.kind != Tree::Kind::name) return fail("calls through pointers are not supported");
  const auto found = tree_.function_named.find(name.name);
  if (found == tree_.function_named.end())
    return fail(fmt::format("function '{}' is not declared", name.name));
  const FunctionTree& callee = tree_.functions[found->second];
  const u32 size = layout_.frame_bytes[function_index_];
  if (statement_->guard != no_index) {
    Lowered over = start(branch(), Cost::branch);
    over.guard = statement_->guard;
    over.in.guard = statement_->guard_negated ? 1 : 2;
    over.conditional = true;
    over.target = static_cast<u32>(result_.code.size()) + 2;
    result_.code.push_back(over);
    unguarded_ = true;
  }
  if (!callee.defined) {
    return fail(fmt::format("function '{}' is declared but not defined", name.name));
  }
  if (callee.kernel) return fail(fmt::format("'{}' is a kernel: it cannot be called", name.name));
  Lowered lowered = start(call(), Cost::branch);
  lowered.callee = found->second;
  lowered.in.operand[1].kind = OperandKind::immediate;
  lowered.in.operand[1].value = size;
  result_.callees.push_back(found->second);
  emit(lowered);
  return true;
}

bool Lowering::lower_barrier() {
  if (word(0) == "nanosleep") {
    Lowered lowered = start(nanosleep(), Cost::sleep);
    emit(lowered);
    return true;
  }
  if (statement_->guard != no_index) {
    Lowered over = start(branch(), Cost::branch);
    over.guard = statement_->guard;
    over.in.guard = statement_->guard_negated ? 1 : 2;
    over.conditional = true;
    over.target = static_cast<u32>(result_.code.size()) + 2;
    result_.code.push_back(over);
    unguarded_ = true;
  }
  if (has("warp")) return lower_nothing();
  if (!has("sync")) return fail(fmt::format("'{}' is not supported", statement_->opcode));
  if (has("cluster")) return fail("clusters are not supported");
  const Tree* which = operand_tree(0);
  if (which == nullptr || !operand_count(1, 1)) {
    return error_ && which == nullptr ? false : fail("barriers of a part of the group are not supported");
  }
  if (which->kind != Tree::Kind::integer || which->value != 0)
    return fail("barriers other than number 0 are not supported");
  Lowered lowered = start(group_barrier(), Cost::barrier);
  emit(lowered);
  return true;
}

}  // namespace lockstep::nv
