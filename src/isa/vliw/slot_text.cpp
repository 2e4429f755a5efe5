// The text of one operation of an ALU bundle.
#include <fmt/format.h>

#include <charconv>

#include "isa/vliw/syntax.h"

namespace lockstep::vliw {
namespace {

Diagnostic bad(std::string message) {
  return {"bad-assembly", {}, std::move(message), ""};
}

void skip_blanks(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
}

std::string_view trimmed(std::string_view text) {
  skip_blanks(text);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

bool take_number(std::string_view& text, u32& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// ".X" and ".x"
bool take_channel(std::string_view& text, u8& channel) {
  if (text.size() < 2 || text[0] != '.') return false;
  const std::size_t at = std::string_view("XYZWxyzw").find(text[1]);
  if (at == std::string_view::npos) return false;
  channel = static_cast<u8>(at & 3);
  text.remove_prefix(2);
  return true;
}

// The constants that have operand numbers of their own.
bool inline_constant(std::string_view text, u32& value) {
  static constexpr std::pair<std::string_view, u32> constants[] = {
      {"0.0", 0}, {"1.0", 0x3F800000},  {"0.5", 0x3F000000}, {"1", 1}, {"-1", 0xFFFFFFFF},
      {"0", 0},   {"-1.0", 0xBF800000}, {"-0.5", 0xBF000000}};
  for (const auto& [name, bits] : constants) {
    if (name != text) continue;
    value = bits;
    return true;
  }
  return false;
}

Expected<SlotOperand> parse_operand(std::string_view whole) {
  SlotOperand operand;
  std::string_view text = trimmed(whole);
  const auto unknown = [&] { return bad(fmt::format("the operand '{}' is not known", trimmed(whole))); };
  if (inline_constant(text, operand.value)) {
    operand.bank = Bank::value;
    return operand;
  }
  operand.negate = take(text, "-");
  operand.absolute = take(text, "|");
  if (operand.absolute) {
    if (!text.ends_with('|')) return unknown();
    text.remove_suffix(1);
  }
  if (text.ends_with("(MASKED)")) {
    operand.masked = true;
    text = trimmed(text.substr(0, text.size() - 8));
  }
  if (inline_constant(text, operand.value)) {
    operand.bank = Bank::value;
  } else if (take(text, "T(")) {
    operand.bank = Bank::relative;
    skip_blanks(text);
    if (!take_number(text, operand.index) || !take(text, " + AR.x)") || !take_channel(text, operand.channel))
      return unknown();
    take(text, "+");
    if (!trimmed(text).empty()) return unknown();
  } else if (take(text, "KC")) {
    operand.bank = Bank::constant;
    u32 window = 0;
    if (!take_number(text, window) || window > 1 || !take(text, "[") || !take_number(text, operand.index) ||
        !take(text, "]") || !take_channel(text, operand.channel) || !text.empty())
      return unknown();
    operand.window = static_cast<u8>(window);
  } else if (take(text, "PV")) {
    operand.bank = Bank::previous_vector;
    if (!take_channel(text, operand.channel) || !text.empty()) return unknown();
  } else if (text == "PS") {
    operand.bank = Bank::previous_scalar;
  } else if (take(text, "literal")) {
    operand.bank = Bank::literal;
    if (!take_channel(text, operand.channel) || !text.empty()) return unknown();
  } else if (text == "OQAP") {
    operand.bank = Bank::queue;
  } else if (text == "AR.x") {
    operand.bank = Bank::address;
  } else if (text == "PredicateBit") {
    operand.bank = Bank::predicate;
  } else if (take(text, "T")) {
    operand.bank = Bank::general;
    if (!take_number(text, operand.index) || !take_channel(text, operand.channel) || !text.empty())
      return unknown();
  } else {
    return unknown();
  }
  if (operand.index > 127 && operand.bank != Bank::constant)
    return bad(fmt::format("the operand '{}' names a register beyond T127", trimmed(whole)));
  return operand;
}

}  // namespace

Expected<Slot> parse_slot(std::string_view whole) {
  Slot slot;
  slot.text = trimmed(whole);
  std::string_view text = slot.text;
  const std::size_t end = std::min(text.find_first_of(" \t*"), text.size());
  slot.mnemonic = text.substr(0, end);
  text.remove_prefix(end);
  if (slot.mnemonic.ends_with("_SAT")) {
    slot.clamp = true;
    slot.mnemonic.remove_suffix(4);
  }
  skip_blanks(text);
  slot.last = take(text, "*");
  skip_blanks(text);
  if (slot.mnemonic == "GROUP_BARRIER") slot.last = true;
  for (;;) {
    skip_blanks(text);
    if (take(text, "ExecMask,"))
      slot.updates_mask = true;
    else if (take(text, "Pred,"))
      slot.updates_predicate = true;
    else
      break;
  }
  while (!trimmed(text).empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view part = trimmed(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
    // What follows the last operand stands without a comma: the predicate, then the bank swizzle, which says
    // in which cycles registers are read and nothing else.
    if (const std::size_t at = part.find("BS:"); at != std::string_view::npos)
      part = trimmed(part.substr(0, at));
    for (const auto& [word, select] : {std::pair{std::string_view("Pred_sel_zero"), PredicateSelect::zero},
                                       std::pair{std::string_view("Pred_sel_one"), PredicateSelect::one}}) {
      if (!part.ends_with(word)) continue;
      slot.select = select;
      part = trimmed(part.substr(0, part.size() - word.size()));
    }
    if (part.empty()) continue;
    if (slot.operands.empty()) {
      // Output scales are written behind the result.
      static constexpr std::pair<std::string_view, u8> scales[] = {{"* 2.0", 1}, {"* 4.0", 2}, {"/ 2.0", 3}};
      for (const auto& [word, scale] : scales) {
        if (!part.ends_with(word)) continue;
        slot.output_scale = scale;
        part = trimmed(part.substr(0, part.size() - word.size()));
      }
    }
    auto operand = parse_operand(part);
    if (!operand) return operand.error();
    slot.operands.push_back(*operand);
  }
  return slot;
}

}  // namespace lockstep::vliw
