// Loops that the vendor's assembler unrolls: of a turn's counting and branching only every n-th is left, and
// what one turn loads is waited for after the loads of n turns. Seen of ptxas of CUDA 13: innermost loops of
// one block without barriers or calls whose number of turns is known when they begin are unrolled by 4.
#include <algorithm>

#include "isa/nv/control.h"
#include "time/program/nv/plan.h"

namespace lockstep::lowering {
namespace {

constexpr u8 turns = 4;
constexpr std::size_t most_nodes = 48;  // of the body: larger ones are left as they are

class Unroller {
 public:
  Unroller(Function& function, u32 block) : f_(function), block_(block) {}

  // Whether what is loaded can be waited for later: no store between the loads of two turns keeps them apart.
  bool loads_ahead() const {
    const Block& b = f_.blocks[block_];
    u8 loaded = 0, stored = 0;
    for (const u32 number : b.nodes) {
      const Node& n = f_.nodes[number];
      if (n.op == Op::load) loaded |= memories(n);
      if (n.op == Op::store) stored |= memories(n);
    }
    return (loaded & stored) == 0;
  }
  // The nodes that count the turns; empty where the loop is left as it is.
  std::vector<u32> counting() {
    const Block& b = f_.blocks[block_];
    if (b.next.size() != 2 || b.before.size() != 2 || b.nodes.size() > most_nodes) return {};
    for (u32 i = b.first; i < b.end; ++i) {
      const Instruction& in = f_.module->code.instructions[i];
      if (in.meaning == &nv::branch() && in.detail == nv::nounroll) return {};
    }
    const auto back = std::find(b.before.begin(), b.before.end(), block_);
    if (back == b.before.end()) return {};
    back_ = static_cast<std::size_t>(back - b.before.begin());
    const Node* branch = nullptr;
    bool loads = false;
    for (const u32 number : b.nodes) {
      const Node& n = f_.nodes[number];
      if (n.op == Op::branch) branch = &n;
      if (!n.effect || n.op == Op::branch) continue;
      const bool memory = n.op == Op::load || n.op == Op::store || n.op == Op::matrix;
      if (!memory || n.guard.node != none || (n.ptx != nullptr && n.ptx->policy.strong())) return {};
      loads |= n.op == Op::load;
    }
    if (branch == nullptr || branch->guard.node == none) return {};
    std::vector<u32> found;
    const u32 test = branch->guard.node;
    const Node& compare = f_.nodes[test];
    if (compare.op != Op::compare || compare.block != block_ || compare.in.size() != 2) return {};
    for (const u32 number : b.nodes) {
      if (steps(number)) found.push_back(number);
    }
    // One side of the test counts, the other is known before.
    const auto counts = [&](const Ref& ref) {
      return std::find(found.begin(), found.end(), ref.node) != found.end() ||
             (f_.at(ref).op == Op::phi && f_.at(ref).block == block_ &&
              std::find(found.begin(), found.end(), f_.at(ref).in[back_].node) != found.end());
    };
    const auto known = [&](const Ref& ref) { return ref.node != none && f_.at(ref).block != block_; };
    if (!(counts(compare.in[0]) && known(compare.in[1])) && !(counts(compare.in[1]) && known(compare.in[0])))
      return {};
    if (loads && turns_lean_on_loads()) return {};
    found.push_back(test);
    return found;
  }

 private:
  // A phi's next value: the phi and what does not change in the loop.
  bool steps(u32 number) const {
    const Node& n = f_.nodes[number];
    if (n.op != Op::add || n.in.size() != 2 || n.guard.node != none || n.predicate) return false;
    for (u32 i = 0; i < 2; ++i) {
      const Node& phi = f_.at(n.in[i]);
      const Ref& step = n.in[1 - i];
      if (phi.op == Op::phi && phi.block == block_ && phi.in.size() > back_ && phi.in[back_].node == number &&
          step.node != none && f_.at(step).block != block_)
        return true;
    }
    return false;
  }
  // Whether a load's address, or where a store goes, comes from what an earlier turn has loaded.
  bool turns_lean_on_loads() const {
    const Block& b = f_.blocks[block_];
    std::vector<bool> loaded(f_.nodes.size(), false), carried(f_.nodes.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (const u32 number : b.nodes) {
        const Node& n = f_.nodes[number];
        bool is = n.op == Op::load, late = false;
        if (n.op == Op::phi) {
          is = n.in.size() > back_ && n.in[back_].node != none && loaded[n.in[back_].node];
          late = is;
        } else {
          for (const Ref& ref : n.in) {
            is |= loaded[ref.node];
            late |= carried[ref.node] && n.op != Op::load;
          }
        }
        if ((is && !loaded[number]) || (late && !carried[number])) changed = true;
        if (is) loaded[number] = true;
        if (late) carried[number] = true;
      }
    }
    return std::any_of(b.nodes.begin(), b.nodes.end(), [&](u32 number) {
      const Node& n = f_.nodes[number];
      return n.op == Op::load &&
             std::any_of(n.in.begin(), n.in.end(), [&](const Ref& ref) { return carried[ref.node]; });
    });
  }

  // The memories that an access can reach, a bit each; none where nothing in the kernel can change them.
  static u8 memories(const Node& n) {
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
        return n.ptx->policy.has(AccessPolicy::read_only) ? 0 : global;
    }
  }

  Function& f_;
  u32 block_;
  std::size_t back_ = 0;
};

}  // namespace

void unroll(Function& function, Plan& plan) {
  for (const Loop& loop : function.loops) {
    if (loop.blocks.size() != 1) continue;
    const u32 block = loop.header;
    BlockPlan& planned = plan.blocks[block];
    if (planned.predicated || planned.branch_dropped) continue;
    Unroller unroller(function, block);
    const std::vector<u32> counting = unroller.counting();
    if (counting.empty()) continue;
    planned.every = turns;
    for (const u32 number : counting) function.nodes[number].every = turns;
    if (!unroller.loads_ahead()) continue;
    for (u32 i = function.blocks[block].first; i < function.blocks[block].end; ++i)
      plan.regions[plan.region_of[i - function.first]].unrolled = turns;
  }
}

}  // namespace lockstep::lowering
