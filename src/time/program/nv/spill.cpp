#include "time/program/nv/spill.h"

#include <algorithm>
#include <map>

#include "time/program/nv/liveness.h"

namespace lockstep::lowering {
namespace {

using O = LoweredOperand;
using File = LoweredOperand::File;
using L = LoweredOpcode;

class Spiller {
 public:
  Spiller(const Function& f, const Plan& plan, Selected& s, u32 most, u32 first)
      : f_(f), plan_(plan), s_(s), most_(most), next_word_(first) {}

  u32 run() {
    constexpr u32 rounds = 8;  // what is loaded for an instruction takes registers as well
    for (u32 round = 0; round < rounds; ++round) {
      live_ = find_liveness(f_, plan_, s_);
      own_.resize(s_.registers.size(), false);
      count_held();
      weigh();
      if (!choose()) break;
      rewrite();
    }
    return next_word_;
  }

 private:
  bool general(u32 v) const { return s_.registers[v].file == File::general; }
  template <class Visit>
  void for_ranges(u32 v, Visit visit) const {
    for (u32 k = 0; k < s_.registers[v].width; ++k) {
      for (const Range& range : live_.ranges[live_.first_unit[v] + k]) visit(range);
    }
  }

  // How many registers hold something, by place.
  void count_held() {
    std::vector<i32> change(2 * live_.begin_of.back() + 4, 0);
    for (u32 v = 0; v < s_.registers.size(); ++v) {
      if (!general(v)) continue;
      for_ranges(v, [&](const Range& range) {
        ++change[range.begin];
        --change[std::min<std::size_t>(range.end, change.size() - 1)];
      });
    }
    held_.assign(change.size(), 0);
    i32 now = 0;
    for (std::size_t p = 0; p < change.size(); ++p) held_[p] = now += change[p];
    over_.assign(held_.size(), false);
    for (std::size_t p = 0; p < held_.size(); ++p) over_[p] = held_[p] > static_cast<i32>(most_);
  }

  // What stores and loads of each register would cost.
  void weigh() {
    cost_.assign(s_.registers.size(), 0);
    constexpr u32 turns_shift = 3, deepest = 4;
    for (const u32 b : f_.order) {
      const u64 times = u64{1} << (turns_shift * std::min(f_.blocks[b].depth, deepest));
      const u32 first = plan_.region_of[f_.blocks[b].first - f_.first],
                last = plan_.region_of[f_.blocks[b].end - 1 - f_.first];
      for (u32 r = first; r <= last; ++r) {
        for (LoweredInstruction& in : s_.regions[r]) {
          for_operands(in, [&](const O& operand, bool) {
            if (is_virtual(operand) && operand.file == File::general) cost_[operand.index] += times;
          });
        }
      }
    }
  }

  // Which registers go to memory; false where none has to or none can.
  bool choose() {
    word_of_.assign(s_.registers.size(), none);
    std::vector<u32> too_many(held_.size() + 1);
    bool any = false;
    for (;;) {
      for (std::size_t p = 0; p < held_.size(); ++p)
        too_many[p + 1] = too_many[p] + (held_[p] > static_cast<i32>(most_) ? 1 : 0);
      if (too_many.back() == 0) return any;
      u32 best = none;
      u64 best_gain = 0;
      for (u32 v = 0; v < s_.registers.size(); ++v) {
        if (!general(v) || own_[v] || word_of_[v] != none || cost_[v] == 0) continue;
        u64 gain = 0;
        for_ranges(v, [&](const Range& range) {
          const std::size_t end = std::min<std::size_t>(range.end, held_.size());
          // Where it is written and where it is read it takes a register all the same.
          if (end > range.begin + 2u) gain += too_many[end - 1] - too_many[range.begin + 1];
        });
        if (gain == 0 || (best != none && gain * cost_[best] <= best_gain * cost_[v])) continue;
        best = v;
        best_gain = gain;
      }
      if (best == none) return any;
      any = true;
      word_of_[best] = next_word_;
      next_word_ += s_.registers[best].width;
      for_ranges(best, [&](const Range& range) {
        for (std::size_t p = range.begin + 1u; p + 1 < std::min<std::size_t>(range.end, held_.size()); ++p)
          --held_[p];
      });
    }
  }

  struct Copy {
    u32 in = none;  // register
    u32 parts = 0;  // those that it has, by bit
  };

  u32 copy_of(u32 v) {
    const VirtualRegister like = s_.registers[v];
    s_.registers.push_back(like);
    own_.resize(s_.registers.size(), false);
    own_.back() = true;
    return static_cast<u32>(s_.registers.size() - 1);
  }

