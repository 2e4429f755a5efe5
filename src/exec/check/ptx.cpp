// PTX: which of its instructions the checker follows bit by bit, and its loads and stores, which spread
// elements over registers of their own. What is not listed here counts as defined: PTX's own shapes are many,
// and a fault that is none would be worse than one that is missed.
#include <algorithm>

#include "exec/check/step.h"

namespace lockstep {

using check::Action;
using check::Function;
using check::Origin;
using check::Relation;
using check::Rule;
using check::WaveShadow;

namespace check {
namespace {

struct Named {
  std::string_view begin;  // of the meaning's name
  Function function;
};
constexpr Named functions[] = {
    {"mov.b", Function::move},           {"and.b", Function::bit_and},
    {"or.b", Function::bit_or},          {"xor.b", Function::bit_xor},
    {"not.b", Function::bit_not},        {"add.u", Function::carries_up},
    {"add.s3", Function::carries_up},    {"add.s6", Function::carries_up},
    {"sub.u", Function::carries_up},     {"sub.s3", Function::carries_up},
    {"sub.s6", Function::carries_up},    {"mul.lo.", Function::multiply},
    {"mul.wide.", Function::carries_up}, {"mad.lo.", Function::carries_up},
    {"selp.", Function::scalar_select},  {"cvt.", Function::extend},
};

u32 integer_bits(std::string_view type) {
  if (type.size() < 2 || (type[0] != 'u' && type[0] != 's')) return 0;
  const std::string_view digits = type.substr(1);
  return digits == "8" ? 8 : digits == "16" ? 16 : digits == "32" ? 32 : digits == "64" ? 64 : 0;
}

// "cvt.u32.s8": the bits that both types have, extended as the narrower one says.
bool set_conversion(std::string_view name, Rule& rule) {
  name.remove_prefix(std::string_view("cvt.").size());
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view to = name.substr(0, dot), from = name.substr(dot + 1);
  const u32 to_bits = integer_bits(to), from_bits = integer_bits(from);
  rule.from_bits = static_cast<u8>(std::min(to_bits, from_bits));
  rule.is_signed = (from_bits <= to_bits ? from : to).starts_with('s');
  return rule.from_bits != 0;
}

// By the name after "setp.", as far as it is one of integers: "lt.s32", "lo.u32".
void set_comparison(std::string_view name, Rule& rule) {
  constexpr std::pair<std::string_view, Relation> relations[] = {
      {"eq", Relation::equal},        {"ne", Relation::not_equal},  {"lt", Relation::less},
      {"lo", Relation::less},         {"le", Relation::less_equal}, {"ls", Relation::less_equal},
      {"gt", Relation::greater},      {"hi", Relation::greater},    {"ge", Relation::greater_equal},
      {"hs", Relation::greater_equal}};
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos || name.find('.', dot + 1) != std::string_view::npos) return;
  const char kind = name[dot + 1];
  if (kind != 'u' && kind != 's' && kind != 'b') return;
  for (const auto& [word, relation] : relations) {
    if (word != name.substr(0, dot)) continue;
    rule.function = Function::compare;
    rule.relation = relation;
    rule.is_signed = kind == 's';
  }
}

// Comparisons and logic of predicates; what else gives one gives a defined one.
Rule rule_of_predicate(const Instruction& in) {
  constexpr std::pair<std::string_view, Function> logic[] = {{"and.pred", Function::bit_and},
                                                             {"or.pred", Function::bit_or},
                                                             {"xor.pred", Function::bit_xor},
                                                             {"not.pred", Function::bit_not},
                                                             {"mov.pred", Function::move}};
  Rule rule;
  rule.action = Action::opaque;
  const std::string_view name = in.meaning->name;
  if (in.operand[0].kind != OperandKind::scalar) return rule;
  if (in.meaning->shape == Shape::lanewise && name.starts_with("setp.")) {
    rule.action = Action::lanes;
    set_comparison(name.substr(5), rule);
  }
  for (const auto& [word, function] : logic) {
    if (name != word) continue;
    rule.action = Action::lanes;
    rule.function = function;
  }
  return rule;
}

bool counts_by_constant(const Instruction& in) {
  const Operand& count = in.operand[2];
  return count.kind == OperandKind::immediate && count.value < (in.meaning->result == Kind::u64 ? 64 : 32);
}

}  // namespace

Rule rule_of_ptx(const Instruction& in) {
  Rule rule;
  if (in.meaning == nullptr) return rule;
  const Semantic& meaning = *in.meaning;
  const std::string_view name = meaning.name;
  if (meaning.shape == Shape::memory) {
    set_memory(in, rule);
    rule.ptx_parts = name.find(" atomic ") != std::string_view::npos ? 0
                     : name.ends_with("x4")                          ? 4
                     : name.ends_with("x2")                          ? 2
                                                                     : 1;
    rule.register_rows = meaning.result == Kind::u64 ? 2 : 1;
    return rule;
  }
  if (meaning.shape == Shape::control) {
    if (name == "bra" && in.guard != 0) rule.action = Action::branch_predicate;
    return rule;
  }
  if (meaning.result == Kind::mask) return rule_of_predicate(in);
  rule.action = Action::opaque;
  if (meaning.shape != Shape::lanewise || in.operand[0].kind != OperandKind::vector) return rule;
  for (const Named& entry : functions) {
    if (!name.starts_with(entry.begin) || name.find(".sat") != std::string_view::npos) continue;
    rule.function = entry.function;
    if (entry.function == Function::extend && !set_conversion(name, rule)) return rule;
    rule.action = Action::lanes;
    return rule;
  }
  if ((name.starts_with("shl.") || name.starts_with("shr.")) && counts_by_constant(in)) {
    rule.function = name.starts_with("shl.") ? Function::shift_left
                    : name[4] == 's'         ? Function::shift_right_signed
                                             : Function::shift_right;
    rule.action = Action::lanes;
  }
  return rule;
}

}  // namespace check

