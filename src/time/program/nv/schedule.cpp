// Order by latency inside regions; then the control words: stall counts for results of known latency, the six
// barriers for the others, yield, reuse. Latencies: Mesa NAK, sm75_ and sm80_instr_latencies.rs, and sm70.rs
// (NVIDIA's data).
#include "time/program/nv/schedule.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "time/program/nv/balance.h"
#include "time/program/nv/generation.h"
#include "time/program/nv/older.h"
#include "time/program/nv/registers.h"

namespace lockstep::lowering {
namespace {

using O = LoweredOperand;
using File = LoweredOperand::File;
using L = LoweredOpcode;
using P = LoweredPipe;

// Which FP64 units answer in time: not those that an SM's partitions share, nor Ampere's.
bool is_fixed(const LoweredInstruction& in, u32 capability) {
  if (capability < 70) return older_fixed(in, capability);
  const LoweredOpcodeInfo& what = info(in.opcode);
  if (what.pipe == P::fp64) return capability == 70 || capability >= 90;
  return what.fixed_latency;
}

// Cycles from the issue of what makes a value to the issue of what takes it.
u32 latency(const LoweredInstruction& from, const LoweredInstruction& to, const O& made, bool as_guard,
            u32 capability) {
  const P a = info(from.opcode).pipe, b = info(to.opcode).pipe;
  const bool predicate = made.file == File::predicate || made.file == File::uniform_predicate;
  const bool away = b == P::lsu || b == P::branch || b == P::xu;
  if (capability < 70) return older_latency(from, predicate, capability);
  if (a == P::uniform) return b == P::uniform ? 4 : b == P::lsu ? 9 : b == P::branch ? 10 : 6;
  if (predicate) {
    const bool by_lanes = as_guard || away || to.opcode == L::vote;
    if (a == P::fp64 && capability != 70) return by_lanes ? 14 : 6;
    if (by_lanes) return capability == 75 ? 12 : 13;
    return capability == 70 ? 5 : b == P::alu ? 4 : 5;
  }
  switch (a) {
    case P::fp64:
      if (capability == 70) return 8;
      return b == P::fp64 ? 8 : b == P::xu ? 6 : b == P::lsu ? 7 : 10;
    case P::half:
      if (from.opcode == L::hfma2_mma) return to.opcode == L::hfma2_mma ? 6 : 10;
      if (b == P::half) return capability == 86 || capability == 89 ? 4 : 6;
      return capability >= 80 ? 5 : 8;
    case P::tensor:
      return capability >= 80 ? 18 : 14;
    case P::fma_heavy:
      if (from.opcode == L::imad_hi && capability >= 90) return 9;
      if (from.opcode == L::imad_hi && b == P::fma_heavy) return to.opcode == L::imad_hi ? 6 : 5;
      if (from.opcode == L::imad_wide) return away ? 6 : 5;
      if (b == P::xu) return 4;
      return b == P::fma || b == P::fma_heavy ? (capability == 70 ? 5 : 4) : 5;
    case P::alu:
    case P::fma: {
      if (from.opcode == L::cs2r) return 6;
      if (capability == 70 && (from.opcode == L::fmnmx || from.opcode == L::fset)) return 5;
      const bool fma_side = b == P::fma || b == P::fma_heavy;
      const bool same = a == P::alu ? b == P::alu : fma_side;
      if (b == P::xu) return 4;
      return same ? 4 : b == P::fp64 || b == P::tensor || b == P::half ? 6 : 5;
    }
    default:
      return 4;
  }
}

// What the order reckons with for results that come when they come.
u32 expected(const LoweredInstruction& in) {
  switch (info(in.opcode).pipe) {
    case P::lsu:
      return in.opcode == L::lds || in.opcode == L::ldc || in.opcode == L::shfl ? 28
             : in.opcode == L::s2r                                              ? 20
                                                                                : 200;
    case P::xu:
      return 20;
    case P::fp64:
      return 48;
    default:
      return 4;
  }
}

bool is_memory(const LoweredInstruction& in) {
  return info(in.opcode).memory || in.opcode == L::membar || in.opcode == L::cctl || in.opcode == L::errbar;
}
bool only_reads(const LoweredInstruction& in) {
  return in.opcode == L::ldg || in.opcode == L::lds || in.opcode == L::ldl || in.opcode == L::ldc ||
         in.opcode == L::ld || in.opcode == L::tex || in.opcode == L::suld || in.opcode == L::ldsm;
}
bool is_anchor(const LoweredInstruction& in) {
  const P pipe = info(in.opcode).pipe;
  return (pipe == P::branch && in.opcode != L::bssy && in.opcode != L::ssy) || in.opcode == L::bar;
}

class RegionOrder {
 public:
  RegionOrder(std::vector<LoweredInstruction>& code, u32 capability, u32 most_live)
      : code_(code), capability_(capability), most_live_(most_live) {}

