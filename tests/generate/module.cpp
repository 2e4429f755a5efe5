// The frame: structures, tables, functions, kernels with their launches.
#include <fmt/format.h>

#include <algorithm>

#include "generator.h"
#include "inputs.h"
#include "types.h"

namespace lockstep::generate {
namespace {

struct Shape {
  std::array<u32, 2> local, groups;
};
constexpr Shape shapes_1d[] = {{{64, 1}, {2, 1}}, {{64, 1}, {3, 1}},  {{128, 1}, {2, 1}},
                               {{32, 1}, {4, 1}}, {{256, 1}, {1, 1}}, {{16, 1}, {5, 1}},
                               {{96, 1}, {2, 1}}, {{40, 1}, {3, 1}},  {{7, 1}, {9, 1}}};
constexpr Shape shapes_2d[] = {
    {{8, 8}, {2, 1}}, {{16, 4}, {1, 2}}, {{4, 8}, {3, 2}}, {{32, 2}, {2, 2}}, {{5, 6}, {2, 2}}};

}  // namespace

void Generator::make_globals() {
  const u32 count = 2;
  for (u32 i = 0; i < count; ++i) {
    Structure structure{fmt::format("struct r{}", i), {}};
    std::string text = structure.name + " {\n";
    const u32 fields = 2 + random.below(4);
    for (u32 field = 0; field < fields; ++field) {
      Type type = random_type();
      if (type.bytes() > 16) type.lanes = 1;
      const std::string field_name = fmt::format("m{}", field);
      text += fmt::format("  {} {};\n", name(type), field_name);
      structure.fields.push_back({field_name, type, false, true});
    }
    structures.push_back(structure);
    module.globals.push_back({fmt::format("r{}", i), text + "};"});
  }
  for (u32 i = 0; i < 4; ++i) {
    const u32 elements = 8u << random.below(2);
    Type type = i == 0 ? Type{Scalar::u32, 1} : random_type();
    if (type.lanes > 4) type.lanes = 4;
    const Array table{fmt::format("t{}", i), type, elements, true, false, "constant"};
    std::string values;
    for (u32 element = 0; element < elements; ++element) {
      Expression value = leaf(type, true);
      values += (element == 0 ? "" : ", ") + value.text;
    }
    module.globals.push_back(
        {table.name, fmt::format("constant {} {}[{}] = {{{}}};", name(type), table.name, elements, values)});
    tables.push_back(table);
  }
}

void Generator::make_function() {
  const u32 number = static_cast<u32>(module.functions.size());
  Callee callee;
  callee.name = fmt::format("f{}", number);
  callee.result = number % 2 == 0 ? Type{Scalar::u32, 1} : random_type();
  scope = {};
  flow = {};
  flow.uniform = false;
  budget = 600;
  spent = 0;
  Function function;
  function.name = callee.name;
  std::string parameters;
  if (random.chance(40)) {
    const Structure& structure = random.of(structures);
    callee.structure = structure.name;
    callee.changes = random.chance(50);
    parameters = fmt::format("{} {}p", structure.name, callee.changes ? "*" : "");
    for (const Variable& field : structure.fields)
      scope.variables.push_back({(callee.changes ? "p->" : "p.") + field.name, field.type, false, true});
    if (!callee.changes) scope.instances.push_back({"p", structure.name});
  }
  const u32 count = 1 + random.below(3);
  for (u32 i = 0; i < count; ++i) {
    const Type type = random_type();
    const std::string parameter = fmt::format("x{}", i);
    parameters += fmt::format("{}{} {}", parameters.empty() ? "" : ", ", name(type), parameter);
    callee.parameters.push_back(type);
    scope.variables.push_back({parameter, type, false, true});
  }
  const std::string result = callee.changes ? "void" : name(callee.result);
  function.head = fmt::format("{}{} {}({})", random.chance(50) ? "__attribute__((noinline)) " : "", result,
                              callee.name, parameters);
  flow.leave = callee.changes ? "return;" : "return $1;";
  flow.leave_value = !callee.changes;
  flow.leave_type = callee.result;
  const u32 statements = 2 + random.below(5);
  for (u32 i = 0; i < statements; ++i) function.body.push_back(statement());
  if (!callee.changes) {
    Expression value = expression(callee.result, 4);
    function.body.push_back({"return $0;", {std::move(value)}, {}, {}, true});
  }
  callee.cost = spent;
  module.functions.push_back(std::move(function));
  callees.push_back(callee);
}

void Generator::make_kernel(u32 number) {
  Kernel made;
  made.number = number;
  made.dimensions = random.chance(25) ? 2 : 1;
  const Shape& shape = made.dimensions == 2 ? random.of(shapes_2d) : random.of(shapes_1d);
  made.local = shape.local;
  made.groups = shape.groups;
  if (random.chance(15)) made.offset[0] = 1 + random.below(100);
  made.required_size = random.chance(25);
  made.value = random_type();
  kernel = &made;
  scope = {};
  flow = {};
  budget = 6000;
  spent = 0;
  for (const Input& input : inputs) {
    if (integers && !is_integer(input.type)) continue;
    if (input.buffer) {
      scope.arrays.push_back({std::string(input.name), input.type, input_count, true, false, "global const"});
    } else {
      scope.variables.push_back({std::string(input.name), input.type, true, false});
    }
  }
  constexpr Type word{Scalar::u32, 1};
  scope.variables.push_back({"gid", word, false, false});
  scope.variables.push_back({"lid", word, false, false});
  const std::string finish = fmt::format("hash{0}[gid] = h;", number);
  // Statements in which all work-items take part, then statements in which some may have ended.
  flow.barriers = true;
  const u32 together = 5 + random.below(8);
  for (u32 i = 0; i < together; ++i) made.body.push_back(statement());
  flow.barriers = false;
  flow.leave = finish + "\n  return;";
  const u32 apart = 3 + random.below(8);
  for (u32 i = 0; i < apart; ++i) made.body.push_back(statement());
  Expression value = expression(made.value, 4);
  made.body.push_back({fmt::format("value{}[gid] = $0;", number), {std::move(value)}, {}, {}});
  for (const Variable& variable : scope.variables) {
    if (variable.writable) made.body.push_back(observe(Expression{variable.type, variable.name, {}}));
  }
  made.body.push_back({finish, {}, {}, {}});
  kernel = nullptr;
  module.kernels.push_back(std::move(made));
}

Module generate(u64 seed, u32 kernels, bool integers) {
  Generator generator;
  generator.integers = integers;
  generator.random.state = seed * 0x2545F4914F6CDD1Dull;
  generator.module.seed = seed;
  generator.budget = 1000;
  generator.make_globals();
  for (u32 i = 0; i < 5; ++i) generator.make_function();
  for (u32 i = 0; i < kernels; ++i) {
    generator.random.state = (seed * 1000 + i) * 0x2545F4914F6CDD1Dull;
    generator.make_kernel(i);
  }
  return std::move(generator.module);
}

}  // namespace lockstep::generate
