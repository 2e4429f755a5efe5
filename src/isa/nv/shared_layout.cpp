#include "isa/nv/shared_layout.h"

#include <algorithm>
#include <set>

#include "base/align.h"

namespace lockstep::nv {
namespace {

bool is_shared(const ModuleTree& tree, u32 variable) {
  return tree.variables[variable].space == StateSpace::shared;
}

// What a function names.
struct Named {
  std::set<u32> variables;  // shared ones
  std::set<u32> functions;
  bool calls_pointers = false;
};

void add_names(const ModuleTree& tree, const OperandTree& operand, Named& named) {
  if (operand.kind == OperandTree::Kind::variable && is_shared(tree, operand.index))
    named.variables.insert(operand.index);
  if (operand.kind == OperandTree::Kind::name) {
    const auto found = tree.function_named.find(operand.name);
    if (found != tree.function_named.end()) named.functions.insert(found->second);
  }
  for (const OperandTree& part : operand.parts) add_names(tree, part, named);
}

Named names_of(const ModuleTree& tree, const FunctionTree& function, std::set<u32>& pointed) {
  Named named;
  for (const u32 local : function.locals) {
    if (is_shared(tree, local)) named.variables.insert(local);
  }
  for (const Statement& statement : function.body) {
    const bool call = !statement.words.empty() && statement.words[0] == "call";
    Named here;
    for (const OperandTree& operand : statement.operands) {
      add_names(tree, operand, here);
      named.calls_pointers |= call && operand.kind == OperandTree::Kind::reg;
    }
    if (!call) pointed.insert(here.functions.begin(), here.functions.end());
    named.variables.merge(here.variables);
    named.functions.merge(here.functions);
  }
  return named;
}

struct Reach {
  std::vector<std::set<u32>> kernels_of;       // by variable: the kernels that may reach it
  std::vector<std::vector<u32>> variables_of;  // by function, for kernels
};

Reach reach(const ModuleTree& tree) {
  // Functions and variables whose addresses are taken where nobody sees who uses them.
  std::set<u32> pointed, stored;
  for (const Variable& variable : tree.variables) {
    for (const InitialValue& value : variable.initial) {
      if (const auto found = tree.function_named.find(value.symbol); found != tree.function_named.end())
        pointed.insert(found->second);
      const auto found = tree.variable_named.find(value.symbol);
      if (found != tree.variable_named.end() && is_shared(tree, found->second)) stored.insert(found->second);
    }
  }
  std::vector<Named> named;
  for (const FunctionTree& function : tree.functions) named.push_back(names_of(tree, function, pointed));
  Reach made{std::vector<std::set<u32>>(tree.variables.size()),
             std::vector<std::vector<u32>>(tree.functions.size())};
  for (u32 kernel = 0; kernel < tree.functions.size(); ++kernel) {
    if (!tree.functions[kernel].kernel || !tree.functions[kernel].defined) continue;
    std::vector<u32> list = {kernel};
    std::set<u32> seen = {kernel}, variables = stored;
    const auto add = [&](const std::set<u32>& functions) {
      for (const u32 function : functions) {
        if (seen.insert(function).second) list.push_back(function);
      }
    };
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Named& one = named[list[i]];
      variables.insert(one.variables.begin(), one.variables.end());
      add(one.functions);
      if (one.calls_pointers) add(pointed);
    }
    for (const u32 variable : variables) made.kernels_of[variable].insert(kernel);
    made.variables_of[kernel].assign(variables.begin(), variables.end());
  }
  return made;
}

}  // namespace

void lay_out_shared(const ModuleTree& tree, Layout& layout) {
  const Reach reached = reach(tree);
  std::vector<u32> order;
  for (u32 i = 0; i < tree.variables.size(); ++i) {
    if (is_shared(tree, i) && !tree.variables[i].unsized) order.push_back(i);
  }
  // What most kernels have comes first, so that it leaves no gaps in any of them.
  std::stable_sort(order.begin(), order.end(),
                   [&](u32 a, u32 b) { return reached.kernels_of[a].size() > reached.kernels_of[b].size(); });
  // By kernel: where the variables that it has so far end.
  std::vector<u64> end(tree.functions.size(), 0);
  for (const u32 variable : order) {
    u64 at = 0;
    for (const u32 kernel : reached.kernels_of[variable]) at = std::max(at, end[kernel]);
    at = align_up(at, std::max(tree.variables[variable].align, 1u));
    layout.address[variable] = at;
    for (const u32 kernel : reached.kernels_of[variable]) end[kernel] = at + tree.variables[variable].bytes;
  }
  for (u32 kernel = 0; kernel < tree.functions.size(); ++kernel) {
    u64 align = 1;
    for (const u32 variable : reached.variables_of[kernel]) {
      if (tree.variables[variable].unsized) align = std::max<u64>(align, tree.variables[variable].align);
    }
    end[kernel] = align_up(end[kernel], align);
  }
  for (u32 i = 0; i < tree.variables.size(); ++i) {
    if (is_shared(tree, i) && tree.variables[i].unsized) layout.address[i] = 0;
  }
  layout.shared_bytes = std::move(end);
}

}  // namespace lockstep::nv
