// Where lanes of a function that part meet again: immediate post-dominators. Those after Cooper, Harvey and
// Kennedy, "A Simple, Fast Dominance Algorithm".
#include <algorithm>

#include "isa/nv/control.h"
#include "isa/nv/flow_graph.h"

namespace lockstep::nv {
namespace {

bool is_exit(const Lowered& lowered) {
  return lowered.in.meaning == &exit_lanes() || lowered.in.meaning == &trap() ||
         lowered.in.meaning == &return_from_call();
}
// Immediate post-dominators by block; the virtual block behind the given ends is blocks.size(), no_index
// where a block reaches none of them.
std::vector<u32> post_dominators(const Graph& graph, const std::vector<u32>& ends) {
  const u32 count = static_cast<u32>(graph.blocks.size()), virtual_end = count;
  // Reverse post-order of the reversed graph, from the ends.
  std::vector<u32> order, number(count + 1, no_index);
  std::vector<std::pair<u32, u32>> stack;
  std::vector<bool> seen(count, false);
  std::vector<u32> finished;
  for (const u32 first : ends) {
    if (seen[first]) continue;
    seen[first] = true;
    stack.push_back({first, 0});
    while (!stack.empty()) {
      auto& [block, at] = stack.back();
      if (at < graph.blocks[block].before.size()) {
        const u32 to = graph.blocks[block].before[at++];
        if (!seen[to]) {
          seen[to] = true;
          stack.push_back({to, 0});
        }
      } else {
        finished.push_back(block);
        stack.pop_back();
      }
    }
  }
  order.assign(finished.rbegin(), finished.rend());
  number[virtual_end] = 0;
  for (u32 i = 0; i < order.size(); ++i) number[order[i]] = i + 1;
  std::vector<u32> dominator(count + 1, no_index);
  dominator[virtual_end] = virtual_end;
  const auto meet_of = [&](u32 a, u32 b) {
    while (a != b) {
      while (number[a] > number[b]) a = dominator[a];
      while (number[b] > number[a]) b = dominator[b];
    }
    return a;
  };
  std::vector<bool> is_end(count, false);
  for (const u32 b : ends) is_end[b] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (const u32 b : order) {
      u32 fresh = is_end[b] ? virtual_end : no_index;
      for (const u32 n : graph.blocks[b].next) {
        if (dominator[n] == no_index) continue;
        fresh = fresh == no_index ? n : meet_of(fresh, n);
      }
      if (fresh != dominator[b]) {
        dominator[b] = fresh;
        changed = true;
      }
    }
  }
  return dominator;
}

// How many blocks reach the end.
u32 reaching(const Graph& graph, u32 end) {
  std::vector<bool> seen(graph.blocks.size(), false);
  std::vector<u32> left{end};
  seen[end] = true;
  u32 count = 0;
  while (!left.empty()) {
    const u32 block = left.back();
    left.pop_back();
    ++count;
    for (const u32 to : graph.blocks[block].before) {
      if (seen[to]) continue;
      seen[to] = true;
      left.push_back(to);
    }
  }
  return count;
}

// Where the lanes that part at a block's end meet: its immediate post-dominator. Lanes that end on their way
// do not meet anybody: of several ends the one that most blocks reach counts, the others (the "exit" that
// LLVM writes where code is unreachable, a trap) only for blocks that lead nowhere else.
std::vector<u32> meeting_blocks(const Graph& graph, const std::vector<Lowered>& code) {
  std::vector<u32> ends;
  u32 most = 0, chosen = 0;
  for (u32 b = 0; b < graph.blocks.size(); ++b) {
    const Lowered& last = code[graph.blocks[b].end - 1];
    if (last.ends && is_exit(last)) ends.push_back(b);
  }
  std::vector<u32> meetings = post_dominators(graph, ends);
  if (ends.size() < 2) return meetings;
  for (const u32 end : ends) {
    const u32 count = reaching(graph, end);
    if (count > most) chosen = end;
    most = std::max(most, count);
  }
  const std::vector<u32> of_chosen = post_dominators(graph, {chosen});
  for (u32 b = 0; b < graph.blocks.size(); ++b) {
    if (of_chosen[b] != no_index) meetings[b] = of_chosen[b];
  }
  return meetings;
}

struct Loop {
  u32 header = 0;
  std::vector<bool> in;       // by block
  std::vector<u32> meetings;  // by block: where those that stay in the loop meet again; no_index: its header
  std::vector<bool> apart;    // by block: whether they do not meet at the header
};

// By block of a turn: whether it leads to the header both by ways that seem to leave the loop, with a branch
// that goes one way always, and by others. ptxas 13.0 gives the former a block of their own in front of the
// header, before it sees that they do not leave, and no lane waits for those on the other ways: 27 loops on
// an H200 (experiments/h200-timing/loops.py). `decided`, by block: those branches.
std::vector<bool> apart_at_header(const Graph& graph, const Graph& turn, const Loop& loop,
                                  const std::vector<u32>& ends, const std::vector<bool>& decided) {
  const auto reaching_any = [&](std::vector<u32> left) {
    std::vector<bool> seen(turn.blocks.size());
    while (!left.empty()) {
      const u32 b = left.back();
      left.pop_back();
      if (seen[b]) continue;
      seen[b] = true;
      left.insert(left.end(), turn.blocks[b].before.begin(), turn.blocks[b].before.end());
    }
    return seen;
  };
  std::vector<u32> seeming, others;
  for (const u32 end : ends) {
    // Its own way, from the last branch on.
    u32 b = end;
    while (!decided[b] && turn.blocks[b].before.size() == 1 &&
           graph.blocks[turn.blocks[b].before.front()].next.size() == 1)
      b = turn.blocks[b].before.front();
    if (!decided[b] && turn.blocks[b].before.size() == 1 && decided[turn.blocks[b].before.front()])
      b = turn.blocks[b].before.front();
    const auto& next = graph.blocks[b].next;
    const bool leaves = std::any_of(next.begin(), next.end(), [&](u32 n) { return !loop.in[n]; });
    (decided[b] && leaves ? seeming : others).push_back(end);
  }
  std::vector<bool> result = reaching_any(seeming);
  const std::vector<bool> by_others = reaching_any(others);
  for (u32 b = 0; b < result.size(); ++b) result[b] = result[b] && by_others[b];
  return result;
}

// Natural loops, small ones first. Those of one header are one. None where there are so many that going over
// the blocks for each would take a program's loading too long: no compiler's output comes near. `decided` as
// above, or empty.
std::vector<Loop> loops_of(const Graph& graph, const std::vector<bool>& decided) {
  constexpr u64 most_work = u64{1} << 24;
  Graph reversed = graph;
  for (Block& block : reversed.blocks) std::swap(block.next, block.before);
  const std::vector<u32> dominator = post_dominators(reversed, {0});
  // How deep each lies in the tree of dominators.
  std::vector<u32> level(graph.blocks.size() + 1, no_index), path;
  level.back() = 0;
  for (u32 b = 0; b < graph.blocks.size(); ++b) {
    for (u32 at = b; at != no_index && level[at] == no_index; at = dominator[at]) path.push_back(at);
    for (; !path.empty(); path.pop_back()) {
      const u32 above = dominator[path.back()];
      level[path.back()] = above == no_index ? 0 : level[above] + 1;
    }
  }
  const auto dominates = [&](u32 above, u32 below) {
    while (level[below] > level[above]) below = dominator[below];
    return below == above;
  };
  std::vector<Loop> loops;
  for (u32 header = 0; header < graph.blocks.size(); ++header) {
    std::vector<u32> left;
    for (const u32 b : graph.blocks[header].before) {
      if (dominator[b] != no_index && dominates(header, b)) left.push_back(b);
    }
    if (left.empty()) continue;
    if ((loops.size() + 1) * graph.blocks.size() > most_work) return {};
    const std::vector<u32> ends = left;
    Loop loop{header, std::vector<bool>(graph.blocks.size(), false), {}, {}};
    loop.in[header] = true;
    while (!left.empty()) {
      const u32 b = left.back();
      left.pop_back();
      if (loop.in[b]) continue;
      loop.in[b] = true;
      for (const u32 before : graph.blocks[b].before) left.push_back(before);
    }
    // One turn of it, without what leaves.
    Graph turn = graph;
    for (u32 b = 0; b < graph.blocks.size(); ++b) {
      std::erase_if(turn.blocks[b].next, [&](u32 n) { return !loop.in[b] || !loop.in[n] || n == header; });
      std::erase_if(turn.blocks[b].before, [&](u32 n) { return !loop.in[b] || !loop.in[n] || b == header; });
    }
    loop.meetings = post_dominators(turn, ends);
    for (u32& at : loop.meetings) at = at < graph.blocks.size() ? at : no_index;
    loop.apart = decided.empty() ? std::vector<bool>(graph.blocks.size())
                                 : apart_at_header(graph, turn, loop, ends, decided);
    loops.push_back(std::move(loop));
  }
  const auto size = [](const Loop& loop) { return std::count(loop.in.begin(), loop.in.end(), true); };
  std::stable_sort(loops.begin(), loops.end(),
                   [&](const Loop& a, const Loop& b) { return size(a) < size(b); });
  return loops;
}

// Where lanes that part at a block's end meet, outermost first, and in how many loops of that block each
// place lies.
struct Meetings {
  std::vector<std::pair<u32, u32>> places;
};

// Lanes that stay in a loop meet in it before its next turn, though others leave it on the way: without that
// the two sides of a branch of which one may leave would go through the rest of their turns one after the
// other. `in_loops`, by loop: such places. So do ptxas' BSSY and BSYNC, with BREAK where lanes leave.
std::vector<Meetings> all_meetings(const Graph& graph, const std::vector<u32>& behind,
                                   const std::vector<bool>& parts, const std::vector<Loop>& loops,
                                   std::vector<std::vector<u32>>& in_loops) {
  const u32 count = static_cast<u32>(graph.blocks.size());
  std::vector<Meetings> result(count);
  in_loops.assign(loops.size(), {});
  for (u32 b = 0; b < count; ++b) {
    if (!parts[b]) continue;
    const u32 at = behind[b] < count ? behind[b] : no_index;
    const auto add = [&](u32 place) {
      u32 depth = 0;
      for (const Loop& loop : loops) depth += loop.in[b] && loop.in[place] ? 1 : 0;
      auto& places = result[b].places;
      if (places.empty() || places.back().first != place) places.push_back({place, depth});
    };
    if (at != no_index) add(at);
    // The smallest loop in which two sides stay, and those around it.
    u32 first = no_index;
    for (u32 l = 0; l < loops.size() && first == no_index; ++l) {
      if (!loops[l].in[b]) continue;
      if (at != no_index && loops[l].in[at]) break;
      const auto& next = graph.blocks[b].next;
      if (std::count_if(next.begin(), next.end(), [&](u32 n) { return loops[l].in[n]; }) > 1) first = l;
    }
    for (u32 l = static_cast<u32>(loops.size()); first != no_index && l-- > first;) {
      if (!loops[l].in[b] || (at != no_index && loops[l].in[at])) continue;
      if (loops[l].meetings[b] == no_index && loops[l].apart[b]) continue;
      const u32 place = loops[l].meetings[b] == no_index ? loops[l].header : loops[l].meetings[b];
      add(place);
      in_loops[l].push_back(place);
    }
  }
  return result;
}

// By block: whether its branch goes one way always, as its predicate is set once, to a constant.
std::vector<bool> decided_branches(const Graph& graph, const LoweredFunction& function) {
  std::vector<u32> writes(function.registers.size()), constants(function.registers.size());
  for (const Lowered& lowered : function.code) {
    bool constant = lowered.guard == no_index && lowered.wide_results.empty();
    for (u32 slot = 0; slot < lowered.in.operand.size(); ++slot) {
      const OperandKind kind = lowered.in.operand[slot].kind;
      constant &=
          ((lowered.defined >> slot) & 1) != 0 || kind == OperandKind::none || kind == OperandKind::immediate;
    }
    for_registers(lowered, [&](u32 reg, bool written) {
      writes[reg] += written ? 1 : 0;
      constants[reg] += written && constant ? 1 : 0;
    });
  }
  std::vector<bool> decided(graph.blocks.size());
  for (u32 b = 0; b < graph.blocks.size(); ++b) {
    const Lowered& last = function.code[graph.blocks[b].end - 1];
    decided[b] =
        last.conditional && last.guard != no_index && writes[last.guard] == 1 && constants[last.guard] == 1;
  }
  return decided;
}

bool is_atomic(const Instruction& in) {
  return in.cost == Cost::vmem_atomic || in.cost == Cost::lds_atomic;
}
bool is_watched_load(const Instruction& in) {
  return (in.cost == Cost::vmem_load || in.cost == Cost::lds_load) &&
         (in.policy.strong() || in.policy.has(AccessPolicy::is_volatile));
}

// Whether lanes leave the loop by what atomics or loads that others' stores may change have brought in it (in
// `own` blocks, by block): by their registers, what is computed with them, and what is written where a branch
// by them leads.
bool leaves_by_memory(const Graph& graph, const LoweredFunction& function, const Loop& loop,
                      const std::vector<bool>& own) {
  std::vector<bool> follows(function.registers.size()), all_written(graph.blocks.size());
  bool changed = true;
  const auto mark = [&](u32 reg) {
    changed |= !follows[reg];
    follows[reg] = true;
  };
  // What is written on the way to where the sides of a branch meet, or to the next turn.
  const auto mark_ways = [&](u32 branch) {
    std::vector<bool> seen(graph.blocks.size());
    std::vector<u32> left = graph.blocks[branch].next;
    while (!left.empty()) {
      const u32 b = left.back();
      left.pop_back();
      if (!loop.in[b] || seen[b] || b == loop.header || b == loop.meetings[branch]) continue;
      seen[b] = true;
      changed |= !all_written[b];
      all_written[b] = true;
      left.insert(left.end(), graph.blocks[b].next.begin(), graph.blocks[b].next.end());
    }
  };
  constexpr u32 most_passes = 64;  // more than compilers' loops take
  for (u32 pass = 0; changed && pass < most_passes; ++pass) {
    changed = false;
    for (u32 b = 0; b < graph.blocks.size(); ++b) {
      if (!loop.in[b]) continue;
      for (u32 i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i) {
        const Lowered& lowered = function.code[i];
        bool from_memory =
            all_written[b] || (own[b] && (is_atomic(lowered.in) || is_watched_load(lowered.in)));
        for_registers(lowered, [&](u32 reg, bool written) { from_memory |= !written && follows[reg]; });
        if (!from_memory) continue;
        for_registers(lowered, [&](u32 reg, bool written) {
          if (written) mark(reg);
        });
      }
      const Lowered& last = function.code[graph.blocks[b].end - 1];
      if (last.guard == no_index || !last.conditional || !follows[last.guard]) continue;
      if (std::ranges::any_of(graph.blocks[b].next, [&](u32 n) { return !loop.in[n]; })) return true;
      mark_ways(b);
    }
  }
  return false;
}

// By loop: whether ptxas 13.0 lets it yield (YIELD): for 9.0 where lanes leave it by what atomics or volatile
// or strong loads have brought, before that wherever it has any.
std::vector<bool> yielding_loops(const Graph& graph, const LoweredFunction& function,
                                 const std::vector<Loop>& loops, u32 major) {
  std::vector<bool> result(loops.size()), watches(loops.size());
  std::vector<u32> smallest(graph.blocks.size(), no_index);
  for (u32 b = 0; b < graph.blocks.size(); ++b) {
    const auto own = std::ranges::find_if(loops, [&](const Loop& loop) { return loop.in[b]; });
    if (own == loops.end()) continue;
    smallest[b] = static_cast<u32>(own - loops.begin());
    for (u32 i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i) {
      const Instruction& in = function.code[i].in;
      if (is_atomic(in) || is_watched_load(in)) watches[smallest[b]] = true;
    }
  }
  for (u32 l = 0; l < loops.size(); ++l) {
    if (!watches[l]) continue;
    std::vector<bool> own(graph.blocks.size());
    for (u32 b = 0; b < graph.blocks.size(); ++b) own[b] = smallest[b] == l;
    result[l] = major < 9 || leaves_by_memory(graph, function, loops[l], own);
  }
  return result;
}

}  // namespace