  void run() {
    // Anchors stay where they are: what stands between two of them is ordered.
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= code_.size(); ++i) {
      if (i < code_.size() && !is_anchor(code_[i])) continue;
      order(begin, i);
      begin = i + 1;
    }
  }

 private:
  struct Edge {
    u32 to, cycles;
  };
  // A name for each 32-bit register and predicate.
  static u64 key(const O& o, u32 k) {
    return (u64{o.index} * 64 + o.value + k) * 8 + static_cast<u64>(o.file);
  }
  static bool counts(const O& o) {
    const bool file = o.file == File::general || o.file == File::uniform || o.file == File::predicate ||
                      o.file == File::uniform_predicate;
    return file && o.bank == 0;
  }

  void order(std::size_t begin, std::size_t end) {
    const u32 count = static_cast<u32>(end - begin);
    if (count < 2) return;
    std::vector<std::vector<Edge>> after(count);
    std::vector<u32> waits(count, 0), height(count, 0);
    const auto edge = [&](u32 from, u32 to, u32 cycles) {
      if (from == to) return;
      after[from].push_back({to, cycles});
      ++waits[to];
    };
    std::map<u64, std::pair<u32, O>> writer;
    std::map<u64, std::vector<u32>> readers;
    u32 last_write = none;
    std::vector<u32> reads;
    for (u32 i = 0; i < count; ++i) {
      const LoweredInstruction& in = code_[begin + i];
      registers_of(in, [&](const O& operand, bool written, bool as_guard) {
        if (!counts(operand)) return;
        for (u32 k = 0; k < operand.width; ++k) {
          const u64 name = key(operand, k);
          const auto made = writer.find(name);
          if (!written) {
            if (made != writer.end()) {
              const LoweredInstruction& from = code_[begin + made->second.first];
              edge(made->second.first, i,
                   is_fixed(from, capability_) ? latency(from, in, made->second.second, as_guard, capability_)
                                               : expected(from));
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
      if (only_reads(in)) {
        if (last_write != none) edge(last_write, i, 1);
        reads.push_back(i);
      } else {
        for (const u32 read : reads) edge(read, i, 1);
        if (last_write != none) edge(last_write, i, 1);
        reads.clear();
        last_write = i;
      }
    }
    for (u32 i = count; i-- > 0;) {
      for (const Edge& e : after[i]) height[i] = std::max(height[i], height[e.to] + e.cycles);
    }
    // How many general registers hold something that is still read here.
    std::map<u64, u32> left;
    std::vector<std::vector<u64>> read_of(count), written_of(count);
    for (u32 i = 0; i < count; ++i) {
      registers_of(code_[begin + i], [&](const O& operand, bool written, bool) {
        if (!counts(operand) || operand.file != File::general) return;
        for (u32 k = 0; k < operand.width; ++k) {
          (written ? written_of : read_of)[i].push_back(key(operand, k));
          if (!written) ++left[key(operand, k)];
        }
      });
    }
    std::set<u64> live;
    for (u32 i = count; i-- > 0;) {
      for (const u64 name : written_of[i]) live.erase(name);
      for (const u64 name : read_of[i]) live.insert(name);
    }
    const auto grows = [&](u32 i) {
      i32 by = 0;
      for (const u64 name : written_of[i]) by += live.contains(name) ? 0 : 1;
      for (const u64 name : read_of[i]) by -= left[name] == 1 ? 1 : 0;
      return by;
    };
    std::vector<u32> ready_at(count, 0), ready, result;
    for (u32 i = 0; i < count; ++i) {
      if (waits[i] == 0) ready.push_back(i);
    }
    for (u32 now = 0; !ready.empty(); ++now) {
      u32 best = none;
      const bool tight = live.size() >= most_live_;
      for (u32 r = 0; tight && r < ready.size(); ++r) {  // what frees registers, else what stands first
        const u32 i = ready[r];
        if (best == none ||
            std::pair(std::min(grows(i), 0), i) < std::pair(std::min(grows(ready[best]), 0), ready[best]))
          best = r;
      }
      if (tight) now = std::max(now, ready_at[ready[best]]);
      for (u32 r = 0; !tight && r < ready.size(); ++r) {
        const u32 i = ready[r];
        if (ready_at[i] > now) continue;
        if (best == none || height[i] > height[ready[best]] ||
            (height[i] == height[ready[best]] && i < ready[best]))
          best = r;
      }
      if (best == none) {
        u32 next = ~u32{0};
        for (const u32 i : ready) next = std::min(next, ready_at[i]);
        now = next - 1;
        continue;
      }
      const u32 i = ready[best];
      ready.erase(ready.begin() + best);
      result.push_back(i);
      for (const u64 name : read_of[i]) {
        if (--left[name] == 0) live.erase(name);
      }
      for (const u64 name : written_of[i]) live.insert(name);
      for (const Edge& e : after[i]) {
        ready_at[e.to] = std::max(ready_at[e.to], now + e.cycles);
        if (--waits[e.to] == 0) ready.push_back(e.to);
      }
    }
    std::vector<LoweredInstruction> ordered;
    ordered.reserve(count);
    for (const u32 i : result) ordered.push_back(std::move(code_[begin + i]));
    std::move(ordered.begin(), ordered.end(), code_.begin() + static_cast<std::ptrdiff_t>(begin));
  }

  std::vector<LoweredInstruction>& code_;
  u32 capability_, most_live_;
};

constexpr u32 fence_name = register_names;  // what accesses behind a fence wait for
constexpr u32 waited_names = register_names + 1;

// Which barriers guard which registers: bit b of an entry. Reading waits for writes, writing for both.
struct Pending {
  std::array<u8, waited_names> written{}, read{};
  bool merge(const Pending& other) {
    bool changed = false;
    for (u32 i = 0; i < waited_names; ++i) {
      const u8 w = written[i] | other.written[i], r = read[i] | other.read[i];
      changed |= w != written[i] || r != read[i];
      written[i] = w;
      read[i] = r;
    }
    return changed;
  }
  void release(u8 mask) {
    for (u32 i = 0; i < waited_names; ++i) {
      written[i] = static_cast<u8>(written[i] & ~mask);
      read[i] = static_cast<u8>(read[i] & ~mask);
    }
  }
};

u8 waits_of(const LoweredInstruction& in, const Pending& pending) {
  u8 mask = is_memory(in) || is_anchor(in) || in.opcode == L::cs2r ? pending.written[fence_name] : u8{0};
  registers_of(in, [&](const O& operand, bool written, bool) {
    for (u32 k = 0; k < operand.width; ++k) {
      const u32 name = name_of(operand, k);
      if (name == no_name) continue;
      mask |= pending.written[name];
      if (written) mask |= pending.read[name];
    }
  });
  return mask;
}

void set_pending(const LoweredInstruction& in, Pending& pending) {
  if (in.opcode == L::membar && in.control.write_barrier < 6)
    pending.written[fence_name] |= static_cast<u8>(1 << in.control.write_barrier);
  registers_of(in, [&](const O& operand, bool written, bool) {
    for (u32 k = 0; k < operand.width; ++k) {
      const u32 name = name_of(operand, k);
      if (name == no_name) continue;
      if (written && in.control.write_barrier < 6)
        pending.written[name] |= static_cast<u8>(1 << in.control.write_barrier);
      if (!written && in.control.read_barrier < 6)
        pending.read[name] |= static_cast<u8>(1 << in.control.read_barrier);
    }
  });
}

// Which barrier each instruction of unknown latency raises, by what is free in its region.
void choose_barriers(std::span<LoweredInstruction> code, u32 capability) {
  Pending pending;
  u8 busy = 0;
  u32 turn = 0;
  const auto choose = [&] {
    for (u32 i = 0; i < 6; ++i) {
      const u32 which = (turn + i) % 6;
      if ((busy >> which & 1) != 0) continue;
      turn = which + 1;
      busy |= static_cast<u8>(1 << which);
      return static_cast<u8>(which);
    }
    const u8 which = static_cast<u8>(turn % 6);
    ++turn;
    return which;
  };
  u8 last = LoweredControl::no_barrier;
  for (std::size_t i = 0; i < code.size(); ++i) {
    LoweredInstruction& in = code[i];
    const u8 waited = waits_of(in, pending);
    pending.release(waited);
    busy = static_cast<u8>(busy & ~waited);
    if (waited != 0) last = LoweredControl::no_barrier;
    in.control.write_barrier = in.control.read_barrier = LoweredControl::no_barrier;
    const P pipe = info(in.opcode).pipe;
    if (is_fixed(in, capability) || pipe == P::branch) continue;
    bool makes = in.opcode == L::membar, takes = false;
    registers_of(in, [&](const O& operand, bool written, bool guard) {
      const bool general = name_of(operand, 0) != no_name;
      makes |= written && general;
      takes |= !written && !guard && operand.file == File::general && general;
    });
    if (makes) {
      // Neighbouring loads share one.
      const bool shares = busy == 0x3F && last != LoweredControl::no_barrier;
      in.control.write_barrier = shares ? last : choose();
      last = in.control.write_barrier;
    }
    if (takes && pipe == P::lsu && !has_scoreboard(capability))
      in.control.read_barrier = makes ? LoweredControl::no_barrier : choose();
    set_pending(in, pending);
  }
}

// Stall counts, yield and (unless the operands say it themselves) reuse of a straight line whose barriers
// stand.
void stall(std::span<LoweredInstruction> region, u32 capability, bool finds_reuse) {
  if (has_scoreboard(capability)) return scoreboard_stalls(region, capability);
  // When each register's value can be taken.
  struct Made {
    u32 at = 0;
    const LoweredInstruction* by = nullptr;
    O operand;
  };
  std::array<Made, register_names> made{};
  u32 now = 0;
  for (std::size_t i = 0; i < region.size(); ++i) {
    LoweredInstruction& instruction = region[i];
    u32 at = i == 0 ? 0 : now + 1;
    if (i > 0) {
      const LoweredInstruction& before = region[i - 1];
      const bool first_of_pair = i > 1 && region[i - 2].control.stall == 0;
      if (!first_of_pair && instruction.control.wait_mask == 0 && may_pair(before, instruction, capability))
        at = now;
      const P pipe = info(before.opcode).pipe;
      // A barrier is seen two cycles after the issue that raises it; control flow takes five.
      const bool raises = before.control.write_barrier < 6 || before.control.read_barrier < 6;
      if (raises && instruction.control.wait_mask != 0) at = std::max(at, now + 2);
      if (pipe == P::branch && before.opcode != L::bssy && before.opcode != L::ssy)
        at = std::max(at, now + 5);
      registers_of(instruction, [&](const O& operand, bool written, bool guard) {
        for (u32 k = 0; k < operand.width; ++k) {
          const u32 name = name_of(operand, k);
          if (name == no_name || made[name].by == nullptr) continue;
          const LoweredInstruction& by = *made[name].by;
          if (!written) {
            at =
                std::max(at, made[name].at + latency(by, instruction, made[name].operand, guard, capability));
            continue;
          }
          // Written again: behind the first write.
          const u32 first = latency(by, by, made[name].operand, false, capability);
          const u32 own = is_fixed(instruction, capability)
                              ? latency(instruction, instruction, operand, false, capability)
                              : first;
          at = std::max(at, made[name].at + (first > own ? first - own : 0) + 1);
        }
      });
      const u32 stall = std::min(at - now, 15u);
      region[i - 1].control.stall = static_cast<u8>(stall);
      region[i - 1].control.yield = stall >= 12;
      at = now + stall;
    }
    now = at;
    if (!is_fixed(instruction, capability)) continue;
    for (const O& operand : instruction.destination) {
      for (u32 k = 0; k < operand.width; ++k) {
        const u32 name = name_of(operand, k);
        if (name != no_name) made[name] = {now, &instruction, operand};
      }
    }
  }
  if (region.empty()) return;
  // The next region begins when all of this one's results of known latency can be taken.
  u32 end = now + (info(region.back().opcode).pipe == P::branch ? 5 : 1);
  for (const Made& one : made) {
    if (one.by == nullptr) continue;
    const bool predicate = one.operand.file == File::predicate;
    const u32 own =
        predicate && capability >= 70 ? 5 : latency(*one.by, *one.by, one.operand, false, capability);
    end = std::max(end, one.at + std::max(own, 5u));
  }
  region.back().control.stall = static_cast<u8>(std::min(end - now, capability >= 70 ? 11u : 15u));
  if (!finds_reuse) return;
  // Operands that the next instruction takes from the same slot.
  for (std::size_t i = 0; i + 1 < region.size(); ++i) {
    const P a = info(region[i].opcode).pipe, b = info(region[i + 1].opcode).pipe;
    const auto caches = [](P pipe) {
      return pipe == P::alu || pipe == P::fma || pipe == P::fma_heavy || pipe == P::half ||
             pipe == P::shift || pipe == P::compare;
    };
    if (!caches(a) || !caches(b)) continue;
    for (std::size_t slot = 0; slot < 3; ++slot) {
      O& operand = region[i].source[slot];
      const O& same = region[i + 1].source[slot];
      if (operand.file != File::general || same.file != File::general || operand.index == O::zero_register)
        continue;
      const bool overwritten =
          std::any_of(region[i].destination.begin(), region[i].destination.end(), [&](const O& to) {
            return to.file == File::general && operand.index >= to.index &&
                   operand.index < to.index + to.width;
          });
      if (operand.index == same.index && operand.width == same.width && !overwritten)
        operand.modifiers |= O::reuse;
    }
  }
}

}  // namespace

void schedule(const Function& function, const Plan&, Selected& selected, u32 most_live) {
  for (auto& region : selected.regions) RegionOrder(region, function.capability, most_live).run();
}

void finish_control(const Function& f, const Plan& plan, Selected& s) {
  for (auto& region : s.regions) {
    if (f.capability >= 70) balance(region, f.capability);
    choose_barriers(region, f.capability);
  }
  // Waits over regions: what may still be on its way when a block begins.
  std::vector<Pending> in(f.blocks.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const u32 b : f.order) {
      Pending now = in[b];
      const u32 first = plan.region_of[f.blocks[b].first - f.first],
                last = plan.region_of[f.blocks[b].end - 1 - f.first];
      for (u32 r = first; r <= last; ++r) {
        for (LoweredInstruction& instruction : s.regions[r]) {
          instruction.control.wait_mask = waits_of(instruction, now);
          now.release(instruction.control.wait_mask);
          set_pending(instruction, now);
        }
      }
      for (const u32 next : f.blocks[b].next) changed |= in[next].merge(now);
    }
  }
  for (auto& region : s.regions) stall(region, f.capability, true);
}

void control_line(std::span<LoweredInstruction> code, u32 capability) {
  choose_barriers(code, capability);
  Pending pending;
  for (u32 turn = 0; turn < 2; ++turn) {  // the second time with what the first left on its way: a loop
    for (LoweredInstruction& in : code) {
      in.control.wait_mask |= waits_of(in, pending);
      pending.release(in.control.wait_mask);
      set_pending(in, pending);
    }
  }
  stall(code, capability, false);
}

}  // namespace lockstep::lowering
