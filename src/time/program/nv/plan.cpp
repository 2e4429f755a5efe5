#include "time/program/nv/plan.h"

#include <algorithm>

#include "isa/nv/control.h"
#include "isa/nv/wave.h"
#include "isa/semantic.h"

namespace lockstep::lowering {
namespace {

// Where the lanes that part at a branch meet again, outermost first.
std::vector<u32> meetings_of(const Function& f, const Instruction& branch) {
  std::vector<u32> places;
  const auto add = [&](u64 place) {
    if (place >= f.first && place < f.end) places.push_back(f.block_of[place - f.first]);
  };
  if (branch.operand[4].kind != OperandKind::immediate) {
    add(branch.operand[2].value);
    return places;
  }
  const auto& program = static_cast<const nv::PtxProgram&>(*f.module->programs.front().isa);
  const std::vector<u32>& list = program.tables->registers[branch.operand[4].value];
  for (std::size_t k = 0; k < list.size(); k += 2) add(list[k]);
  return places;
}

// Which values may differ between the lanes of a warp.
void find_divergence(const Function& f, Plan& plan) {
  plan.divergent.assign(f.nodes.size(), false);
  std::vector<bool> mixes(f.blocks.size(), false);  // lanes with different values meet here
  const auto seeds = [&](const Node& node) {
    switch (node.op) {
      case Op::special:
        return node.value <= static_cast<u64>(LoweredSpecial::tid_z) ||
               node.value == static_cast<u64>(LoweredSpecial::lane);
      case Op::atomic:
      case Op::shuffle:
      case Op::texture:
      case Op::call_value:
      case Op::frame:
      case Op::matrix:
      case Op::undefined:
      case Op::load:
        return true;
      default:
        return false;
    }
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const u32 b : f.order) {
      for (const u32 number : f.blocks[b].nodes) {
        const Node& node = f.nodes[number];
        if (plan.divergent[number]) continue;
        bool any = seeds(node) || (node.op == Op::phi && mixes[b]);
        for (const Ref& ref : node.in) any = any || plan.divergent[ref.node];
        if (node.guard.node != none) any = any || plan.divergent[node.guard.node];
        if (!any) continue;
        plan.divergent[number] = changed = true;
        if (node.op != Op::branch || node.ptx == nullptr) continue;
        for (const u32 at : meetings_of(f, *node.ptx)) mixes[at] = true;
        // Lanes leave a loop in different turns.
        if (f.blocks[b].loop != none) mixes[f.loops[f.blocks[b].loop].header] = true;
      }
    }
  }
}

u32 last_node(const Function& f, u32 b) {
  return f.blocks[b].nodes.empty() ? none : f.blocks[b].nodes.back();
}

bool ends_in_branch(const Function& f, u32 b) {
  const u32 last = last_node(f, b);
  return last != none && f.nodes[last].op == Op::branch;
}

// Only an exit: what a branch to it becomes is a guarded exit.
bool is_exit_block(const Function& f, u32 b) {
  return f.blocks[b].nodes.size() == 1 && f.nodes[f.blocks[b].nodes[0]].op == Op::exit &&
         f.nodes[f.blocks[b].nodes[0]].guard.node == none && f.kernel;
}

class Planner {
 public:
  Planner(Function& function, std::span<const u8> cuts, Plan& plan)
      : f_(function), cuts_(cuts), plan_(plan) {}

  void run() {
    plan_.blocks.resize(f_.blocks.size());
    find_dominators(f_);
    find_loops(f_);
    find_divergence(f_, plan_);
    predicate();
    meetings();
    regions();
  }

