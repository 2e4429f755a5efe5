// Values that are made in front of a loop and taken in it or behind it hold registers all the way. Those that
// a few cheap instructions make of others that are held anyway are made where they are taken instead, as
// ptxas of CUDA 13 does in kernels of many registers. Which, is a smallest cut: the values that are held over
// the loop are those of the least registers from which all that it takes can be made.
#include <algorithm>
#include <map>
#include <set>

#include "time/program/nv/ir.h"

namespace lockstep::lowering {
namespace {

constexpr u32 no_limit = 1u << 16;

// A graph whose nodes have capacities: the least that, taken out, leaves no way from the source to the sink,
// as near to the sink as it can be.
class Cut {
 public:
  explicit Cut(u32 nodes) : first_(2 * (nodes + 2), none), source_(2 * nodes + 1), sink_(2 * nodes + 2) {}

  void node(u32 n, u32 capacity) { edge(2 * n, 2 * n + 1, capacity); }
  void way(u32 from, u32 to) { edge(2 * from + 1, 2 * to, no_limit); }
  void from_source(u32 n, u32 capacity = no_limit) { edge(source_, 2 * n, capacity); }
  void to_sink(u32 n) { edge(2 * n + 1, sink_, no_limit); }

  // Which nodes lie behind the cut.
  std::vector<bool> behind() {
    while (augment()) {
    }
    // What still reaches the sink.
    std::vector<bool> reaches(first_.size(), false);
    std::vector<u32> left{sink_};
    reaches[sink_] = true;
    while (!left.empty()) {
      const u32 at = left.back();
      left.pop_back();
      for (u32 e = first_[at]; e != none; e = edges_[e].next) {
        const u32 other = edges_[e].to;
        if (reaches[other] || edges_[e ^ 1].room == 0) continue;
        reaches[other] = true;
        left.push_back(other);
      }
    }
    std::vector<bool> result;
    for (u32 n = 0; 2 * n + 1 < source_; ++n) result.push_back(reaches[2 * n]);
    return result;
  }

 private:
  struct Edge {
    u32 to, room, next;
  };
  void edge(u32 from, u32 to, u32 capacity) {
    edges_.push_back({to, capacity, first_[from]});
    first_[from] = static_cast<u32>(edges_.size() - 1);
    edges_.push_back({from, 0, first_[to]});
    first_[to] = static_cast<u32>(edges_.size() - 1);
  }
  bool augment() {
    std::vector<u32> by(first_.size(), none), left{source_};
    for (std::size_t i = 0; i < left.size() && by[sink_] == none; ++i) {
      for (u32 e = first_[left[i]]; e != none; e = edges_[e].next) {
        if (edges_[e].room == 0 || by[edges_[e].to] != none || edges_[e].to == source_) continue;
        by[edges_[e].to] = e;
        left.push_back(edges_[e].to);
      }
    }
    if (by[sink_] == none) return false;
    u32 room = no_limit;
    for (u32 at = sink_; at != source_; at = edges_[by[at] ^ 1].to)
      room = std::min(room, edges_[by[at]].room);
    for (u32 at = sink_; at != source_; at = edges_[by[at] ^ 1].to) {
      edges_[by[at]].room -= room;
      edges_[by[at] ^ 1].room += room;
    }
    return true;
  }

  std::vector<u32> first_;
  std::vector<Edge> edges_;
  u32 source_, sink_;
};

class MakeAgain {
 public:
  explicit MakeAgain(Function& function) : f_(function) {}

  bool run() {
    bool changed = false;
    for (std::size_t l = 0; l < f_.loops.size(); ++l) {
      // Instructions for a register, as many as a turn can bear: 3, and an eighth of a turn, were chosen by
      // ptxas' registers of the 120 configurations of sgemm of experiments/h200-timing/tuned.cu (of 1 to 4,
      // and a third to a 24th).
      for (u32 worth = 3; worth > 0; --worth) {
        if (!relieve(f_.loops[l], worth)) continue;
        changed = true;
        break;
      }
    }
    if (changed) drop_dead(f_);
    return changed;
  }

 private:
  struct User {
    u32 node, block;
  };

