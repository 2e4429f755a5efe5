// List scheduling in steps: from the end, the order that needs the fewest registers; from the beginning, by
// latency, with instructions taken ahead of that order as long as its registers and theirs fit the limit; and
// from Volta on, where that fits as well, from the end with everything as late as its results allow.
#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>

#include "time/program/nv/heights.h"
#include "time/program/nv/ir.h"
#include "time/program/nv/latency.h"
#include "time/program/nv/order_from_behind.h"
#include "time/program/nv/region_order.h"
#include "time/program/nv/registers.h"

namespace lockstep::lowering {

// Of operands: those that lie in a register.
inline bool counts(const LoweredOperand& o) {
  const bool file = o.file == LoweredOperand::File::general || o.file == LoweredOperand::File::uniform ||
                    o.file == LoweredOperand::File::predicate ||
                    o.file == LoweredOperand::File::uniform_predicate;
  return file && o.bank == 0;
}

// Instructions between two that nothing is moved over.
class Stretch {
  using O = LoweredOperand;
  using File = LoweredOperand::File;

  static constexpr i32 unlimited = 255;
  // Cycles from a load to the first that takes its value, where there is enough to do, as ptxas of CUDA 13
  // has it for sm_90: twelve loads stand in front of that; of local memory 11, 10, 8, 6 and 4 to 5 where a
  // value is for 1, 2, 4, 8 and 16 multiply-adds. What loads really take decides how many registers are worth
  // while.
  static constexpr u32 load_ahead = 48, local_load_ahead = 40;

 public:
  // `known`: registers that hold something when it begins; `behind`: those that are needed at its end;
  // `anchor`: what stands there, if anything.
  Stretch(std::span<LoweredInstruction> code, u32 capability, const std::set<u64>& known,
          const std::set<u64>& behind, const LoweredInstruction* anchor)
      : code_(code), count_(static_cast<u32>(code.size())), capability_(capability), to_end_(count_, 0) {
    find_values(known, behind);
    find_edges(anchor);
  }

  // `fewest`: the order for few registers; found unless it is there.
  RegionOrder order(u32 limit, std::vector<u32>& fewest) {
    if (fewest.empty()) fewest = order_for_few();
    const std::vector<i32> held = registers_of_order(fewest);
    const i32 most = most_of(held), within = static_cast<i32>(limit);
    std::vector<u32> result = by_latency(fewest, held, within);
    // Where registers bind, what is taken from far ahead leaves none to what is needed next: whichever way to
    // look ahead takes the fewest cycles.
    u32 cycles = cycles_, best = ~u32{0};
    const auto try_ahead = [&](u32 ahead, u32 less_than) {
      std::vector<u32> other = by_latency(fewest, held, within, ahead);
      if (cycles_ >= std::min(cycles, less_than)) return false;
      cycles = cycles_;
      best = ahead;
      result = std::move(other);
      return true;
    };
    for (u32 ahead = 16; within < unlimited && ahead < count_; ahead *= 2) try_ahead(ahead, cycles);
    // Loads of global memory that fill the registers leave none to what works on others at the same time.
    if (within < unlimited && capability_ >= 70) {
      const u32 less_than = cycles - cycles / 8;
      loads_leave_ = true;
      bool better = try_ahead(~u32{0}, less_than);
      for (u32 ahead = 16; ahead < count_; ahead *= 2) better |= try_ahead(ahead, less_than);
      loads_leave_ = better;
    }
    if (capability_ >= 70) {
      std::vector<u32> other = by_latency(fewest, held, within, best, load_ahead);
      if (most_of(registers_of_order(other)) <= most_of(registers_of_order(result)))
        result = std::move(other);
      // Without loads nothing is held long: latency decides, which shows where lanes leave a loop turn by
      // turn.
      if (any_loads()) {
        std::vector<bool> load(count_);
        for (u32 i = 0; i < count_; ++i) load[i] = loads(i);
        other = order_from_behind(after_, before_, load, in_time(load), load_ahead);
        if (most_of(registers_of_order(other)) <= within) result = std::move(other);
      }
      loads_in_time(result);
    }
    const u32 with_loads = loading(fewest, held);
    std::vector<LoweredInstruction> ordered;
    ordered.reserve(count_);
    for (const u32 i : result) ordered.push_back(std::move(code_[i]));
    std::move(ordered.begin(), ordered.end(), code_.begin());
    return {static_cast<u32>(std::max(0, most)), with_loads, cycles};
  }

