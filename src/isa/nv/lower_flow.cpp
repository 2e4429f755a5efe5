// Branches, calls and barriers.
#include <fmt/format.h>

#include "isa/nv/control.h"
#include "isa/nv/lower.h"
#include "isa/nv/memory.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {

// A guard as a branch over the one instruction that follows.
void Lowering::skip_unless_guard() {
  if (statement_->guard == no_index || unguarded_) return;
  Lowered over = start(branch(), Cost::branch);
  over.guard = statement_->guard;
  over.in.guard = statement_->guard_negated ? 1 : 2;
  over.conditional = true;
  over.target = static_cast<u32>(result_.code.size()) + 2;
  result_.code.push_back(over);
  unguarded_ = true;
}

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
    skip_unless_guard();
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

// Functions that the host's runtime gives to every program.
bool Lowering::lower_print(const FunctionTree& callee) {
  if (callee.parameters.size() != 2) return fail(fmt::format("'{}' takes two arguments", callee.name));
  Lowered lowered = start(print(), Cost::vmem_atomic, Instruction::returns);  // the records' order shows
  lowered.in.offset = static_cast<i32>(layout_.frame_bytes[function_index_]);
  lowered.in.detail = static_cast<u32>(layout_.address[callee.parameters[0]]);
  lowered.in.operand[1].kind = OperandKind::immediate;
  lowered.in.operand[1].value = callee.name == "vprintf" ? 1 : 0;
  result_.callees.push_back(tree_.function_named.find(callee.name)->second);  // for its parameters' place
  skip_unless_guard();
  emit(lowered);
  return true;
}

// A register from or to the function's frame.
void Lowering::frame_access(u32 reg, u64 offset, bool load) {
  const u32 bytes = bytes_of(register_type(reg));
  Lowered lowered = start(load ? *find_load(bytes, false, bytes == 8 ? 2 : 1, 1) : *find_store(bytes, 1),
                          load ? Cost::vmem_load : Cost::vmem_store);
  lowered.in.operand[load ? 0 : 2] = virtual_operand(reg);
  lowered.defined = load ? 1 : 0;
  lowered.in.operand[1].kind = OperandKind::immediate;
  lowered.in.operand[1].value = offset;
  lowered.in.nv.base = Base::frame;
  lowered.in.addressing = Addressing::scratch;
  if (statement_ != nullptr && statement_->guard != no_index) {
    lowered.guard = statement_->guard;
    lowered.in.guard = statement_->guard_negated ? 2 : 1;
  }
  result_.code.push_back(std::move(lowered));
}

// Arguments and results of a call that are no .param variables: registers and constants.
bool Lowering::pass_registers(const FunctionTree& callee, const Tree* list, bool results) {
  if (list == nullptr) return true;
  const std::vector<u32>& formal = results ? callee.results : callee.parameters;
  if (formal.size() != list->parts.size()) {
    return fail(fmt::format("'{}' takes {} {}, not {}", callee.name, formal.size(),
                            results ? "results" : "arguments", list->parts.size()));
  }
  for (std::size_t i = 0; i < formal.size(); ++i) {
    const Tree& part = list->parts[i];
    if (part.kind == Tree::Kind::variable || part.kind == Tree::Kind::sink) continue;
    const Variable& variable = tree_.variables[formal[i]];
    const u64 offset = layout_.frame_bytes[function_index_] + layout_.address[formal[i]];
    const bool wide = bytes_of(variable.type) == 8;
    u32 reg = part.index;
    if (part.kind != Tree::Kind::reg || register_type(reg) == Type::pred_) {
      if (results) return fail("a call's result goes to a register or a .param variable");
      Lowered constant = start(*opcodes().find(wide ? "mov.b64" : "mov.b32")->meaning, Cost::valu_full);
      reg = temporary(wide ? Type::b64_ : Type::b32_);
      constant.in.operand[0] = virtual_operand(reg);
      constant.defined = 1;
      const Kind kind = variable.type == Type::f64_   ? Kind::f64
                        : variable.type == Type::f32_ ? Kind::f32
                        : wide                        ? Kind::u64
                                                      : Kind::u32;
      if (!source(constant.in.operand[1], part, kind)) return false;
      emit(constant);
    }
    if ((bytes_of(register_type(reg)) == 8) != wide)
      return fail(fmt::format("argument {} of '{}' has another size", i, callee.name));
    frame_access(reg, offset, results);
  }
  return true;
}