namespace {

constexpr std::array<u32, 4> load_slots{0, 2, 3, 4}, store_slots{2, 3, 4, 5};

u64 sign_extended(u64 bits, u32 bytes) {
  if (bytes == 8) return bits;
  const u32 above = 64 - 8 * bytes;
  return static_cast<u64>(static_cast<i64>(bits << above) >> above);
}

}  // namespace

// The registers that no rule follows: all that the instruction names, since some of its shapes write several.
void RunChecker::carry_ptx_load(Step& step, const Access& access) {
  WaveShadow& shadow = step.shadow;
  const u32 parts = step.rule.ptx_parts, bytes = access.bytes / parts;
  const bool defined = all_defined(step.wave, shadow, access);
  for (const u32 slot : std::span(load_slots).first(parts)) {
    const Operand& to = step.in.operand[slot];
    if (to.kind == OperandKind::vector) shadow.define_lanes(to.index, step.rule.register_rows, access.lanes);
  }
  if (defined) return;
  std::array<u32, 16> undefined;
  check::for_lanes(access.lanes, [&](u32 lane) {
    read_undefined(step.wave, shadow, access, lane, undefined.data());
    Origin origin{step.index, access.space, access.address[lane]};
    if (access.space == Space::private_memory) {
      const auto stored = shadow.private_origin.find(access.address[lane] & ~u64{3});
      if (stored != shadow.private_origin.end()) origin = stored->second;
    }
    for (u32 i = 0; i < parts; ++i) {
      const Operand& to = step.in.operand[load_slots[i]];
      if (to.kind != OperandKind::vector) continue;
      const u32 at = i * bytes;
      u64 bits = undefined[at / 4] >> (8 * (at % 4));
      if (bytes == 8) bits |= u64{undefined[at / 4 + 1]} << 32;
      bits &= check::ones(8 * bytes);
      if (step.rule.is_signed) bits = sign_extended(bits, bytes);
      for (u32 k = 0; k < step.rule.register_rows; ++k) {
        const u32 row = to.index + k, now = static_cast<u32>(bits >> (32 * k));
        if (now == 0) continue;
        shadow.set(row, lane, now);
        shadow.row_origin[row] = origin;
      }
    }
  });
}

void RunChecker::carry_ptx_store(Step& step, const Access& access) {
  WaveShadow& shadow = step.shadow;
  const u32 parts = step.rule.ptx_parts, bytes = access.bytes / parts;
  const u32 rows = bytes == 8 ? 2 : 1;
  u64 lanes = 0;
  for (const u32 slot : std::span(store_slots).first(parts)) {
    const Operand& from = step.in.operand[slot];
    if (from.kind == OperandKind::vector) lanes |= shadow.any_lanes(from.index, rows);
  }
  if ((lanes & access.lanes) == 0) return define_memory(step.wave, shadow, access);
  check::for_lanes(access.lanes, [&](u32 lane) {
    std::array<u32, 16> undefined{};
    for (u32 i = 0; i < parts; ++i) {
      const Operand& from = step.in.operand[store_slots[i]];
      if (from.kind != OperandKind::vector) continue;
      const u32 at = i * bytes;
      const u64 low = shadow.undefined(from.index, lane) & check::ones(8 * std::min(bytes, 4u));
      undefined[at / 4] |= static_cast<u32>(low << (8 * (at % 4)));
      if (rows == 2) undefined[at / 4 + 1] = shadow.undefined(from.index + 1, lane);
      if (access.space != Space::private_memory) continue;
      for (u32 k = 0; k < rows; ++k) {
        const u64 dword = (access.address[lane] & ~u64{3}) + (at / 4 + k) * u64{4} * step.wave.lanes;
        const Origin& origin = shadow.row_origin[from.index + k];
        if (shadow.undefined(from.index + k, lane) == 0 || origin.instruction == Origin::unwritten) {
          shadow.private_origin.erase(dword);
        } else {
          shadow.private_origin[dword] = origin;
        }
      }
    }
    write_undefined(step.wave, shadow, access, lane, undefined.data());
  });
}

}  // namespace lockstep
