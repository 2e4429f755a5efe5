// Choosing what an expression is made of, and the expressions without parts.
#include <fmt/format.h>

#include <algorithm>

#include "generator.h"
#include "inputs.h"
#include "types.h"

namespace lockstep::generate {
namespace {

constexpr Scalar integer_scalars[] = {Scalar::i8,  Scalar::u8,  Scalar::i16, Scalar::u16,
                                      Scalar::i32, Scalar::i32, Scalar::u32, Scalar::u32,
                                      Scalar::u32, Scalar::i64, Scalar::u64};
constexpr Scalar float_scalars[] = {Scalar::f32, Scalar::f32, Scalar::f64};
constexpr u32 lane_counts[] = {1, 1, 1, 1, 1, 1, 2, 2, 3, 4, 4, 8, 16};

// Integers that are likely to meet a special case.
constexpr u64 interesting[] = {0,
                               1,
                               2,
                               3,
                               5,
                               7,
                               8,
                               10,
                               13,
                               31,
                               32,
                               63,
                               100,
                               127,
                               128,
                               255,
                               256,
                               1000,
                               0x55,
                               0x5555,
                               0x7fff,
                               0x8000,
                               65535,
                               65536,
                               0x7fffffff,
                               0x80000000,
                               ~0ull,
                               ~1ull,
                               ~6ull,
                               ~126ull,
                               ~127ull,
                               0xffffffff,
                               u64{1} << 33,
                               u64{1} << 63,
                               ~(u64{1} << 63),
                               0xaaaaaaaaaaaaaaaaull};

constexpr const char* reals[] = {"0.0",        "1.0",     "-1.0",  "0.5",  "2.0",   "-3.0",      "0.1",
                                 "10.0",       "1e-3",    "255.0", "1e20", "1e-38", "-1e-44",    "3e38",
                                 "0.33333333", "65536.0", "1.5",   "-0.0", "-1e-9", "16777215.0"};

Expression constant(Random& random, const Type& type) {
  if (!is_integer(type)) return {type, real_literal(type, random.of(reals)), {}};
  const bool wild = random.chance(25);
  const u64 value = wild ? random.draw() : random.of(interesting);
  if (type.lanes > 1 && type.lanes <= 4 && random.chance(50)) {  // lanes of their own
    const Type lane = lanes_of(type, 1);
    std::string text = literal(lane, value);
    for (u32 i = 1; i < type.lanes; ++i) text += ", " + literal(lane, random.of(interesting));
    return {type, fmt::format("({})({})", name(type), text), {}};
  }
  return {type, literal(type, value), {}};
}

// A value that is there as one of another type, as the wanted one; nothing when that needs more than a
// conversion.
std::string converted(const std::string& value, const Type& from, const Type& to) {
  if (from == to) return value;
  if (from.lanes == to.lanes && is_integer(from) && (is_integer(to) || from.lanes == 1))
    return fmt::format("convert_{}({})", name(to), value);
  return {};
}

// Work-item functions, by the types that they are used in.
std::string item_text(Random& random, bool uniform) {
  static constexpr const char* of_group[] = {"get_group_id(0)",     "get_group_id(1)",    "get_num_groups(0)",
                                             "get_local_size(0)",   "get_global_size(1)", "get_work_dim()",
                                             "get_global_offset(0)"};
  static constexpr const char* of_item[] = {"get_local_id(0)",  "get_local_id(0)",  "get_local_id(1)",
                                            "get_global_id(0)", "get_global_id(0)", "get_global_id(1)"};
  return uniform || random.chance(20) ? random.of(of_group) : random.of(of_item);
}

}  // namespace

Type Generator::random_type() {
  if (random.chance(20)) {
    const Scalar scalar = random.of(float_scalars);
    const u32 lanes = random.of(lane_counts);
    if (integers) return random_integer();
    return {scalar, std::min(lanes, scalar == Scalar::f64 ? 4u : 8u)};
  }
  return random_integer();
}

Type Generator::random_integer() {
  const Scalar scalar = random.of(integer_scalars);
  const u32 lanes = random.of(lane_counts);
  return {scalar, corpus::bytes_of(scalar) == 8 ? std::min(lanes, 8u) : lanes};
}

Expression Generator::leaf(const Type& type, bool uniform) {
  const u32 what = random.below(100);
  if (what < 20 && kernel != nullptr) {  // an input, which no compiler can know
    for (const Input& input : inputs) {
      if (!input.buffer || !(input.type == lanes_of(type, 1))) continue;
      const char* place = uniform ? "(uint)get_group_id(0)" : random.chance(50) ? "gid" : "lid";
      std::string text = fmt::format("{}[({} + {}u) & 63u]", input.name, place, random.below(64));
      if (type.lanes > 1) text = fmt::format("({})({})", name(type), text);
      return {type, std::move(text), {}};
    }
  }
  if (what < 70) {
    std::vector<std::string> exact, near;
    for (const Variable& variable : scope.variables) {
      if (uniform && !variable.uniform) continue;
      if (variable.type == type) {
        exact.push_back(variable.name);
      } else if (std::string text = converted(variable.name, variable.type, type); !text.empty()) {
        near.push_back(std::move(text));
      } else if (variable.type.scalar == type.scalar && type.lanes == 1) {
        near.push_back(variable.name + "." + lane_name(random.below(variable.type.lanes)));
      } else if (variable.type.scalar == type.scalar && variable.type.lanes == 1) {
        near.push_back(fmt::format("({})({})", name(type), variable.name));
      }
    }
    if (!exact.empty() && (near.empty() || random.chance(80))) return {type, random.of(exact), {}};
    if (!near.empty()) return {type, random.of(near), {}};
  }
  if (what < 82 && is_integer(type) && (kernel != nullptr || !uniform)) {
    const std::string text = item_text(random, uniform);
    if (type.lanes == 1) return {type, fmt::format("({}){}", name(type), text), {}};
    return {type, fmt::format("({})(({}){})", name(type), corpus::name_of(type.scalar), text), {}};
  }
  return constant(random, type);
}

Expression Generator::index(u32 count, u32 depth, bool uniform) {
  constexpr Type word{Scalar::u32, 1};
  Expression value = expression(word, depth, uniform);
  return {word, fmt::format("($0 & {}u)", count - 1), {std::move(value)}};
}

Expression Generator::condition(u32 depth, bool uniform) {
  // An odd number is as likely as an even one, which makes both ways of a branch likely to be gone.
  constexpr Type result{Scalar::i32, 1};
  const Type type{random.of(integer_scalars), 1};
  const u32 what = random.below(10);
  if (what < 4) {
    const u64 mask = u64{1} << random.below(4);
    Expression value = expression(type, depth, uniform);
    return {result, fmt::format("(($0 & {}) != 0)", literal(type, mask)), {std::move(value)}};
  }
  static constexpr const char* compares[] = {"($0 < $1)",  "($0 > $1)",  "($0 <= $1)",
                                             "($0 >= $1)", "($0 == $1)", "($0 != $1)"};
  const char* text = random.of(compares);
  const Type compared = what < 8 || integers ? type : Type{random.of(float_scalars), 1};
  Expression a = expression(compared, depth, uniform);
  Expression b = expression(compared, depth, uniform);
  Expression simple{result, text, {std::move(a), std::move(b)}};
  if (depth < 2 || random.chance(75)) return simple;
  static constexpr const char* joins[] = {"($0 && $1)", "($0 || $1)", "(!$0 && $1)", "(($0) ^ ($1))"};
  const char* join = random.of(joins);
  Expression other = condition(depth - 1, uniform);
  return {result, join, {std::move(simple), std::move(other)}};
}

Expression Generator::expression(const Type& type, u32 depth, bool uniform) {
  // Wide vectors cost as many instructions as they have lanes, 64-bit ones twice as many.
  spent += flow.repeat * type.lanes * (bits(type) == 64 ? 2 : 1);
  if (depth == 0 || spent > budget || random.chance(12)) return leaf(type, uniform);
  for (u32 attempt = 0; attempt < 4; ++attempt) {
    Expression out;
    const u32 what = random.below(100);
    const bool made = what < 55   ? is_integer(type) ? integer_form(type, depth, uniform, out)
                                                     : float_form(type, depth, uniform, out)
                        : what < 70 ? convert_form(type, depth, uniform, out)
                      : what < 84 ? lane_form(type, depth, uniform, out)
                      : what < 95 ? memory_form(type, depth, uniform, out)
                                  : !uniform && call_form(type, depth, out);
    if (made) return out;
  }
  return leaf(type, uniform);
}

}  // namespace lockstep::generate
