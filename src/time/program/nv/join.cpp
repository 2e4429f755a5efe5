// Neighbouring accesses of local memory as one of 64 or 128 bits, where it is known that its address can be
// divided by as much. Seen of ptxas of CUDA 13: loads and stores of shared memory, in vectors or not, become
// LDS.64, LDS.128 and their like across a block; those of global memory stay as they are.
#include <algorithm>
#include <bit>
#include <span>
#include <tuple>

#include "time/program/nv/ir.h"

namespace lockstep::lowering {
namespace {

constexpr u32 words_at_most = 4;

// By which power of two the low words of values can be divided at least, as its exponent.
class Alignments {
 public:
  explicit Alignments(const Function& function) : f_(function), known_(function.nodes.size(), whole) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const u32 b : f_.order) {
        for (const u32 number : f_.blocks[b].nodes) {
          const u8 now = std::min(known_[number], of_node(f_.nodes[number]));
          changed |= now != known_[number];
          known_[number] = now;
        }
      }
    }
  }

  u32 of(const Ref& ref) const { return ref.part == 0 && ref.node != none ? known_[ref.node] : u32{0}; }

 private:
  static constexpr u8 whole = 32;

  u8 of_node(const Node& n) const {
    if (n.guard.node != none || n.predicate || n.real) return 0;
    const auto in = [&](std::size_t i) { return of(n.in[i]); };
    const auto least = [&](std::size_t from, std::size_t end) {
      u32 result = whole;
      for (std::size_t i = from; i < end; ++i) result = std::min(result, in(i));
      return static_cast<u8>(result);
    };
    u64 c;
    switch (n.op) {
      case Op::constant:
        return static_cast<u8>(std::min<u32>(whole, static_cast<u32>(std::countr_zero(n.value))));
      case Op::parameter:
        return parameter(n);
      case Op::add:
      case Op::or_:
      case Op::xor_:
      case Op::phi:
        return least(0, n.in.size());
      case Op::select:
      case Op::min:
      case Op::max:
        return least(0, 2);
      case Op::and_:
        return static_cast<u8>(std::max(in(0), in(1)));
      case Op::mul:
      case Op::mul_wide:
        return static_cast<u8>(std::min<u32>(whole, in(0) + in(1)));
      case Op::shl:
        if (!constant_of(f_, n.in[1], c)) return static_cast<u8>(in(0));
        return static_cast<u8>(std::min<u64>(whole, in(0) + c));
      case Op::zext:
      case Op::sext:
      case Op::pack:
      case Op::move:
        return static_cast<u8>(in(0));
      default:
        return 0;
    }
  }
  // Pointers to local memory say what they are aligned to.
  u8 parameter(const Node& n) const {
    if (!f_.kernel || n.value >= module_constants) return 0;
    for (const Program& kernel : f_.module->programs) {
      if (kernel.entry != f_.first) continue;
      for (const Parameter& p : kernel.parameters) {
        if (p.kind == ParameterKind::local_pointer && p.offset == n.value && p.align != 0)
          return static_cast<u8>(std::countr_zero(p.align));
      }
    }
    return 0;
  }

  const Function& f_;
  std::vector<u8> known_;
};

class Joiner {
 public:
  explicit Joiner(Function& function) : f_(function), alignments_(function) {}

  bool run() {
    for (const u32 b : f_.order) {
      for (const u32 number : std::vector<u32>(f_.blocks[b].nodes)) {
        const Node& n = f_.nodes[number];
        if (!n.effect) continue;
        Access one;
        if (!joins(n, number, one)) {
          if (!stays_out(n)) close();
          continue;
        }
        // What it must not be moved over, or nothing of the other kind over it.
        std::vector<Access>& others = one.store ? loads_ : stores_;
        if (one.store && overlaps(stores_, one)) join(stores_);
        if (overlaps(others, one)) join(others);
        (one.store ? stores_ : loads_).push_back(one);
      }
      close();
    }
    return any_;
  }

 private:
  struct Access {
    u32 node = none;
    Ref base;  // none: the address is a constant
    i64 at = 0;
    u32 words = 1;
    bool store = false;
  };

