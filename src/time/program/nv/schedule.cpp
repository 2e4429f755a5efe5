// Order inside regions; then the control words: stall counts for results of known latency, the six barriers
// for the others, yield, reuse.
#include "time/program/nv/schedule.h"

#include <algorithm>
#include <array>
#include <span>

#include "time/program/nv/allocate.h"
#include "time/program/nv/balance.h"
#include "time/program/nv/generation.h"
#include "time/program/nv/latency.h"
#include "time/program/nv/older.h"
#include "time/program/nv/registers.h"

namespace lockstep::lowering {
namespace {

using O = LoweredOperand;
using File = LoweredOperand::File;
using L = LoweredOpcode;
using P = LoweredPipe;

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

// Which barrier each instruction of unknown latency raises, by what is free in its region: not what it still
// has to wait for of what was on its way before it, `pending`, which becomes what is behind it. `turn` goes
// from region to region: what one has left on its way shares its barrier with what the next begins with only
// after six.
void choose_barriers(std::span<LoweredInstruction> code, u32 capability, u32& turn, Pending& pending) {
  u8 busy = 0;
  for (const LoweredInstruction& in : code) busy |= waits_of(in, pending);
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
  u32 now = 0, port = 0;
  for (std::size_t i = 0; i < region.size(); ++i) {
    LoweredInstruction& instruction = region[i];
    u32 at = i == 0 ? 0 : now + 1;
    const bool access = capability >= 70 && info(instruction.opcode).memory;
    if (access) at = std::max(at, port);
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
    if (access) port = now + access_interval;
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
    const auto caches = [&](P pipe) {
      return pipe == P::alu || pipe == P::fma || pipe == P::fma_heavy || pipe == P::half ||
             pipe == P::shift || pipe == P::compare || (pipe == P::fp64 && capability >= 70);
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

Scheduled schedule(const Function& function, const Plan& plan, Selected& selected, u32 limit,
                   std::vector<OrdersForFew>& known_orders, std::span<const u32> limits) {
  known_orders.resize(selected.regions.size());
  const std::vector<RegionLive> live = live_in_regions(function, plan, selected);
  constexpr u32 turns = 8, deepest = 4;  // that a loop is reckoned with
  Scheduled result;
  result.cycles_of.assign(selected.regions.size(), 0);
  for (u32 b = 0; b < function.blocks.size(); ++b) {
    u64 times = 1;
    for (u32 depth = std::min(function.blocks[b].depth, deepest); depth > 0; --depth) times *= turns;
    const Block& block = function.blocks[b];
    if (block.end == block.first) continue;
    const u32 first = plan.region_of[block.first - function.first],
              last = plan.region_of[block.end - 1 - function.first];
    for (u32 r = first; r <= last; ++r) {
      const RegionOrder one = order_region(selected.regions[r], live[r], function.capability,
                                           limits.empty() ? limit : limits[r], known_orders[r]);
      result.fewest = std::max(result.fewest, one.fewest);
      result.loading = std::max(result.loading, one.loading);
      result.cycles += times * one.cycles;
      result.cycles_of[r] += times * one.cycles;
    }
  }
  return result;
}

void finish_control(const Function& f, const Plan& plan, Selected& s) {
  u32 turn = 0;
  for (auto& region : s.regions) {
    if (f.capability >= 70) balance(region, f.capability);
  }
  std::vector<Pending> before(f.blocks.size());
  for (const u32 b : f.order) {
    Pending& now = before[b];
    const u32 first = plan.region_of[f.blocks[b].first - f.first],
              last = plan.region_of[f.blocks[b].end - 1 - f.first];
    for (u32 r = first; r <= last; ++r) choose_barriers(s.regions[r], f.capability, turn, now);
    for (const u32 next : f.blocks[b].next) before[next].merge(now);
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
  u32 first = 0;
  Pending pending;
  choose_barriers(code, capability, first, pending);
  pending = {};
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
