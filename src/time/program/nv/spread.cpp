#include "time/program/nv/spread.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace lockstep::lowering {
namespace {

constexpr u32 no_value = ~u32{0};
constexpr u32 rounds = 4;               // each begins where the last ended; most find nothing in the second
constexpr std::size_t most_tried = 64;  // values of the other bank that one is held against

class Spread {
 public:
  Spread(std::vector<PlacedValue>& values, const ReadTogether& together, u32 banks)
      : values_(values), together_(together), banks_(banks), value_of_(together.size(), no_value) {
    for (u32 v = 0; v < values.size(); ++v) {
      if (values[v].at >= in_register_.size()) in_register_.resize(values[v].at + 1);
      in_register_[values[v].at].push_back(v);
      value_of_[values[v].unit] = v;
    }
  }

  void run() {
    for (u32 round = 0; round < rounds; ++round) {
      bool changed = false;
      for (u32 v = 0; v < values_.size(); ++v) {
        if (values_[v].moves && meets(v, values_[v].at) != 0) changed |= improve(v);
      }
      if (!changed) return;
    }
  }

 private:
  // How often its bank would have to deliver another register for the same instruction.
  u64 meets(u32 v, u32 at, u32 without = no_value) const {
    u64 times = 0;
    for (const auto& [other, weight] : together_[values_[v].unit]) {
      const u32 value = value_of_[other];
      if (value == no_value || value == without) continue;
      times += values_[value].at % banks_ == at % banks_ ? weight : 0;
    }
    return times;
  }

  // The values of a register that hold something when this one does: none, one or more.
  u32 others(u32 v, u32 at, u32& one, u32 without = no_value) const {
    u32 count = 0;
    for (const u32 other : in_register_[at]) {
      if (other == v || other == without || !overlap(*values_[v].held, *values_[other].held)) continue;
      one = other;
      if (++count > 1) break;
    }
    return count;
  }

  void put(u32 v, u32 at) {
    std::erase(in_register_[values_[v].at], v);
    values_[v].at = at;
    in_register_[at].push_back(v);
  }

  bool improve(u32 v) {
    const u32 from = values_[v].at;
    const u64 now = meets(v, from);
    u32 best = no_value, partner = no_value;
    u64 most_gain = 0;
    std::size_t tried = 0;
    for (u32 at = 0; at < in_register_.size() && tried < most_tried; ++at) {
      if (at % banks_ == from % banks_ || in_register_[at].empty()) continue;
      ++tried;
      u32 other = no_value, back = no_value;
      const u32 count = others(v, at, other);
      if (count > 1) continue;
      const u64 alone = meets(v, at, other);
      u64 before = now, behind = alone;
      if (count == 1) {
        if (!values_[other].moves || others(other, from, back, v) != 0) continue;
        before = meets(v, from, other) + meets(other, at, v);
        behind = alone + meets(other, from, v);
      }
      if (behind >= before || before - behind <= most_gain) continue;
      most_gain = before - behind;
      best = at;
      partner = count == 1 ? other : no_value;
    }
    if (best == no_value) return false;
    put(v, best);
    if (partner != no_value) put(partner, from);
    return true;
  }

  std::vector<PlacedValue>& values_;
  const ReadTogether& together_;
  u32 banks_;
  std::vector<u32> value_of_;                  // by unit
  std::vector<std::vector<u32>> in_register_;  // values, by register
};

}  // namespace

Sides sides_of(const ReadTogether& together) {
  const u32 count = static_cast<u32>(together.size());
  struct Edge {
    u64 weight;
    u32 a, b;
  };
  std::vector<Edge> edges;
  Sides result{std::vector<u32>(count), std::vector<bool>(count), std::vector<u64>(count)};
  for (u32 a = 0; a < count; ++a) {
    for (const auto& [b, weight] : together[a]) {
      result.weight[a] += weight;
      if (a < b) edges.push_back({weight, a, b});
    }
  }
  std::ranges::stable_sort(edges, std::greater{}, &Edge::weight);
  std::vector<u32> above(count);
  std::vector<bool> odd(count);  // against the one above
  std::iota(above.begin(), above.end(), 0);
  const auto root = [&](u32 v, bool& side) {
    side = false;
    u32 top = v;
    for (; above[top] != top; top = above[top]) side = side != odd[top];
    // Everything on the way hangs at the top from now on.
    for (bool rest = side; above[v] != v;) {
      const u32 next = above[v];
      const bool own = odd[v];
      above[v] = top;
      odd[v] = rest;
      rest = rest != own;
      v = next;
    }
    return top;
  };
  for (const Edge& edge : edges) {
    bool side_a, side_b;
    const u32 a = root(edge.a, side_a), b = root(edge.b, side_b);
    if (a == b) continue;
    above[b] = a;
    odd[b] = side_a == side_b;
  }
  for (u32 v = 0; v < count; ++v) {
    bool side;
    result.tree[v] = root(v, side);
    result.other_side[v] = side;
  }
  return result;
}

void spread_over_banks(std::vector<PlacedValue>& values, const ReadTogether& together, u32 banks) {
  Spread(values, together, banks).run();
}

}  // namespace lockstep::lowering