 private:
  // What one general register holds from a write to its last read.
  struct Value {
    u32 maker = none;  // none: it is there before
    std::vector<u32> readers;
    bool needed_behind = false;
  };

  std::vector<u32> order_for_few() {
    // Some orders from which few registers can be had, and what they become where everything that frees some
    // goes first.
    std::vector<u32> fewest(count_);
    for (u32 i = 0; i < count_; ++i) fewest[i] = i;
    i32 most = most_of(registers_of_order(fewest));
    const auto try_order = [&](std::vector<u32> other) {
      const i32 other_most = most_of(registers_of_order(other));
      if (other_most >= most) return;
      fewest = std::move(other);
      most = other_most;
    };
    const auto try_both = [&](const std::vector<u32>& other) {
      try_order(other);
      try_order(by_latency(other, registers_of_order(other), 0));
    };
    try_both(std::vector<u32>(fewest));
    const std::vector<u32> from_end = by_registers();
    try_both(from_end);
    try_both(on_demand(from_end));
    if (capability_ >= 70) try_both(load_by_load());
    return fewest;
  }

  // What an order holds at most where three loads more are always on their way; none more beside arithmetic
  // of f64, as ptxas has it (docs/lowering.md).
  u32 loading(const std::vector<u32>& order, const std::vector<i32>& held) const {
    const auto of_f64 = [](const LoweredInstruction& in) {
      return info(in.opcode).pipe == LoweredPipe::fp64;
    };
    if (std::ranges::any_of(code_, of_f64)) return static_cast<u32>(std::max(0, most_of(held)));
    std::array<i32, 3> next{};
    i32 most = 0;
    for (u32 p = count_; p-- > 0;) {
      most = std::max(most, held[p] + next[0] + next[1] + next[2]);
      if (!loads(order[p]) || code_[order[p]].opcode == LoweredOpcode::ldc) continue;
      std::rotate(next.begin(), next.end() - 1, next.end());
      next[0] = static_cast<i32>(makes_[order[p]].size());
    }
    return static_cast<u32>(most);
  }

  static i32 most_of(const std::vector<i32>& held) { return *std::max_element(held.begin(), held.end()); }

  void find_values(const std::set<u64>& known, const std::set<u64>& behind) {
    reads_.resize(count_);
    makes_.resize(count_);
    base_.resize(count_);
    std::map<u64, u32> now;
    const auto held = [&](u64 key) {
      const auto [at, fresh] = now.try_emplace(key, static_cast<u32>(values_.size()));
      if (fresh) values_.push_back({});
      return at->second;
    };
    const auto read = [&](u32 i, u32 value) {
      if (std::find(reads_[i].begin(), reads_[i].end(), value) != reads_[i].end()) return;
      reads_[i].push_back(value);
      values_[value].readers.push_back(i);
    };
    for (u32 i = 0; i < count_; ++i) {
      const LoweredInstruction& in = code_[i];
      registers_of(in, [&](const O& operand, bool written, bool) {
        if (!counts(operand) || operand.file != File::general) return;
        for (u32 k = 0; k < operand.width; ++k) {
          const u64 key = register_key(operand, k);
          if (!written) {
            read(i, held(key));
            continue;
          }
          // Under a guard the old value stays in other lanes.
          if (in.guard.file != File::none && !in.own_lanes && (now.contains(key) || known.contains(key)))
            read(i, held(key));
          now[key] = static_cast<u32>(values_.size());
          makes_[i].push_back(static_cast<u32>(values_.size()));
          values_.push_back({i, {}, false});
        }
      });
      if (!is_memory(in)) continue;
      for (const O& operand : in.source) {
        if ((operand.modifiers & O::address) == 0) continue;
        base_[i].push_back(operand.file == File::general && operand.bank == 0
                               ? held(register_key(operand, 0))
                               : (u64{1} << 40) + u64{operand.index} * 16 + static_cast<u64>(operand.file));
      }
    }
    for (const u64 key : behind) {
      const auto at = now.find(key);
      if (at == now.end()) {
        ++through_;
      } else {
        values_[at->second].needed_behind = true;
      }
    }
  }

  void edge(u32 from, u32 to, u32 cycles) {
    if (from == to) return;
    after_[from].push_back({to, cycles});
    before_[to].push_back(from);
  }

