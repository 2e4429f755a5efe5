#include "isa/nv/chains.h"

#include <algorithm>
#include <set>

#include "isa/nv/statements.h"

namespace lockstep::nv {
namespace {

// Statements that only fall through, up to one that always leads elsewhere.
struct Chain {
  u32 begin = 0, end = 0;
  std::vector<u32> next;  // chains
  // It ends with a branch out of a loop and falls back to the loop's beginning: turned round, the branch
  // leads there, and what it led to follows.
  u32 leads_to = no_index, follows = no_index;  // chains
};

class Order {
 public:
  explicit Order(FunctionTree& function) : f_(function) {
    const u32 count = static_cast<u32>(f_.body.size());
    std::vector<bool> begins(count + 1, false), labelled(count + 1, false);
    for (const auto& [label, at] : f_.labels) labelled[at] = true;
    begins[0] = true;
    for (u32 i = 0; i < count; ++i) begins[i + 1] = leaves(f_.body[i]);
    // Cut behind branches, too, which of them lead out of a loop and fall back to its beginning shows.
    std::vector<bool> more = begins;
    for (u32 i = 0; i + 1 < count; ++i) {
      const Statement& one = f_.body[i];
      const bool branch = one.words.front() == "bra" && one.operands.size() == 1 && one.guard != no_index;
      more[i + 1] = more[i + 1] || (branch && labelled[i + 1]);
    }
    cut(more);
    find_ways_back();
    std::vector<u32> ends;
    for (u32 c = 0; c + 1 < chains_.size(); ++c) {
      if (!begins[chains_[c].end] && state_[c] != unseen && back_.contains({c, c + 1}))
        ends.push_back(chains_[c].end);
    }
    for (const u32 end : ends) begins[end] = true;
    cut(begins);
    for (const u32 end : ends) {
      Chain& chain = chains_[chain_of_[end - 1]];
      std::vector<u32> to;
      add_targets(f_.body[end - 1], to);
      chain.leads_to = chain_of_[end];
      const auto out = f_.labels.find(f_.body[end - 1].operands.front().name);
      // It has to be where a chain begins.
      if (to.size() == 1 && out != f_.labels.end() && chains_[to[0]].begin == out->second)
        chain.follows = to[0];
    }
  }

  // Chains in their new order; empty where it is the old one.
  std::vector<u32> find() {
    if (chains_.size() < 3) return {};
    find_ways_back();
    bool natural = true;
    for (u32 c = 0; c < chains_.size(); ++c) {
      if (state_[c] == unseen) continue;
      for (const u32 next : chains_[c].next) natural = natural && (next > c || back_.contains({c, next}));
    }
    if (natural) return {};
    return place();
  }

  void apply(const std::vector<u32>& order) {
    const u32 count = static_cast<u32>(f_.body.size());
    std::vector<u32> place(count + 1, count);
    std::vector<Statement> body;
    body.reserve(count);
    for (const u32 c : order) {
      for (u32 i = chains_[c].begin; i < chains_[c].end; ++i) {
        place[i] = static_cast<u32>(body.size());
        body.push_back(std::move(f_.body[i]));
      }
    }
    f_.body = std::move(body);
    for (const u32 c : order) {
      if (chains_[c].leads_to != no_index)
        turn_round(f_.body[place[chains_[c].end - 1]], chains_[chains_[c].leads_to].begin);
    }
    for (auto& [label, at] : f_.labels) at = place[at];
    std::set<u32> rolled;
    for (const u32 at : f_.rolled) rolled.insert(place[at]);
    f_.rolled = std::move(rolled);
  }

 private:
  void cut(const std::vector<bool>& begins) {
    const u32 count = static_cast<u32>(f_.body.size());
    chains_.clear();
    chain_of_.assign(count, 0);
    for (u32 i = 0; i < count; ++i) {
      if (begins[i]) chains_.push_back({i, i, {}});
      chains_.back().end = i + 1;
      chain_of_[i] = static_cast<u32>(chains_.size() - 1);
    }
    for (u32 c = 0; c < chains_.size(); ++c) {
      Chain& chain = chains_[c];
      for (u32 i = chain.begin; i < chain.end; ++i) add_targets(f_.body[i], chain.next);
      if (!leaves(f_.body[chain.end - 1]) && chain.end < count) chain.next.push_back(c + 1);
      std::ranges::sort(chain.next);
      chain.next.erase(std::unique(chain.next.begin(), chain.next.end()), chain.next.end());
    }
  }

