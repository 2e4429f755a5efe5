// Loads, stores and atomics.
#include <fmt/format.h>

#include <algorithm>

#include "isa/nv/lower.h"
#include "isa/nv/memory.h"
#include "isa/nv/opcodes.h"
#include "isa/nv/policy.h"
#include "isa/semantic.h"

namespace lockstep::nv {
namespace {

// Words that say how caches treat an access, or in which order other work-items see it.
bool is_hint(std::string_view word) {
  AccessPolicy policy;
  return apply_policy_word(word, policy);
}

StateSpace space_of_modifier(std::string_view word) {
  if (word == "global") return StateSpace::global;
  if (word == "const") return StateSpace::constant;
  if (word == "shared" || word == "shared::cta") return StateSpace::shared;
  if (word == "local") return StateSpace::local;
  if (word == "param" || word == "param::entry" || word == "param::func") return StateSpace::param;
  return StateSpace::generic;
}

}  // namespace

StateSpace Lowering::space_word() const {
  for (const std::string_view w : statement_->words) {
    if (space_of_modifier(w) != StateSpace::generic) return space_of_modifier(w);
  }
  return StateSpace::generic;
}

bool Lowering::address_operand(Lowered& lowered, const Tree& address, StateSpace space) {
  if (address.kind != Tree::Kind::address) return fail("expected an address in brackets");
  if (address.parts.size() > 1) return fail("this form of address is not supported here");
  Instruction& in = lowered.in;
  Operand& operand = in.operand[1];
  u64 offset = address.value;
  Base base = Base::nothing;
  operand.kind = OperandKind::immediate;
  if (!address.parts.empty()) {
    const Tree& from = address.parts[0];
    if (from.kind == Tree::Kind::reg) {
      if (register_type(from.index) == Type::pred_ || bytes_of(register_type(from.index)) < 4)
        return fail(fmt::format("'{}' is no address", from.name));
      operand = virtual_operand(from.index);
    } else if (from.kind == Tree::Kind::variable) {
      const Variable& variable = tree_.variables[from.index];
      if (layout_.address[from.index] == ~u64{0})
        return fail(fmt::format("'{}' is not defined in this module", variable.name));
      u64 at = layout_.address[from.index];
      switch (variable.space) {
        case StateSpace::global:
        case StateSpace::constant:
          base = Base::image;
          if (space == StateSpace::generic) space = variable.space;
          break;
        case StateSpace::param:
          if (function_.kernel && variable.function == function_index_ &&
              layout_.call_offset[from.index] == no_index) {
            base = Base::arguments;
          } else {
            base = Base::frame;
            if (layout_.call_offset[from.index] != no_index)
              at = layout_.frame_bytes[function_index_] + layout_.call_offset[from.index];
          }
          break;
        case StateSpace::local:
          base = Base::frame;
          if (space == StateSpace::generic) space = StateSpace::local;
          break;
        default:
          if (variable.unsized) base = Base::dynamic;
          if (space == StateSpace::generic) space = StateSpace::shared;
          break;
      }
      const bool same = variable.space == space ||
                        (variable.space == StateSpace::global && space == StateSpace::constant) ||
                        (variable.space == StateSpace::constant && space == StateSpace::global);
      if (!same) return fail(fmt::format("'{}' lies in another state space", variable.name));
      offset += at;
    } else {
      return fail(from.kind == Tree::Kind::name ? fmt::format("'{}' is not declared", from.name)
                                                : "an address is a register or variable");
    }
  }
  in.nv.base = base;
  // What does not fit the instruction's offset becomes part of the address.
  if (operand.kind == OperandKind::immediate) {
    operand.value = offset;
  } else if (static_cast<u64>(i64{static_cast<i32>(offset)}) == offset) {
    in.offset = static_cast<i32>(offset);
  } else {
    return fail("the address's offset does not fit 32 bits");
  }
  switch (space) {
    case StateSpace::global:
      in.addressing = Addressing::global;
      break;
    case StateSpace::constant:
      in.addressing = constants_in_memory_ ? Addressing::global : Addressing::scalar;
      in.policy.flags |= AccessPolicy::read_only;
      break;
    case StateSpace::shared:
      in.addressing = Addressing::local;
      break;
    case StateSpace::local:
      in.addressing = Addressing::scratch;
      break;
    case StateSpace::param:
      // A kernel's parameters are read through registers as well, by their device addresses.
      in.addressing = base == Base::frame || !function_.kernel ? Addressing::scratch : Addressing::scalar;
      in.nv.call_parameter = in.addressing == Addressing::scratch;
      break;
    default:
      in.addressing = Addressing::generic;
      break;
  }
  return true;
}

// Where a kernel of the module has a pointer to constants for a parameter (OpenCL C's __constant), the
// vendor's assembler knows no bank that they all lie in. From compute capability 9.0 on it then loads every
// constant of the module from global memory, whatever its address (ptxas of CUDA 13.0: LDG.E.CONSTANT, arrays
// at addresses in c[0x4]); before that through the constant caches, by an address that names the bank
// (LDC.IL).
bool Lowering::constants_lie_in_memory(const ModuleTree& tree, const Target& target) {
  return target.compute_capability() >= 90 && std::ranges::any_of(tree.variables, [](const Variable& one) {
           return one.space == StateSpace::param && one.points_to == StateSpace::constant;
         });
}

bool Lowering::lower_load() {
  if (!operand_count(2, 3)) return false;
  const StateSpace space = space_word();
  Type type = Type::none;
  u32 parts = 1;
  for (std::size_t i = 1; i < words(); ++i) {
    const std::string_view w = word(i);
    if (w == "v2" || w == "v4") {
      parts = w == "v2" ? 2 : 4;
    } else if (type_named(w) != Type::none) {
      type = type_named(w);
    } else if (!is_hint(w) && space_of_modifier(w) == StateSpace::generic) {
      return fail(fmt::format("unknown word '.{}' in '{}'", w, statement_->opcode));
    }
  }
  const Tree& to = statement_->operands[0];
  const std::vector<Tree>* results = to.kind == Tree::Kind::vector ? &to.parts : nullptr;
  if ((results != nullptr ? results->size() : 1) != parts)
    return fail("the number of registers is not the vector's");
  const auto result = [&](u32 i) -> const Tree& { return results != nullptr ? (*results)[i] : to; };
  u32 rows = bytes_of(type) == 8 ? 2 : 1;
  for (u32 i = 0; i < parts; ++i) {
    if (result(i).kind == Tree::Kind::reg && bytes_of(register_type(result(i).index)) == 8) rows = 2;
  }
  const Semantic* meaning = find_load(bytes_of(type), is_signed(type), rows, parts);
  if (meaning == nullptr) return fail(fmt::format("unknown instruction '{}'", statement_->opcode));
  Lowered lowered = start(*meaning, Cost::vmem_load);
  lowered.in.policy = access_policy(statement_->words, false);
  if (word(0) == "ldu") lowered.in.policy.flags |= AccessPolicy::read_only;
  if (!address_operand(lowered, statement_->operands[1], space)) return false;
  if (lowered.in.addressing == Addressing::local) lowered.in.cost = Cost::lds_load;
  if (lowered.in.addressing == Addressing::scalar) lowered.in.cost = Cost::smem_load;
  constexpr u32 slot[] = {0, 2, 3, 4};
  for (u32 i = 0; i < parts; ++i) {
    if (result(i).kind == Tree::Kind::sink) continue;
    if (!destination(lowered, slot[i], result(i), rows == 2 ? Kind::u64 : Kind::u32)) return false;
  }
  emit(lowered);
  return true;
}

bool Lowering::lower_store() {
  if (word(1) == "async" || word(1) == "bulk")
    return fail(fmt::format("'{}' is not supported", statement_->opcode));
  if (!operand_count(2, 3)) return false;
  const StateSpace space = space_word();
  Type type = Type::none;
  u32 parts = 1;
  for (std::size_t i = 1; i < words(); ++i) {
    const std::string_view w = word(i);
    if (w == "v2" || w == "v4") {
      parts = w == "v2" ? 2 : 4;
    } else if (type_named(w) != Type::none) {
      type = type_named(w);
    } else if (!is_hint(w) && space_of_modifier(w) == StateSpace::generic) {
      return fail(fmt::format("unknown word '.{}' in '{}'", w, statement_->opcode));
    }
  }
  const Semantic* meaning = find_store(bytes_of(type), parts);
  if (meaning == nullptr) return fail(fmt::format("unknown instruction '{}'", statement_->opcode));
  const Tree& from = statement_->operands[1];
  const std::vector<Tree>* sources = from.kind == Tree::Kind::vector ? &from.parts : nullptr;
  if ((sources != nullptr ? sources->size() : 1) != parts)
    return fail("the number of registers is not the vector's");
  Lowered lowered = start(*meaning, Cost::vmem_store);
  lowered.in.policy = access_policy(statement_->words, false);
  if (!address_operand(lowered, statement_->operands[0], space)) return false;
  if (lowered.in.addressing == Addressing::scalar || lowered.in.policy.has(AccessPolicy::read_only))
    return fail("stores to constant memory are not possible");
  if (lowered.in.addressing == Addressing::local) lowered.in.cost = Cost::lds_store;
  const Kind kind = bytes_of(type) == 8  ? (type == Type::f64_ ? Kind::f64 : Kind::u64)
                    : type == Type::f32_ ? Kind::f32
                    : type == Type::f16_ ? Kind::f16
                                         : Kind::u32;
  for (u32 i = 0; i < parts; ++i) {
    if (!source(lowered.in.operand[2 + i], sources != nullptr ? (*sources)[i] : from, kind)) return false;
  }
  emit(lowered);
  return true;
}

// cp.async.ca.shared.global [to], [from], bytes{, read}{, policy}; the bookkeeping around it does nothing
// here.
bool Lowering::lower_async_copy() {
  const std::vector<Tree>& operands = statement_->operands;
  const auto unsupported = [&] { return fail(fmt::format("'{}' is not supported", statement_->opcode)); };
  if (word(1) != "async" || has("bulk") || has("mbarrier")) return unsupported();
  if (word(2) == "commit_group" || word(2) == "wait_all") return operand_count(0, 0) && lower_nothing();
  if (word(2) == "wait_group") {
    if (!operand_count(1, 1)) return false;
    if (operands[0].kind != Tree::Kind::integer) return fail("cp.async.wait_group takes a constant");
    return lower_nothing();
  }
  bool good = (word(2) == "ca" || word(2) == "cg") && (word(3) == "shared" || word(3) == "shared::cta") &&
              word(4) == "global";
  for (std::size_t i = 5; i < words(); ++i) good &= is_hint(word(i));
  if (!good) return fail(fmt::format("unknown instruction '{}'", statement_->opcode));
  const bool policy = has("L2::cache_hint");
  if (!operand_count(policy ? 4 : 3, policy ? 5 : 4)) return false;
  const u64 bytes = operands[2].value;
  if (operands[2].kind != Tree::Kind::integer || (bytes != 4 && bytes != 8 && bytes != 16) ||
      (word(2) == "cg" && bytes != 16))
    return fail("cp.async copies 4, 8 or 16 bytes (.cg: 16)");
  const bool has_read = operands.size() == (policy ? 5u : 4u);
  const bool ignores =
      has_read && operands[3].kind == Tree::Kind::reg && register_type(operands[3].index) == Type::pred_;
  Lowered lowered = start(copy_to_shared(static_cast<u32>(bytes), ignores), Cost::vmem_load);
  lowered.in.policy = access_policy(statement_->words, false);
  Lowered from = lowered;
  if (!address_operand(lowered, operands[0], StateSpace::shared) ||
      !address_operand(from, operands[1], StateSpace::global))
    return false;
  lowered.in.operand[2] = from.in.operand[1];
  lowered.in.detail = static_cast<u32>(from.in.offset);
  lowered.in.nv.source_base = from.in.nv.base;
  if (has_read && !source(lowered.in.operand[3], operands[3], ignores ? Kind::mask : Kind::u32)) return false;
  emit(lowered);
  return true;
}

bool Lowering::lower_atomic() {
  const bool reduction = word(0) == "red";
  if (has("async")) return fail(fmt::format("'{}' is not supported", statement_->opcode));
  const StateSpace space = space_word();
  std::string name;
  for (std::size_t i = 1; i < words(); ++i) {
    const std::string_view w = word(i);
    if ((is_hint(w) && w != "noftz") || space_of_modifier(w) != StateSpace::generic) continue;
    if (!name.empty()) name += ".";
    name += w;
  }
  if (name == "exch.u32" || name == "exch.s32" || name == "exch.f32") name = "exch.b32";
  if (name == "exch.u64" || name == "exch.s64" || name == "exch.f64") name = "exch.b64";
  if (name == "cas.u32" || name == "cas.s32") name = "cas.b32";
  if (name == "cas.u64" || name == "cas.s64") name = "cas.b64";
  const Semantic* meaning = find_atomic(name);
  if (meaning == nullptr) return fail(fmt::format("unknown instruction '{}'", statement_->opcode));
  const std::size_t address = reduction ? 0 : 1, data = name.starts_with("cas") ? 2 : 1;
  if (!operand_count(address + 1 + data, address + 1 + data)) return false;
  // A result that nothing reads takes no register: who writes that next would wait for it.
  const bool returns = !reduction && !statement_->unread;
  Lowered lowered = start(*meaning, Cost::vmem_atomic, returns ? Instruction::returns : 0);
  lowered.in.policy = access_policy(statement_->words, true);
  if (statement_->unobserved) lowered.in.policy.flags |= AccessPolicy::unobserved;
  if (!address_operand(lowered, statement_->operands[address], space)) return false;
  if (lowered.in.addressing == Addressing::scalar || lowered.in.policy.has(AccessPolicy::read_only))
    return fail("atomics on constant memory are not possible");
  if (lowered.in.addressing == Addressing::local) lowered.in.cost = Cost::lds_atomic;
  const bool wide = name.ends_with("64");
  const Kind kind = name.ends_with("f64")   ? Kind::f64
                    : name.ends_with("f32") ? Kind::f32
                    : wide                  ? Kind::u64
                                            : Kind::u32;
  if (!into_register(lowered.in.operand[2], statement_->operands[address + 1], kind)) return false;
  if (data == 2 && !into_register(lowered.in.operand[5], statement_->operands[address + 2], kind))
    return false;
  Lowered without = lowered;
  if (!reduction && statement_->operands[0].kind != Tree::Kind::sink &&
      !destination(returns ? lowered : without, 0, statement_->operands[0], wide ? Kind::u64 : Kind::u32)) {
    return false;
  }
  emit(lowered);
  return true;
}

}  // namespace lockstep::nv
