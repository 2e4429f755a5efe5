// setp and set: comparisons, combined with a third source, into one or two predicates or a register.
#include <fmt/format.h>

#include "isa/nv/lower.h"
#include "isa/nv/opcodes.h"

namespace lockstep::nv {

bool Lowering::lower_setp() {
  // setp.cmp{.ftz}.type or setp.cmp.boolop{.ftz}.type, with p|q
  if (!operand_count(3, 4)) return false;
  std::string name = "setp";
  std::string_view logic;
  for (std::size_t i = 1; i < words(); ++i) {
    if (i == 2 && (word(i) == "and" || word(i) == "or" || word(i) == "xor")) {
      logic = word(i);
    } else {
      name += "." + std::string(word(i));
    }
  }
  const Opcode* opcode = opcodes().find(name);
  if (opcode == nullptr) return fail(fmt::format("unknown instruction '{}'", statement_->opcode));
  if (logic.empty() != (statement_->operands.size() == 3))
    return fail(fmt::format("'{}' has the wrong number of operands", statement_->opcode));
  const Tree& results = statement_->operands[0];
  const Tree& first = results.kind == Tree::Kind::pair ? results.parts[0] : results;
  const Semantic& meaning = *opcode->meaning;
  Lowered compare = start(meaning, opcode->cost, opcode->flags);
  for (u32 i = 0; i < 2; ++i) {
    if (!source(compare.in.operand[1 + i], statement_->operands[1 + i], meaning.source[i])) return false;
  }
  const bool second = results.kind == Tree::Kind::pair && results.parts[1].kind != Tree::Kind::sink;
  if (logic.empty() && !second) {
    if (!destination(compare, 0, first, Kind::mask)) return false;
    emit(compare);
    return true;
  }
  // Temporaries keep p, q and the third source apart.
  Operand third;
  if (!logic.empty() && !source(third, statement_->operands[3], Kind::mask)) return false;
  const Operand raw = virtual_operand(temporary(Type::pred_));
  compare.in.operand[0] = raw;
  compare.defined = 1;
  emit(compare);
  const auto combine = [&](const Operand& comparison, const Tree& to) {
    Lowered lowered = start(
        *opcodes().find(logic.empty() ? "mov.pred" : std::string(logic) + ".pred")->meaning, Cost::valu_full);
    lowered.in.operand[1] = comparison;
    if (!logic.empty()) lowered.in.operand[2] = third;
    if (!destination(lowered, 0, to, Kind::mask)) return false;
    emit(lowered);
    return true;
  };
  if (!second) return combine(raw, first);
  // The second predicate is the first one's opposite; of packed halves it is the high ones' comparison.
  const bool packed = name.ends_with(".f16x2");
  const Opcode& opposite = *opcodes().find(packed ? name + " high" : "not.pred");
  Lowered other = start(*opposite.meaning, opposite.cost, packed ? opposite.flags : u16{0});
  other.in.operand[0] = virtual_operand(temporary(Type::pred_));
  other.defined = 1;
  other.in.operand[1] = packed ? compare.in.operand[1] : raw;
  if (packed) other.in.operand[2] = compare.in.operand[2];
  const Operand inverted = other.in.operand[0];
  emit(other);
  // The result that is the third source as well is written last.
  const bool first_last = first.kind == Tree::Kind::reg && third.kind == OperandKind::scalar &&
                          third.index == (first.index | virtual_register);
  if (first_last) return combine(inverted, results.parts[1]) && combine(raw, first);
  return combine(raw, first) && combine(inverted, results.parts[1]);
}

// set.cmp{.boolop}{.ftz}.dtype.stype
bool Lowering::lower_set() {
  if (!operand_count(3, 4) || words() < 4) return error_ ? false : fail("unknown instruction");
  const Type type = type_named(word(words() - 2));
  const bool real = type == Type::f32_ || type == Type::f16_;
  if (!real && type != Type::u32_ && type != Type::s32_)
    return fail(fmt::format("unknown instruction '{}'", statement_->opcode));
  std::string name = "setp";
  std::string_view logic;
  for (std::size_t i = 1; i < words(); ++i) {
    if (i == words() - 2) continue;
    if (i == 2 && (word(i) == "and" || word(i) == "or" || word(i) == "xor"))
      logic = word(i);
    else
      name += "." + std::string(word(i));
  }
  const Opcode* opcode = opcodes().find(name);
  if (opcode == nullptr) return fail(fmt::format("unknown instruction '{}'", statement_->opcode));
  const Operand raw = virtual_operand(temporary(Type::pred_));
  Lowered compare = start(*opcode->meaning, opcode->cost, opcode->flags);
  for (u32 i = 0; i < 2; ++i) {
    if (!source(compare.in.operand[1 + i], statement_->operands[1 + i], opcode->meaning->source[i]))
      return false;
  }
  compare.in.operand[0] = raw;
  compare.defined = 1;
  emit(compare);
  if (!logic.empty()) {
    if (!operand_count(4, 4)) return false;
    Lowered lowered = start(*opcodes().find(std::string(logic) + ".pred")->meaning, Cost::valu_full);
    lowered.in.operand[0] = raw;
    lowered.defined = 1;
    lowered.in.operand[1] = raw;
    if (!source(lowered.in.operand[2], statement_->operands[3], Kind::mask)) return false;
    emit(lowered);
  }
  const Opcode* select = opcodes().find(type == Type::f16_ ? "selp.b16" : "selp.b32");
  Lowered lowered = start(*select->meaning, select->cost);
  lowered.in.operand[1].kind = lowered.in.operand[2].kind = OperandKind::immediate;
  lowered.in.operand[1].value = type == Type::f16_ ? 0x3C00 : real ? 0x3F800000 : 0xFFFFFFFF;
  lowered.in.operand[3] = raw;
  if (!destination(lowered, 0, statement_->operands[0], type == Type::f16_ ? Kind::u16 : Kind::u32))
    return false;
  emit(lowered);
  return true;
}

}  // namespace lockstep::nv