  void find_edges(const LoweredInstruction* anchor) {
    after_.resize(count_);
    before_.resize(count_);
    height_.assign(count_, 0);
    urgency_.assign(count_, 0);
    std::vector<bool> leads_to_load(count_);
    std::map<u64, std::pair<u32, O>> writer;
    std::map<u64, std::vector<u32>> readers;
    std::vector<u32> loads, others;
    for (u32 i = 0; i < count_; ++i) {
      const LoweredInstruction& in = code_[i];
      registers_of(in, [&](const O& operand, bool written, bool as_guard) {
        if (!counts(operand)) return;
        for (u32 k = 0; k < operand.width; ++k) {
          const u64 name = register_key(operand, k);
          const auto made = writer.find(name);
          if (!written) {
            if (made != writer.end()) {
              const LoweredInstruction& from = code_[made->second.first];
              edge(made->second.first, i,
                   is_fixed(from, capability_) ? latency(from, in, made->second.second, as_guard, capability_)
                                               : expected_latency(from));
            }
            readers[name].push_back(i);
          } else {
            for (const u32 reader : readers[name]) edge(reader, i, 1);
            if (made != writer.end()) edge(made->second.first, i, 1);
            readers[name].clear();
            writer[name] = {i, operand};
          }
        }
      });
      if (!is_memory(in)) continue;
      const auto keep = [&](u32 other) {
        if (keeps_order(code_[other], in, !base_[i].empty() && base_[i] == base_[other])) edge(other, i, 1);
      };
      for (const u32 other : others) keep(other);
      if (only_reads(in)) {
        loads.push_back(i);
        continue;
      }
      for (const u32 load : loads) keep(load);
      others.push_back(i);
    }
    // A branch waits for what makes its guard; those to routines for rare operands are left where they are.
    if (anchor != nullptr && capability_ >= 70 && anchor->opcode == LoweredOpcode::bra &&
        anchor->source[0].file == File::region) {
      registers_of(*anchor, [&](const O& operand, bool written, bool as_guard) {
        if (written || !counts(operand)) return;
        for (u32 k = 0; k < operand.width; ++k) {
          const auto made = writer.find(register_key(operand, k));
          if (made == writer.end()) continue;
          const auto& [i, value] = made->second;
          if (is_fixed(code_[i], capability_))
            to_end_[i] = std::max(to_end_[i], latency(code_[i], *anchor, value, as_guard, capability_));
        }
      });
    }
    const bool any_load = any_loads();
    // What is loaded for later code stands as far in front of the end as of what would take it here.
    for (const Value& value : values_) {
      if (capability_ >= 70 && value.needed_behind && value.readers.empty() && value.maker != none &&
          code_[value.maker].opcode == LoweredOpcode::ldg)
        to_end_[value.maker] = load_ahead;
    }
    for (u32 i = count_; i-- > 0;) {
      bool leads =
          (to_end_[i] != 0 && !any_load) || (this->loads(i) && code_[i].opcode != LoweredOpcode::ldc);
      height_[i] = to_end_[i];
      for (const Edge& e : after_[i]) {
        height_[i] = std::max(height_[i], height_[e.to] + e.cycles);
        leads |= leads_to_load[e.to] || this->loads(e.to);
      }
      leads_to_load[i] = leads;
      urgency_[i] = leads || capability_ < 70 ? height_[i] : 0;
    }
  }

