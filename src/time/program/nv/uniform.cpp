// Values that the uniform datapath makes, once for the warp (from Turing on). Seen of ptxas of CUDA 13: what
// is computed from the launch's constants (on Turing from the group's index, too) alone goes there where all
// lanes run or have met again, unless it is the product or shift that one addition of other values would take
// in.
#include <algorithm>

#include "time/program/nv/ir.h"
#include "time/program/nv/lowered.h"

namespace lockstep::lowering {
namespace {

class Uniform {
 public:
  explicit Uniform(Function& function) : f_(function), uses_(use_counts(function)) {}

  void run() {
    find_blocks();
    mark(vector_groups());
  }

 private:
  // Blocks that are executed by all lanes that have not left: those outside loops that every way from the
  // entry goes through. Where lanes have parted they have met again there.
  void find_blocks() {
    std::vector<u32> last;  // behind which there are none but blocks that leave
    for (const u32 b : f_.order) {
      const auto& next = f_.blocks[b].next;
      if (!leaves(b) && std::all_of(next.begin(), next.end(), [this](u32 to) { return leaves(to); }))
        last.push_back(b);
    }
    for (const u32 b : f_.order) {
      const auto passed = [&](u32 end) { return dominates(f_, b, end); };
      if (f_.blocks[b].loop == none && !leaves(b) && std::all_of(last.begin(), last.end(), passed))
        blocks_.push_back(b);
    }
  }
  bool leaves(u32 b) const {
    return f_.blocks[b].nodes.size() == 1 && f_.nodes[f_.blocks[b].nodes[0]].op == Op::exit;
  }

  static bool is_group_index(const Node& n) {
    return n.op == Op::special && n.value >= static_cast<u64>(LoweredSpecial::ctaid_x) &&
           n.value <= static_cast<u64>(LoweredSpecial::ctaid_z);
  }
  bool is_source(const Ref& ref, const std::vector<bool>& vectors) const {
    const Node& n = f_.at(ref);
    if (n.predicate || (ref.modifiers & Ref::absolute) != 0) return false;
    if (n.op == Op::zext || n.op == Op::pack)
      return std::all_of(n.in.begin(), n.in.end(), [&](const Ref& in) { return is_source(in, vectors); });
    // Only Turing's memory instructions take addresses from there.
    if (is_group_index(n)) return f_.capability == 75 && !vectors[ref.node];
    return n.uniform || n.op == Op::constant || n.op == Op::bank || (n.op == Op::parameter && n.width <= 2);
  }
  static bool has(const Node& n) {
    switch (n.op) {
      case Op::add:
      case Op::mul:
      case Op::mul_wide:
      case Op::shl:
      case Op::shr:
      case Op::and_:
      case Op::or_:
      case Op::xor_:
      case Op::sext:
      case Op::extend:
        return n.width != 0 && n.bits >= 32 && !n.predicate && !n.real && !n.packed && n.guard.node == none;
      default:
        return false;
    }
  }

  void mark_with(const std::vector<bool>& vectors) {
    for (Node& n : f_.nodes) n.uniform = false;
    for (const u32 b : blocks_) {
      for (const u32 number : f_.blocks[b].nodes) {
        Node& n = f_.nodes[number];
        n.uniform = has(n) && std::all_of(n.in.begin(), n.in.end(),
                                          [&](const Ref& ref) { return is_source(ref, vectors); });
      }
    }
    // What one addition of other values takes in.
    std::vector<u32> user(f_.nodes.size(), none);
    for (u32 i = 0; i < f_.nodes.size(); ++i) {
      if (f_.nodes[i].dead) continue;
      for (const Ref& ref : f_.nodes[i].in) user[ref.node] = i;
    }
    for (std::size_t b = blocks_.size(); b-- > 0;) {
      const std::vector<u32>& list = f_.blocks[blocks_[b]].nodes;
      for (std::size_t i = list.size(); i-- > 0;) {
        Node& n = f_.nodes[list[i]];
        const bool taken_in = n.op == Op::mul || n.op == Op::mul_wide || n.op == Op::shl;
        if (!n.uniform || !taken_in || uses_[list[i]] != 1) continue;
        const Node& by = f_.nodes[user[list[i]]];
        if (by.op == Op::add && !by.uniform && by.width == n.width) n.uniform = false;
      }
    }
  }

  // Values from which addresses are made that are uniform as a whole.
  std::vector<bool> lead_to_addresses() const {
    std::vector<bool> leads(f_.nodes.size(), false);
    std::vector<u32> left;
    const auto lead = [&](const Ref& ref) {
      if (!f_.at(ref).uniform || leads[ref.node]) return;
      leads[ref.node] = true;
      left.push_back(ref.node);
    };
    for (const Node& n : f_.nodes) {
      const bool accesses = n.op == Op::load || n.op == Op::store || n.op == Op::atomic;
      if (!n.dead && accesses && !n.in.empty()) lead(n.in[0]);
    }
    // What else is made on the way there goes along.
    while (!left.empty()) {
      const u32 number = left.back();
      left.pop_back();
      for (const Ref& ref : f_.nodes[number].in) lead(ref);
    }
    return leads;
  }

  // Group indices that others than the datapath take as well lie in vector registers.
  std::vector<bool> vector_groups() {
    std::vector<bool> vectors(f_.nodes.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      mark_with(vectors);
      const auto take = [&](const Ref& ref) {
        if (ref.node == none || !is_group_index(f_.at(ref)) || vectors[ref.node]) return;
        vectors[ref.node] = changed = true;
      };
      const std::vector<bool> leads = lead_to_addresses();
      for (u32 i = 0; i < f_.nodes.size(); ++i) {
        const Node& n = f_.nodes[i];
        if (n.dead || (n.uniform && leads[i])) continue;
        for (const Ref& ref : n.in) take(ref);
      }
    }
    return vectors;
  }
  void mark(const std::vector<bool>& vectors) {
    for (u32 i = 0; i < vectors.size(); ++i) {
      Node& n = f_.nodes[i];
      if (!n.dead && is_group_index(n) && uses_[i] != 0) n.uniform = !vectors[i];
    }
  }

  Function& f_;
  std::vector<u32> uses_, blocks_;
};

}  // namespace

void choose_uniform(Function& function) {
  if (function.kernel && function.capability >= 75) Uniform(function).run();
}

}  // namespace lockstep::lowering
