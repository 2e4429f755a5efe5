// Statements without local memory: assignments, branches, loops, arrays, structures, calls, results.
#include <fmt/format.h>

#include <algorithm>

#include "generator.h"
#include "inputs.h"
#include "types.h"

namespace lockstep::generate {
namespace {

constexpr u32 depth_of_values = 4;

std::string conditional(const std::string& text) {
  return "if (" + text + ") {\n@0}";
}

}  // namespace

// What stands in a block keeps to itself what it declares.
Block Generator::block(u32 statements) {
  const Scope outside = scope;
  Block result;
  ++flow.depth;
  for (u32 i = 0; i < statements; ++i) result.push_back(statement());
  --flow.depth;
  scope = outside;
  return result;
}

Statement Generator::statement() {
  const u32 what = random.below(100);
  const bool shallow = flow.depth < 5 && spent < budget;
  if (what < 22) return declare();
  if (what < 40) return assign();
  if (what < 50) return kernel != nullptr ? observe() : assign();
  if (what < 60 && shallow) return branch();
  if (what < 71 && shallow) return loop();
  if (what < 75 && shallow) return choice();
  if (what < 79) return array();
  if (what < 82) return structure();
  if (what < 85) return call();
  if (what < 88) return memory();
  if (what < 91) return leave();
  if (what < 97 && flow.uniform && flow.barriers) return local_memory();
  if (kernel != nullptr) return atomic();
  return assign();
}

Statement Generator::declare() {
  const Type type = random_type();
  const bool uniform = flow.uniform && random.chance(20);
  Expression value = expression(type, depth_of_values, uniform);
  const std::string variable = fresh("v");
  Statement out{fmt::format("{} {} = $0;", name(type), variable), {std::move(value)}, {}, {}};
  out.simpler = fmt::format("{} {} = {};", name(type), variable, literal(type, 0));
  scope.variables.push_back({variable, type, uniform, true});
  return out;
}

Statement Generator::assign() {
  std::vector<const Variable*> able;
  for (const Variable& variable : scope.variables) {
    if (variable.writable && (!variable.uniform || flow.uniform)) able.push_back(&variable);
  }
  std::vector<const Array*> arrays;
  for (const Array& array : scope.arrays) {
    if (array.writable) arrays.push_back(&array);
  }
  if (!arrays.empty() && random.chance(able.empty() ? 100 : 25)) {
    const Array& array = *random.of(arrays);
    Expression value = expression(array.element, depth_of_values);
    const u32 lanes = random.chance(50) ? 2 : 4;
    if (array.element.lanes == 1 && array.count >= lanes && random.chance(25)) {
      const Type wide = lanes_of(array.element, lanes);
      Expression several = expression(wide, depth_of_values - 1);
      Expression place = index(array.count / lanes, 2);
      return {fmt::format("vstore{}($0, $1, {});", lanes, array.name),
              {std::move(several), std::move(place)},
              {},
              {}};
    }
    Expression place = index(array.count, 2);
    return {fmt::format("{}[$1] = $0;", array.name), {std::move(value), std::move(place)}, {}, {}};
  }
  if (able.empty()) return declare();
  const Variable variable = *random.of(able);
  const Type type = variable.type;
  if (type.lanes > 1 && random.chance(40)) {  // some lanes, each once
    std::vector<u32> lanes;
    u32 wanted = random.chance(50) ? 1 : type.lanes > 4 && random.chance(50) ? 4 : 2;
    wanted = std::min(wanted, type.lanes == 3 ? 2u : type.lanes);
    while (lanes.size() < wanted) {
      const u32 lane = random.below(type.lanes);
      if (std::find(lanes.begin(), lanes.end(), lane) == lanes.end()) lanes.push_back(lane);
    }
    std::string text = "s";
    for (const u32 lane : lanes) text += lane_name(lane).substr(1);
    Expression value = expression(lanes_of(type, wanted), depth_of_values - 1, variable.uniform);
    return {fmt::format("{}.{} = $0;", variable.name, text), {std::move(value)}, {}, {}};
  }
  const u32 what = random.below(10);
  if (is_integer(type) && !is_promoted(type) && what < 4) {
    static constexpr const char* logical[] = {"^=", "|=", "&="};
    static constexpr const char* arithmetic[] = {"^=", "+=", "-=", "*=", "+=", "-="};
    const char* operation = is_signed(type.scalar) ? random.of(logical) : random.of(arithmetic);
    Expression value = expression(type, depth_of_values - 1, variable.uniform);
    return {fmt::format("{} {} $0;", variable.name, operation), {std::move(value)}, {}, {}};
  }
  if (is_integer(type) && !is_signed(type.scalar) && type.lanes == 1 && what == 4)
    return {fmt::format("++{};", variable.name), {}, {}, {}};
  Expression value = expression(type, depth_of_values, variable.uniform);
  return {fmt::format("{} = $0;", variable.name), {std::move(value)}, {}, {}};
}

// Folds a value of any type into the kernel's hash.
Statement Generator::observe(const Expression& value) {
  const Type& type = value.type;
  std::string text = is_integer(type) ? "$0" : fmt::format("bits_{}($0)", name(type));
  if (type.lanes > 1) {
    text = fmt::format("fold{}(convert_ulong{}({}))", type.lanes, type.lanes, text);
  } else {
    text = "(ulong)" + text;
  }
  return {"h = mix(h, " + text + ");", {value}, {}, {}};
}

Statement Generator::observe() {
  std::vector<Expression> values;
  for (const Variable& variable : scope.variables) values.push_back({variable.type, variable.name, {}});
  for (const Array& array : scope.arrays) {
    if (array.space == "private") values.push_back({array.element, array.name + "[$0]", {}});
  }
  if (values.empty()) return declare();
  Expression value = random.of(values);
  if (value.text.find('$') != value.text.npos) {
    u32 count = 0;
    for (const Array& array : scope.arrays) {
      if (value.text == array.name + "[$0]") count = array.count;
    }
    value.parts.push_back(index(count, 2));
  }
  return observe(value);
}

Statement Generator::branch() {
  const Flow outside = flow;
  const bool uniform = flow.uniform && random.chance(30);
  Expression test = condition(3, uniform);
  flow.uniform = uniform;
  flow.barriers = flow.barriers && uniform;
  const u32 first = 1 + random.below(4);
  Statement out{conditional("$0"), {std::move(test)}, {}, {}};
  out.blocks.push_back(block(first));
  const u32 more = random.below(3);
  if (more != 0) {
    if (more == 2) {
      Expression second = condition(2, uniform);
      out.parts.push_back(std::move(second));
      out.text += " else if ($1) {\n@1}";
      out.blocks.push_back(block(1 + random.below(3)));
    }
    out.text += fmt::format(" else {{\n@{}}}", out.blocks.size());
    out.blocks.push_back(block(1 + random.below(3)));
  }
  flow = outside;
  return out;
}

// Loops end whatever their bodies do: a counter that only the loop itself changes bounds them.
Statement Generator::loop() {
  const Flow outside = flow;
  const u64 most = flow.repeat >= 64 ? 2 : flow.repeat >= 8 ? 3 : 8;
  const u32 trips = 1 + random.below(most);
  const bool uniform = flow.uniform && random.chance(50);
  const std::string counter = fresh("i");
  const u32 kind = random.below(5);
  Statement out{{}, {}, {}, fmt::format("uint {} = 0;", counter)};
  if (kind == 0) {
    out.text = fmt::format("for (uint {0} = 0; {0} < {1}u; ++{0}) {{\n@0}}", counter, trips);
  } else if (kind == 1) {  // the bound changes while it runs, below a power of two
    const u32 mask = trips >= 4 ? 7 : trips >= 2 ? 3 : 1;
    out.parts.push_back(expression({Scalar::u32, 1}, 2, uniform));
    out.text = fmt::format("for (uint {0} = 0; {0} < ($0 & {1}u); ++{0}) {{\n@0}}", counter, mask);
  } else if (kind == 2) {
    out.parts.push_back(condition(2, uniform));
    out.text = fmt::format("for (uint {0} = {1}u; {0} != 0 && $0; --{0}) {{\n@0}}", counter, trips);
  } else if (kind == 3) {
    out.parts.push_back(condition(2, uniform));
    out.text = fmt::format("uint {0} = 0;\nwhile ({0}++ < {1}u && $0) {{\n@0}}", counter, trips);
  } else {
    out.parts.push_back(condition(2, uniform));
    out.text = fmt::format("uint {0} = 0;\ndo {{\n@0}} while (++{0} < {1}u && $0);", counter, trips);
  }
  const bool open = random.chance(60);  // can be left by break and continue, which makes its flow diverge
  flow.uniform = uniform && (!open || random.chance(30));
  // A counter's condition is the group's own even where a variable's value is not: kind 0 alone has no other.
  flow.barriers = flow.barriers && flow.uniform && kind != 1;
  flow.loops = open && !flow.barriers ? outside.loops + 1 : 0;
  if (flow.loops != 0) flow.uniform = false;
  flow.in_switch = false;
  flow.repeat *= kind == 1 ? 8 : trips;
  const Scope before = scope;
  scope.variables.push_back({counter, {Scalar::u32, 1}, flow.uniform, false});
  out.blocks.push_back(block(1 + random.below(4)));
  scope = before;
  flow = outside;
  return out;
}

Statement Generator::choice() {
  const Flow outside = flow;
  const bool uniform = flow.uniform && random.chance(30);
  static constexpr Scalar scalars[] = {Scalar::u32, Scalar::i32, Scalar::u64, Scalar::u8};
  const Type type{random.of(scalars), 1};
  const u32 cases = 2 + random.below(4);
  const u32 mask = cases <= 3 ? 3 : 7;
  Expression value = expression(type, 3, uniform);
  const bool sparse = random.chance(30);
  Statement out{fmt::format("switch ((uint)($0 & {}){}) {{", literal(type, mask), sparse ? " * 1000u" : ""),
                {std::move(value)},
                {},
                {}};
  flow.uniform = uniform;
  flow.barriers = flow.barriers && uniform;
  flow.in_switch = true;
  for (u32 i = 0; i < cases; ++i) {
    const u32 label = i * (sparse ? 1000 : 1);
    const bool last = i + 1 == cases;
    out.text += last && random.chance(70) ? "\ndefault: {" : fmt::format("\ncase {}: {{", label);
    out.text += fmt::format("\n@{}}}", i);
    if (!last && random.chance(75)) out.text += " break;";
    out.blocks.push_back(block(1 + random.below(2)));
  }
  out.text += "\n}";
  flow = outside;
  return out;
}

Statement Generator::array() {
  // Local to the work-item, of a size that the compiler keeps in registers or moves to private memory.
  static constexpr u32 counts[] = {2, 4, 8, 8, 16, 32};
  const Type type = random_type();
  u32 count = random.of(counts);
  while (count > 2 && count * type.bytes() > 128) count /= 2;
  const std::string variable = fresh("a");
  const std::string counter = fresh("i");
  const u64 repeat = flow.repeat;
  flow.repeat *= count;
  scope.variables.push_back({counter, {Scalar::u32, 1}, false, false});
  Expression value = expression(type, 2);
  scope.variables.pop_back();
  flow.repeat = repeat;
  Statement out{fmt::format("{0} {1}[{2}];\nfor (uint {3} = 0; {3} < {2}u; ++{3}) {1}[{3}] = $0;", name(type),
                            variable, count, counter),
                {std::move(value)},
                {},
                {}};
  out.simpler = fmt::format("{} {}[{}] = {{{}}};", name(type), variable, count, literal(type, 0));
  scope.arrays.push_back({variable, type, count, false, true, "private"});
  return out;
}

Statement Generator::structure() {
  if (structures.empty()) return declare();
  const Structure& structure = random.of(structures);
  std::vector<std::string> same;
  for (const Instance& instance : scope.instances) {
    if (instance.structure == structure.name) same.push_back(instance.name);
  }
  if (same.size() >= 2 && random.chance(40)) {
    const std::string to = random.of(same);
    const std::string from = random.of(same);
    return {fmt::format("{} = {};", to, from), {}, {}, {}};
  }
  const std::string variable = fresh("s");
  Statement out{fmt::format("{} {};", structure.name, variable), {}, {}, {}};
  for (const Variable& field : structure.fields) {
    out.text += fmt::format("\n{}.{} = ${};", variable, field.name, out.parts.size());
    out.parts.push_back(expression(field.type, 2));
  }
  for (const Variable& field : structure.fields)
    scope.variables.push_back({variable + "." + field.name, field.type, false, true});
  scope.instances.push_back({variable, structure.name});
  return out;
}

// A function that changes a structure through a pointer.
Statement Generator::call() {
  std::vector<const Callee*> able;
  for (const Callee& callee : callees) {
    if (callee.changes && spent + flow.repeat * callee.cost <= budget) able.push_back(&callee);
  }
  if (able.empty()) return assign();
  const Callee& callee = *random.of(able);
  std::vector<std::string> instances;
  for (const Instance& instance : scope.instances) {
    if (instance.structure == callee.structure) instances.push_back(instance.name);
  }
  if (instances.empty()) return structure();
  Statement out{fmt::format("{}(&{}", callee.name, random.of(instances)), {}, {}, {}};
  for (const Type& parameter : callee.parameters) {
    out.text += fmt::format(", ${}", out.parts.size());
    out.parts.push_back(expression(parameter, 2));
  }
  out.text += ");";
  spent += flow.repeat * callee.cost;
  return out;
}

// The work-item's own words of a global buffer: stores and loads of the same place, in several widths.
Statement Generator::memory() {
  if (kernel == nullptr) return assign();
  const std::string own = fmt::format("own{}", kernel->number);
  const std::string base = fmt::format("gid * {}u", own_words);
  const Type word{Scalar::u32, 1};
  const u32 what = random.below(6);
  if (what < 2) {
    Expression value = expression(word, depth_of_values);
    Expression place = index(own_words, 2);
    return {fmt::format("{}[{} + $1] {} $0;", own, base, what == 0 ? "=" : "+="),
            {std::move(value), std::move(place)},
            {},
            {}};
  }
  // A pointer to another scalar type than char's would break C's aliasing rules; vectors and chars may alias.
  static constexpr Type narrow[] = {{Scalar::u8, 1},  {Scalar::i8, 1}, {Scalar::i32, 1},
                                    {Scalar::u8, 2},  {Scalar::u8, 4}, {Scalar::u32, 2},
                                    {Scalar::i32, 4}, {Scalar::i8, 8}, {Scalar::i8, 16}};
  const Type type = random.of(narrow);
  const u32 places = own_words * 4 / type.bytes();
  const std::string pointer = fmt::format("((global {}*)({} + {}))", name(type), own, base);
  Expression place = index(places, 2);
  if (what < 4) {
    Expression value = expression(type, depth_of_values);
    return {fmt::format("{}[$1] = $0;", pointer), {std::move(value), std::move(place)}, {}, {}};
  }
  const std::string variable = fresh("v");
  scope.variables.push_back({variable, type, false, true});
  return {fmt::format("{} {} = {}[$0];", name(type), variable, pointer),
          {std::move(place)},
          {},
          fmt::format("{} {} = {};", name(type), variable, literal(type, 0))};
}

// break, continue or return, each under a condition.
Statement Generator::leave() {
  if (flow.loops != 0 && !flow.in_switch && random.chance(70)) {
    Expression test = condition(3);
    return {random.chance(60) ? "if ($0) break;" : "if ($0) continue;", {std::move(test)}, {}, {}};
  }
  if (flow.leave.empty() || flow.barriers) return assign();
  Statement out;
  out.parts.push_back(condition(3));
  if (flow.leave_value) out.parts.push_back(expression(flow.leave_type, depth_of_values - 1));
  out.text = "if ($0) {\n  " + flow.leave + "\n}";
  return out;
}

}  // namespace lockstep::generate