 private:
  // The instructions that a block's body would have, and whether all of them can have a guard.
  bool body(u32 b, u32& size) const {
    size = 0;
    for (const u32 number : f_.blocks[b].nodes) {
      const Node& node = f_.nodes[number];
      if (node.dead || node.fused) continue;
      switch (node.op) {
        case Op::phi:
        case Op::constant:
        case Op::parameter:
        case Op::bank:
        case Op::zext:
        case Op::pack:
        case Op::symbol:
        case Op::frame:
        case Op::undefined:
        case Op::nothing:
        case Op::mul_wide:
          if (node.op == Op::mul_wide) ++size;
          break;
        case Op::branch:
          if (node.guard.node != none) return false;
          break;
        case Op::barrier:
        case Op::call:
        case Op::clock:
        case Op::exit:
        case Op::trap:
        case Op::print:
        case Op::fence:
        case Op::warp_sync:
        case Op::shuffle:
        case Op::vote:
        case Op::match:
        case Op::reduce:
        case Op::matrix:
        case Op::sleep:
        case Op::call_value:
          return false;
        case Op::fdiv:
        case Op::fsqrt:
        case Op::frcp:
        case Op::div:
        case Op::rem:
        case Op::reciprocal:
          if (node.bits != 16) return false;
          size += 8;
          break;
        case Op::atomic: {
          // ptxas guards none from Volta on, and takes loads in front of those that nobody observes all the
          // same.
          const bool unobserved = node.ptx != nullptr && node.ptx->policy.has(AccessPolicy::unobserved);
          if (f_.capability >= 70 ? !unobserved : node.width != 0 && !unobserved) return false;
          ++size;
          break;
        }
        case Op::clz:
        case Op::bfind:
          if (f_.capability >= 70) return false;
          ++size;
          break;
        default:
          if (node.guard.node != none) return false;
          size += f_.capability < 70 ? (node.width == 2 && !node.effect ? 2 : 1) : counts_as(node);
          break;
      }
    }
    return true;
  }

  // What ptxas of CUDA 13 counts an instruction as (sm_75 to sm_90: how many multiplications are guarded
  // beside it). Approximations that do not flush bring subnormal arguments into range and results back.
  static u32 counts_as(const Node& node) {
    using M = nv::Mnemonic;
    const bool wide = node.width == 2 && !node.effect;
    switch (node.op) {
      case Op::math: {
        const M word = node.operation.mnemonic;
        if (word == M::sin || word == M::cos) return 2;
        if (word == M::div)
          return node.operation.approximate ? (node.operation.flushes ? 2 : 7)
                                            : (node.operation.flushes ? 7 : 9);
        if (word == M::tanh || node.operation.flushes || node.bits == 16) return 1;
        return word == M::rcp ? 8 : 5;
      }
      case Op::mad_wide:
        return 3;
      case Op::mul:
      case Op::min:
      case Op::max:
        return wide && !node.real ? 4 : 1;
      default:
        return wide && !node.real ? 2 : 1;
    }
  }

  // Instructions of a side, its jump among them. ptxas of CUDA 13 guards up to 8 for sm_75 and sm_90, 20
  // where global memory is read (multiply-adds, loads and stores of either memory, one side and two, in loops
  // and outside).
  static constexpr u32 most_guarded = 8, most_guarded_with_loads = 20, most_guarded_before_volta = 7;

  bool reads_global(u32 number) const {
    const Node& node = f_.nodes[number];
    return node.op == Op::load && node.ptx != nullptr &&
           (node.ptx->addressing == Addressing::global || node.ptx->addressing == Addressing::generic);
  }

  bool is_short(u32 b, u32 size) const {
    if (f_.capability < 70) return size <= most_guarded_before_volta;
    const bool reads =
        std::ranges::any_of(f_.blocks[b].nodes, [&](u32 number) { return reads_global(number); });
    return size <= (reads ? most_guarded_with_loads : most_guarded);
  }

  // Whether the block is passed in every turn of its loop, or whenever the function is executed.
  bool always_passed(u32 b) const {
    const u32 loop = f_.blocks[b].loop;
    const auto goes_by = [&](u32 end) { return f_.blocks[end].reached && !dominates(f_, b, end); };
    if (loop != none) {
      const std::vector<u32>& before = f_.blocks[f_.loops[loop].header].before;
      return std::ranges::none_of(before, [&](u32 end) {
        return std::ranges::find(f_.loops[loop].blocks, end) != f_.loops[loop].blocks.end() && goes_by(end);
      });
    }
    // Branches to an exit end some lanes early.
    for (u32 end = 0; end < f_.blocks.size(); ++end) {
      const std::vector<u32>& next = f_.blocks[end].next;
      const bool ends =
          next.empty() ? !is_exit_block(f_, end) : next.size() == 1 && is_exit_block(f_, next[0]);
      if (ends && goes_by(end)) return false;
    }
    return true;
  }

  // Two sides of which one or both read global memory ptxas of CUDA 13 guards where they are passed always,
  // else where they hand over what they read (small kernels for sm_90; experiments/h200-timing/spaces5).
  bool guards_both(u32 b, u32 one, u32 other, u32 join) const {
    if (f_.capability < 70) return true;
    bool reads = false, hands_over = false;
    for (const u32 side : {one, other}) {
      for (const u32 number : f_.blocks[side].nodes) reads = reads || reads_global(number);
    }
    if (!reads || always_passed(b)) return true;
    for (const u32 number : f_.blocks[join].nodes) {
      const Node& node = f_.nodes[number];
      if (node.op != Op::phi) continue;
      hands_over = hands_over || std::ranges::any_of(node.in, [&](const Ref& ref) {
                     return ref.node != none && reads_global(ref.node);
                   });
    }
    return hands_over;
  }

