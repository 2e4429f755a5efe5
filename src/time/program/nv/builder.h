// Makes values of one function's instructions: its state.
#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "isa/nv/control.h"
#include "isa/nv/wave.h"
#include "isa/register_use.h"
#include "isa/semantic.h"
#include "time/program/nv/ir.h"
#include "time/program/nv/lowered.h"

namespace lockstep::lowering {

class Builder {
 public:
  Builder(const Module& module, const Program& program, u32 first, u32 end, bool kernel)
      : code_(module.code), tables_(static_cast<const nv::PtxProgram&>(*program.isa).tables.get()) {
    f_.module = &module;
    f_.first = first;
    f_.end = end;
    f_.kernel = kernel;
    f_.capability = module.target->compute_capability();
  }

  Function run() {
    make_blocks();
    defs_.resize(f_.blocks.size());
    incomplete_.resize(f_.blocks.size());
    sealed_.resize(f_.blocks.size(), false);
    filled_.resize(f_.blocks.size(), false);
    for (const u32 b : f_.order) {
      if (ready(b)) seal(b);
      current_ = b;
      for (u32 i = f_.blocks[b].first; i < f_.blocks[b].end; ++i) instruction(i);
      filled_[b] = true;
      for (const u32 next : f_.blocks[b].next) {
        if (!sealed_[next] && ready(next)) seal(next);
      }
    }
    for (const u32 b : f_.order) {
      if (!sealed_[b]) seal(b);
    }
    pair_phis();
    return std::move(f_);
  }

 private:
  const Instruction& in(u32 i) const { return code_.instructions[i]; }

  void make_blocks() {
    const u32 count = f_.end - f_.first;
    std::vector<bool> begins(count + 1, false);
    begins[0] = true;
    const auto begin = [&](u32 target) {
      if (target >= f_.first && target < f_.end) begins[target - f_.first] = true;
    };
    for (u32 i = f_.first; i < f_.end; ++i) {
      const Semantic* meaning = in(i).meaning;
      const bool flow = meaning == &nv::branch() || meaning == &nv::indexed_branch() ||
                        meaning == &nv::exit_lanes() || meaning == &nv::trap() ||
                        meaning == &nv::return_from_call();
      if (meaning == &nv::branch()) begin(in(i).target);
      if (meaning == &nv::indexed_branch()) {
        for (const u32 target : tables_->registers[in(i).operand[3].value]) begin(target);
      }
      if (meaning == &nv::meet() && (in(i).detail & nv::lanes_meet) != 0) begins[i - f_.first] = true;
      if (flow) begins[i + 1 - f_.first] = true;
    }
    f_.block_of.resize(count);
    for (u32 i = 0; i < count; ++i) {
      if (begins[i]) {
        f_.blocks.emplace_back();
        f_.blocks.back().first = f_.first + i;
      }
      f_.blocks.back().end = f_.first + i + 1;
      f_.block_of[i] = static_cast<u32>(f_.blocks.size() - 1);
    }
    for (u32 b = 0; b < f_.blocks.size(); ++b) {
      const Instruction& last = in(f_.blocks[b].end - 1);
      std::vector<u32>& next = f_.blocks[b].next;
      const auto to = [&](u32 target) {
        if (target < f_.first || target >= f_.end) return;
        const u32 block = f_.block_of[target - f_.first];
        if (std::find(next.begin(), next.end(), block) == next.end()) next.push_back(block);
      };
      const Semantic* meaning = last.meaning;
      const bool ends = (meaning == &nv::branch() && last.guard == 0) || meaning == &nv::indexed_branch() ||
                        (meaning == &nv::exit_lanes() && last.guard == 0) || meaning == &nv::trap() ||
                        meaning == &nv::return_from_call();
      if (!ends) to(f_.blocks[b].end);
      if (meaning == &nv::branch()) to(last.target);
      if (meaning == &nv::indexed_branch()) {
        for (const u32 target : tables_->registers[last.operand[3].value]) to(target);
      }
    }
    // Reverse post-order of what the entry reaches.
    std::vector<std::pair<u32, u32>> stack{{0, 0}};
    f_.blocks[0].reached = true;
    while (!stack.empty()) {
      auto& [b, at] = stack.back();
      if (at < f_.blocks[b].next.size()) {
        const u32 to = f_.blocks[b].next[f_.blocks[b].next.size() - 1 - at++];
        if (!f_.blocks[to].reached) {
          f_.blocks[to].reached = true;
          stack.push_back({to, 0});
        }
      } else {
        f_.order.push_back(b);
        stack.pop_back();
      }
    }
    std::reverse(f_.order.begin(), f_.order.end());
    for (const u32 b : f_.order) {
      for (const u32 to : f_.blocks[b].next) f_.blocks[to].before.push_back(b);
    }
  }