  static bool needs_no_register(const Node& n) {
    return n.op == Op::constant || n.op == Op::bank || (n.op == Op::parameter && n.width <= 2) || n.uniform;
  }
  // Words side by side, and zeros above them, are operands of what takes them.
  static bool is_instruction(const Node& n) {
    return !n.fused && n.op != Op::zext && n.op != Op::pack && !needs_no_register(n);
  }
  // Registers that hold a value.
  u32 registers_of(const Node& n) const { return n.op == Op::zext ? f_.at(n.in[0]).width : n.width; }
  // One instruction of the integer unit.
  static bool is_cheap(const Node& n) {
    if (n.dead || !is_pure(n) || n.predicate || n.second || n.real || n.packed || n.width == 0) return false;
    switch (n.op) {
      case Op::pack:
      case Op::add:
      case Op::and_:
      case Op::or_:
      case Op::xor_:
      case Op::shl:
      case Op::shr:
      case Op::min:
      case Op::max:
      case Op::extend:
      case Op::zext:
      case Op::sext:
      case Op::mul:
      case Op::mul_wide:
      case Op::mad:
      case Op::mad_wide:
      case Op::add3:
      case Op::lop3:
      case Op::shift_add:
      case Op::high_add:
        return (n.op != Op::mul && n.op != Op::mad) || n.width == 1;
      default:
        return false;
    }
  }

  void find_users() {
    users_.assign(f_.nodes.size(), {});
    for (u32 i = 0; i < f_.nodes.size(); ++i) {
      const Node& node = f_.nodes[i];
      if (node.dead) continue;
      for (std::size_t k = 0; k < node.in.size(); ++k) {
        const u32 block = node.op == Op::phi ? f_.blocks[node.block].before[k] : node.block;
        users_[node.in[k].node].push_back({i, block});
      }
      if (node.guard.node != none) users_[node.guard.node].push_back({i, node.block});
    }
  }

  // Instructions of a turn, those of loops in it as often as such loops are reckoned to go round.
  u64 turn_of(const Loop& loop) const {
    constexpr u64 turns = 8;
    u64 result = 0;
    for (const u32 b : loop.blocks) {
      u64 times = 1;
      for (u32 d = loop.depth; d < f_.blocks[b].depth; ++d) times *= turns;
      for (const u32 n : f_.blocks[b].nodes)
        result += f_.nodes[n].op != Op::phi && is_instruction(f_.nodes[n]) ? times : 0;
    }
    return result;
  }

  bool relieve(const Loop& loop, u32 worth) {
    find_users();
    // The loop and what comes behind it.
    std::vector<bool> in_loop(f_.blocks.size(), false);
    for (const u32 b : loop.blocks) in_loop[b] = true;
    std::vector<bool> later = in_loop;
    std::vector<u32> left = loop.blocks;
    while (!left.empty()) {
      const u32 b = left.back();
      left.pop_back();
      for (const u32 next : f_.blocks[b].next) {
        if (later[next]) continue;
        later[next] = true;
        left.push_back(next);
      }
    }
    // What could be made again: all whose users are there, or could be themselves.
    std::vector<bool> can(f_.nodes.size(), false);
    for (u32 i = 0; i < f_.nodes.size(); ++i)
      can[i] = is_cheap(f_.nodes[i]) && !later[f_.nodes[i].block] && !needs_no_register(f_.nodes[i]) &&
               dominates(f_, f_.nodes[i].block, loop.header);
    for (bool changed = true; changed;) {
      changed = false;
      for (u32 i = 0; i < f_.nodes.size(); ++i) {
        if (!can[i]) continue;
        can[i] = std::all_of(users_[i].begin(), users_[i].end(),
                             [&](const User& user) { return later[user.block] || can[user.node]; });
        changed |= !can[i];
      }
    }
    // What it is made of that has to be held: free if it is held anyway.
    std::map<u32, u32> place;
    std::vector<u32> members;
    const auto member = [&](u32 n) {
      const auto [at, fresh] = place.try_emplace(n, static_cast<u32>(members.size()));
      if (fresh) members.push_back(n);
      return at->second;
    };
    for (u32 i = 0; i < f_.nodes.size(); ++i) {
      if (!can[i]) continue;
      member(i);
      for (const Ref& ref : f_.nodes[i].in)
        if (!needs_no_register(f_.at(ref))) member(ref.node);
    }
    if (members.empty()) return false;
    Cut cut(static_cast<u32>(members.size()));
    for (u32 m = 0; m < members.size(); ++m) {
      const u32 n = members[m];
      const Node& node = f_.nodes[n];
      const bool held = !can[n] && std::any_of(users_[n].begin(), users_[n].end(), [&](const User& user) {
        return later[user.block] && !can[user.node];
      });
      cut.node(m, held || node.fused ? 0 : worth * registers_of(node));
      if (!can[n]) {
        cut.from_source(m);
        continue;
      }
      if (is_instruction(node)) cut.from_source(m, 1);
      for (const Ref& ref : node.in)
        if (!needs_no_register(f_.at(ref))) cut.way(place.at(ref.node), m);
      for (const User& user : users_[n]) {
        if (can[user.node] || !later[user.block]) continue;
        cut.to_sink(m);
        break;
      }
    }
    const std::vector<bool> behind = cut.behind();
    again_.assign(f_.nodes.size(), false);
    for (u32 m = 0; m < members.size(); ++m) again_[members[m]] = can[members[m]] && behind[m];
    return make(loop, in_loop, later);
  }

