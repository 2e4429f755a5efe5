// Loops that the vendor's assembler unrolls: of a turn's counting and branching only every n-th is left, and
// what one turn loads is waited for after the loads of n turns. Seen of ptxas of CUDA 13 for sm_75 to sm_90,
// by some 200 loops of one to sixty instructions: innermost loops whose one exit is at their end are unrolled
// by 4 where the exit tests a counter for less, greater or not equal and what is added to it is constant.
// Where it tests what the counter was before that, as clang has it for a stride and a constant end, no loop
// is unrolled, nor made whole (docs/lowering.md). Where the number of turns is constant, loops are unrolled
// whole while they are short, nothing counts, and what is computed from constants and counters alone is a
// constant of each turn.
#include <algorithm>
#include <optional>

#include "isa/nv/control.h"
#include "isa/nv/unroll_limits.h"
#include "time/program/nv/plan.h"

namespace lockstep::lowering {
namespace {

using namespace nv::unrolling;

// Turns that are counted to find out whether a loop is unrolled whole.
constexpr u32 most_turns = 4096;

// Whether an integer's comparison holds; nothing where it is not one of integers.
std::optional<bool> holds(Compare compare, i64 a, i64 b) {
  switch (compare) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return a != b;
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    case Compare::ge:
      return a >= b;
    default:
      return std::nullopt;
  }
}

class Unroller {
 public:
  // `turns_jumps`: what "if p goto out; goto header" ends is a loop that goes on unless p.
  Unroller(const Function& function, const Plan& plan, const Loop& loop, bool turns_jumps)
      : f_(function), plan_(plan), loop_(loop), turns_jumps_(turns_jumps) {}

  // The block whose branch says whether the loop goes on.
  u32 latch() const { return latch_; }

  // The region whose loads can be waited for later: nothing between those of two turns keeps them apart;
  // none.
  u32 loads_ahead() const {
    if ((loaded_ & stored_) != 0 || barrier_ || turns_lean_on_loads()) return none;
    // Where nothing else keeps turns apart, loads of local memory are not taken over many of them.
    if (!loads_global_ && (whole_ || instructions_ > most_instructions)) return none;
    return region_;
  }

  // The nodes that count the turns; empty where the loop is left as it is.
  std::vector<u32> counting() {
    if (!one_exit_at_the_end() || kept_by_pragma() || !count_effects()) return {};
    const Node* branch = branch_of(latch_);
    if (branch == nullptr || branch->guard.node == none) return {};
    const u32 test = branch->guard.node;
    const Node& compare = f_.nodes[test];
    if (compare.op != Op::compare || compare.real || compare.in.size() != 2 || !inside(compare.block))
      return {};
    const bool complemented = ((branch->guard.modifiers & Ref::complement) != 0) != leaves_by_branch_;
    if (const u64 all = constant_turns(compare, complemented); all != 0) {
      std::vector<u32> counted = counted_in_each_turn(test);
      find_constants();
      const u64 kept = instructions_ - std::min<u64>(instructions_, counted.size() + folded_);
      const u64 each = kept - std::min<u64>(kept, u64{folded_} * 3 / 2);
      whole_ =
          branches_are_known() && (all * instructions_ <= few_in_all || all * each * each <= most_by_square);
      if (whole_) {
        find_region();
        return counted;
      }
    }
    if (!open_branches_.empty() || !ends_for_sure(compare, complemented)) return {};
    // Where lanes leave in different turns, what all lanes do together and memory's order stay as they are;
    // but for stores that go on by a constant.
    if (plan_.divergent[test] && (together_ || (read_ & stored_anywhere_) != 0)) return {};
    std::vector<u32> found;
    for (const u32 block : loop_.blocks) {
      for (const u32 number : f_.blocks[block].nodes) {
        if (steps(number)) found.push_back(number);
      }
    }
    // One side of the test counts, the other is known before.
    const auto counts = [&](const Ref& ref) {
      return std::find(found.begin(), found.end(), ref.node) != found.end() && constant_step(ref.node);
    };
    if (!(counts(compare.in[0]) && before(compare.in[1])) &&
        !(counts(compare.in[1]) && before(compare.in[0])))
      return {};
    // Of what goes on by a constant, the counter and two pointers do not count.
    const u32 steps = static_cast<u32>(found.size()), free_steps = std::min(steps, 3u);
    const u32 with_local = std::min(most_with_local, most_instructions + room_of_local_load * local_loads_);
    const u32 weight = weight_ - free_steps;
    const bool small =
        (loads_global_ ? weight <= most_with_loads : instructions_ - steps <= most_instructions) ||
        (local_loads_ != 0 && weight <= with_local);
    if (!small) return {};
    found.push_back(test);
    find_region();
    return found;
  }

