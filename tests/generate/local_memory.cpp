// Work-items that work together: local memory between barriers, and atomic operations whose order does not
// matter. Each is one statement, so that no reduction can take a barrier out of it.
#include <fmt/format.h>

#include "generator.h"
#include "inputs.h"
#include "types.h"

namespace lockstep::generate {
namespace {

constexpr const char* barrier_text = "barrier(CLK_LOCAL_MEM_FENCE);";

// Operations whose result does not depend on the order, and what they begin with.
struct Operation {
  std::string_view atomic, combined;
  u64 first;
};
constexpr Operation operations[] = {
    {"add", "{0} + {1}", 0},     {"or", "{0} | {1}", 0},      {"xor", "{0} ^ {1}", 0},
    {"and", "{0} & {1}", ~0ull}, {"max", "max({0}, {1})", 0}, {"min", "min({0}, {1})", ~0ull},
};

}  // namespace

Statement Generator::local_memory() {
  const u32 items = kernel->group_items();
  const u32 what = random.below(4);
  const std::string local = fresh("l");
  const std::string result = fresh("v");
  if (what == 0) {  // every work-item reads another's value
    Type type = random_type();
    if (type.bytes() > 16) type.lanes = 1;
    kernel->locals.push_back({local, fmt::format("local {} {}[{}];", name(type), local, items)});
    Expression value = expression(type, 3);
    Expression place = expression({Scalar::u32, 1}, 3);
    Statement out{fmt::format("{0}[lid] = $0;\n{1}\n{2} {3} = {0}[$1 % {4}u];\n{1}", local, barrier_text,
                              name(type), result, items),
                  {std::move(value), std::move(place)},
                  {},
                  fmt::format("{} {} = {};", name(type), result, literal(type, 0))};
    scope.variables.push_back({result, type, false, true});
    return out;
  }
  static constexpr Scalar scalars[] = {Scalar::u32, Scalar::u32, Scalar::u64, Scalar::u16};
  const Operation& operation = random.of(operations);
  if (what == 1) {  // a tree of pairs; the group's result is the same for all
    const Type type{random.of(scalars), 1};
    kernel->locals.push_back({local, fmt::format("local {} {}[{}];", name(type), local, items)});
    Expression value = expression(type, 3);
    const std::string mine = local + "[lid]";
    const std::string other = fmt::format("{}[lid + {}d]", local, local);
    Statement out{fmt::format("{0}[lid] = $0;\n{1}\n", local, barrier_text), {std::move(value)}, {}, {}};
    out.text += fmt::format("for (uint {0}d = 1; {0}d < {1}u; {0}d *= 2) {{\n", local, items);
    out.text +=
        fmt::format("  if (lid % ({0}d * 2) == 0 && lid + {0}d < {1}u) {2} = ({3})({4});\n", local, items,
                    mine, name(type), fmt::format(fmt::runtime(operation.combined), mine, other));
    out.text +=
        fmt::format("  {}\n}}\n{} {} = {}[0];\n{}", barrier_text, name(type), result, local, barrier_text);
    out.simpler = fmt::format("{} {} = {};", name(type), result, literal(type, 0));
    scope.variables.push_back({result, type, true, true});
    return out;
  }
  if (what == 2) {  // atomics on a few cells, divergent
    constexpr Type word{Scalar::u32, 1};
    kernel->locals.push_back({local, fmt::format("local uint {}[4];", local)});
    Statement out;
    out.parts.push_back(condition(2));
    out.parts.push_back(expression(word, 3));
    out.parts.push_back(index(4, 2));
    out.parts.push_back(index(4, 2));
    out.text = fmt::format(
        "if (lid < 4) {0}[lid] = {1};\n{2}\nif ($0) atomic_{3}(&{0}[$2], $1);\n{2}\n"
        "uint {4} = {0}[$3];\n{2}",
        local, literal(word, operation.first), barrier_text, operation.atomic, result);
    // A group of fewer than four work-items would leave cells as they were.
    if (items < 4) out.text = fmt::format("uint {} = $1 + $2 + $3 + (uint)$0;", result);
    out.simpler = fmt::format("uint {} = 0u;", result);
    scope.variables.push_back({result, word, false, true});
    return out;
  }
  // One work-item's value for all.
  Type type = random_type();
  if (type.bytes() > 16) type.lanes = 1;
  kernel->locals.push_back({local, fmt::format("local {} {};", name(type), local)});
  Statement out;
  out.parts.push_back(expression(type, 3));
  out.parts.push_back(expression({Scalar::u32, 1}, 2, true));
  out.text = fmt::format("if (lid == $1 % {0}u) {1} = $0;\n{2}\n{3} {4} = {1};\n{2}", items, local,
                         barrier_text, name(type), result);
  out.simpler = fmt::format("{} {} = {};", name(type), result, literal(type, 0));
  scope.variables.push_back({result, type, true, true});
  return out;
}

Statement Generator::atomic() {
  constexpr Type word{Scalar::u32, 1};
  const std::string cell = fmt::format("cell{}", kernel->number);
  const u32 what = random.below(integers ? 13 : 16);
  static constexpr const char* changes[] = {
      "atomic_add(&{}[0], $0);",
      "atomic_sub(&{}[1], $0);",
      "atomic_inc(&{}[2]);",
      "atomic_dec(&{}[3]);",
      "atomic_min(&{}[4], $0);",
      "atomic_max(&{}[5], $0);",
      "atomic_and(&{}[6], $0 | 0xffu);",
      "atomic_or(&{}[7], $0 & 0xff00ffu);",
      "atomic_xor(&{}[8], $0);",
      "atomic_min((volatile global int*)&{}[10], as_int($0));",
      "atomic_max((volatile global int*)&{}[11], as_int($0));",
  };
  if (what < 11) {
    Expression value = expression(word, 3);
    return {fmt::format(fmt::runtime(changes[what]), cell), {std::move(value)}, {}, {}};
  }
  if (what < 13) {  // an addition by compare and exchange: waves in which some lanes have to try again
    const std::string seen = fresh("c");
    const std::string old = fresh("c");
    Expression value = expression(word, 3);
    return {fmt::format("{{\n  const uint {0}x = $0;\n  uint {0} = atomic_or(&{1}[9], 0u), {2};\n"
                        "  while (({2} = atomic_cmpxchg(&{1}[9], {0}, {0} + {0}x)) != {0}) {0} = {2};\n}}",
                        seen, cell, old),
            {std::move(value)},
            {},
            {}};
  }
  const std::string wide = fmt::format("wide{}", kernel->number);
  static constexpr const char* wide_changes[] = {
      "atom_add(&{}[0], $0);",
      "atom_min(&{}[1], $0);",
      "atom_max(&{}[2], $0);",
      "atom_and(&{}[3], $0 | 0xffffUL);",
      "atom_or(&{}[4], $0 & 0xff00000000ffUL);",
      "atom_xor(&{}[5], $0);",
  };
  const char* change = random.of(wide_changes);
  Expression value = expression({Scalar::u64, 1}, 3);
  return {fmt::format(fmt::runtime(change), wide), {std::move(value)}, {}, {}};
}

}  // namespace lockstep::generate