  // Where in the loop, or behind it, what a user takes is made: in no deeper loop than it has to be.
  u32 site(u32 block, const Loop& loop, const std::vector<bool>& in_loop) const {
    const u32 depth = in_loop[block] ? loop.depth : loop.depth - 1;
    while (f_.blocks[block].depth > depth) block = f_.blocks[block].dominator;
    return block;
  }

  // Something that takes values made again, and the block where they are made for it; `place`: where in the
  // block it stands, behind all for what only follows.
  struct Taker {
    u32 block, place, node;
    auto operator<=>(const Taker&) const = default;
  };

  bool make(const Loop& loop, const std::vector<bool>& in_loop, const std::vector<bool>& later) {
    constexpr u64 share = 8;  // of a turn's instructions is too dear
    std::set<Taker> takers;
    std::set<std::pair<u32, u32>> made;  // values, by block
    const auto count = [&](auto&& self, u32 value, u32 block) -> void {
      if (!again_[value] || !made.insert({value, block}).second) return;
      for (const Ref& ref : f_.nodes[value].in) self(self, ref.node, block);
    };
    for (u32 n = 0; n < again_.size(); ++n) {
      if (!again_[n]) continue;
      for (const User& user : users_[n]) {
        if (!later[user.block] || again_[user.node]) continue;
        const Node& taker = f_.nodes[user.node];
        const u32 block = site(user.block, loop, in_loop);
        const auto& list = f_.blocks[block].nodes;
        const bool here = taker.block == block && taker.op != Op::phi;
        const auto at = here ? std::find(list.begin(), list.end(), user.node) : list.end();
        takers.insert({block, static_cast<u32>(at - list.begin()), user.node});
        count(count, n, block);
      }
    }
    const u64 in_turn = static_cast<u64>(std::count_if(made.begin(), made.end(), [&](const auto& one) {
      return in_loop[one.second] && is_instruction(f_.nodes[one.first]);
    }));
    if (takers.empty() || in_turn * share > turn_of(loop)) return false;
    std::map<std::pair<u32, u32>, u32> copies;
    for (const Taker& one : takers) {
      for (std::size_t k = 0; k < f_.nodes[one.node].in.size(); ++k) {
        const Node& taker = f_.nodes[one.node];
        const u32 value = taker.in[k].node;
        if (value >= again_.size() || !again_[value]) continue;
        const bool phi = taker.op == Op::phi;
        if (phi && site(f_.blocks[taker.block].before[k], loop, in_loop) != one.block) continue;
        const bool here = taker.block == one.block && !phi;
        const u32 copy = copy_into(copies, value, one.block, here ? one.node : none);
        f_.nodes[one.node].in[k].node = copy;
      }
    }
    return true;
  }

  u32 copy_into(std::map<std::pair<u32, u32>, u32>& copies, u32 value, u32 block, u32 before) {
    if (value >= again_.size() || !again_[value]) return value;
    if (const auto known = copies.find({value, block}); known != copies.end()) return known->second;
    Node fresh = f_.nodes[value];
    for (Ref& ref : fresh.in) ref.node = copy_into(copies, ref.node, block, before);
    const u32 number = f_.add(std::move(fresh));
    copies[{value, block}] = number;
    if (before == none) {
      append(f_, block, number);
      return number;
    }
    auto& list = f_.blocks[block].nodes;
    list.insert(std::find(list.begin(), list.end(), before), number);
    f_.nodes[number].block = block;
    f_.nodes[number].from = f_.nodes[before].from;
    return number;
  }

  Function& f_;
  std::vector<std::vector<User>> users_;
  std::vector<bool> again_;
};

}  // namespace

bool make_again(Function& function) {
  return MakeAgain(function).run();
}

}  // namespace lockstep::lowering