  // Whether all turns stand one behind the other: what counts them is known in each.
  bool whole() const { return whole_; }

  // What is a constant in each turn of a loop that is unrolled whole.
  const std::vector<u32>& constants() const { return constants_; }

  // The phi that a node is the next value of; none.
  u32 counter_of(u32 number) const { return step_of(number).counter; }

 private:
  const Node* branch_of(u32 block) const {
    const Node* branch = nullptr;
    for (const u32 number : f_.blocks[block].nodes) {
      if (f_.nodes[number].op == Op::branch) branch = &f_.nodes[number];
    }
    return branch;
  }

  // What is counted in each turn of a loop that is unrolled whole, and the test where only the branch asks
  // it.
  std::vector<u32> counted_in_each_turn(u32 test) const {
    std::vector<u32> known;
    if (use_counts(f_)[test] == 1) known.push_back(test);
    for (const u32 block : loop_.blocks) {
      for (const u32 number : f_.blocks[block].nodes) {
        if (constant_step(number)) known.push_back(number);
      }
    }
    return known;
  }

  // Counters that begin and step at constants, and what is computed from nothing else. Tests only where
  // branches alone ask them: then those know where they lead.
  void find_constants() {
    known_.assign(f_.nodes.size(), false);
    std::vector<bool> for_branches(f_.nodes.size(), true);
    for (const Node& n : f_.nodes) {
      if (n.dead) continue;
      for (const Ref& ref : n.in) for_branches[ref.node] = false;
      if (n.guard.node != none && n.op != Op::branch) for_branches[n.guard.node] = false;
    }
    for (const BlockPlan& planned : plan_.blocks) {
      if (planned.predicated && planned.guard.node != none) for_branches[planned.guard.node] = false;
    }
    const auto is_known = [&](const Ref& ref) {
      return ref.node != none && (known_[ref.node] || f_.at(ref).op == Op::constant);
    };
    const auto is_constant = [&](u32 number) {
      const Node& n = f_.nodes[number];
      u64 begin = 0;
      if (n.dead || n.fused || n.uniform) return false;
      if (n.op == Op::phi)
        return n.block == loop_.header && n.in.size() == 2 && n.in[back_].node != none &&
               step_of(n.in[back_].node).counter == number && constant_step(n.in[back_].node) &&
               constant_of(f_, n.in[1 - back_], begin);
      if (!is_pure(n) || n.second || n.in.empty() || (n.predicate && !for_branches[number])) return false;
      return (n.predicate || n.width != 0) && std::ranges::all_of(n.in, is_known);
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (const u32 block : loop_.blocks) {
        for (const u32 number : f_.blocks[block].nodes) {
          if (known_[number] || !is_constant(number)) continue;
          known_[number] = changed = true;
          constants_.push_back(number);
          folded_ += f_.nodes[number].op != Op::phi && !f_.nodes[number].predicate && !steps(number);
        }
      }
    }
  }

  // Whether each branch within the loop leads the same way in a turn whatever is loaded.
  bool branches_are_known() const {
    return std::ranges::all_of(open_branches_, [&](u32 block) {
      const Node* branch = branch_of(block);
      return branch != nullptr && branch->guard.node != none && known_[branch->guard.node];
    });
  }

  // How often the loop goes round where that is known: a counter that begins, steps and ends at constants; 0:
  // it is not, or more often than is unrolled.
  u64 constant_turns(const Node& compare, bool complemented) const {
    if (compare.bits != 32 || compare.in[0].modifiers != 0) return 0;
    const Step step = step_of(compare.in[0].node);
    u64 begin = 0, by = 0, end = 0;
    if (step.counter == none || !constant_of(f_, step.by, by) || !constant_of(f_, compare.in[1], end) ||
        !constant_of(f_, f_.nodes[step.counter].in[1 - back_], begin))
      return 0;
    const auto number = [&](u64 value) {
      const auto word = static_cast<u32>(value);
      return compare.is_signed ? i64{static_cast<i32>(word)} : i64{word};
    };
    u64 value = begin + by;  // tested
    for (u64 turn = 1; turn <= most_turns; ++turn, value += by) {
      const std::optional<bool> result =
          holds(static_cast<Compare>(compare.value), number(value), number(end));
      if (!result) return 0;
      if (*result == complemented) return turn;
    }
    return 0;
  }