// A call's parameters lie in the callee's frame, which begins behind the caller's.
bool Lowering::lower_call() {
  std::size_t at = 0;
  const std::vector<Tree>& operands = statement_->operands;
  const Tree* result_list = nullptr;
  if (at < operands.size() && operands[at].kind == Tree::Kind::list) result_list = &operands[at++];
  if (at >= operands.size()) return fail("a call names a function");
  const Tree& name = operands[at];
  const Tree* argument_list =
      at + 1 < operands.size() && operands[at + 1].kind == Tree::Kind::list ? &operands[at + 1] : nullptr;
  const i32 frame_bytes = static_cast<i32>(layout_.frame_bytes[function_index_]);
  if (name.kind == Tree::Kind::reg) {
    const Tree& last = operands.back();
    const auto prototype = function_.prototypes.find(last.name);
    const auto list = function_.branch_targets.find(last.name);
    if (last.kind != Tree::Kind::name ||
        (prototype == function_.prototypes.end() && list == function_.branch_targets.end()))
      return fail("a call through a pointer names a .callprototype or .calltargets");
    Lowered lowered = start(indirect_call(), Cost::branch);
    const Type type = register_type(name.index);
    if (bytes_of(type) < 4) return fail(fmt::format("'{}' is no address", name.name));
    lowered.in.operand[1] = virtual_operand(name.index);
    lowered.in.offset = frame_bytes;
    lowered.indirect = true;
    // Whatever could be meant may be called.
    for (u32 f = 0; f < tree_.functions.size(); ++f) {
      const FunctionTree& function = tree_.functions[f];
      if (function.kernel || !function.defined) continue;
      bool possible = prototype != function_.prototypes.end();
      if (possible) {
        const FunctionTree& wanted = tree_.functions[prototype->second];
        possible = wanted.parameters.size() == function.parameters.size() &&
                   wanted.results.size() == function.results.size();
      } else {
        for (const std::string_view target : list->second.labels) possible |= target == function.name;
      }
      if (!possible) continue;
      result_.callees.push_back(f);
      lowered.possible.push_back(f);
    }
    const FunctionTree* formal = nullptr;
    if (prototype != function_.prototypes.end()) {
      formal = &tree_.functions[prototype->second];
    } else {
      for (const std::string_view target : list->second.labels) {
        const auto found = tree_.function_named.find(target);
        if (found == tree_.function_named.end())
          return fail(fmt::format("function '{}' is not declared", target));
        formal = &tree_.functions[found->second];
      }
    }
    if (formal == nullptr) return fail("the list of functions is empty");
    if (!pass_registers(*formal, argument_list, false)) return false;
    skip_unless_guard();
    emit(lowered);
    unguarded_ = false;
    return pass_registers(*formal, result_list, true);
  }
  if (name.kind != Tree::Kind::name) return fail("a call names a function");
  const auto found = tree_.function_named.find(name.name);
  if (found == tree_.function_named.end())
    return fail(fmt::format("function '{}' is not declared", name.name));
  const FunctionTree& callee = tree_.functions[found->second];
  if (!callee.defined) {
    if (name.name == "vprintf" || name.name == "printf") return lower_print(callee);
    if (name.name == "__assertfail") {
      Lowered lowered = start(trap(), Cost::end);
      lowered.ends = true;
      skip_unless_guard();
      emit(lowered);
      return true;
    }
    return fail(fmt::format("function '{}' is declared but not defined", name.name));
  }
  if (callee.kernel) return fail(fmt::format("'{}' is a kernel: it cannot be called", name.name));
  Lowered lowered = start(call(), Cost::branch);
  lowered.callee = found->second;
  lowered.in.offset = frame_bytes;
  result_.callees.push_back(found->second);
  if (!pass_registers(callee, argument_list, false)) return false;
  skip_unless_guard();
  emit(lowered);
  unguarded_ = false;
  return pass_registers(callee, result_list, true);
}