void add_meetings(LoweredFunction& function, u32 major) {
  const bool independent = major >= 7;
  std::vector<Lowered>& code = function.code;
  const Graph graph = graph_of(code);
  const u32 blocks = static_cast<u32>(graph.blocks.size());
  std::vector<bool> parts(blocks);
  for (u32 b = 0; b < blocks; ++b) {
    const Lowered& last = code[graph.blocks[b].end - 1];
    parts[b] = last.conditional || last.targets.size() > 1;
  }
  const std::vector<Loop> loops =
      loops_of(graph, independent ? decided_branches(graph, function) : std::vector<bool>{});
  std::vector<std::vector<u32>> in_loops;
  const std::vector<u32> behind = meeting_blocks(graph, code);
  const std::vector<bool> yields =
      independent ? yielding_loops(graph, function, loops, major) : std::vector<bool>(loops.size());
  const std::vector<Meetings> list = all_meetings(graph, behind, parts, loops, in_loops);
  const bool any_in_loop =
      std::any_of(in_loops.begin(), in_loops.end(), [](const auto& places) { return !places.empty(); });
  std::vector<bool> meets(code.size(), false), yields_at(code.size(), false);
  for (std::size_t l = 0; l < loops.size(); ++l) {
    if (yields[l]) yields_at[graph.blocks[loops[l].header].begin] = true;
  }
  std::vector<u32> meeting(code.size(), no_index);
  for (u32 b = 0; b < blocks; ++b) {
    for (const auto& [place, depth] : list[b].places) {
      const u32 at = graph.blocks[place].begin, last = graph.blocks[b].end - 1;
      meets[at] = true;
      meeting[last] = at;
      if (!any_in_loop) continue;
      code[last].meetings.push_back(at);
      code[last].meetings.push_back(depth);
    }
  }
  // Who leaves a loop is no longer waited for at its places.
  std::vector<std::vector<u32>> left(blocks);
  for (u32 l = 0; l < loops.size(); ++l) {
    if (in_loops[l].empty()) continue;
    for (u32 b = 0; b < blocks; ++b) {
      for (const u32 n : graph.blocks[b].next) {
        if (loops[l].in[b] && !loops[l].in[n]) meets[graph.blocks[n].begin] = true;
      }
      if (loops[l].in[b]) continue;
      for (const u32 place : in_loops[l]) left[b].push_back(graph.blocks[place].begin);
    }
  }
  for (u32 i = 0; i < code.size(); ++i) {
    if (!code[i].indirect) continue;
    meets[i + 1] = true;  // a call is never the last
    meeting[i] = i + 1;
  }
  std::vector<u32> moved(code.size() + 1, 0);
  std::vector<Lowered> fresh;
  for (u32 i = 0; i < code.size(); ++i) {
    moved[i] = static_cast<u32>(fresh.size());
    const bool in_front = independent && code[i].in.meaning == &group_barrier();
    if (meets[i] || yields_at[i] || in_front) {
      Lowered lowered;
      lowered.in.meaning = &meet();
      lowered.in.cost = Cost::nop;
      lowered.in.detail = (meets[i] ? lanes_meet : 0) | (yields_at[i] ? turn_yields : 0);
      if (in_front) {
        lowered.in.detail |= in_front_of_barrier;
        lowered.in.operand[1] = code[i].in.operand[1];
      }
      lowered.statement = code[i].statement;
      if (meets[i]) lowered.meetings = left[graph.block_of[i]];
      fresh.push_back(std::move(lowered));
    }
    fresh.push_back(std::move(code[i]));
  }
  u32 old = 0;
  for (Lowered& lowered : fresh) {
    if (lowered.in.meaning == &meet()) {
      for (u32& place : lowered.meetings) place = moved[place];
      std::sort(lowered.meetings.begin(), lowered.meetings.end());
      const auto last = std::unique(lowered.meetings.begin(), lowered.meetings.end());
      lowered.meetings.erase(last, lowered.meetings.end());
      continue;
    }
    const u32 index = old++;
    for (std::size_t k = 0; k < lowered.meetings.size(); k += 2)
      lowered.meetings[k] = moved[lowered.meetings[k]];
    if (lowered.target != no_index) lowered.target = moved[lowered.target];
    for (u32& target : lowered.targets) target = moved[target];
    if (is_branch(lowered) || lowered.indirect) {
      lowered.in.operand[2].kind = OperandKind::immediate;
      lowered.in.operand[2].value = meeting[index] == no_index ? nowhere : moved[meeting[index]];
    }
  }
  code = std::move(fresh);
}

}  // namespace lockstep::nv