  bool inside(u32 block) const {
    return std::find(loop_.blocks.begin(), loop_.blocks.end(), block) != loop_.blocks.end();
  }

  // A value that the loop finds.
  bool before(const Ref& ref) const {
    return ref.node != none && (f_.at(ref).op == Op::constant || !inside(f_.at(ref).block));
  }

  // Of "if p goto out; goto header; out:", whose branch is turned, the block of the second jump.
  bool only_leads_back(u32 block) const {
    const Block& b = f_.blocks[block];
    return turns_jumps_ && b.nodes.size() == 1 && b.before.size() == 1 &&
           b.next == std::vector<u32>{loop_.header} && inside(b.before[0]) &&
           plan_.blocks[b.before[0]].turned_to == loop_.header;
  }

  // One block leads back, which alone leads out; others' branches have become guards, or are open_branches_.
  bool one_exit_at_the_end() {
    u32 leads_back = none;
    for (const u32 block : loop_.blocks) {
      if (f_.blocks[block].loop == none || f_.loops[f_.blocks[block].loop].header != loop_.header)
        return false;
      if (only_leads_back(block)) continue;
      bool back = false, out = false;
      for (const u32 next : f_.blocks[block].next) {
        const bool turned = inside(next) && next != loop_.header && only_leads_back(next);
        if (next == loop_.header || turned) leads_back = turned ? next : block;
        leaves_by_branch_ |= turned;
        back |= next == loop_.header || turned;
        out |= !inside(next);
      }
      if (back != out || (back && latch_ != none)) return false;
      if (back) latch_ = block;
      const BlockPlan& planned = plan_.blocks[block];
      if (back && (planned.branch_dropped || planned.predicated)) return false;
      if (!back && f_.blocks[block].next.size() > 1 && !planned.branch_dropped)
        open_branches_.push_back(block);
    }
    if (latch_ == none) return false;
    const Block& header = f_.blocks[loop_.header];
    const auto back = std::find(header.before.begin(), header.before.end(), leads_back);
    if (back == header.before.end() || header.before.size() != 2) return false;
    back_ = static_cast<std::size_t>(back - header.before.begin());
    return true;
  }

  bool kept_by_pragma() const {
    const Block& b = f_.blocks[latch_];
    for (u32 i = b.first; i < b.end; ++i) {
      const Instruction& in = f_.module->code.instructions[i];
      if (in.meaning == &nv::branch() && (in.detail & nv::nounroll) != 0) return true;
    }
    return false;
  }

  // What the loop does beside computing; false where it has what keeps it as it is.
  bool count_effects() {
    for (const u32 block : loop_.blocks) {
      for (const u32 number : f_.blocks[block].nodes) {
        const Node& n = f_.nodes[number];
        if (n.dead || n.fused) continue;
        switch (n.op) {
          case Op::phi:
          case Op::branch:
          case Op::compare:
            if (n.op == Op::compare && number != f_.blocks[latch_].nodes.back()) {
              ++instructions_;
              ++weight_;
            }
            continue;
          case Op::load:
          case Op::store:
          case Op::atomic: {
            if (n.ptx == nullptr || (n.op != Op::atomic && n.ptx->policy.strong())) return false;
            const u8 reached = memories(n);
            if (n.op != Op::store) loaded_ |= reached;
            if (n.op != Op::load) stored_ |= reached;
            if (n.op != Op::store) read_ |= memories(n, true);
            if (n.op != Op::load && !goes_on(n.in[0])) stored_anywhere_ |= reached;
            const bool local = n.ptx->addressing == Addressing::local;
            // Before neighbours were joined.
            const u32 accesses = std::max(1, n.joined_bytes / 4);
            instructions_ += accesses - 1;
            weight_ += accesses - 1 + (local && n.value == 0 && accesses == 1 ? 0 : accesses);
            together_ |= n.op == Op::atomic;
            loads_global_ |= n.op == Op::load && !local;
            local_loads_ += n.op == Op::load && local ? accesses : 0;
            break;
          }
          case Op::barrier:
            barrier_ = together_ = true;
            break;
          case Op::vote:
          case Op::shuffle:
            if (f_.capability < 90) return false;
            together_ = true;
            break;
          case Op::matrix:
            together_ = true;
            break;
          // Some end in a call, by which the loop has blocks of its own.
          case Op::fdiv:
          case Op::fsqrt:
          case Op::frcp:
            return false;
          default:
            if (n.effect) return false;
        }
        ++instructions_;
        // What one instruction makes of two counts as two.
        const bool two = n.op == Op::lop3 || n.op == Op::add3 || n.op == Op::shift_add ||
                         n.op == Op::high_add || n.op == Op::bfe;
        weight_ += two ? 2 : 1;
      }
    }
    return true;
  }