  LoweredInstruction access(L opcode, u32 v, u32 copy, u32 part, u32 width, const LoweredInstruction& of) {
    LoweredInstruction in;
    in.opcode = opcode;
    in.from = of.from;
    in.every = of.every;
    in.spill_word = word_of_[v] + part;
    in.offset = static_cast<i32>(4 * in.spill_word);
    if (width > 1) in.modifiers = width == 2 ? ".64" : ".128";
    O stack, data;
    stack.file = data.file = File::general;
    stack.index = stack_pointer;
    stack.modifiers = O::address;
    data.index = copy;
    data.value = part;
    data.width = static_cast<u8>(width);
    in.source[0] = stack;
    (opcode == L::ldl ? in.destination[0] : in.source[1]) = data;
    return in;
  }
  // Parts [first, first + count), as few accesses as their places allow.
  void accesses(L opcode, u32 v, u32 copy, u32 parts, const LoweredInstruction& of,
                std::vector<LoweredInstruction>& into) {
    for (u32 part = 0; part < s_.registers[v].width;) {
      u32 width = s_.registers[v].aligned ? 4 : 1;
      const auto whole = [&](u32 w) {
        const u32 mask = ((1u << w) - 1) << part;
        return part % w == 0 && (parts & mask) == mask;
      };
      while (width > 1 && !whole(width)) width /= 2;
      if ((parts >> part & 1) != 0) into.push_back(access(opcode, v, copy, part, width, of));
      part += width;
    }
  }

  void rewrite() {
    for (std::size_t r = 0; r < s_.regions.size(); ++r) {
      std::vector<LoweredInstruction> code;
      std::map<u32, Copy> copies;
      for (u32 i = 0; i < s_.regions[r].size(); ++i) {
        LoweredInstruction in = s_.regions[r][i];
        const std::size_t place = 2 * (live_.begin_of[r] + i);
        if (over_[place]) copies.clear();
        const auto parts_of = [](const O& operand) { return ((1u << operand.width) - 1) << operand.value; };
        const bool guarded = in.guard.file != File::none;
        if (guarded) copies.clear();
        // Loads of what it reads; under a guard the old value stays in other lanes.
        std::map<u32, u32> reads, writes;
        for_operands(in, [&](const O& operand, bool written) {
          if (!is_virtual(operand) || operand.file != File::general || word_of_[operand.index] == none)
            return;
          if (!written || (guarded && !in.own_lanes)) reads[operand.index] |= parts_of(operand);
          if (written) writes[operand.index] |= parts_of(operand);
        });
        for (const auto& [v, parts] : reads) {
          Copy& copy = copies[v];
          if (copy.in == none) copy.in = copy_of(v);
          accesses(L::ldl, v, copy.in, parts & ~copy.parts, in, code);
          copy.parts |= parts;
        }
        const std::map<u32, Copy> read_from = copies;
        for (const auto& [v, parts] : writes) {
          Copy& copy = copies[v];
          const bool all = parts == (1u << s_.registers[v].width) - 1;
          if (copy.in == none || (all && !guarded)) copy = {copy_of(v), 0};
          copy.parts |= parts;
        }
        for_operands(in, [&](O& operand, bool written) {
          if (!is_virtual(operand) || operand.file != File::general || word_of_[operand.index] == none)
            return;
          operand.index = written ? copies[operand.index].in : read_from.at(operand.index).in;
        });
        code.push_back(in);
        for (const auto& [v, parts] : writes) {
          const std::size_t before = code.size();
          accesses(L::stl, v, copies[v].in, parts, in, code);
          for (std::size_t k = before; k < code.size(); ++k) {
            code[k].guard = in.guard;
            code[k].own_lanes = in.own_lanes;
          }
        }
        if (over_[place + 1] || guarded) copies.clear();
      }
      s_.regions[r] = std::move(code);
    }
  }

  const Function& f_;
  const Plan& plan_;
  Selected& s_;
  u32 most_, next_word_;
  Liveness live_;
  std::vector<i32> held_;     // by place
  std::vector<bool> over_;    // more than there are, by place
  std::vector<bool> own_;     // by register: made here
  std::vector<u64> cost_;     // by register
  std::vector<u32> word_of_;  // by register: none where it stays
};

}  // namespace

u32 spill(const Function& function, const Plan& plan, Selected& selected, u32 most, u32 first) {
  return Spiller(function, plan, selected, most, first).run();
}

}  // namespace lockstep::lowering
