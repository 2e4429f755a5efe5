#include "time/program/nv/merge_guarded.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "time/program/nv/liveness.h"

namespace lockstep::lowering {
namespace {

class Merger {
 public:
  Merger(Function& function, Plan& plan, Selected& selected, std::span<const u8> cuts)
      : f_(function), plan_(plan), s_(selected), cuts_(cuts) {}

  std::vector<LoweredGuarded> run() {
    find_homes();
    // From the end: what a block's end is merged with has been merged with what follows it.
    for (std::size_t i = f_.order.size(); i-- > 0;) {
      const u32 b = f_.order[i];
      if (f_.blocks[b].end != f_.blocks[b].first && find_bodies(b)) merge(b);
    }
    if (guarded_.empty()) return {};
    std::erase_if(f_.order, [&](u32 b) { return f_.blocks[b].end == f_.blocks[b].first; });
    drop_empty_regions();
    std::ranges::sort(guarded_, {}, &LoweredGuarded::first);
    return std::move(guarded_);
  }

 private:
  // The block in which alone a register is known; none, or several.
  void find_homes() {
    home_.assign(s_.registers.size(), none);
    for (const u32 b : f_.order) {
      for (u32 r = first_region(b); r <= last_region(b); ++r) {
        for (LoweredInstruction& in : s_.regions[r]) {
          for_operands(in, [&](LoweredOperand& operand, bool) {
            if (!is_virtual(operand)) return;
            u32& home = home_[operand.index];
            home = home == none || home == b ? b : several;
          });
        }
      }
    }
  }

  u32 first_region(u32 b) const { return plan_.region_of[f_.blocks[b].first - f_.first]; }
  u32 last_region(u32 b) const { return plan_.region_of[f_.blocks[b].end - 1 - f_.first]; }
  bool alone(u32 instruction) const {
    return instruction < cuts_.size() && (cuts_[instruction] & lowering_cut::alone) != 0;
  }

  // Whether the guarded bodies of the block's branch, one or two, and where its lanes go on lie behind it and
  // can be merged with it: bodies_ and join_.
  bool find_bodies(u32 b) {
    const Block& block = f_.blocks[b];
    if (!plan_.blocks[b].branch_dropped || block.next.size() != 2 || block.end == f_.end) return false;
    bodies_.clear();
    jump_ = none;
    u32 at = block.end;
    while (bodies_.size() < 2 && at != f_.end) {
      const u32 body = f_.block_of[at - f_.first];
      const Block& inner = f_.blocks[body];
      const bool jumped_to = jump_ != none && f_.blocks[jump_].next[0] == body;
      if (!plan_.blocks[body].predicated || inner.before != std::vector<u32>{jumped_to ? jump_ : b} ||
          inner.next.size() != 1)
        break;
      const Block& next = f_.blocks[inner.next[0]];
      if (at == block.end && plan_.blocks[inner.next[0]].predicated &&
          next.before == std::vector<u32>{body} && next.loop == inner.loop) {
        jump_ = body;
      } else {
        bodies_.push_back(body);
      }
      at = inner.end;
    }
    if (bodies_.empty() || at == f_.end) return false;
    if (jump_ != none && f_.blocks[jump_].next[0] != bodies_.back()) return false;
    join_ = f_.block_of[at - f_.first];
    const Block& behind = f_.blocks[join_];
    if (behind.loop != block.loop || behind.before.size() != 2 || plan_.blocks[join_].predicated)
      return false;
    // The branch leads to the bodies, or to one and past it.
    if (bodies_.size() == 1 && std::ranges::find(block.next, join_) == block.next.end()) return false;
    if (alone(block.end - 1) || alone(behind.first)) return false;
    for (const u32 body : bodies_) {
      if (f_.blocks[body].next[0] != join_ || first_region(body) != last_region(body)) return false;
      if (alone(f_.blocks[body].first)) return false;
    }
    // Unrolled loops count the executions of their own regions.
    const auto rolled = [&](u32 region) { return plan_.regions[region].unrolled == 1; };
    return rolled(last_region(b)) && rolled(first_region(join_));
  }

  void merge(u32 b) {
    Block &into = f_.blocks[b], &behind = f_.blocks[join_];
    const u32 region = last_region(b), first_guarded = into.end;
    if (jump_ != none) {
      add(region, first_region(jump_));
      f_.blocks[jump_].end = f_.blocks[jump_].first;
      f_.blocks[jump_].next.clear();
    }
    for (const u32 body : bodies_) {
      for (LoweredInstruction& in : s_.regions[first_region(body)]) {
        in.own_lanes = std::ranges::all_of(in.destination, [&](const LoweredOperand& operand) {
          return !is_virtual(operand) || home_[operand.index] == body;
        });
      }
      add(region, first_region(body));
      f_.blocks[body].end = f_.blocks[body].first;
      f_.blocks[body].next.clear();
    }
    add(region, first_region(join_));
    guarded_.push_back({first_guarded, behind.first - first_guarded});
    into.end = behind.end;
    into.next = std::exchange(behind.next, {});
    for (const u32 next : into.next) std::ranges::replace(f_.blocks[next].before, join_, b);
    BlockPlan& planned = plan_.blocks[b];
    const BlockPlan& last = plan_.blocks[join_];
    planned.branch_dropped = last.branch_dropped;
    planned.branch_exits = last.branch_exits;
    planned.branch_divergent = last.branch_divergent;
    behind.end = behind.first;
  }

  // Puts one region, which lies right behind it, at another's end.
  void add(u32 region, u32 more) {
    std::ranges::move(s_.regions[more], std::back_inserter(s_.regions[region]));
    s_.regions[more].clear();
    LoweredRegion &to = plan_.regions[region], &from = plan_.regions[more];
    for (u32 i = from.first; i < from.first + from.count; ++i) plan_.region_of[i - f_.first] = region;
    to.count += from.count;
    from.count = 0;
  }

  void drop_empty_regions() {
    std::vector<u32> number(plan_.regions.size());
    u32 kept = 0;
    for (u32 r = 0; r < number.size(); ++r) {
      number[r] = kept;
      if (plan_.regions[r].count == 0) continue;
      if (kept != r) {
        plan_.regions[kept] = plan_.regions[r];
        s_.regions[kept] = std::move(s_.regions[r]);
      }
      ++kept;
    }
    plan_.regions.resize(kept);
    s_.regions.resize(kept);
    for (u32& region : plan_.region_of) region = number[region];
    for (auto& region : s_.regions) {
      for (LoweredInstruction& in : region) {
        for (LoweredOperand& operand : in.source) {
          if (operand.file == LoweredOperand::File::region) operand.index = number[operand.index];
        }
      }
    }
  }

  static constexpr u32 several = none - 1;
  Function& f_;
  Plan& plan_;
  Selected& s_;
  std::span<const u8> cuts_;
  std::vector<u32> home_;
  std::vector<u32> bodies_;
  u32 jump_ = none;  // a block in front of them that only leads to the last
  u32 join_ = none;
  std::vector<LoweredGuarded> guarded_;
};

}  // namespace

std::vector<LoweredGuarded> merge_guarded(Function& function, Plan& plan, Selected& selected,
                                          std::span<const u8> cuts) {
  return Merger(function, plan, selected, cuts).run();
}

}  // namespace lockstep::lowering