  // A branch that was passed by to what followed it leads there now; `to` is its place in the text.
  void turn_round(Statement& branch, u32 to) {
    const auto label = std::ranges::find_if(f_.labels, [&](const auto& one) { return one.second == to; });
    branch.guard_negated = !branch.guard_negated;
    branch.operands.front().name = label->first;
    std::string& text = f_.made_texts.emplace_back("@");
    if (branch.guard_negated) text += "!";
    text += f_.registers[branch.guard].name + " " + std::string(branch.opcode) + " " + label->first;
    branch.text = text;
  }

  void add_label(std::string_view name, std::vector<u32>& to) const {
    const auto found = f_.labels.find(name);
    if (found != f_.labels.end() && found->second < chain_of_.size()) to.push_back(chain_of_[found->second]);
  }
  void add_targets(const Statement& statement, std::vector<u32>& to) const {
    if (!is_branch(statement)) return;
    for (const OperandTree& operand : statement.operands) {
      add_label(operand.name, to);
      const auto list = f_.branch_targets.find(operand.name);
      if (list == f_.branch_targets.end()) continue;
      for (const std::string_view label : list->second.labels) add_label(label, to);
    }
  }

  // From the first chain on, without recursion: ways to what is still open lead back.
  void find_ways_back() {
    back_.clear();
    state_.assign(chains_.size(), unseen);
    std::vector<std::pair<u32, std::size_t>> path{{0, 0}};
    state_[0] = open;
    while (!path.empty()) {
      auto& [c, at] = path.back();
      if (at == chains_[c].next.size()) {
        state_[c] = done;
        path.pop_back();
        continue;
      }
      const u32 from = c, next = chains_[c].next[at++];
      if (state_[next] == open) back_.insert({from, next});
      if (state_[next] != unseen) continue;
      state_[next] = open;
      path.push_back({next, 0});
    }
  }

  // What the latest one leads to goes first, then whatever came first in the text.
  std::vector<u32> place() {
    std::vector<u32> waits(chains_.size(), 0), order;
    for (u32 c = 0; c < chains_.size(); ++c) {
      if (state_[c] == unseen) continue;
      for (const u32 next : chains_[c].next) waits[next] += back_.contains({c, next}) ? 0 : 1;
    }
    std::set<u32> ready{0};
    // Code that ends without saying so ends at the end of the text.
    const u32 count = static_cast<u32>(chains_.size());
    const u32 last = leaves(f_.body.back()) ? count : count - 1;
    u32 latest = 0;
    while (!ready.empty()) {
      u32 c = *ready.begin();
      for (const u32 next : chains_[latest].next) {
        if (!ready.contains(next)) continue;
        c = next;
        break;
      }
      if (chains_[latest].leads_to != no_index && !order.empty()) {
        c = chains_[latest].follows;
        if (!ready.contains(c) || c == last) return {};
      }
      ready.erase(c);
      latest = c;
      if (c != last) order.push_back(c);
      for (const u32 next : chains_[c].next) {
        if (!back_.contains({c, next}) && --waits[next] == 0) ready.insert(next);
      }
    }
    if (chains_[latest].leads_to != no_index) return {};
    for (u32 c = 0; c < count; ++c) {
      if (state_[c] == unseen && c != last) order.push_back(c);
    }
    if (last < count) order.push_back(last);
    return order;
  }

  enum : u8 { unseen, open, done };  // of state_: unseen ones are not reached
  FunctionTree& f_;
  std::vector<Chain> chains_;
  std::vector<u32> chain_of_;
  std::vector<u8> state_;
  std::set<std::pair<u32, u32>> back_;
};

}  // namespace

static void note_jumps_back(FunctionTree& function) {
  const auto jump = [](const Statement& one) {
    return one.words.front() == "bra" && one.operands.size() == 1;
  };
  for (u32 i = 1; i < function.body.size(); ++i) {
    Statement& one = function.body[i];
    const Statement& before = function.body[i - 1];
    if (!jump(one) || one.guard != no_index || (jump(before) && before.guard != no_index)) continue;
    const auto to = function.labels.find(one.operands.front().name);
    one.jumps_back = to != function.labels.end() && to->second <= i;
  }
}

void put_in_natural_order(FunctionTree& function) {
  if (function.body.empty()) return;
  note_jumps_back(function);
  Order order(function);
  if (const std::vector<u32> found = order.find(); !found.empty()) order.apply(found);
}

}  // namespace lockstep::nv