  // From the end: whatever makes registers free first, else what takes the fewest; of those whose sources
  // others need as well, the one whose others can follow at once.
  std::vector<u32> by_registers() const {
    std::vector<bool> live(values_.size());
    for (u32 v = 0; v < values_.size(); ++v) live[v] = values_[v].needed_behind;
    std::vector<u32> left(count_), ready, result;
    std::vector<bool> open(count_, false);  // all that comes behind stands
    for (u32 i = 0; i < count_; ++i) {
      left[i] = static_cast<u32>(after_[i].size());
      if (left[i] != 0) continue;
      ready.push_back(i);
      open[i] = true;
    }
    while (!ready.empty()) {
      u32 best = 0;
      std::tuple<bool, i32, u32> best_cost{};
      for (u32 r = 0; r < ready.size(); ++r) {
        const u32 i = ready[r];
        i32 registers = 0;
        for (const u32 v : makes_[i]) registers -= live[v] ? 1 : 0;
        for (const u32 v : reads_[i]) registers += live[v] ? 0 : 1;
        u32 waiting = 0;  // readers of what it takes that cannot stand yet
        for (const u32 v : reads_[i]) {
          const u32 maker = values_[v].maker;
          if (registers <= 0 || live[v] || maker == none) continue;
          for (const u32 reader : values_[v].readers) waiting += open[reader] ? 0 : 1;
        }
        const std::tuple cost(waiting != 0, registers, waiting);
        if (r == 0 || cost < best_cost || (cost == best_cost && i > ready[best])) {
          best = r;
          best_cost = cost;
        }
      }
      const u32 i = ready[best];
      ready.erase(ready.begin() + best);
      result.push_back(i);
      for (const u32 v : makes_[i]) live[v] = false;
      for (const u32 v : reads_[i]) live[v] = true;
      for (const u32 earlier : before_[i]) {
        if (--left[earlier] != 0) continue;
        ready.push_back(earlier);
        open[earlier] = true;
      }
    }
    std::reverse(result.begin(), result.end());
    return result;
  }

  // An order in which what takes a loaded value, or is there for its effect, stands as in another, and the
  // rest in front of the first that needs it.
  std::vector<u32> on_demand(const std::vector<u32>& other) const {
    std::vector<u32> result, open;
    std::vector<bool> done(count_, false);
    for (const u32 i : other) {
      const bool loaded = std::any_of(reads_[i].begin(), reads_[i].end(), [&](u32 v) {
        const u32 maker = values_[v].maker;
        return maker != none && is_memory(code_[maker]) && code_[maker].opcode != LoweredOpcode::ldc;
      });
      if (!loaded && !after_[i].empty()) continue;
      open.push_back(i);
      while (!open.empty()) {
        const u32 next = open.back();
        bool waits = done[next];
        for (const u32 earlier : before_[next]) {
          if (waits || done[earlier]) continue;
          open.push_back(earlier);
          waits = true;
        }
        if (waits && !done[next]) continue;
        open.pop_back();
        if (!done[next]) result.push_back(next);
        done[next] = true;
      }
    }
    return result;
  }

  bool loads(u32 i) const { return is_memory(code_[i]) && only_reads(code_[i]); }
  bool any_loads() const {
    return std::any_of(code_.begin(), code_.end(),
                       [](const LoweredInstruction& in) { return is_memory(in) && only_reads(in); });
  }

  // An order in which whatever needs no more registers goes at once, and else the load whose value most of
  // its readers can take then; what it needs comes right in front of it.
  std::vector<u32> load_by_load() const {
    constexpr std::size_t window = 128;  // loads that are looked at
    std::vector<u32> result, left(count_), readers_left(values_.size()), ready, open;
    std::vector<bool> done(count_, false);
    for (u32 v = 0; v < values_.size(); ++v) readers_left[v] = static_cast<u32>(values_[v].readers.size());
    std::vector<u32> waiting_loads;
    for (u32 i = 0; i < count_; ++i) {
      left[i] = static_cast<u32>(before_[i].size());
      if (left[i] == 0) ready.push_back(i);
      if (loads(i)) waiting_loads.push_back(i);
    }
    const auto put = [&](u32 i) {
      result.push_back(i);
      done[i] = true;
      std::erase(ready, i);
      for (const u32 v : reads_[i]) --readers_left[v];
      for (const Edge& e : after_[i]) {
        if (--left[e.to] == 0) ready.push_back(e.to);
      }
    };
    const auto more = [&](u32 i) {
      i32 registers = static_cast<i32>(makes_[i].size());
      for (const u32 v : reads_[i]) registers -= readers_left[v] == 1 && !values_[v].needed_behind ? 1 : 0;
      return registers;
    };
    const auto put_with_what_it_needs = [&](u32 i) {
      open.push_back(i);
      while (!open.empty()) {
        const u32 next = open.back();
        bool waits = false;
        for (const u32 earlier : before_[next]) {
          if (done[next] || done[earlier]) continue;
          open.push_back(earlier);
          waits = true;
        }
        if (waits) continue;
        open.pop_back();
        if (!done[next]) put(next);
      }
    };
    // Readers of a load's value that wait for others, too.
    const auto waiting = [&](u32 load) {
      u32 number = 0;
      for (const u32 v : makes_[load]) {
        for (const u32 reader : values_[v].readers) {
          number += std::any_of(before_[reader].begin(), before_[reader].end(),
                                [&](u32 earlier) { return earlier != load && !done[earlier]; });
        }
      }
      return number;
    };
    u32 first = 0;
    while (result.size() < count_) {
      const auto free =
          std::find_if(ready.begin(), ready.end(), [&](u32 i) { return !loads(i) && more(i) <= 0; });
      if (free != ready.end()) {
        put(*free);
        continue;
      }
      std::erase_if(waiting_loads, [&](u32 i) { return done[i]; });
      u32 best = none, fewest = ~u32{0};
      for (std::size_t k = 0; k < std::min(window, waiting_loads.size()); ++k) {
        const u32 number = waiting(waiting_loads[k]);
        if (number >= fewest) continue;
        fewest = number;
        best = waiting_loads[k];
      }
      while (best == none && done[first]) ++first;
      put_with_what_it_needs(best == none ? first : best);
    }
    return result;
  }

