#include "time/program/nv/place.h"

#include <algorithm>
#include <numeric>

#include "time/program/nv/allocate.h"
#include "time/program/nv/generation.h"

namespace lockstep::lowering {
namespace {

using File = LoweredOperand::File;

constexpr u32 nowhere = ~u32{0};
constexpr u32 granule = 8, full = 32;  // of a work-item, 3.x to 6.x: all waves fit with 32
constexpr u32 most_with_holes = 30;  // registers in which a side may leave one free; more may cost occupancy

class Placer {
 public:
  Placer(const PlacingInput& input, const Sides* sides)
      : in_(input),
        s_(input.selected),
        capability_(input.function.capability),
        by_reader_(capability_ >= 70),
        banks_(input.together.empty() ? 0 : spread_banks(capability_)),
        sides_(sides),
        general_{{}, {}, input.function.most_registers - beside_allocated(capability_)},
        bank_of_(input.live.ranges.size(), nowhere),
        tree_bank_(sides != nullptr ? input.live.ranges.size() : 0, unknown) {
    general_.used.resize(input.first + 2);
    general_.used[1].push_back({0, ~u32{0}});  // R1: the stack pointer
    for (u32 i = 2; i < input.first; ++i) general_.used[i].push_back({0, ~u32{0}});
    general_.awake = general_.used;
    for (const VirtualRegister& reg : s_.registers) {
      if (reg.file == File::general && reg.aligned)
        widest_ = std::max(widest_, reg.width > 2 ? 4u : u32{reg.width});
    }
  }

  Places run() {
    Places result;
    result.at.assign(s_.registers.size(), 0);
    std::vector<u32> begins(s_.registers.size()), order(s_.registers.size()), placed;
    for (u32 v = 0; v < begins.size(); ++v) begins[v] = begin_of(v);
    std::iota(order.begin(), order.end(), 0);
    const auto step = [&](u32 v) { return in_.wide_first ? alignment(v) : 1; };
    std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) {
      return step(a) != step(b) ? step(a) > step(b) : begins[a] < begins[b];
    });
    for (const u32 v : order) {
      if (begins[v] == nowhere) continue;
      const File file = s_.registers[v].file;
      Bank& bank = file == File::general ? general_ : file == File::uniform ? uniform_ : predicates_;
      if (!place(v, bank, result.at[v])) {
        result.fits = result.fits && &bank != &general_;
      } else if (&bank == &general_) {
        placed.push_back(v);
      }
    }
    if (by_reader_ && banks_ != 0) spread(placed, result.at);
    result.registers = static_cast<u32>(general_.used.size());
    result.uniform = static_cast<u32>(uniform_.used.size());
    result.predicates = static_cast<u32>(predicates_.used.size());
    return result;
  }

 private:
  struct Bank {
    std::vector<Ranges> used, awake;
    u32 most;
  };

  u32 alignment(u32 v) const {
    const VirtualRegister& reg = s_.registers[v];
    return !reg.aligned || reg.width == 1 ? 1 : reg.width == 2 ? 2 : 4;
  }
  u32 unit(u32 v, u32 k = 0) const { return in_.live.first_unit[v] + k; }
  const Ranges& held(u32 v, u32 k) const { return in_.live.ranges[unit(v, k)]; }

  u32 begin_of(u32 v) const {
    u32 begin = nowhere;
    for (u32 k = 0; k < s_.registers[v].width; ++k) {
      if (!held(v, k).empty()) begin = std::min(begin, held(v, k)[0].begin);
    }
    return begin;
  }

  static bool holds_until(const Ranges& ranges, u32 end) {
    return std::ranges::any_of(ranges, [&](const Range& range) { return range.end == end; });
  }

  // How often its bank would have to deliver another register for the same instruction; at least, where it
  // does not lie on its side, what it is read with others.
  u64 meets(u32 v, u32 at) const {
    u64 times = 0;
    for (u32 k = 0; k < s_.registers[v].width; ++k) {
      for (const auto& [other, weight] : in_.together[unit(v, k)])
        times += bank_of_[other] == (at + k) % banks_ ? weight : 0;
      if (sides_ == nullptr) continue;
      const u8 side = tree_bank_[sides_->tree[unit(v, k)]];
      if (side != unknown && (at + k) % 2 != (side ^ u32{sides_->other_side[unit(v, k)]}))
        times = std::max(times, sides_->weight[unit(v, k)]);
    }
    return times;
  }