  bool ready(u32 b) const {
    return std::all_of(f_.blocks[b].before.begin(), f_.blocks[b].before.end(),
                       [&](u32 before) { return filled_[before]; });
  }
  void seal(u32 b) {
    sealed_[b] = true;
    for (const auto& [variable, phi] : incomplete_[b]) complete(variable, phi, b);
  }

  // Variables: rows of lanes, then predicates.
  static constexpr u32 predicate_variable = u32{1} << 31;

  u32 node(Node fresh, bool front = false) {
    fresh.block = current_;
    const u32 number = f_.add(std::move(fresh));
    auto& list = f_.blocks[current_].nodes;
    if (front) {
      list.insert(list.begin(), number);
    } else {
      list.push_back(number);
    }
    return number;
  }
  u32 leaf(Op op, u64 value, u8 width = 1, bool predicate = false) {
    const auto key = std::tuple(op, value, static_cast<u8>(predicate ? 0 : width));
    const auto found = leaves_.find(key);
    if (found != leaves_.end()) return found->second;
    Node fresh;
    fresh.op = op;
    fresh.value = value;
    fresh.width = predicate ? 0 : width;
    fresh.predicate = predicate;
    fresh.bits = static_cast<u8>(32 * width);
    fresh.from = f_.first;
    const u32 kept = current_;
    current_ = 0;
    const u32 number = node(fresh, true);
    current_ = kept;
    return leaves_[key] = number;
  }

  Ref entry_value(u32 variable) {
    if ((variable & predicate_variable) == 0) {
      if (variable <= nv::fixed_row::tid + 2)
        return {leaf(Op::special, static_cast<u64>(LoweredSpecial::tid_x) + variable)};
      if (variable == nv::fixed_row::lane) return {leaf(Op::special, static_cast<u64>(LoweredSpecial::lane))};
      if (variable == nv::fixed_row::frame) return {leaf(Op::frame, 0)};
      return {leaf(Op::undefined, 0)};
    }
    return {leaf(Op::undefined, 1, 1, true)};
  }

  Ref read(u32 variable, u32 b) {
    const auto found = defs_[b].find(variable);
    if (found != defs_[b].end()) return found->second;
    Ref value;
    const auto fresh_phi = [&] {
      Node phi;
      phi.op = Op::phi;
      phi.predicate = (variable & predicate_variable) != 0;
      phi.width = phi.predicate ? 0 : 1;
      phi.from = f_.blocks[b].first;
      const u32 kept = current_;
      current_ = b;
      const u32 number = node(phi, true);
      current_ = kept;
      return number;
    };
    if (!sealed_[b]) {
      value = {fresh_phi()};
      incomplete_[b].push_back({variable, value.node});
    } else if (f_.blocks[b].before.empty()) {
      value = entry_value(variable);
    } else if (f_.blocks[b].before.size() == 1) {
      value = read(variable, f_.blocks[b].before[0]);
    } else {
      value = {fresh_phi()};
      defs_[b][variable] = value;
      complete(variable, value.node, b);
      value = resolve(value);
    }
    defs_[b][variable] = value;
    return value;
  }