  // How many registers hold something behind each instruction of an order.
  std::vector<i32> registers_of_order(const std::vector<u32>& order) const {
    std::vector<u32> left(values_.size());
    i32 now = static_cast<i32>(through_);
    for (u32 v = 0; v < values_.size(); ++v) {
      left[v] = static_cast<u32>(values_[v].readers.size());
      if (values_[v].maker == none) ++now;
    }
    std::vector<i32> held;
    for (const u32 i : order) {
      for (const u32 v : reads_[i]) now -= --left[v] == 0 && !values_[v].needed_behind ? 1 : 0;
      now += static_cast<i32>(makes_[i].size());
      held.push_back(now);
      for (const u32 v : makes_[i]) now -= values_[v].readers.empty() && !values_[v].needed_behind ? 1 : 0;
    }
    return held;
  }

  // `ahead`: how far from the next one in `fewest` instructions are taken; `most_wait`: cycles behind a load
  // from which on what takes its value may stand.
  std::vector<u32> by_latency(const std::vector<u32>& fewest, const std::vector<i32>& held, i32 limit,
                              u32 ahead = ~u32{0}, u32 most_wait = ~u32{0}) {
    Heights need(held);  // of what is left of `fewest`, by place in it
    std::vector<u32> place(count_), left(count_, 0), ready_at(count_, 0), readers_left(values_.size());
    for (u32 p = 0; p < count_; ++p) place[fewest[p]] = p;
    std::vector<bool> done(count_, false);
    for (u32 v = 0; v < values_.size(); ++v) readers_left[v] = static_cast<u32>(values_[v].readers.size());
    std::vector<u32> ready, result;
    for (u32 i = 0; i < count_; ++i) {
      left[i] = static_cast<u32>(before_[i].size());
      if (left[i] == 0) ready.push_back(i);
    }
    const i32 spare = capability_ < 70 ? limit : std::max(0, limit - most_of(held));
    u32 first = 0;    // place of what `fewest` has next
    u32 tallest = 0;  // of what is ready
    const auto fits = [&](u32 i) {
      if (place[i] == first) return true;
      if (place[i] - first > ahead) return false;
      i32 more = static_cast<i32>(makes_[i].size());
      for (const u32 v : reads_[i]) more -= readers_left[v] == 1 && !values_[v].needed_behind ? 1 : 0;
      if (more <= 0) return true;
      // What is not urgent leaves its registers to what is.
      const bool for_others = !loads_leave_ || only_reads(code_[i]);
      if ((limit < unlimited || capability_ >= 70) && for_others && 2 * height_[i] < tallest) return false;
      // Loads leave some to what works on what is there, but for those of global memory from Volta on.
      const bool leaves =
          only_reads(code_[i]) && (capability_ < 70 || loads_leave_ || code_[i].opcode == LoweredOpcode::lds);
      const i32 kept = limit < unlimited && leaves ? (spare < limit / 8 ? spare / 2 : limit / 8) : 0;
      return need.most(first, place[i]) + more <= limit - kept;
    };
    u32 port = 0;  // when the next load can follow
    const auto time_of = [&](u32 i) {
      return capability_ >= 70 && loads(i) ? std::max(ready_at[i], port) : ready_at[i];
    };
    for (u32 now = 0; !ready.empty();) {
      u32 best = none, next = ~u32{0};
      tallest = 0;
      for (const u32 i : ready) tallest = std::max(tallest, height_[i]);
      for (u32 r = 0; r < ready.size(); ++r) {
        const u32 i = ready[r];
        if (time_of(i) > now) continue;
        const bool better =
            best == none || std::tuple(urgency_[i], ready[best]) > std::tuple(urgency_[ready[best]], i);
        if (better && fits(i)) best = r;
      }
      if (best == none) {
        for (const u32 i : ready) {
          if (time_of(i) < next && fits(i)) next = time_of(i);
        }
        now = next;
        continue;
      }
      const u32 i = ready[best], at = place[i];
      if (loads(i)) port = now + access_interval;
      ready.erase(ready.begin() + best);
      result.push_back(i);
      done[i] = true;
      for (const u32 v : reads_[i]) {
        --readers_left[v];
        u32 last = first;  // place of its last reader that is left
        bool later = values_[v].needed_behind;
        for (const u32 reader : values_[v].readers) {
          if (done[reader]) continue;
          later |= place[reader] > at;
          last = std::max(last, place[reader]);
        }
        if (!later) need.add(last, at, -1);
      }
      for (std::size_t k = 0; k < makes_[i].size(); ++k) need.add(first, at, 1);
      while (first < count_ && done[fewest[first]]) ++first;
      for (const Edge& e : after_[i]) {
        ready_at[e.to] =
            std::max(ready_at[e.to], now + (loads(i) ? std::min(e.cycles, most_wait) : e.cycles));
        if (--left[e.to] == 0) ready.push_back(e.to);
      }
      cycles_ = ++now;
    }
    return result;
  }