// bar, barrier, nanosleep.
bool Lowering::lower_barrier() {
  const std::vector<Tree>& operands = statement_->operands;
  if (word(0) == "nanosleep") {
    if (!operand_count(1, 1)) return false;
    if (words() != 2 || word(1) != "u32")
      return fail(fmt::format("unknown instruction '{}'", statement_->opcode));
    Lowered lowered = start(nanosleep(), Cost::sleep);
    skip_unless_guard();
    emit(lowered);
    return true;
  }
  if (has("cluster")) return fail(fmt::format("'{}': clusters are not supported", statement_->opcode));
  const auto unknown = [&] { return fail(fmt::format("unknown instruction '{}'", statement_->opcode)); };
  if (has("warp")) {
    if (statement_->opcode != "bar.warp.sync") return unknown();
    if (!operand_count(1, 1)) return false;
    Lowered lowered = start(warp_barrier(), Cost::nop);
    lowered.in.policy.flags |= AccessPolicy::joins_lanes;
    if (!source(lowered.in.operand[5], operands[0], Kind::u32)) return false;
    skip_unless_guard();
    emit(lowered);
    return true;
  }
  // bar{.cta}.sync a{, b}; .arrive a, b; .red.popc.u32 d, a{, b}, {!}c; .red.and.pred, .red.or.pred.
  std::string form;
  for (std::size_t i = 1; i < words(); ++i) {
    if (word(i) == "cta" && i == 1) continue;
    if (word(i) == "aligned" && word(0) == "barrier" && i + 1 >= 3) continue;
    form += "." + std::string(word(i));
  }
  BarrierKind kind = BarrierKind::sync;
  if (form == ".arrive")
    kind = BarrierKind::arrive;
  else if (form == ".red.popc.u32")
    kind = BarrierKind::population;
  else if (form == ".red.and.pred")
    kind = BarrierKind::all;
  else if (form == ".red.or.pred")
    kind = BarrierKind::any;
  else if (form != ".sync")
    return unknown();
  const bool reduces = kind >= BarrierKind::population;
  const std::size_t first = reduces ? 1 : 0;
  const bool ok = kind == BarrierKind::arrive ? operand_count(2, 2)
                  : reduces                   ? operand_count(3, 4)
                                              : operand_count(1, 2);
  if (!ok) return false;
  const bool has_count = operands.size() == (reduces ? 4u : 2u);
  if (kind == BarrierKind::sync && !has_count && operands[0].kind == Tree::Kind::integer) {
    if (operands[0].value > 15) return fail("a barrier's number is 0 to 15");
    Lowered lowered = start(group_barrier(), Cost::barrier);
    lowered.in.operand[1].kind = OperandKind::immediate;
    lowered.in.operand[1].value = operands[0].value;
    skip_unless_guard();
    emit(lowered);
    return true;
  }
  Lowered lowered = start(counted_barrier(), Cost::barrier);
  lowered.in.detail = static_cast<u32>(kind);
  if (!source(lowered.in.operand[1], operands[first], Kind::u32)) return false;
  if (has_count && !source(lowered.in.operand[2], operands[first + 1], Kind::u32)) return false;
  if (reduces) {
    if (!source(lowered.in.operand[3], operands.back(), Kind::mask)) return false;
    if (!destination(lowered, 0, operands[0], kind == BarrierKind::population ? Kind::u32 : Kind::mask))
      return false;
  }
  skip_unless_guard();
  emit(lowered);
  return true;
}

}  // namespace lockstep::nv
