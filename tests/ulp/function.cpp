#include "ulp/function.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "float/half.h"

namespace lockstep::ulp {

const Format& format_of(Type type) {
  static constexpr Format formats[] = {{Type::f64, "double", 8, 53, 1023, -1022},
                                       {Type::f32, "float", 4, 24, 127, -126},
                                       {Type::f16, "half", 2, 11, 15, -14}};
  return formats[static_cast<u8>(type)];
}

Expected<std::vector<Function>> read_functions(std::string_view text, const std::string& name) {
  std::vector<Function> functions;
  std::istringstream lines{std::string(text)};
  std::string options;
  u32 number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Function made;
    words >> made.name;
    if (made.name == "options") {
      std::getline(words >> std::ws, options);
      continue;
    }
    words >> made.arguments;
    bool fine = true;
    for (auto& bound : made.bound) {
      std::string word;
      words >> word;
      std::istringstream digits(word);
      f64 value = std::numeric_limits<f64>::infinity();
      if (word == "-") continue;
      if (word != "any") fine = fine && (digits >> value);
      bound = value;
    }
    std::getline(words >> std::ws, made.expression);
    if (made.expression.starts_with("int ")) {
      made.integer = true;
      made.expression.erase(0, 4);
    }
    if (!fine || made.expression.empty())
      return Diagnostic{
          "bad-table", {name, number, 0}, "not NAME ARGUMENTS DOUBLE FLOAT HALF EXPRESSION", ""};
    made.options = options;
    functions.push_back(std::move(made));
  }
  return functions;
}

f64 rounded(f64 value, Type type) {
  if (type == Type::f64) return value;
  if (type == Type::f32) return static_cast<f64>(static_cast<f32>(value));
  // Once, from f64: the exponent's last place, then the rest by the host's rounding to nearest even.
  if (!std::isfinite(value) || value == 0) return value;
  const i32 exponent = std::max(std::ilogb(value), -14);
  const f64 last = std::ldexp(1.0, exponent - 10);
  const f64 near = std::nearbyint(value / last) * last;
  return std::fabs(near) > 65504 ? std::copysign(std::numeric_limits<f64>::infinity(), value)
                                 : std::copysign(near, value);
}

void store(f64 value, Type type, u8* to) {
  if (type == Type::f64) {
    std::memcpy(to, &value, sizeof value);
  } else if (type == Type::f32) {
    const f32 narrow = static_cast<f32>(value);
    std::memcpy(to, &narrow, sizeof narrow);
  } else {
    const f16 bits = std::isnan(value) ? static_cast<f16>(0x7E00) : f32_to_f16(static_cast<f32>(value));
    std::memcpy(to, &bits, sizeof bits);
  }
}

f64 load(Type type, const u8* from) {
  if (type == Type::f64) {
    f64 value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  if (type == Type::f32) {
    f32 value;
    std::memcpy(&value, from, sizeof value);
    return static_cast<f64>(value);
  }
  f16 bits;
  std::memcpy(&bits, from, sizeof bits);
  return static_cast<f64>(f16_to_f32(bits));
}

bool subnormal(f64 value, Type type) {
  return value != 0 && std::fabs(value) < std::ldexp(1.0, format_of(type).least);
}

}  // namespace lockstep::ulp
