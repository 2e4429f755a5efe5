#include "isa/nv/early_loads.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "isa/nv/statements.h"

namespace lockstep::nv {
namespace {

// What addresses are put together from.
bool makes_addresses(const Statement& statement) {
  const std::string_view word = statement.words.front();
  if (statement.guard != no_index || has(statement, "cc") || statement.operands.empty() ||
      statement.operands.front().kind != OperandTree::Kind::reg)
    return false;
  static constexpr std::string_view words[] = {"shl", "mul", "mad", "add", "sub", "mov", "cvt", "cvta", "or"};
  return std::ranges::find(words, word) != std::end(words);
}
// Of that, what multiplies an index.
bool multiplies(const Statement& statement) {
  const std::string_view word = statement.words.front();
  return (word == "shl" && !has(statement, "b64")) ||
         ((word == "mul" || word == "mad") && !has(statement, "wide"));
}

class Blocks {
 public:
  explicit Blocks(FunctionTree& function)
      : f_(function),
        count_(static_cast<u32>(function.body.size())),
        named_(function.registers.size()),
        given_(function.registers.size()),
        place_(count_),
        moved_(count_, false) {
    for (u32 i = 0; i < count_; ++i) place_[i] = i;
  }

  void run() {
    std::vector<bool> labelled(count_ + 1, false);
    for (const auto& [label, at] : f_.labels) labelled[at] = true;
    for (u32 begin = 0, end; begin < count_; begin = end) {
      end = begin + 1;
      while (end < count_ && !labelled[end] && !ends_block(f_.body[end - 1])) ++end;
      block(begin, end);
    }
    if (!moves_) return;
    std::vector<u32> order(count_);
    for (u32 i = 0; i < count_; ++i) order[i] = i;
    std::ranges::sort(order, {}, [this](u32 i) { return std::tuple(place_[i], !moved_[i], i); });
    std::vector<Statement> body;
    body.reserve(count_);
    for (const u32 i : order) body.push_back(std::move(f_.body[i]));
    f_.body = std::move(body);
  }

 private:
  // A barrier of the running block.
  struct Barrier {
    u32 behind = 0;   // the statement behind it
    u32 loads = 0;    // up to the next one
    u32 crossed = 0;  // by so many of them and of those further behind
  };

  void block(u32 begin, u32 end) {
    std::vector<Barrier> barriers;
    u32 loads_first = 0;
    for (u32 i = begin; i < end; ++i) {
      if (is_group_barrier(f_.body[i])) barriers.push_back({i + 1});
      if (loads_what_stays(f_.body[i])) ++(barriers.empty() ? loads_first : barriers.back().loads);
    }
    std::size_t passed = 0;
    for (u32 i = begin; i < end; ++i) {
      const Statement& one = f_.body[i];
      if (passed != 0 && loads_what_stays(one)) move(i, {barriers.data(), passed}, begin, loads_first);
      for (const OperandTree& operand : one.operands)
        for_each_register(operand, [&](u32 index) { named_[index].push_back(i); });
      if (one.guard != no_index) named_[one.guard].push_back(i);
      // Results come first. What a store has there counts as well.
      if (!one.operands.empty())
        for_each_register(one.operands.front(), [&](u32 index) { given_[index].push_back(i); });
      passed += is_group_barrier(one);
    }
  }

  // Over as many of the barriers in front of it as loads that cross them leave registers. Where its index is
  // multiplied, ptxas makes that of the index before it, one behind the other, and leaves loads where they
  // stand, but for a few in front of the first barrier.
  void move(u32 i, std::span<Barrier> barriers, u32 begin, u32 loads_first) {
    constexpr u32 few = 4;
    const u32 most = std::max(few, barriers.back().loads);
    std::size_t first = barriers.size();
    while (first > 0 && barriers[first - 1].crossed < most) --first;
    std::vector<u32> with;
    if (first == barriers.size()) return;
    const u32 place =
        place_for(i, first == 0 ? begin : barriers[first - 1].behind, barriers[first].behind, with);
    if (place >= barriers.back().behind) return;
    const bool in_front = place < barriers.front().behind && barriers.front().crossed + loads_first < few;
    const auto moves_with = [&](u32 other) { return other >= place && multiplies(f_.body[other]); };
    if (!in_front && std::ranges::any_of(with, moves_with)) return;
    for (const u32 other : with) {
      if (other < place) continue;
      place_[other] = place;
      moved_[other] = true;
    }
    for (Barrier& barrier : barriers) barrier.crossed += place < barrier.behind;
    moves_ = true;
  }

  // The first place from `from` on at which a statement can stand together with what makes its address, which
  // is added to `with`, as it is. What stands in front of `stays` stays there.
  u32 place_for(u32 i, u32 from, u32 stays, std::vector<u32>& with) const {
    constexpr std::size_t most = 8;  // statements
    if (with.size() == most) return i + 1;
    with.push_back(i);
    const Statement& one = f_.body[i];
    u32 place = from;
    for_each_register(one.operands.front(), [&](u32 index) {
      for (const u32 other : named_[index]) {
        if (other < i) place = std::max(place, behind(other));
      }
    });
    for (std::size_t k = 1; k < one.operands.size(); ++k) {
      for_each_register(one.operands[k], [&](u32 index) {
        const auto later = std::ranges::lower_bound(given_[index], i);
        if (later == given_[index].begin()) return;
        const u32 by = *std::prev(later);
        if (behind(by) <= place) return;
        const bool goes = by >= stays && !moved_[by] && makes_addresses(f_.body[by]);
        place = std::max(place, goes ? place_for(by, place, stays, with) : behind(by));
      });
    }
    return place;
  }

  // The first place behind a statement: those moved to one place keep their order.
  u32 behind(u32 i) const { return moved_[i] ? place_[i] : i + 1; }

  FunctionTree& f_;
  u32 count_;
  std::vector<std::vector<u32>> named_, given_;  // by register: statements that have it, that give it
  std::vector<u32> place_;                       // by statement: in front of which one it stands
  std::vector<bool> moved_;  // by statement: as those do that have been moved, in their order
  bool moves_ = false;
};

}  // namespace

void put_loads_early(FunctionTree& function) {
  if (std::ranges::none_of(function.body, loads_what_stays) ||
      std::ranges::none_of(function.body, is_group_barrier))
    return;
  Blocks(function).run();
}

}  // namespace lockstep::nv
