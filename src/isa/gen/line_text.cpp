#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <limits>

#include "float/bits.h"
#include "float/half.h"
#include "isa/gen/syntax.h"

namespace lockstep::gen {
namespace {

Diagnostic bad(std::string message) {
  return {"bad-assembly", {}, std::move(message), ""};
}

bool digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes a decimal or hexadecimal number off the text's front.
bool take_number(std::string_view& text, u64& value) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  const char* begin = text.data() + (hex ? 2 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc{} || end == begin) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}
bool take_number(std::string_view& text, u32& value) {
  u64 wide = 0;
  if (!take_number(text, wide) || wide > 0xFFFFFFFFu) return false;
  value = static_cast<u32>(wide);
  return true;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

bool type_named(std::string_view name, Type& type) {
  constexpr std::string_view names[] = {"ub", "b", "uw", "w", "ud", "d", "uq", "q", "hf", "f", "df"};
  for (u32 i = 0; i < std::size(names); ++i) {
    if (names[i] != name) continue;
    type = static_cast<Type>(i);
    return true;
  }
  return false;
}

// "f0.1": 2 * register + subregister.
bool take_flag(std::string_view& text, u32& flag) {
  u32 number = 0, part = 0;
  if (!take(text, "f") || !take_number(text, number) || number > 1) return false;
  if (take(text, ".") && (!take_number(text, part) || part > 1)) return false;
  flag = 2 * number + part;
  return true;
}

// What a register's name begins with, its bank, and how many there are of it.
struct Named {
  std::string_view name;
  Bank bank;
  u32 count;
};
constexpr Named banks[] = {
    {"acc", Bank::accumulator, 10}, {"null", Bank::null_, 1},     {"cr", Bank::control, 1},
    {"ce", Bank::channels, 1},      {"sr", Bank::state, 2},       {"a", Bank::address, 1},
    {"f", Bank::flag, 2},           {"n", Bank::notification, 1}, {"tm", Bank::timestamp, 1},
    {"r", Bank::general, 128},      {"ip", Bank::pointer, 1},
};

// "<8;8,1>", "<1>", "<1,0>", "<2;1>" from the text's front.
bool take_region(std::string_view& text, OperandText& operand) {
  if (!take(text, "<")) return true;
  std::string separators;
  while (operand.values < 3) {
    if (!take_number(text, operand.region[operand.values])) return false;
    ++operand.values;
    if (take(text, ">")) break;
    if (text.empty() || (text[0] != ';' && text[0] != ',')) return false;
    separators += text[0];
    text.remove_prefix(1);
  }
  operand.three = separators == ";";
  operand.by_row = separators == ",";
  return operand.values == 1 || separators == ";" || separators == "," || separators == ";,";
}

bool take_indirect(std::string_view& text, OperandText& operand) {
  if (!take(text, "r[a0.") || !take_number(text, operand.number)) return false;
  operand.bank = Bank::indirect;
  if (take(text, ",")) {
    while (take(text, " ")) {
    }
    const bool minus = take(text, "-");
    u32 size = 0;
    if (!take_number(text, size) || size > 4095) return false;
    operand.offset = minus ? -static_cast<i32>(size) : static_cast<i32>(size);
  }
  return take(text, "]");
}

bool take_register(std::string_view& text, OperandText& operand) {
  if (text.starts_with("r[")) return take_indirect(text, operand);
  for (const Named& named : banks) {
    std::string_view rest = text;
    if (!take(rest, named.name)) continue;
    if (named.bank == Bank::null_ || named.bank == Bank::pointer) {
      operand.bank = named.bank;
      text = rest;
      return true;
    }
    if (rest.empty() || !digit(rest[0]) || !take_number(rest, operand.number) ||
        operand.number >= named.count)
      return false;
    operand.bank = named.bank;
    if (take(rest, ".")) {
      operand.has_element = true;
      if (take(rest, "nomme")) {
        operand.macro = true;
        operand.has_element = false;
      } else if (take(rest, "mme")) {
        operand.macro = true;
        operand.bank = Bank::extended;
        if (!take_number(rest, operand.element) || operand.element > 7) return false;
      } else if (!take_number(rest, operand.element)) {
        return false;
      }
    }
    text = rest;
    return true;
  }
  return false;
}

// A value behind which its type stands: "0x4C0:uw", "-2.5:f", "inf:df", "qnan(0x400000):f", "0x76543210:v".
bool take_immediate(std::string_view text, OperandText& operand) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  std::string_view value = text.substr(0, colon);
  const std::string_view type = text.substr(colon + 1);
  operand.bank = Bank::immediate;
  const bool minus = take(value, "-");
  if (type == "v" || type == "uv" || type == "vf") {
    operand.packed = type == "v" ? 'v' : type == "uv" ? 'u' : 'f';
    operand.type = type == "v" ? Type::w : type == "uv" ? Type::uw : Type::f;
    return !minus && take_number(value, operand.value) && value.empty();
  }
  if (!type_named(type, operand.type)) return false;
  const u32 bits = 8 * bytes_of(operand.type);
  const u64 sign = u64{1} << (bits - 1);
  if (!is_float(operand.type) || value.starts_with("0x")) {
    if (!take_number(value, operand.value) || !value.empty()) return false;
    if (minus) operand.value = is_float(operand.type) ? operand.value ^ sign : 0 - operand.value;
  } else {
    f64 number = 0;
    u64 nan = 0;
    if (value == "inf") {
      number = std::numeric_limits<f64>::infinity();
    } else if (take(value, "qnan") || take(value, "snan")) {
      if (take(value, "(") && !take_number(value, nan)) return false;
      const u64 exponent = operand.type == Type::f    ? 0x7F800000u
                           : operand.type == Type::hf ? 0x7C00u
                                                      : u64{0x7FF0000000000000u};
      const u64 quiet = operand.type == Type::f    ? 0x400000u
                        : operand.type == Type::hf ? 0x200u
                                                   : u64{0x8000000000000u};
      operand.value = exponent | (nan != 0 ? nan : quiet) | (minus ? sign : 0);
      return true;
    } else {
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (error != std::errc{} || end != value.data() + value.size()) return false;
    }
    operand.value = operand.type == Type::f    ? as_u32(static_cast<f32>(number))
                    : operand.type == Type::hf ? u64{f64_to_f16(number)}
                                               : as_u64(number);
    if (minus) operand.value ^= sign;
  }
  if (bits < 64) operand.value &= (u64{1} << bits) - 1;
  return true;
}

bool parse_operand(std::string_view text, OperandText& operand) {
  if (text.size() > 1 && text[0] == 'L' && digit(text[1])) {
    operand.bank = Bank::label;
    text.remove_prefix(1);
    return take_number(text, operand.value) && text.empty();
  }
  const std::string_view whole = text;
  operand.saturate = take(text, "(sat)");
  operand.invert = take(text, "~");
  operand.negate = take(text, "-");
  operand.absolute = take(text, "(abs)");
  if (!take_register(text, operand)) {
    if (operand.saturate || operand.invert || operand.absolute) return false;
    operand = {};
    // Descriptors of messages have no type.
    text = whole;
    if (take_number(text, operand.value) && text.empty()) {
      operand.bank = Bank::immediate;
      return true;
    }
    operand = {};
    return take_immediate(whole, operand);
  }
  if (!take_region(text, operand)) return false;
  if (take(text, ":") && !type_named(text, operand.type)) return false;
  return operand.type != Type::none || text.empty();
}

// Takes the next word off the text; blanks within brackets belong to it.
std::string_view take_bracketed_word(std::string_view& text) {
  while (!text.empty() && (text[0] == ' ' || text[0] == '\t')) text.remove_prefix(1);
  std::size_t end = 0;
  int depth = 0;
  while (end < text.size() && (depth > 0 || (text[end] != ' ' && text[end] != '\t'))) {
    depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
    ++end;
  }
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

// "(W&~f0.0.any16h)" without its brackets.
bool parse_predicate(std::string_view text, LineText& line) {
  if (take(text, "W")) {
    line.every_channel = true;
    if (text.empty()) return true;
    if (!take(text, "&")) return false;
  }
  line.predicated = true;
  line.inverse = take(text, "~");
  if (!take_flag(text, line.predicate_flag)) return false;
  if (take(text, ".")) line.predicate = text;
  return text.empty() || !line.predicate.empty();
}

}  // namespace

bool LineText::has(std::string_view option) const {
  for (const std::string_view one : options)
    if (one == option) return true;
  return false;
}

Expected<LineText> parse_line(std::string_view text) {
  LineText line;
  if (const std::size_t comment = text.find("//"); comment != text.npos) text = text.substr(0, comment);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  while (!text.empty() && (text[0] == ' ' || text[0] == '\t')) text.remove_prefix(1);
  line.text = text;
  if (text.ends_with('}')) {
    const std::size_t open = text.rfind('{');
    if (open == text.npos) return bad("a '}' without '{'");
    std::string_view options = text.substr(open + 1, text.size() - open - 2);
    text = text.substr(0, open);
    while (!options.empty()) {
      const std::size_t comma = std::min(options.find(','), options.size());
      std::string_view option = options.substr(0, comma);
      while (option.starts_with(' ')) option.remove_prefix(1);
      if (!option.empty()) line.options.push_back(option);
      options.remove_prefix(std::min(comma + 1, options.size()));
    }
  }
  std::string_view word = take_bracketed_word(text);
  if (word.starts_with('(')) {
    if (!word.ends_with(')') || !parse_predicate(word.substr(1, word.size() - 2), line))
      return bad(fmt::format("'{}' is no predicate", word));
    word = take_bracketed_word(text);
  }
  if (word.empty()) return bad("an instruction without a mnemonic");
  line.mnemonic = word;
  for (word = take_bracketed_word(text); !word.empty(); word = take_bracketed_word(text)) {
    if (word.starts_with('(') && word.find("|M") != word.npos) {
      std::string_view rest = word.substr(1);
      if (!take_number(rest, line.lanes) || !take(rest, "|M") || !take_number(rest, line.first) ||
          rest != ")" || line.lanes > 32 || !std::has_single_bit(line.lanes) || line.first % 4 != 0 ||
          line.first > 32 - line.lanes)
        return bad(fmt::format("'{}' is no execution size", word));
      line.has_lanes = true;
      continue;
    }
    const std::size_t close = word.find(')');
    if (word.starts_with('(') && !word.starts_with("(sat)") && !word.starts_with("(abs)")) {
      if (close == word.npos) return bad(fmt::format("'{}' is no condition", word));
      line.condition = word.substr(1, close - 1);
      std::string_view flag = word.substr(close + 1);
      if (!take_flag(flag, line.condition_flag) || !flag.empty())
        return bad(fmt::format("'{}' is no condition", word));
      continue;
    }
    OperandText operand;
    if (!parse_operand(word, operand)) return bad(fmt::format("'{}' is no operand", word));
    line.operands.push_back(operand);
  }
  return line;
}

}  // namespace lockstep::gen
