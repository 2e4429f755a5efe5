#include "shrink.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "types.h"

namespace lockstep::generate {
namespace {

struct Reduction {
  Module module;
  const Shows& shows;
  u32 left;                     // calls
  std::string text;             // the module's, once something was taken
  std::set<std::string> known;  // texts that do not show it

  // Whether the changed module is taken.
  bool take(Module& changed) {
    if (left == 0) return false;
    std::string smaller = print(changed);
    if (known.contains(smaller)) return false;
    // What is not printed (a function that is not called) needs no test.
    if (smaller != text) {
      --left;
      if (!shows(changed)) {
        known.insert(std::move(smaller));
        return false;
      }
    }
    module = std::move(changed);
    text = std::move(smaller);
    return true;
  }
};

void collect(Block& block, std::vector<Block*>& blocks) {
  blocks.push_back(&block);
  for (Statement& statement : block) {
    for (Block& inner : statement.blocks) collect(inner, blocks);
  }
}

std::vector<Block*> blocks_of(Module& module) {
  std::vector<Block*> blocks;
  for (Kernel& kernel : module.kernels) collect(kernel.body, blocks);
  for (Function& function : module.functions) collect(function.body, blocks);
  return blocks;
}

void collect(Expression& expression, std::vector<Expression*>& all) {
  all.push_back(&expression);
  for (Expression& part : expression.parts) collect(part, all);
}

std::vector<Expression*> expressions_of(Module& module) {
  std::vector<Expression*> all;
  for (Block* block : blocks_of(module)) {
    for (Statement& statement : *block) {
      for (Expression& part : statement.parts) collect(part, all);
    }
  }
  return all;
}

bool reduce_kernels(Reduction& reduction) {
  bool changed = false;
  for (std::size_t i = 0; i < reduction.module.kernels.size() && reduction.module.kernels.size() > 1;) {
    Module smaller = reduction.module;
    smaller.kernels.erase(smaller.kernels.begin() + static_cast<std::ptrdiff_t>(i));
    if (reduction.take(smaller)) {
      changed = true;
    } else {
      ++i;
    }
  }
  for (std::size_t i = 0; i < reduction.module.kernels.size(); ++i) {
    Module smaller = reduction.module;
    Kernel& kernel = smaller.kernels[i];
    kernel.groups = {1, 1};
    kernel.offset = {0, 0};
    kernel.required_size = false;
    changed |= reduction.take(smaller);
  }
  return changed;
}

// Leaves out runs of statements: halves of a block first, single ones last.
bool remove_statements(Reduction& reduction) {
  bool changed = false;
  for (std::size_t b = 0; b < blocks_of(reduction.module).size(); ++b) {
    std::size_t run = blocks_of(reduction.module)[b]->size();
    for (; run != 0; run /= 2) {
      for (std::size_t end = blocks_of(reduction.module)[b]->size(); end != 0;) {
        const std::size_t begin = end > run ? end - run : 0;
        Module smaller = reduction.module;
        Block& block = *blocks_of(smaller)[b];
        Block rest;
        for (std::size_t i = 0; i < block.size(); ++i) {
          if (i < begin || i >= end || block[i].kept) rest.push_back(block[i]);
        }
        if (rest.size() != block.size()) {
          block = std::move(rest);
          changed |= reduction.take(smaller);
        }
        end = begin;
      }
    }
  }
  return changed;
}

// A statement becomes its declarations and one or all of its blocks.
bool open_statements(Reduction& reduction) {
  bool changed = false;
  for (std::size_t b = 0; b < blocks_of(reduction.module).size(); ++b) {
    for (std::size_t i = 0; i < blocks_of(reduction.module)[b]->size(); ++i) {
      const Statement statement = (*blocks_of(reduction.module)[b])[i];
      if (statement.kept || (statement.blocks.empty() && statement.simpler.empty())) continue;
      for (std::size_t inner = 0; inner < std::max<std::size_t>(statement.blocks.size(), 1); ++inner) {
        Module smaller = reduction.module;
        Block& block = *blocks_of(smaller)[b];
        Block middle;
        if (!statement.simpler.empty()) middle.push_back({statement.simpler, {}, {}, {}});
        if (!statement.blocks.empty())
          middle.insert(middle.end(), statement.blocks[inner].begin(), statement.blocks[inner].end());
        const auto place = block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
        block.insert(place, middle.begin(), middle.end());
        if (reduction.take(smaller)) {
          changed = true;
          break;
        }
      }
    }
  }
  return changed;
}

// What may stand in an expression's place, the simplest first.
std::vector<Expression> simpler(const Expression& expression) {
  const Type& type = expression.type;
  std::vector<Expression> result;
  const Expression none = zero(type);
  if (expression.parts.empty() && expression.text == none.text) return result;
  result.push_back(none);
  const Expression unit = one(type);
  if (expression.parts.empty() && expression.text == unit.text) return result;
  result.push_back(unit);
  for (const Expression& part : expression.parts) {
    if (part.type == type) {
      result.push_back(part);
    } else if (is_integer(type) && is_integer(part.type) && part.type.lanes == type.lanes) {
      result.push_back({type, fmt::format("convert_{}($0)", name(type)), {part}});
    } else if (part.type.scalar == type.scalar && type.lanes == 1) {
      result.push_back({type, "($0).s0", {part}});
    } else if (part.type.scalar == type.scalar && part.type.lanes == 1) {
      result.push_back({type, fmt::format("({})($0)", name(type)), {part}});
    }
  }
  return result;
}

bool simplify_expressions(Reduction& reduction) {
  bool changed = false;
  for (std::size_t e = 0; e < expressions_of(reduction.module).size(); ++e) {
    for (bool again = true; again;) {
      again = false;
      for (const Expression& candidate : simpler(*expressions_of(reduction.module)[e])) {
        Module smaller = reduction.module;
        Expression& place = *expressions_of(smaller)[e];
        if (place.text == candidate.text && place.parts.size() == candidate.parts.size()) continue;
        place = candidate;
        if (!reduction.take(smaller)) continue;
        changed = again = true;
        break;
      }
    }
  }
  return changed;
}

}  // namespace

Module shrink(Module module, const Shows& shows, u32 tests) {
  Reduction reduction{std::move(module), shows, tests, {}, {}};
  reduce_kernels(reduction);
  for (bool changed = true; changed && reduction.left != 0;) {
    changed = remove_statements(reduction);
    changed |= open_statements(reduction);
    changed |= remove_statements(reduction);
    changed |= simplify_expressions(reduction);
  }
  return std::move(reduction.module);
}

}  // namespace lockstep::generate