  // False where it shares the last registers with others, since nothing is free.
  bool place(u32 v, Bank& bank, u32& result) {
    const VirtualRegister& reg = s_.registers[v];
    const u32 step = alignment(v);
    const bool general = &bank == &general_, by_bank = general && banks_ != 0;
    const u32 begin = begin_of(v);
    const bool loaded = general && std::ranges::binary_search(in_.loaded_at, begin);
    const auto is_free = [&](u32 at, u32 k) {
      if (at >= bank.used.size() || !overlap(bank.used[at], held(v, k))) return true;
      return loaded && holds_until(bank.awake[at], begin) && !overlap(bank.used[at], held(v, k), begin);
    };
    const auto fits = [&](u32 at) {
      for (u32 k = 0; k < reg.width; ++k) {
        if (!is_free(at + k, k)) return false;
      }
      return true;
    };
    // Whether a wider value could lie there instead.
    const auto whole = [&](u32 at) {
      const u32 first = at - at % widest_;
      for (u32 k = 0; k < widest_; ++k) {
        if (!is_free(first + k, 0)) return false;
      }
      return true;
    };
    const auto cost = [&](u32 at) { return by_bank ? meets(v, at) : 0; };
    const u32 end = static_cast<u32>(bank.used.size());
    u32 chosen = nowhere, first_free = nowhere;
    u64 least = ~u64{0};
    for (u32 at = 0; at + reg.width <= end && least != 0; at += step) {
      if (!fits(at)) continue;
      if (first_free == nowhere) first_free = at;
      if (general && reg.width < widest_ && whole(at)) continue;
      const u64 times = cost(at);
      if (times < least) chosen = at, least = times;
    }
    if (chosen == nowhere && first_free != nowhere) chosen = first_free, least = cost(chosen);
    for (u32 at = 0; chosen == nowhere; at += step) {
      if (at + reg.width > bank.most) {  // what does not fit shares the last ones
        result = bank.most - reg.width - (bank.most - reg.width) % step;
        return false;
      }
      if (fits(at)) chosen = at, least = cost(at);
    }
    // Where that costs a cycle, one that only rests, such as a source's that ends here.
    for (u32 at = 0; by_reader_ && general && least != 0 && at + reg.width <= end; at += step) {
      bool rests = at >= in_.first;
      for (u32 k = 0; k < reg.width && rests; ++k)
        rests = !overlap(bank.awake[at + k], in_.awake.ranges[unit(v, k)]);
      const u64 times = rests ? cost(at) : least;
      if (times < least) chosen = at, least = times;
    }
    // Others that the wave is given in any case, or that take no occupancy. (From Volta on a bank more seldom
    // costs anything: beside what is free already, one further on.)
    u32 given = 0;
    if (least != 0 && capability_ < 70) {
      const u32 last = std::max(end, chosen + reg.width);
      given = std::max((last + granule - 1) / granule * granule, std::min(last + banks_, full));
      given = std::min(given, bank.most);
    }
    if (sides_ != nullptr && by_bank && least != 0)
      given = std::min(std::max(end, chosen + reg.width) + 1, most_with_holes);
    for (u32 at = (end + step - 1) / step * step; at + reg.width <= given && least != 0; at += step) {
      const u64 times = cost(at);
      if (times < least) chosen = at, least = times;
    }
    take(v, bank, chosen);
    result = chosen;
    return true;
  }

  void take(u32 v, Bank& bank, u32 at) {
    const u32 width = s_.registers[v].width;
    if (bank.used.size() < at + width) {
      bank.used.resize(at + width);
      bank.awake.resize(at + width);
    }
    for (u32 k = 0; k < width; ++k) {
      merge(bank.used[at + k], held(v, k));
      if (by_reader_) merge(bank.awake[at + k], in_.awake.ranges[unit(v, k)]);
      if (&bank != &general_ || banks_ == 0) continue;
      bank_of_[unit(v, k)] = (at + k) % banks_;
      if (sides_ == nullptr || sides_->weight[unit(v, k)] == 0) continue;
      u8& side = tree_bank_[sides_->tree[unit(v, k)]];
      if (side == unknown) side = static_cast<u8>((at + k) % 2 ^ u32{sides_->other_side[unit(v, k)]});
    }
  }

  void spread(const std::vector<u32>& placed, std::vector<u32>& at) const {
    std::vector<PlacedValue> values;
    for (const u32 v : placed) {
      const u32 width = s_.registers[v].width;
      for (u32 k = 0; k < width; ++k)
        values.push_back(
            {unit(v, k), at[v] + k, &in_.awake.ranges[unit(v, k)], width == 1 && at[v] >= in_.first});
    }
    spread_over_banks(values, in_.together, banks_);
    std::size_t i = 0;
    for (const u32 v : placed) {
      at[v] = values[i].at;
      i += s_.registers[v].width;
    }
  }

  static constexpr u8 unknown = 2;
  const PlacingInput& in_;
  const Selected& s_;
  const u32 capability_;
  const bool by_reader_;
  const u32 banks_;
  const Sides* sides_;
  u32 widest_ = 1;  // of aligned values: what is narrower fills up what they leave
  Bank general_, uniform_{{}, {}, 63}, predicates_{{}, {}, 7};
  std::vector<u32> bank_of_;   // of what has its place, by unit
  std::vector<u8> tree_bank_;  // of a tree's own side
};

}  // namespace

Places place_registers(const PlacingInput& input, const Sides* sides) {
  return Placer(input, sides).run();
}

}  // namespace lockstep::lowering