  // Whether it is a plain access of whole words of local memory.
  bool joins(const Node& n, u32 number, Access& one) const {
    if ((n.op != Op::load && n.op != Op::store) || n.guard.node != none || n.ptx == nullptr || n.in.empty() ||
        n.ptx->addressing != Addressing::local || n.ptx->policy.strong())
      return false;
    const bool words = n.element_bytes >= 4;
    one.node = number;
    one.store = n.op == Op::store;
    one.base = n.in[0];
    one.base.count = 1;
    one.at = static_cast<i64>(n.value);
    if (u64 c; constant_of(f_, one.base, c)) {
      one.at += static_cast<i64>(c);
      one.base = {};
    }
    one.words = n.width;
    if (one.store) {
      one.words = 0;
      for (std::size_t i = 1; i < n.in.size(); ++i) one.words += n.in[i].count;
    }
    return words && one.words >= 1 && one.words <= words_at_most;
  }
  // Whether it reaches nothing of local memory and orders nothing.
  static bool stays_out(const Node& n) {
    if ((n.op != Op::load && n.op != Op::store && n.op != Op::branch) || n.ptx == nullptr) return false;
    if (n.op == Op::branch) return true;
    const Addressing where = n.ptx->addressing;
    return !n.ptx->policy.strong() && where != Addressing::local && where != Addressing::generic;
  }
  static bool overlaps(const std::vector<Access>& list, const Access& one) {
    return std::any_of(list.begin(), list.end(), [&](const Access& other) {
      if (other.base != one.base) return true;
      return other.at < one.at + 4 * i64{one.words} && one.at < other.at + 4 * i64{other.words};
    });
  }
  void close() {
    join(loads_);
    join(stores_);
  }

  // The largest accesses that neighbours can make.
  void join(std::vector<Access>& list) {
    std::stable_sort(list.begin(), list.end(), [](const Access& a, const Access& b) {
      return std::tie(a.base, a.at) < std::tie(b.base, b.at);
    });
    for (std::size_t first = 0; first < list.size();) {
      std::size_t end = first + 1;
      for (const u32 words : {words_at_most, words_at_most / 2}) {
        const u32 aligned = list[first].base.node == none ? 32 : alignments_.of(list[first].base);
        const auto bytes = i64{4} * words;
        if ((i64{1} << aligned) < bytes || list[first].at % bytes != 0) continue;
        u32 have = list[first].words;
        std::size_t to = first + 1;
        for (; to < list.size() && have < words && list[to].base == list[first].base &&
               list[to].at == list[first].at + 4 * i64{have};
             ++to)
          have += list[to].words;
        if (have != words || to == first + 1) continue;
        make(std::span(list).subspan(first, to - first), words);
        end = to;
        break;
      }
      first = end;
    }
    list.clear();
  }

  // Loads are made where the first of them is, stores where the last is.
  void make(std::span<const Access> parts, u32 words) {
    any_ = true;
    std::vector<u32>& order = f_.blocks[f_.nodes[parts[0].node].block].nodes;
    const auto place = [&](u32 node) { return std::find(order.begin(), order.end(), node); };
    auto at = place(parts[0].node);
    for (const Access& part : parts) {
      const auto other = place(part.node);
      if (parts[0].store ? at < other : other < at) at = other;
    }
    Node all = f_.nodes[parts[0].node];  // the lowest address is that of all
    all.joined_bytes = static_cast<u8>(4 * words);
    if (parts[0].store) {
      for (const Access& part : parts.subspan(1))
        all.in.insert(all.in.end(), f_.nodes[part.node].in.begin() + 1, f_.nodes[part.node].in.end());
    } else {
      all.width = static_cast<u8>(words);
    }
    const u32 made = f_.add(std::move(all));
    order.insert(at, made);
    u32 word = 0;
    for (const Access& part : parts) {
      f_.nodes[part.node].dead = true;
      renamed_.resize(f_.nodes.size());
      renamed_[part.node] = {made, static_cast<u8>(word), 1, 0};
      word += part.words;
    }
    if (parts[0].store) return;
    for (Node& user : f_.nodes) {
      for (Ref& ref : user.in) {
        if (ref.node >= renamed_.size() || renamed_[ref.node].node == none) continue;
        ref.part = static_cast<u8>(ref.part + renamed_[ref.node].part);
        ref.node = renamed_[ref.node].node;
      }
    }
    for (const Access& part : parts) renamed_[part.node] = {};
  }

  Function& f_;
  Alignments alignments_;
  std::vector<Access> loads_, stores_;
  std::vector<Ref> renamed_;
  bool any_ = false;
};

}  // namespace

void join_accesses(Function& function) {
  if (!Joiner(function).run()) return;
  for (Block& block : function.blocks)
    std::erase_if(block.nodes, [&](u32 number) { return function.nodes[number].dead; });
}

}  // namespace lockstep::lowering