  // Whether an address is a counter of the loop's, or lies a constant from it.
  bool goes_on(const Ref& address) const {
    const auto counts = [&](const Ref& ref) {
      const Node& n = f_.at(ref);
      return n.op == Op::phi && n.block == loop_.header && n.in[back_].node != none &&
             step_of(n.in[back_].node).counter == ref.node;
    };
    if (counts(address)) return true;
    const Node& n = f_.at(address);
    u64 by = 0;
    return n.op == Op::add && n.in.size() == 2 && constant_of(f_, n.in[1], by) && counts(n.in[0]);
  }

  // Whether the loop goes on at less, greater or not equal, or ends at less or equal. A counter that goes on
  // at less or equal may come round. Of equality the assembler makes nothing where a predicate is turned
  // round, but where a jump is.
  bool ends_for_sure(const Node& compare, bool complemented) const {
    switch (static_cast<Compare>(compare.value)) {
      case Compare::lt:
      case Compare::gt:
      case Compare::ne:
        return !complemented;
      case Compare::le:
      case Compare::ge:
        return complemented;
      case Compare::eq:
        return complemented && leaves_by_branch_;
      default:
        return false;
    }
  }

  // A phi's next value: the phi and what does not change in the loop.
  struct Step {
    u32 counter = none;
    Ref by;
  };
  bool steps(u32 number) const { return step_of(number).counter != none; }
  bool constant_step(u32 number) const {
    const Step step = step_of(number);
    return step.counter != none && f_.at(step.by).op == Op::constant;
  }
  Step step_of(u32 number) const {
    const Node& n = f_.nodes[number];
    if (n.op != Op::add || n.in.size() != 2 || n.guard.node != none || n.predicate) return {};
    for (u32 i = 0; i < 2; ++i) {
      const Node& phi = f_.at(n.in[i]);
      const Ref& by = n.in[1 - i];
      if (phi.op == Op::phi && phi.block == loop_.header && phi.in.size() > back_ &&
          phi.in[back_].node == number && before(by))
        return {n.in[i].node, by};
    }
    return {};
  }

  // Whether a load's address comes from what an earlier turn has loaded.
  bool turns_lean_on_loads() const {
    std::vector<bool> loaded(f_.nodes.size(), false), carried(f_.nodes.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (const u32 block : loop_.blocks) {
        for (const u32 number : f_.blocks[block].nodes) {
          const Node& n = f_.nodes[number];
          bool is = n.op == Op::load, late = false;
          if (n.op == Op::phi && block == loop_.header) {
            is = n.in.size() > back_ && n.in[back_].node != none && loaded[n.in[back_].node];
            late = is;
          } else {
            for (const Ref& ref : n.in) {
              if (ref.node == none) continue;
              is = is || loaded[ref.node];
              late = late || (carried[ref.node] && n.op != Op::load);
            }
          }
          changed = changed || (is && !loaded[number]) || (late && !carried[number]);
          loaded[number] = loaded[number] || is;
          carried[number] = carried[number] || late;
        }
      }
    }
    for (const u32 block : loop_.blocks) {
      for (const u32 number : f_.blocks[block].nodes) {
        const Node& n = f_.nodes[number];
        const auto late = [&](const Ref& ref) { return ref.node != none && carried[ref.node]; };
        if (n.op == Op::load && std::any_of(n.in.begin(), n.in.end(), late)) return true;
      }
    }
    return false;
  }

  // The one region that has all that is left of a turn; none.
  void find_region() {
    for (const u32 block : loop_.blocks) {
      const bool empty = std::ranges::all_of(f_.blocks[block].nodes, [&](u32 number) {
        const Node& n = f_.nodes[number];
        return n.dead || n.op == Op::phi || (whole_ ? n.op == Op::branch || known_[number] : false);
      });
      if (empty || only_leads_back(block)) continue;
      for (u32 i = f_.blocks[block].first; i < f_.blocks[block].end; ++i) {
        const u32 region = plan_.region_of[i - f_.first];
        if (region_ != none && region_ != region) {
          region_ = none;
          return;
        }
        region_ = region;
      }
    }
  }

