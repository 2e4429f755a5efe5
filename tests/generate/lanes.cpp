// Values that come from other types and places: conversions, lanes of vectors, vectors of lanes, memory,
// functions.
#include <fmt/format.h>

#include <algorithm>

#include "generator.h"
#include "types.h"

namespace lockstep::generate {
namespace {

constexpr u32 widths[] = {2, 3, 4, 8, 16};

// "xyzw" letters for up to four lanes, or "s..." digits.
std::string swizzle(Random& random, u32 from, u32 to) {
  const bool letters = from <= 4 && random.chance(60);
  std::string text = letters ? "" : "s";
  for (u32 i = 0; i < to; ++i) {
    const u32 lane = random.below(from);
    text += letters ? std::string(1, "xyzw"[lane]) : lane_name(lane).substr(1);
  }
  return text;
}

}  // namespace

bool Generator::convert_form(const Type& type, u32 depth, bool uniform, Expression& out) {
  const std::string to = name(type);
  const u32 what = random.below(100);
  out.type = type;
  if (!is_integer(type)) {
    if (what < 60) {
      Type from = type;
      from.scalar = random_integer().scalar;
      static constexpr std::string_view roundings[] = {"", "", "", "", "_rte", "_rtz", "_rtp", "_rtn"};
      const std::string_view rounding = random.of(roundings);
      out.parts.push_back(expression(from, depth - 1, uniform));
      out.text = fmt::format("convert_{}{}($0)", to, rounding);
    } else if (what < 80) {
      const Type from = with(type, type.scalar == Scalar::f32 ? Scalar::f64 : Scalar::f32);
      out.parts.push_back(expression(from, depth - 1, uniform));
      out.text = fmt::format("convert_{}($0)", to);
    } else {  // any sign and fraction, an exponent near one
      const Type word = with(type, integer_of(bits(type), false));
      out.parts.push_back(expression(word, depth - 1, uniform));
      out.parts.push_back(expression(word, depth - 1, uniform));
      out.text =
          type.scalar == Scalar::f32
              ? fmt::format("as_{}(($0 & {}) | ((($1 & {}) + {}) << {}))", to, literal(word, 0x807fffff),
                            literal(word, 63), literal(word, 96), literal(word, 23))
              : fmt::format("as_{}(($0 & {}) | ((($1 & {}) + {}) << {}))", to,
                            literal(word, 0x800fffffffffffffull), literal(word, 255), literal(word, 900),
                            literal(word, 52));
    }
    return true;
  }
  if (what < 40) {
    Type from = type;
    from.scalar = random_integer().scalar;
    out.parts.push_back(expression(from, depth - 1, uniform));
    out.text = fmt::format("convert_{}{}($0)", to, what < 20 ? "_sat" : "");
    return true;
  }
  if (what < 65 && !integers) {
    const Type from = with(type, random.chance(70) ? Scalar::f32 : Scalar::f64);
    if (from.lanes > 8) return false;
    static constexpr std::string_view roundings[] = {"", "", "", "_rte", "_rtz", "_rtp", "_rtn"};
    const std::string_view rounding = random.of(roundings);
    out.parts.push_back(expression(from, depth - 1, uniform));
    // Rounding to nearest is rint in PoCL; see there.
    const std::string value =
        rounding != "_rte"
            ? "$0"
            : fmt::format("fmin(fmax($0, {}), {})", literal(from, ~u64{8999999}), literal(from, 9000000));
    out.text = fmt::format("convert_{}_sat{}({})", to, rounding, value);
    return true;
  }
  if (what < 75 && !integers && !is_signed(type.scalar) && bits(type) >= 32) {
    const Type from = with(type, bits(type) == 32 ? Scalar::f32 : Scalar::f64);
    out.parts.push_back(expression(from, depth - 1, uniform));
    out.text = fmt::format("bits_{}($0)", name(from));
    return true;
  }
  // The same bytes as another integer type.
  if (type.lanes == 3) return false;
  const u32 bytes = type.bytes();
  std::vector<Type> others;
  for (const u32 width : {8u, 16u, 32u, 64u}) {
    const u32 lanes = bytes * 8 / width;
    if (bytes * 8 % width != 0 || (lanes != 1 && std::find(widths, widths + 5, lanes) == widths + 5) ||
        lanes == 3)
      continue;
    for (const bool with_sign : {false, true}) {
      const Type other{integer_of(width, with_sign), lanes};
      if (!(other == type)) others.push_back(other);
    }
  }
  const Type from = random.of(others);
  out.parts.push_back(expression(from, depth - 1, uniform));
  out.text = fmt::format("as_{}($0)", to);
  return true;
}

bool Generator::lane_form(const Type& type, u32 depth, bool uniform, Expression& out) {
  out.type = type;
  const u32 what = random.below(100);
  if (type.lanes == 1) {
    const Type from = lanes_of(type, random.of(widths));
    if (!is_integer(type) && from.bytes() > 32) return false;
    out.parts.push_back(expression(from, depth - 1, uniform));
    out.text = "($0)." + lane_name(random.below(from.lanes));
    return true;
  }
  if (what < 30) {  // some lanes of a vector
    const Type from = lanes_of(type, random.of(widths));
    if (from.bytes() > 64) return false;
    out.parts.push_back(expression(from, depth - 1, uniform));
    static constexpr std::string_view halves[] = {"lo", "hi", "even", "odd"};
    const bool half = from.lanes == type.lanes * 2 && random.chance(60);
    out.text = "($0)." + (half ? std::string(random.of(halves)) : swizzle(random, from.lanes, type.lanes));
    return true;
  }
  if (what < 50) {
    const Type from = lanes_of(type, random.chance(50) || type.lanes == 16 ? type.lanes : type.lanes * 2);
    if (type.lanes == 3 || from.lanes == 3 || type.bytes() > 32) return false;
    const Type mask = with(type, unsigned_of(type.scalar));
    const bool two = random.chance(40);
    out.parts.push_back(expression(from, depth - 1, uniform));
    if (two) out.parts.push_back(expression(from, depth - 1, uniform));
    const bool fixed = random.chance(60);  // a constant mask may become moves alone
    if (fixed) {
      std::string lanes;
      for (u32 i = 0; i < type.lanes; ++i)
        lanes += (i == 0 ? "" : ", ") + literal(lanes_of(mask, 1), random.below(from.lanes * (two ? 2 : 1)));
      out.parts.push_back({mask, fmt::format("({})({})", name(mask), lanes), {}});
    } else {
      out.parts.push_back(expression(mask, depth - 1, uniform));
    }
    out.text = two ? "shuffle2($0, $1, $2)" : "shuffle($0, $1)";
    return true;
  }
  // A vector of its parts.
  out.text = fmt::format("({})(", name(type));
  u32 left = type.lanes;
  while (left != 0) {
    u32 lanes = 1;
    if (type.lanes > 4 || (type.lanes > 2 && random.chance(40))) {
      do lanes = random.of(widths);
      while (lanes > std::min(left, type.lanes - 1) && left > 1);
    }
    if (lanes > left) lanes = 1;
    if (out.parts.size() == 9) return false;
    out.text += fmt::format("{}${}", out.parts.empty() ? "" : ", ", out.parts.size());
    out.parts.push_back(expression(lanes_of(type, lanes), depth - 1, uniform));
    left -= lanes;
  }
  out.text += ")";
  return true;
}

bool Generator::memory_form(const Type& type, u32 depth, bool uniform, Expression& out) {
  std::vector<const Array*> exact, same_scalar;
  for (const auto* list : {&scope.arrays, &tables}) {
    for (const Array& array : *list) {
      if (uniform && !array.uniform) continue;
      if (kernel == nullptr && array.space == "global const") continue;
      if (array.element == type) exact.push_back(&array);
      if (array.element.scalar == type.scalar && array.element.lanes == 1 && type.lanes > 1 &&
          type.lanes <= array.count)
        same_scalar.push_back(&array);
    }
  }
  out.type = type;
  if (!same_scalar.empty() && (exact.empty() || random.chance(50))) {
    const Array& array = *random.of(same_scalar);
    const u32 stored =
        type.lanes == 3 ? 4 : type.lanes;  // 3 lanes lie 3 apart: fewer places than for 4 are safe
    const bool pointer = type.lanes != 3 && array.space == "global const" && random.chance(30);
    out.parts.push_back(index(std::max(array.count / stored, 1u), depth - 1, uniform));
    out.text = pointer ? fmt::format("((({} {}*){})[$0])", array.space, name(type), array.name)
                       : fmt::format("vload{}($0, {})", type.lanes, array.name);
    return true;
  }
  if (exact.empty()) return false;
  const Array& array = *random.of(exact);
  out.parts.push_back(index(array.count, depth - 1, uniform));
  out.text = fmt::format("{}[$0]", array.name);
  return true;
}

bool Generator::call_form(const Type& type, u32 depth, Expression& out) {
  std::vector<const Callee*> able;
  for (const Callee& callee : callees) {
    if (callee.result == type && !callee.changes && spent + flow.repeat * callee.cost <= budget)
      able.push_back(&callee);
  }
  if (able.empty()) return false;
  const Callee& callee = *random.of(able);
  std::string arguments;
  if (!callee.structure.empty()) {
    std::vector<std::string> instances;
    for (const Instance& instance : scope.instances) {
      if (instance.structure == callee.structure) instances.push_back(instance.name);
    }
    if (instances.empty()) return false;
    arguments = random.of(instances);
  }
  out.type = type;
  for (const Type& parameter : callee.parameters) {
    if (!arguments.empty()) arguments += ", ";
    arguments += fmt::format("${}", out.parts.size());
    out.parts.push_back(expression(parameter, std::min(depth - 1, 2u)));
  }
  out.text = fmt::format("{}({})", callee.name, arguments);
  spent += flow.repeat * callee.cost;
  return true;
}

}  // namespace lockstep::generate