  void guard_block(u32 b, u32 branch_block, bool taken) {
    plan_.blocks[b].predicated = true;
    Ref guard = f_.nodes[last_node(f_, branch_block)].guard;
    if (!taken) guard.modifiers ^= Ref::complement;
    plan_.blocks[b].guard = guard;
    if (ends_in_branch(f_, b)) plan_.blocks[b].branch_dropped = true;
  }

  bool is_side(u32 b, u32 before, u32& join, u32& size) const {
    const Block& block = f_.blocks[b];
    if (block.before.size() != 1 || block.before[0] != before || block.next.size() != 1) return false;
    if (block.loop != f_.blocks[before].loop || plan_.blocks[b].predicated) return false;
    join = block.next[0];
    return join != b && body(b, size);
  }

  // Only a jump, which nothing else leads to: what clang writes behind a branch whose target comes next.
  bool only_jumps(u32 b, u32 before) const {
    const Block& block = f_.blocks[b];
    return block.nodes.size() == 1 && ends_in_branch(f_, b) && block.next.size() == 1 &&
           f_.nodes[block.nodes[0]].guard.node == none && block.before == std::vector<u32>{before};
  }

  // The branch's other side lies behind a jump to it: it alone, or beside the side that the branch goes to.
  bool guard_behind_jump(u32 b, u32 target, bool taken_side, u32 join_taken, u32 size_taken, u32 jump) {
    const u32 other = f_.blocks[jump].next[0];
    u32 join = none, size = 0;
    if (!is_side(other, jump, join, size)) return false;
    const bool both = taken_side && join == join_taken;
    if (!both && join != target) return false;
    if (both && size != 0 && size_taken != 0 && !guards_both(b, target, other, join)) return false;
    // Of two sides the first one jumps over the other.
    if (both) ++(target < other ? size_taken : size);
    if (!is_short(other, size)) return false;
    if (both && !is_short(target, size_taken)) return false;
    if (both) guard_block(target, b, true);
    guard_block(jump, b, false);
    guard_block(other, b, false);
    plan_.blocks[b].branch_dropped = true;
    return true;
  }

  void predicate() {
    for (std::size_t i = f_.order.size(); i-- > 0;) {
      const u32 b = f_.order[i];
      if (!ends_in_branch(f_, b) || f_.blocks[b].next.size() != 2) continue;
      const Node& branch = f_.nodes[last_node(f_, b)];
      if (branch.guard.node == none || branch.ptx->meaning != &nv::branch()) continue;
      const u32 target = f_.block_of[branch.ptx->target - f_.first];
      const u32 other = f_.blocks[b].next[0] == target ? f_.blocks[b].next[1] : f_.blocks[b].next[0];
      if (is_exit_block(f_, target)) {
        plan_.blocks[b].branch_exits = true;
        continue;
      }
      u32 join_taken = none, join_other = none, size_taken = 0, size_other = 0;
      const bool taken_side = is_side(target, b, join_taken, size_taken);
      if (only_jumps(other, b) && guard_behind_jump(b, target, taken_side, join_taken, size_taken, other))
        continue;
      const bool other_side = is_side(other, b, join_other, size_other);
      const bool one_sided = size_taken == 0 || size_other == 0;
      // Of two sides the first one jumps over the other.
      if (taken_side && other_side && join_taken == join_other) {
        u32& first = target < other ? size_taken : size_other;
        first += first != 0 ? 1 : 0;
      }
      const bool short_taken = taken_side && is_short(target, size_taken);
      const bool short_other = other_side && is_short(other, size_other);
      if (short_other && join_other == target) {
        guard_block(other, b, false);
        plan_.blocks[b].branch_dropped = true;
      } else if (short_taken && join_taken == other) {
        guard_block(target, b, true);
        plan_.blocks[b].branch_dropped = true;
      } else if (short_taken && short_other && join_taken == join_other &&
                 (one_sided || guards_both(b, target, other, join_taken))) {
        guard_block(target, b, true);
        guard_block(other, b, false);
        plan_.blocks[b].branch_dropped = true;
      }
    }
  }