  // `to_end_` of what no load leads to: a test of what is loaded stands where the source has it.
  std::vector<u32> in_time(const std::vector<bool>& load) const {
    std::vector<u32> result = to_end_;
    std::vector<bool> loaded = load;
    for (u32 i = 0; i < count_; ++i) {
      for (const u32 earlier : before_[i]) loaded[i] = loaded[i] || loaded[earlier];
      if (loaded[i] && !load[i]) result[i] = 0;
    }
    return result;
  }

  // Loads of local memory go back to where their values come in time for what takes them.
  void loads_in_time(std::vector<u32>& order) const {
    std::vector<u32> ready_at(count_, 0), at(count_, 0);
    u32 now = 0, port = 0;
    for (const u32 i : order) {
      now = std::max({now, ready_at[i], loads(i) ? port : 0});
      if (loads(i)) port = now + access_interval;
      at[i] = now++;
      for (const Edge& e : after_[i]) ready_at[e.to] = std::max(ready_at[e.to], at[i] + e.cycles);
    }
    u32 next_load = ~u32{0};
    for (u32 p = count_; p-- > 0;) {
      const u32 i = order[p];
      if (!loads(i)) continue;
      if (code_[i].opcode == LoweredOpcode::lds && !after_[i].empty()) {
        u32 latest = next_load, to = p;
        for (const Edge& e : after_[i]) {
          const u32 before = e.cycles > 1 ? local_load_ahead : 1;
          latest = std::min(latest, at[e.to] > before ? at[e.to] - before : 0);
        }
        while (to + 1 < count_ && at[order[to + 1]] < latest) ++to;
        if (to > p) {
          std::rotate(order.begin() + p, order.begin() + p + 1, order.begin() + to + 1);
          at[i] = latest;
        }
      }
      next_load = at[i] > access_interval ? at[i] - access_interval : 0;
    }
  }

  std::span<LoweredInstruction> code_;
  u32 count_, capability_;
  std::vector<u32> to_end_;  // cycles to what stands behind, where that takes what it makes
  u32 through_ = 0, cycles_ = 0;
  bool loads_leave_ = false;
  std::vector<Value> values_;
  std::vector<std::vector<u32>> reads_, makes_;  // values, by instruction
  std::vector<std::vector<u64>> base_;           // of addresses
  std::vector<std::vector<Edge>> after_;
  std::vector<std::vector<u32>> before_;
  std::vector<u32> height_;  // cycles to the end
  // By which `by_latency` chooses; equal ones stay in the source's order. From Volta on only what leads to
  // loads is urgent: ptxas of CUDA 13 leaves the rest where the source has it.
  std::vector<u32> urgency_;
};

}  // namespace lockstep::lowering