  // A phi that only joins itself and one value is that value.
  Ref resolve(Ref ref) {
    for (auto found = replaced_.find(ref.node); found != replaced_.end(); found = replaced_.find(ref.node)) {
      const Ref to = found->second;
      ref = {to.node, static_cast<u8>(to.part + ref.part), ref.count,
             static_cast<u8>(to.modifiers ^ ref.modifiers)};
    }
    return ref;
  }
  void complete(u32 variable, u32 phi, u32 b) {
    std::vector<Ref> in;
    for (const u32 before : f_.blocks[b].before) in.push_back(read(variable, before));
    f_.nodes[phi].in = std::move(in);
    std::optional<Ref> same;
    for (Ref ref : f_.nodes[phi].in) {
      ref = resolve(ref);
      if (ref.node == phi) continue;
      if (same && *same != ref) return;
      same = ref;
    }
    if (!same) same = entry_value(variable);
    replaced_[phi] = *same;
    f_.nodes[phi].dead = true;
  }

  void write(u32 variable, Ref value) { defs_[current_][variable] = value; }

  // What an operand is.
  Ref pair_of(Ref low, Ref high, u32 from) {
    low = resolve(low);
    high = resolve(high);
    if (low.node == high.node && high.part == low.part + 1) return {low.node, low.part, 2};
    Node pack;
    pack.op = Op::pack;
    pack.width = 2;
    pack.bits = 64;
    pack.in = {low, high};
    pack.from = from;
    return {node(pack), 0, 2};
  }
  Ref source(const Operand& operand, bool mask, u32 i) {
    switch (operand.kind) {
      case OperandKind::vector:
        if (operand.registers == 2)
          return pair_of(read(operand.index, current_), read(operand.index + 1, current_), i);
        return resolve(read(operand.index, current_));
      case OperandKind::scalar: {
        using namespace nv::fixed_scalar;
        const u32 s = operand.index;
        const auto word = [&](u32 which) { return Ref{leaf(Op::bank, which)}; };
        if (s >= ntid && s < ntid + 3) return word(s - ntid);
        if (s >= ctaid && s < ctaid + 3)
          return {leaf(Op::special, static_cast<u64>(LoweredSpecial::ctaid_x) + s - ctaid)};
        if (s >= nctaid && s < nctaid + 3) return word(3 + s - nctaid);
        if (s >= offset && s < offset + 3) return word(6 + s - offset);
        if (s == wave_in_group) return {leaf(Op::special, static_cast<u64>(LoweredSpecial::warp))};
        if (s == zero) return {leaf(Op::constant, 0)};
        if (s < first_free && s != carry) return word(9 + s);
        return resolve(read(s | predicate_variable, current_));
      }
      case OperandKind::immediate: {
        if (mask) return {leaf(Op::constant, operand.value != 0 ? 1 : 0, 1, true)};
        const bool wide = wide_ || operand.registers == 2;
        return {leaf(Op::constant, operand.value, wide ? 2 : 1), 0, static_cast<u8>(wide ? 2 : 1)};
      }
      default:
        return {leaf(Op::undefined, 0)};
    }
  }

  void result(const Operand& operand, u32 number, u8 part = 0) {
    if (operand.kind == OperandKind::scalar) {
      write(operand.index | predicate_variable, {number, part, 1});
    } else if (operand.kind == OperandKind::vector) {
      for (u8 i = 0; i < operand.registers; ++i)
        write(operand.index + i, {number, static_cast<u8>(part + i), 1});
    }
  }

  void instruction(u32 i);
  bool image_instruction(u32 i, Node& n);
  bool memory_instruction(u32 i, Node& n);
  void matrix_rows(u32 i, Node& n);
  void pack_elements(Node& n, u32 element_bits);
  void load_elements(u32 i, Node& n, u32 element_bits);
  void wide_instruction(u32 i, Node& n);
  void plain_instruction(u32 i, Node& n);
  void guard(const Instruction& at, Node& n);
  void pair_phis();
  void settle();

  const Code& code_;
  const nv::Tables* tables_;
  Function f_;
  u32 current_ = 0;
  bool wide_ = false;  // immediates are 64-bit ones
  std::vector<std::map<u32, Ref>> defs_;
  std::vector<std::vector<std::pair<u32, u32>>> incomplete_;
  std::vector<bool> sealed_, filled_;
  std::map<std::tuple<Op, u64, u8>, u32> leaves_;
  std::unordered_map<u32, Ref> replaced_;
  RegisterUse use_;
};

}  // namespace lockstep::lowering