  // `open`: branch's block, meeting's block, of those that stand.
  void meet(u32 b, u32 at, std::vector<std::pair<u32, u32>>& open) {
    if (is_exit_block(f_, at)) return;
    // One that parts before it already serves this one, too.
    const bool served = std::any_of(open.begin(), open.end(), [&](const auto& other) {
      return other.second == at && dominates(f_, other.first, b);
    });
    if (served) return;
    u32 from = b;
    u32 loop = f_.blocks[b].loop;
    bool before_loop = false;
    while (loop != none && f_.loops[loop].preheader != none) {
      const Loop& l = f_.loops[loop];
      if (std::find(l.blocks.begin(), l.blocks.end(), at) != l.blocks.end()) break;
      from = l.preheader;
      before_loop = true;
      loop = l.parent;
    }
    open.push_back({from, at});
    if (before_loop) {
      ++plan_.blocks[from].parts_at_end;
    } else {
      ++plan_.blocks[from].parts_before;
    }
    ++plan_.blocks[at].meets;
  }

  void meetings() {
    std::vector<std::pair<u32, u32>> open;
    for (const u32 b : f_.order) {
      if (!ends_in_branch(f_, b)) continue;
      const u32 last = last_node(f_, b);
      const Node& branch = f_.nodes[last];
      if (!plan_.divergent[last] || plan_.blocks[b].branch_dropped || plan_.blocks[b].branch_exits) continue;
      if (f_.blocks[b].next.size() < 2) continue;
      plan_.blocks[b].branch_divergent = true;
      for (const u32 at : meetings_of(f_, *branch.ptx)) meet(b, at, open);
    }
    // Jumps to what follows, or to what only jumps on, are none.
    for (u32 b = 0; b < f_.blocks.size(); ++b) {
      if (!f_.blocks[b].reached || !ends_in_branch(f_, b)) continue;
      const Node& branch = f_.nodes[last_node(f_, b)];
      if (branch.guard.node != none || f_.blocks[b].next.size() != 1) continue;
      u32 follows = b + 1;
      while (follows < f_.blocks.size() && !f_.blocks[follows].reached) ++follows;
      if (f_.blocks[b].next[0] == follows) plan_.blocks[b].branch_dropped = true;
      // "if p goto far; goto near; far:" is "if not p goto near".
      const Block& block = f_.blocks[b];
      if (block.nodes.size() != 1 || block.before.size() != 1 || block.before[0] + 1 != b) continue;
      const u32 before = block.before[0];
      const Node& other = f_.nodes[last_node(f_, before)];
      if (other.op != Op::branch || other.guard.node == none || other.ptx->meaning != &nv::branch() ||
          f_.block_of[other.ptx->target - f_.first] != follows)
        continue;
      plan_.blocks[b].branch_dropped = true;
      if (!plan_.blocks[before].branch_dropped && !plan_.blocks[before].branch_exits)
        plan_.blocks[before].turned_to = block.next[0];
    }
  }

  void regions() {
    const Code& code = f_.module->code;
    plan_.region_of.resize(f_.end - f_.first);
    const auto bits = [&](u32 i) { return i < cuts_.size() ? cuts_[i] : u8{0}; };
    for (u32 b = 0; b < f_.blocks.size(); ++b) {
      u32 begin = f_.blocks[b].first;
      const auto close = [&](u32 end) {
        if (end == begin) return;
        LoweredRegion region;
        region.first = begin;
        region.count = end - begin;
        region.predicated = plan_.blocks[b].predicated;
        for (u32 i = begin; i < end; ++i)
          plan_.region_of[i - f_.first] = static_cast<u32>(plan_.regions.size());
        plan_.regions.push_back(region);
        begin = end;
      };
      for (u32 i = f_.blocks[b].first; i < f_.blocks[b].end; ++i) {
        const Semantic* meaning = code.instructions[i].meaning;
        const bool ends = meaning == &nv::group_barrier() || meaning == &nv::counted_barrier() ||
                          meaning == &nv::call() || meaning == &nv::indirect_call() ||
                          meaning == &nv::nanosleep();
        if ((bits(i) & lowering_cut::alone) != 0) {
          close(i);
          close(i + 1);
        } else if (ends || (bits(i) & lowering_cut::after) != 0) {
          close(i + 1);
        }
      }
      close(f_.blocks[b].end);
    }
  }

  Function& f_;
  std::span<const u8> cuts_;
  Plan& plan_;
};

}  // namespace

Plan plan(Function& function, std::span<const u8> cuts) {
  Plan result;
  Planner(function, cuts, result).run();
  return result;
}

}  // namespace lockstep::lowering
