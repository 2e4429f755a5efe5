#include "exec/check/rules.h"

#include <algorithm>

namespace lockstep::check {
namespace {

Action action_of(Role role) {
  switch (role) {
    case Role::combine_exec:
      return Action::combine_exec;
    case Role::branch_scc:
      return Action::branch_scc;
    case Role::branch_vcc:
      return Action::branch_vcc;
    case Role::branch_guard:
      return Action::branch_predicate;
    case Role::call:
    case Role::jump:
      return Action::jump;
    case Role::barrier:
    case Role::counted_barrier:
      return Action::barrier;
    case Role::read_first_lane:
      return Action::read_first_lane;
    case Role::read_lane:
      return Action::read_lane;
    case Role::write_lane:
      return Action::write_lane;
    case Role::swap:
      return Action::swap;
    case Role::permute_row:
      return Action::permute_row;
    case Role::permute_other_row:
      return Action::permute_other_row;
    case Role::permute_halves:
      return Action::permute_halves;
    case Role::pull:
      return Action::pull;
    case Role::push:
      return Action::push;
    case Role::swizzle:
      return Action::swizzle;
    case Role::read_indexed_row:
      return Action::read_indexed_row;
    case Role::write_indexed_row:
      return Action::write_indexed_row;
    case Role::none:
    case Role::index_registers:
      break;
  }
  return Action::nothing;
}

bool same_register(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.kind != OperandKind::immediate && a.index == b.index && a.plain() && b.plain();
}

bool is_signed(Kind kind) {
  return kind == Kind::i16 || kind == Kind::i32 || kind == Kind::i64;
}

// What the meaning says of its function.
void set_flow(const Instruction& in, Rule& rule) {
  const Semantic& meaning = *in.meaning;
  rule.flow = meaning.flow;
  rule.relation = meaning.relation;
  rule.is_signed = meaning.flow == Flow::compare ? is_signed(meaning.source[0]) : meaning.extend_signed;
  rule.extend_bits = meaning.extend_bits;
  rule.op_sel = in.amd.packed_select;
  // Limits and scales change the bits that the function gives.
  const bool changed = (in.flags & Instruction::clamp) != 0 || in.amd.output_scale != 0;
  const bool bit_by_bit = meaning.flow == Flow::move || meaning.flow == Flow::carries_up ||
                          meaning.flow == Flow::carries_up_24 || meaning.flow == Flow::multiply ||
                          meaning.flow == Flow::multiply_24 || meaning.flow == Flow::select ||
                          meaning.flow == Flow::bit_or || meaning.flow == Flow::bit_and;
  if (changed && bit_by_bit) rule.flow = Flow::any;
  // A value combined with itself.
  const bool cancels = meaning.cancels || meaning.flow == Flow::bit_xor || meaning.flow == Flow::bit_xnor ||
                       meaning.flow == Flow::bit_and_not;
  if (cancels && meaning.sources == 2 && same_register(in.operand[1], in.operand[2]))
    rule.flow = Flow::constant;
}

void set_memory(const Instruction& in, Rule& rule) {
  const MemoryData& data = in.meaning->memory;
  rule.action = Action::memory;
  rule.moves_data = data.moves;
  rule.is_pair = data.pair;
  rule.low_half = data.low_half;
  rule.high_half = data.high_half;
  rule.is_signed = data.is_signed;
  rule.one_for_all = data.one_for_all;
  rule.second_apart = in.operand[5].kind == OperandKind::vector && !data.pair;
  rule.combining = in.meaning->combining;
}

// A shift's count as PTX has it: it does not wrap around.
bool counts_by_constant(const Instruction& in) {
  const Kind kind = in.meaning->result;
  const u64 width = kind == Kind::u64 || kind == Kind::i64   ? 64
                    : kind == Kind::u16 || kind == Kind::i16 ? 16
                                                             : 32;
  return in.operand[2].kind == OperandKind::immediate && in.operand[2].value < width;
}

}  // namespace

u64 depends(Combining combining, u64 undefined, u64 operand) {
  switch (combining) {
    case Combining::exchange:
      return 0;
    // x & 0 and x | ~0 give a value whatever x is.
    case Combining::conjunction:
      return undefined & operand;
    case Combining::disjunction:
      return undefined & ~operand;
    default:
      return undefined;
  }
}

Rule rule_of(const Instruction& in) {
  Rule rule;
  if (in.meaning == nullptr) return rule;
  const Semantic& meaning = *in.meaning;
  if (meaning.shape == Shape::memory) {
    set_memory(in, rule);
    return rule;
  }
  set_flow(in, rule);
  rule.reach = meaning.reach;
  rule.action = action_of(meaning.role);
  if (rule.action != Action::nothing) return rule;
  const bool moves_indexed = meaning.role == Role::index_registers && meaning.flow == Flow::move;
  switch (meaning.shape) {
    case Shape::lanewise:
      rule.action = Action::lanes;
      break;
    case Shape::packed:
      rule.action = Action::halves;
      break;
    case Shape::scalar:
      rule.action = Action::scalar;
      rule.condition_is_nonzero = meaning.condition_is_nonzero;
      break;
    default:
      if (in.operand[0].kind == OperandKind::none) break;
      if (meaning.flow == Flow::own) {
        rule.action = Action::opaque;
      } else {
        rule.action = in.operand[0].kind == OperandKind::vector ? Action::lanes : Action::scalar;
        rule.custom = !moves_indexed;
      }
      break;
  }
  rule.keeps_low_half = meaning.flow == Flow::mix_to_high;
  return rule;
}

// PTX's own shapes are many: what declares no flow counts as defined, since a fault that is none would be
// worse than one that is missed. Branches go by their guard.
Rule rule_of_ptx(const Instruction& in) {
  Rule rule;
  if (in.meaning == nullptr) return rule;
  const Semantic& meaning = *in.meaning;
  if (meaning.shape == Shape::memory) {
    set_memory(in, rule);
    const bool is_atomic = meaning.combining != Combining::none;
    rule.ptx_parts = is_atomic ? 0 : std::max<u8>(meaning.memory.parts, 1);
    rule.register_rows = meaning.result == Kind::u64 ? 2 : 1;
    return rule;
  }
  if (meaning.shape == Shape::control) {
    if (meaning.role == Role::branch_guard && in.guard != 0) rule.action = Action::branch_predicate;
    // A barrier with a count is for that many threads, whichever they are.
    const bool whole_group = meaning.role == Role::barrier || (meaning.role == Role::counted_barrier &&
                                                               in.operand[2].kind == OperandKind::none);
    if (whole_group) rule.action = Action::barrier;
    return rule;
  }
  rule.action = Action::opaque;
  const bool is_predicate = meaning.result == Kind::mask;
  if (in.operand[0].kind != (is_predicate ? OperandKind::scalar : OperandKind::vector)) return rule;
  if (!is_predicate && meaning.shape != Shape::lanewise) return rule;
  if (meaning.flow == Flow::any || meaning.flow == Flow::own) return rule;
  const bool shifts = meaning.flow == Flow::shift_left || meaning.flow == Flow::shift_right ||
                      meaning.flow == Flow::shift_right_signed;
  if (shifts && !counts_by_constant(in)) return rule;
  set_flow(in, rule);
  rule.action = Action::lanes;
  return rule;
}

}  // namespace lockstep::check
