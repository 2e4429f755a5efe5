// What looks at the whole function: dominators, loops, equal values, unused ones, what does not change in a
// loop. Dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
#include <algorithm>
#include <map>

#include "base/assert.h"
#include "time/program/nv/ir.h"

namespace lockstep::lowering {

bool is_pure(const Node& node) {
  return !node.effect && node.op != Op::phi && node.guard.node == none;
}

bool constant_of(const Function& function, const Ref& ref, u64& value) {
  if (ref.node == none) return false;
  const Node& node = function.nodes[ref.node];
  if (node.op != Op::constant || node.predicate) return false;
  value = node.value >> (32 * ref.part);
  if (ref.count == 1) value &= 0xFFFFFFFF;
  if ((ref.modifiers & Ref::negate) != 0)
    value = ref.count == 1 ? u64{static_cast<u32>(0 - value)} : 0 - value;
  return true;
}

std::vector<u32> use_counts(const Function& function) {
  std::vector<u32> uses(function.nodes.size(), 0);
  for (const Node& node : function.nodes) {
    if (node.dead) continue;
    for (const Ref& ref : node.in) ++uses[ref.node];
    if (node.guard.node != none) ++uses[node.guard.node];
  }
  return uses;
}

void drop_dead(Function& function) {
  std::vector<bool> live(function.nodes.size(), false);
  std::vector<u32> left;
  const auto mark = [&](const Ref& ref) {
    if (ref.node == none || live[ref.node]) return;
    live[ref.node] = true;
    left.push_back(ref.node);
  };
  for (u32 i = 0; i < function.nodes.size(); ++i) {
    const Node& node = function.nodes[i];
    // A load that nobody reads is left out, too.
    const bool needed = node.effect && !(node.op == Op::load && node.width != 0 && node.ptx != nullptr &&
                                         !node.ptx->policy.strong());
    if (!node.dead && needed && function.blocks[node.block].reached) mark({i});
  }
  while (!left.empty()) {
    const u32 number = left.back();
    left.pop_back();
    for (const Ref& ref : function.nodes[number].in) mark(ref);
    mark(function.nodes[number].guard);
  }
  for (u32 i = 0; i < function.nodes.size(); ++i) function.nodes[i].dead = !live[i];
  for (Block& block : function.blocks)
    std::erase_if(block.nodes, [&](u32 number) { return function.nodes[number].dead; });
}

void find_dominators(Function& function) {
  std::vector<u32> number(function.blocks.size(), none);
  for (u32 i = 0; i < function.order.size(); ++i) number[function.order[i]] = i;
  for (Block& block : function.blocks) block.dominator = none;
  function.blocks[function.order[0]].dominator = function.order[0];
  for (bool changed = true; changed;) {
    changed = false;
    for (const u32 b : function.order) {
      if (b == function.order[0]) continue;
      u32 fresh = none;
      for (const u32 before : function.blocks[b].before) {
        if (function.blocks[before].dominator == none) continue;
        u32 other = before;
        if (fresh == none) {
          fresh = other;
          continue;
        }
        while (fresh != other) {
          while (number[fresh] > number[other]) fresh = function.blocks[fresh].dominator;
          while (number[other] > number[fresh]) other = function.blocks[other].dominator;
        }
      }
      if (fresh != function.blocks[b].dominator) {
        function.blocks[b].dominator = fresh;
        changed = true;
      }
    }
  }
}

bool dominates(const Function& function, u32 above, u32 below) {
  while (true) {
    if (above == below) return true;
    const u32 up = function.blocks[below].dominator;
    if (up == below || up == none) return false;
    below = up;
  }
}

void find_loops(Function& function) {
  function.loops.clear();
  for (Block& block : function.blocks) {
    block.loop = none;
    block.depth = 0;
  }
  // Headers in order, so that outer loops come first.
  for (const u32 header : function.order) {
    std::vector<u32> left;
    for (const u32 before : function.blocks[header].before) {
      if (dominates(function, header, before)) left.push_back(before);
    }
    if (left.empty()) continue;
    Loop loop;
    loop.header = header;
    std::vector<bool> in(function.blocks.size(), false);
    in[header] = true;
    while (!left.empty()) {
      const u32 b = left.back();
      left.pop_back();
      if (in[b]) continue;
      in[b] = true;
      for (const u32 before : function.blocks[b].before) left.push_back(before);
    }
    for (u32 b = 0; b < in.size(); ++b) {
      if (in[b]) loop.blocks.push_back(b);
    }
    loop.parent = function.blocks[header].loop;
    loop.depth = loop.parent == none ? 1 : function.loops[loop.parent].depth + 1;
    u32 outside = none, count = 0;
    for (const u32 before : function.blocks[header].before) {
      if (in[before]) continue;
      outside = before;
      ++count;
    }
    if (count == 1 && function.blocks[outside].next.size() == 1) loop.preheader = outside;
    if (count == 1 && loop.preheader == none) loop.preheader = outside;  // its branch passes the loop by
    const u32 number = static_cast<u32>(function.loops.size());
    for (const u32 b : loop.blocks) {
      function.blocks[b].loop = number;
      function.blocks[b].depth = loop.depth;
    }
    function.loops.push_back(std::move(loop));
  }
}

void append(Function& function, u32 block, u32 number) {
  auto& list = function.blocks[block].nodes;
  auto at = list.end();
  if (!list.empty()) {
    const Op op = function.nodes[list.back()].op;
    if (op == Op::branch || op == Op::exit || op == Op::trap || op == Op::barrier) --at;
  }
  list.insert(at, number);
  function.nodes[number].block = block;
  function.nodes[number].from = function.blocks[block].end - 1;
}

void hoist(Function& function) {
  find_dominators(function);
  find_loops(function);
  for (std::size_t l = function.loops.size(); l-- > 0;) {
    const Loop& loop = function.loops[l];
    if (loop.preheader == none) continue;
    std::vector<bool> in(function.blocks.size(), false);
    for (const u32 b : loop.blocks) in[b] = true;
    for (bool changed = true; changed;) {
      changed = false;
      for (const u32 b : loop.blocks) {
        std::vector<u32> moved;
        for (const u32 number : function.blocks[b].nodes) {
          const Node& node = function.nodes[number];
          if (!is_pure(node) || node.dead || node.in.empty()) continue;
          const bool fixed = std::all_of(node.in.begin(), node.in.end(),
                                         [&](const Ref& ref) { return !in[function.at(ref).block]; });
          if (fixed) moved.push_back(number);
        }
        for (const u32 number : moved) {
          std::erase(function.blocks[b].nodes, number);
          append(function, loop.preheader, number);
          changed = true;
        }
      }
    }
  }
}

namespace {

// What a loop's own instruction can make by itself, or in a register less than keeping it takes.
bool is_made_again(const Function& function, const Node& node) {
  u64 c;
  if (node.dead || !is_pure(node) || node.in.size() != 2 || !constant_of(function, node.in[1], c))
    return false;
  if (node.op == Op::compare) return !node.real && node.bits == 32;
  const Node& index = function.at(node.in[0]);
  return node.op == Op::shl && node.width == 2 && c < 32 && (index.op == Op::zext || index.op == Op::sext) &&
         node.in[0].modifiers == 0;
}

}  // namespace

void sink(Function& function) {
  std::vector<std::vector<u32>> users(function.nodes.size());
  for (u32 i = 0; i < function.nodes.size(); ++i) {
    const Node& node = function.nodes[i];
    if (node.dead) continue;
    for (const Ref& ref : node.in) users[ref.node].push_back(i);
    if (node.guard.node != none) users[node.guard.node].push_back(i);
  }
  const u32 count = static_cast<u32>(function.nodes.size());
  for (u32 number = 0; number < count; ++number) {
    if (!is_made_again(function, function.nodes[number]) || users[number].empty()) continue;
    const u32 block = function.nodes[users[number][0]].block;
    if (function.blocks[block].depth <= function.blocks[function.nodes[number].block].depth) continue;
    // By one addition, or in one block.
    const bool shifts = function.nodes[number].op == Op::shl;
    const bool goes = std::all_of(users[number].begin(), users[number].end(), [&](u32 user) {
      const Node& by = function.nodes[user];
      return by.block == block && by.op != Op::phi &&
             (!shifts || (by.op == Op::add && by.width == 2 && users[number].size() == 1));
    });
    if (!goes) continue;
    Node& node = function.nodes[number];
    std::erase(function.blocks[node.block].nodes, number);
    auto& list = function.blocks[block].nodes;
    const auto at = std::find_if(list.begin(), list.end(), [&](u32 other) {
      return std::find(users[number].begin(), users[number].end(), other) != users[number].end();
    });
    node.block = block;
    node.from = function.nodes[*at].from;
    list.insert(at, number);
  }
}

}  // namespace lockstep::lowering
