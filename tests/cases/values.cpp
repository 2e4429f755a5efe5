#include "cases/values.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "float/half.h"

namespace lockstep::cases {
namespace {

Diagnostic bad_value(std::string_view text) {
  return {"bad-value", {}, "'" + std::string(text) + "' is no value", "see tests/cases/README.md"};
}

std::optional<u64> parse_integer(std::string_view text) {
  const std::string copy(text);
  if (copy.empty() || (copy[0] != '-' && !std::isdigit(static_cast<unsigned char>(copy[0]))))
    return std::nullopt;
  char* end = nullptr;
  const u64 value =
      copy[0] == '-' ? 0 - std::strtoull(copy.c_str() + 1, &end, 0) : std::strtoull(copy.c_str(), &end, 0);
  if (*end != 0) return std::nullopt;
  return value;
}

// strtod rounds a decimal or hexadecimal number to nearest even; f16 takes two steps, of which the first
// keeps far more bits than a reviewer writes.
std::optional<u64> parse_number(std::string_view text, Value::Format format) {
  const std::string copy(text);
  char* end = nullptr;
  if (copy.empty()) return std::nullopt;
  u64 bits = 0;
  if (format == Value::Format::f32) {
    bits = as_u32(std::strtof(copy.c_str(), &end));
  } else {
    const f64 number = std::strtod(copy.c_str(), &end);
    bits = format == Value::Format::f64 ? as_u64(number) : f64_to_f16(number);
  }
  if (*end != 0) return std::nullopt;
  return bits;
}

std::optional<Value> parse_float(std::string_view text, Value::Format format) {
  Value value;
  value.format = format;
  if (text == "nan") {
    value.kind = Value::Kind::any_nan;
    return value;
  }
  const std::size_t tilde = text.find('~');
  if (tilde != std::string_view::npos) {
    const auto tolerance = parse_integer(text.substr(tilde + 1));
    if (!tolerance) return std::nullopt;
    value.kind = Value::Kind::near;
    value.tolerance = static_cast<u32>(*tolerance);
    text = text.substr(0, tilde);
  }
  const std::size_t bar = text.find('|');
  if (bar != std::string_view::npos) {
    if (format != Value::Format::f16 || value.kind == Value::Kind::near) return std::nullopt;
    const auto low = parse_number(text.substr(0, bar), format),
               high = parse_number(text.substr(bar + 1), format);
    if (!low || !high) return std::nullopt;
    value.bits = *low | *high << 16;
    return value;
  }
  const auto bits = parse_number(text, format);
  if (!bits) return std::nullopt;
  value.bits = *bits;
  return value;
}

std::optional<Value> parse_value(std::string_view text) {
  Value value;
  if (text == "any") {
    value.kind = Value::Kind::anything;
    return value;
  }
  if (text == "keep") {
    value.kind = Value::Kind::keep;
    return value;
  }
  if (text.starts_with("f16:")) return parse_float(text.substr(4), Value::Format::f16);
  if (text.starts_with("f32:")) return parse_float(text.substr(4), Value::Format::f32);
  if (text.starts_with("f64:")) return parse_float(text.substr(4), Value::Format::f64);
  if (text.starts_with("lane")) {
    value.kind = Value::Kind::lane;
    text.remove_prefix(4);
    if (text.empty()) return value;
    if (text[0] == '+') text.remove_prefix(1);
  }
  const auto integer = parse_integer(text);
  if (!integer) return std::nullopt;
  value.bits = *integer;
  return value;
}

u64 mask_of(u32 bytes) {
  return bytes >= 8 ? ~u64{0} : (u64{1} << (8 * bytes)) - 1;
}

// Bits as an integer that grows with the number; neighbours differ by 1.
i64 ordered(u64 bits, Value::Format format) {
  const u32 width = format == Value::Format::f16 ? 16 : format == Value::Format::f32 ? 32 : 64;
  const u64 sign = u64{1} << (width - 1);
  const i64 size = static_cast<i64>(bits & (sign - 1));
  return bits & sign ? -size : size;
}

bool is_nan_of(u64 bits, Value::Format format) {
  if (format == Value::Format::f16) return is_nan<Half>(static_cast<u16>(bits)) && bits >> 16 == 0;
  if (format == Value::Format::f32) return is_nan<Single>(static_cast<u32>(bits));
  return is_nan<Double>(bits);
}

}  // namespace

Expected<std::vector<Value>> parse_values(std::string_view text) {
  std::vector<Value> list;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == '\t') {
      ++at;
      continue;
    }
    std::size_t end = text.find_first_of(" \t", at);
    if (end == std::string_view::npos) end = text.size();
    std::string_view word = text.substr(at, end - at);
    at = end;
    u64 count = 1;
    const std::string_view whole = word;
    const std::size_t star = word.find('*');
    if (star != std::string_view::npos) {
      const auto repeat = parse_integer(word.substr(0, star));
      if (!repeat || *repeat > 64) return bad_value(whole);
      count = *repeat;
      word = word.substr(star + 1);
    }
    const auto value = parse_value(word);
    if (!value) return bad_value(whole);
    list.insert(list.end(), count, *value);
  }
  if (list.empty()) return bad_value(text);
  return list;
}

u64 contents(const Value& value, u32 lane, u32 bytes) {
  u64 bits = value.bits;
  if (value.kind == Value::Kind::lane) bits += lane;
  if (value.kind == Value::Kind::any_nan) {
    bits = value.format == Value::Format::f16   ? Half::default_nan
           : value.format == Value::Format::f32 ? Single::default_nan
                                                : Double::default_nan;
  }
  return bits & mask_of(bytes);
}

bool matches(const Value& value, u64 actual, u64 before, u32 lane, u32 bytes) {
  switch (value.kind) {
    case Value::Kind::anything:
      return true;
    case Value::Kind::keep:
      return actual == before;
    case Value::Kind::any_nan:
      return is_nan_of(actual, value.format);
    case Value::Kind::near: {
      if (is_nan_of(actual, value.format)) return false;
      if (value.format == Value::Format::f16 && actual >> 16 != 0) return false;
      return std::llabs(ordered(actual, value.format) - ordered(value.bits, value.format)) <= value.tolerance;
    }
    default:
      return actual == contents(value, lane, bytes);
  }
}

}  // namespace lockstep::cases
