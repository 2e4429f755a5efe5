#include "exec/check/rules.h"

#include <algorithm>
#include <array>

namespace lockstep::check {
namespace {

struct Named {
  std::string_view name;
  Function function;
};

// By the meaning's name, without "s_" and without a type behind it.
constexpr Named functions[] = {
    {"mov", Function::move},
    {"movk", Function::move},
    {"movrels", Function::move},
    {"movreld", Function::move},
    {"v_movrels", Function::move},
    {"v_movreld", Function::move},
    {"v_movrelsd", Function::move},
    {"v_movrelsd_2", Function::move},
    {"not", Function::bit_not},
    {"and", Function::bit_and},
    {"nand", Function::bit_and},
    {"andn2", Function::bit_and_not},
    {"or", Function::bit_or},
    {"nor", Function::bit_or},
    {"orn2", Function::bit_or_not},
    {"xor", Function::bit_xor},
    {"xnor", Function::bit_xor},
    {"or3", Function::bit_or3},
    {"xor3", Function::bit_xor3},
    {"and_or", Function::and_or},
    {"bfi", Function::insert_field},
    {"cndmask", Function::select},
    {"cselect", Function::scalar_select},
    {"cmov", Function::scalar_move_if},
    {"cmovk", Function::scalar_move_if},
    {"lshl", Function::shift_left},
    {"lshr", Function::shift_right},
    {"ashr", Function::shift_right_signed},
    {"lshlrev", Function::reverse_shift_left},
    {"lshrrev", Function::reverse_shift_right},
    {"ashrrev", Function::reverse_shift_right_signed},
    {"pk_lshlrev", Function::any},
    {"lshl_or", Function::shift_or},
    {"lshl_add", Function::shift_add},
    {"add_lshl", Function::add_shift},
    {"add", Function::carries_up},
    {"sub", Function::carries_up},
    {"subrev", Function::carries_up},
    {"addk", Function::carries_up},
    {"addc", Function::carries_up},
    {"subb", Function::carries_up},
    {"add3", Function::carries_up},
    {"xad", Function::carries_up},
    {"add_carry", Function::carries_up},
    {"add_carry_out", Function::carries_up},
    {"sub_carry", Function::carries_up},
    {"sub_carry_out", Function::carries_up},
    {"subrev_carry", Function::carries_up},
    {"subrev_carry_out", Function::carries_up},
    {"mul_lo", Function::multiply},
    {"mul", Function::multiply},
    {"mulk", Function::multiply},
    {"perm", Function::permute_bytes},
    {"alignbit", Function::align_bits},
    {"alignbyte", Function::align_bytes},
    {"bfrev", Function::reverse_bits},
    {"brev", Function::reverse_bits},
};

// By the whole name.
constexpr Named exact_functions[] = {
    {"bfe_u32", Function::extract},
    {"bfe_i32", Function::extract_signed},
    {"s_bfe_u32", Function::scalar_extract},
    {"s_bfe_u64", Function::scalar_extract},
    {"s_bfe_i32", Function::scalar_extract_signed},
    {"s_bfe_i64", Function::scalar_extract_signed},
    {"mad_u64_u32", Function::carries_up},
    {"mad_i64_i32", Function::carries_up},
    {"mad_u16", Function::carries_up},
    {"mad_i16", Function::carries_up},
    {"mul_u32_u24", Function::multiply_24},
    {"mul_i32_i24", Function::multiply_24},
    {"mad_u32_u24", Function::carries_up_24},
    {"mad_i32_i24", Function::carries_up_24},
    {"mul_hi_u32_u24", Function::any_24},
    {"mul_hi_i32_i24", Function::any_24},
    {"cvt_f32_ubyte0", Function::byte0},
    {"cvt_f32_ubyte1", Function::byte1},
    {"cvt_f32_ubyte2", Function::byte2},
    {"cvt_f32_ubyte3", Function::byte3},
    {"s_sext_i32_i8", Function::sign_extend_8},
    {"s_sext_i32_i16", Function::sign_extend_16},
    {"cvt_i32_i16", Function::sign_extend_16},
    {"cvt_u32_u16", Function::move},
    {"pack_b32_f16", Function::pack_low_low},
    {"s_pack_ll_b32_b16", Function::pack_low_low},
    {"s_pack_lh_b32_b16", Function::pack_low_high},
    {"s_pack_hl_b32_b16", Function::pack_high_low},
    {"s_pack_hh_b32_b16", Function::pack_high_high},
    {"cvt_pk_u8_f32", Function::insert_byte},
    {"mbcnt_lo_u32_b32", Function::count_below_low},
    {"mbcnt_hi_u32_b32", Function::count_below_high},
};

struct NamedAction {
  std::string_view name;
  Action action;
};
constexpr NamedAction actions[] = {
    {"cbranch_scc0", Action::branch_scc},
    {"cbranch_scc1", Action::branch_scc},
    {"cbranch_vccz", Action::branch_vcc},
    {"cbranch_vccnz", Action::branch_vcc},
    {"setpc_b64", Action::jump},
    {"swappc_b64", Action::jump},
    {"barrier", Action::barrier},
    {"barrier_wait", Action::barrier},
    {"readfirstlane_b32", Action::read_first_lane},
    {"readlane_b32", Action::read_lane},
    {"writelane_b32", Action::write_lane},
    {"swap_b32", Action::swap},
    {"permlane16_b32", Action::permute_row},
    {"permlanex16_b32", Action::permute_other_row},
    {"permlane64_b32", Action::permute_halves},
    {"local permute by reader", Action::pull},
    {"local permute by reader within 32 lanes", Action::pull},
    {"local permute by writer", Action::push},
    {"local permute by writer within 32 lanes", Action::push},
    {"local swizzle", Action::swizzle},
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool is_type(std::string_view text) {
  return text.size() >= 2 && (text[0] == 'b' || text[0] == 'u' || text[0] == 'i') && text[1] >= '0' &&
         text[1] <= '9';
}

// "s_lshl_b64" without what says how wide it is: "lshl". Names of float operations stay as they are.
std::string_view stem(std::string_view name) {
  if (name.starts_with("s_")) name.remove_prefix(2);
  const std::size_t type = name.rfind('_');
  return type != std::string_view::npos && is_type(name.substr(type + 1)) ? name.substr(0, type) : name;
}

constexpr std::array<std::string_view, 9> relation_names{"", "f", "lt", "eq", "le", "gt", "ne", "ge", "t"};

// "cmp_lt_u32", "s_cmp_lg_u64", "s_cmpk_eq_i32".
void set_comparison(std::string_view name, Rule& rule) {
  rule.function = Function::compare;
  name.remove_prefix(name.find("cmp"));
  name.remove_prefix(std::min(name.find('_') + 1, name.size()));
  const std::size_t end = name.find('_');
  const std::string_view relation = name.substr(0, end), type = name.substr(end + 1);
  rule.is_signed = type.starts_with('i');
  if (relation == "tru" || relation == "t") {
    rule.relation = Relation::always;
  } else if (relation == "f") {
    rule.relation = Relation::never;
  } else if (!type.starts_with('f')) {
    const std::string_view wanted = relation == "lg" ? "ne" : relation;
    const auto found = std::find(relation_names.begin() + 1, relation_names.end(), wanted);
    if (found != relation_names.end()) rule.relation = static_cast<Relation>(found - relation_names.begin());
  }
}

bool same_register(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.kind != OperandKind::immediate && a.index == b.index && a.plain() && b.plain();
}

Function function_of(const Instruction& in) {
  const Semantic& meaning = *in.meaning;
  const std::string_view name = meaning.name;
  for (const Named& entry : exact_functions) {
    if (entry.name == name) return entry.function;
  }
  if (contains(name, "_mix")) return Function::mix;
  if (name.starts_with("cvt_pk")) return Function::convert_pair;
  const std::string_view base = stem(name);
  for (const Named& entry : functions) {
    if (entry.name != base) continue;
    // A value combined with itself.
    const bool cancels = entry.function == Function::bit_xor || entry.function == Function::bit_and_not ||
                         base == "sub" || base == "subrev" || base == "sub_carry_out";
    if (cancels && meaning.sources == 2 && same_register(in.operand[1], in.operand[2])) {
      return Function::constant;
    }
    return entry.function;
  }
  switch (meaning.flow) {
    case Flow::bitwise:
      return Function::bit_xor3;
    case Flow::move:
      return Function::move;
    case Flow::constant:
      return Function::constant;
    default:
      return Function::any;
  }
}

}  // namespace

void set_memory(const Instruction& in, Rule& rule) {
  const std::string_view name = in.meaning->name;
  rule.action = Action::memory;
  rule.is_pair = contains(name, " of two ");
  rule.low_half = contains(name, " low half");
  rule.high_half = contains(name, " high half");
  rule.is_signed = contains(name, " load i");
  rule.one_for_all = name == "local append" || name == "local consume";
  for (const std::string_view element : {"u8", "i8", "u16", "i16", "u32", "u64", "dwords", "of"}) {
    for (const std::string_view verb : {"load ", "store "}) {
      const std::size_t at = name.find(verb);
      if (at != std::string_view::npos && name.substr(at + verb.size()).starts_with(element)) {
        rule.moves_data = true;
      }
    }
  }
  rule.second_apart = in.operand[5].kind == OperandKind::vector && !rule.is_pair;
  const std::size_t verb = name.find("atomic ");
  const std::string_view change = verb == std::string_view::npos ? "" : name.substr(verb + 7);
  if (change.starts_with("swap") || change.starts_with("exch") || contains(name, "exchange"))
    rule.combine = Combine::exchange;
  if (change.starts_with("and")) rule.combine = Combine::bit_and;
  if (change.starts_with("or")) rule.combine = Combine::bit_or;
}

Rule rule_of(const Instruction& in) {
  Rule rule;
  if (in.meaning == nullptr) return rule;
  const Semantic& meaning = *in.meaning;
  const std::string_view name = meaning.name;
  for (const NamedAction& entry : actions) {
    if (entry.name == name) {
      rule.action = entry.action;
      return rule;
    }
  }
  if (meaning.shape == Shape::memory) {
    set_memory(in, rule);
    return rule;
  }
  if (contains(name, "_saveexec_") || contains(name, "_wrexec_")) {
    rule.action = Action::combine_exec;
    const std::string_view logic = name.substr(0, name.find('_'));
    rule.function = logic == "and" || logic == "nand"   ? Function::bit_and
                    : logic == "or" || logic == "nor"   ? Function::bit_or
                    : logic == "xor" || logic == "xnor" ? Function::bit_xor
                    : logic == "andn1"                  ? Function::bit_not_and
                    : logic == "andn2"                  ? Function::bit_and_not
                    : logic == "orn1"                   ? Function::bit_not_or
                                                        : Function::bit_or_not;
    return rule;
  }
  const bool has_result = in.operand[0].kind != OperandKind::none;
  const bool is_compare = name.starts_with("cmp_") || name.starts_with("s_cmp");
  rule.function = function_of(in);
  const std::string_view base = stem(name);
  rule.inverts = base == "nand" || base == "nor" || base == "xnor";
  if (is_compare) set_comparison(name, rule);
  const bool moves_indexed = contains(name, "movrel");
  switch (meaning.shape) {
    case Shape::lanewise:
      rule.action = Action::lanes;
      break;
    case Shape::packed:
      rule.action = Action::halves;
      break;
    case Shape::scalar:
      rule.action = Action::scalar;
      rule.condition_is_nonzero =
          !is_compare &&
          (meaning.flow == Flow::bitwise || meaning.flow == Flow::shift ||
           rule.function == Function::shift_left || rule.function == Function::shift_right ||
           rule.function == Function::shift_right_signed || rule.function == Function::scalar_extract ||
           rule.function == Function::scalar_extract_signed);
      break;
    default:
      if (!has_result) break;
      if (meaning.flow == Flow::own && !moves_indexed) {
        rule.action = Action::opaque;
      } else {
        rule.action = in.operand[0].kind == OperandKind::vector ? Action::lanes : Action::scalar;
        rule.custom = !moves_indexed;
      }
      break;
  }
  rule.keeps_low_half = contains(name, "_mixhi_");
  return rule;
}

}  // namespace lockstep::check