  // The memories that an access can reach, a bit each; without those that nothing in the kernel can change
  // unless `read_only`.
  static u8 memories(const Node& n, bool read_only = false) {
    constexpr u8 global = 1, group = 2, own = 4;
    if (n.ptx == nullptr) return global | group | own;
    switch (n.ptx->addressing) {
      case Addressing::local:
        return group;
      case Addressing::scratch:
        return own;
      case Addressing::scalar:
        return 0;
      case Addressing::generic:
        return global | group | own;
      default:
        return n.ptx->policy.has(AccessPolicy::read_only) && !read_only ? 0 : global;
    }
  }

  const Function& f_;
  const Plan& plan_;
  const Loop& loop_;
  bool turns_jumps_;
  u32 latch_ = none;
  bool leaves_by_branch_ = false;  // where its branch is taken; else it goes on there
  std::size_t back_ = 0;
  u32 region_ = none;
  std::vector<u32> open_branches_;  // blocks
  std::vector<bool> known_;         // by node: a constant in each turn
  std::vector<u32> constants_;
  u32 instructions_ = 0, folded_ = 0;  // of a turn; those of them that are constants in each
  u32 weight_ = 0;                     // of its instructions, as ptxas seems to count them
  u32 local_loads_ = 0;
  u8 loaded_ = 0, stored_ = 0;
  u8 read_ = 0, stored_anywhere_ = 0;  // read-only loads too; stores whose addresses do not just go on
  bool whole_ = false, barrier_ = false, together_ = false, loads_global_ = false;
};

// A constant for one that differs from turn to turn: its value decides nothing here, but is none that makes
// an instruction simpler.
constexpr u64 some_constant = 0x55;

void unroll_whole(Function& function, Plan& plan, const Loop& loop, const Unroller& unroller,
                  const std::vector<u32>& counting) {
  for (const u32 block : loop.blocks) plan.blocks[block].every = 0;
  for (const u32 number : counting) {
    function.nodes[number].every = 0;
    const u32 counter = unroller.counter_of(number);
    if (counter == none) continue;
    // A turn's counter is a constant as its next value is.
    for (Node& n : function.nodes) {
      for (Ref& ref : n.in) {
        if (ref.node == number) ref.node = counter;
      }
    }
  }
  for (const u32 number : unroller.constants()) {
    Node& n = function.nodes[number];
    if (n.predicate) {
      n.every = 0;
      continue;
    }
    n.op = Op::constant;
    n.value = some_constant;
    n.in.clear();
  }
}

// Whether an innermost loop has a jump back within it, that is no branch's other way. Only then ptxas of CUDA
// 13 unrolls other loops of the function, too, that end in "if p goto out; goto header" (seen for sm_90 of
// eighteen kernels, in front of such loops and behind them; of loops around them it makes no difference).
bool has_jump_back(const Function& f) {
  const auto innermost = [&](u32 block) {
    const u32 loop = f.blocks[block].loop;
    return loop != none &&
           std::ranges::none_of(f.loops, [&](const Loop& other) { return other.parent == loop; });
  };
  for (u32 b = 0; b < f.blocks.size(); ++b) {
    if (!f.blocks[b].reached || !innermost(b)) continue;
    const Instruction& last = f.module->code.instructions[f.blocks[b].end - 1];
    if (last.meaning == &nv::branch() && (last.detail & nv::jumps_back) != 0) return true;
  }
  return false;
}

}  // namespace

void unroll(Function& function, Plan& plan) {
  const bool turns_jumps = has_jump_back(function);
  for (const Loop& loop : function.loops) {
    Unroller unroller(function, plan, loop, turns_jumps);
    const std::vector<u32> counting = unroller.counting();
    if (counting.empty()) continue;
    const u32 region = unroller.loads_ahead();
    if (unroller.whole()) {
      unroll_whole(function, plan, loop, unroller, counting);
    } else {
      plan.blocks[unroller.latch()].every = turns;
      for (const u32 number : counting) function.nodes[number].every = turns;
    }
    if (region != none) plan.regions[region].unrolled = turns;
  }
}

}  // namespace lockstep::lowering
