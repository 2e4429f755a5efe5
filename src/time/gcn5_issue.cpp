// Issue (S1): each cycle the waves of one SIMD are considered, the SIMDs take turns. In its turn a SIMD
// issues at most one instruction of each category and at most one of each wave, the oldest wave first. What
// only concerns the wave itself (waits, nops, barriers, sleep) is handled at its buffer and takes no slot.
//
// A wave's `ready` is the first cycle in which nothing of its own keeps it from issuing: its previous
// instruction is done, its next one is in the buffer, its counters are low enough. Whatever keeps it after
// that is found in its SIMD's turn. A SIMD sleeps until the earliest `ready` of its waves.
#include <algorithm>
#include <bit>

#include "isa/amd/format.h"
#include "time/gcn5_device.h"

namespace lockstep::gcn5 {

void Device::settle(Wave& wave, u64 time) {
  if (time <= wave.since) return;
  figures_[wave.pc].stalls[static_cast<std::size_t>(wave.reason)] += time - wave.since;
  wave.since = time;
}

void Device::schedule(u32 id, u64 time) {
  if (time == never) return;
  const u64 phase = id % p_.simds % p_.turn_cycles;
  const u64 earliest = std::max(time, delivering_ ? now() : now() + 1);
  const u64 past = (earliest + p_.turn_cycles - phase) % p_.turn_cycles;
  const u64 turn = past == 0 ? earliest : earliest + p_.turn_cycles - past;
  Simd& simd = simds_[id];
  if (turn >= simd.wake_at) return;
  simd.wake_at = turn;
  queue_.wake(simd_component(id), turn);
}

// The cycle in which at most `vector` and `local` operations are outstanding; `never` while that is unknown.
u64 Device::counters_reach(const Wave& wave, u32 vector, u32 local, Stall& why) const {
  u64 time = 0;
  if (wave.vm_issued > vector) {
    const u32 number = wave.vm_issued - vector - 1;
    if (number >= wave.vm_resolved) {
      why = Stall::vector_memory;
      return never;
    }
    const u64 done = wave.vm_done[number % wave.vm_done.size()];
    if (done > time) {
      time = done;
      why = Stall::vector_memory;
    }
  }
  if (static_cast<u32>(std::popcount(wave.lgkm_used)) > local) {
    std::array<u64, 16> times;
    std::array<Stall, 16> reasons;
    u32 count = 0;
    for (u32 used = wave.lgkm_used; used != 0; used &= used - 1) {
      const u32 entry = static_cast<u32>(std::countr_zero(used));
      u32 at = count++;
      for (; at > 0 && times[at - 1] > wave.lgkm_done[entry]; --at) {
        times[at] = times[at - 1];
        reasons[at] = reasons[at - 1];
      }
      times[at] = wave.lgkm_done[entry];
      reasons[at] = wave.lgkm_why[entry];
    }
    const u32 last = count - local - 1;
    if (times[last] > time) {
      time = times[last];
      why = reasons[last];
    }
  }
  return time;
}

// Works out when the wave can issue its next instruction, and what it waits for until then.
void Device::evaluate(Wave& wave) {
  const InstructionInfo& info = info_[wave.pc];
  u64 time = wave.base;
  Stall why = Stall::dependency;
  const auto later = [&time, &why](u64 other, Stall reason) {
    if (other > time) {
      time = other;
      why = reason;
    }
  };
  later(buffered_at(wave, info), Stall::fetch);
  if ((wave.scalar_pending[0] | wave.scalar_pending[1]) != 0 && info.category != Category::valu) {
    if ((info.reads[0] & wave.scalar_pending[0]) != 0 || (info.reads[1] & wave.scalar_pending[1]) != 0)
      later(wave.scalar_ready, Stall::dependency);
  }
  u32 vector = ~0u, local = ~0u;
  if (info.cost == Cost::wait) {
    const amd::WaitCounts counts = amd::WaitCounts::unpack(launch_.code[wave.pc]);
    if (counts.vector != 0xFF) vector = counts.vector;
    if (counts.local != 0xFF) local = counts.local;
  } else if (info.category == Category::vmem) {
    vector = p_.most_vector_outstanding - 1;
    if (info.flat) local = p_.most_local_outstanding - 1;
  } else if (info.category == Category::lds || info.category == Category::smem) {
    local = p_.most_local_outstanding - 1;
  }
  if (vector != ~0u || local != ~0u) {
    Stall counter = Stall::vector_memory;
    const u64 reached = counters_reach(wave, vector, local, counter);
    later(reached, counter);
  }
  if (why != wave.reason) {
    settle(wave, now());
    wave.reason = why;
  }
  Simd& simd = simd_of(wave);
  simd.next[wave.slot] = info.category;
  simd.ready[wave.slot] = time;
  wave.blocked = time == never;
  schedule(wave.compute_unit * p_.simds + wave.simd, time);
}

// The wave has got to a new instruction and is done with the previous one at `base`.
void Device::prepare(Wave& wave, u64 base) {
  settle(wave, base);
  const Instruction* next = source_.peek(wave.handle);
  wave.pc = static_cast<u32>(next - launch_.code.data());
  LOCKSTEP_ASSERT(wave.pc < launch_.code.size(), "a wave executes the launch's code");
  wave.base = base;
  const u64 block = info_[wave.pc].address / p_.bytes_per_fetch;
  const u64 passed = block - wave.first_block;
  if (passed != 0) {
    if (passed > wave.blocks) {
      flush_buffer(wave, base);
    } else {
      wave.first_block = block;
      wave.blocks -= static_cast<u32>(passed);
      fetch_more(wave, now());
    }
  }
  wave.reason = Stall::dependency;
  evaluate(wave);
}

// Whether a unit can take the instruction now; else why not, and when to ask again.
bool Device::may_issue(ComputeUnit& unit, Simd& simd, Wave& wave, Category category, Stall& why, u64& again) {
  const auto wait_for = [&](u64 time, Stall reason) {
    if (time <= now()) return true;
    why = reason;
    again = time;
    return false;
  };
  switch (category) {
    case Category::valu:
      return wait_for(simd.valu_free, Stall::valu_busy);
    case Category::smem: {
      if (!wait_for(unit.smem_free, Stall::pipe_busy)) return false;
      const SharedCache& cache = scalar_caches_[wave.compute_unit / p_.scalar_units_sharing];
      // A load touches two lines at most.
      if (cache.free_misses.size() >= 2) return true;
      why = Stall::pipe_full;
      again = now() + p_.turn_cycles;
      return false;
    }
    case Category::lds: {
      if (!wait_for(unit.local_next, Stall::pipe_busy)) return false;
      const ComputeUnit::LocalPort& port = unit.local_ports[wave.simd / p_.local_simds_per_port];
      if (port.issued < port.start.size()) return true;
      return wait_for(port.start[port.issued % port.start.size()], Stall::pipe_full);
    }
    case Category::vmem: {
      if (!wait_for(unit.vmem_next, Stall::pipe_busy)) return false;
      if (unit.vmem_issued < p_.vmem_queue) return true;
      const u64 oldest = unit.vmem_issued - p_.vmem_queue;
      if (oldest < unit.vmem_finished)
        return wait_for(unit.vmem_finish[oldest % p_.vmem_queue], Stall::pipe_full);
      unit.queue_waiters = true;  // the address unit wakes the SIMDs when it gets on
      why = Stall::pipe_full;
      again = never;
      return false;
    }
    default:
      return true;
  }
}

void Device::run_simd(u32 id) {
  Simd& simd = simds_[id];
  if (now() < simd.wake_at) return;
  simd.wake_at = never;
  ComputeUnit& unit = units_[id / p_.simds];
  const u32 first = id * p_.waves_per_simd;
  const std::array<u8, most_waves_per_simd> order = simd.order;
  const u32 count = simd.count;
  u32 taken = 0, issued = 0;
  u64 next = never;
  for (u32 i = 0; i < count; ++i) {
    const u32 slot = order[i];
    if (simd.ready[slot] > now()) {
      next = std::min(next, simd.ready[slot]);
      continue;
    }
    Wave& wave = waves_[first + slot];
    const Category category = simd.next[slot];
    Stall why = Stall::arbitration;
    u64 again = now() + p_.turn_cycles;
    const u32 bit = 1u << static_cast<u32>(category);
    bool go = category == Category::internal;
    if (!go && (taken & bit) == 0 && issued < p_.instructions_per_turn)
      go = may_issue(unit, simd, wave, category, why, again);
    if (!go) {
      if (wave.reason != why) {
        settle(wave, now());
        wave.reason = why;
      }
      next = std::min(next, again);
      continue;
    }
    if (category != Category::internal) {
      taken |= bit;
      ++issued;
    }
    if (!issue(unit, simd, wave)) return;
    if (wave.resident) next = std::min(next, simd.ready[slot]);
  }
  schedule(id, next);
}

// False when the run has failed.
bool Device::issue(ComputeUnit& unit, Simd& simd, Wave& wave) {
  const Outcome& outcome = source_.next(wave.handle, now(), wave.compute_unit, wave.simd);
  const InstructionInfo& info = info_[wave.pc];
  settle(wave, now());
  wave.since = now() + 1;
  ++issue_cycles_;
  const u32 lanes = static_cast<u32>(std::popcount(outcome.active));
  InstructionFigures& figures = figures_[wave.pc];
  ++figures.issued;
  figures.lanes_active += lanes;
  ++counts_.instructions;
  ++counts_.by_cost[static_cast<std::size_t>(info.cost)];
  ++counts_.by_category[static_cast<std::size_t>(info.category)];
  if (outcome.event == Event::fault) {
    failed_ = true;
    failure_ = source_.fault(wave.handle);
    return false;
  }
  if (counts_.instructions > options_.most_instructions) {
    failed_ = true;
    failure_ = {"instruction-limit",
                {},
                "the launch executed more instructions than its limit allows",
                "an endless loop? raise the limit if the kernel is just long"};
    return false;
  }

  wave.reason = Stall::dependency;
  u64 base = now() + std::max<u32>(info.cycles, p_.turn_cycles);
  bool taken = false;
  switch (info.category) {
    case Category::valu:
      ++active_lanes_[lanes];
      counts_.lanes += lanes;
      simd.valu_free = now() + info.cycles;
      simd.valu_busy += info.cycles;
      base = now() + info.cycles + p_.valu_latency;
      if ((info.writes[0] | info.writes[1]) != 0) {
        wave.scalar_pending = info.writes;
        wave.scalar_ready = now() + info.cycles + p_.valu_to_scalar;
      }
      break;
    case Category::salu:
      ++unit.salu_busy;
      base = now() + info.cycles + p_.salu_latency;
      break;
    case Category::smem:
      issue_scalar(unit, wave, outcome, info);
      base = wave.base;
      break;
    case Category::vmem:
      ++active_lanes_[lanes];
      unit.vmem_next = now() + p_.vmem_issue_cycles;
      issue_vector(unit, wave, outcome, info);
      break;
    case Category::lds:
      ++active_lanes_[lanes];
      unit.local_next = now() + p_.local_issue_cycles;
      issue_local(unit, wave, outcome, info);
      break;
    case Category::branch:
      if (info.cost == Cost::branch) {
        ++counts_.branches;
        taken = outcome.next_pc != wave.pc + 1;
        if (taken) ++counts_.branches_taken;
        base = now() + (taken ? p_.branch_taken : p_.branch_not_taken);
      }
      break;
    case Category::internal:
      if (info.cost == Cost::nop) {
        wave.reason = Stall::sleep;
        base =
            now() + std::max<u32>(p_.turn_cycles, (static_cast<u32>(launch_.code[wave.pc].offset) & 15) + 1);
      } else if (info.cost == Cost::sleep) {
        wave.reason = Stall::sleep;  // s_sleep: about 64 cycles times its operand
        base = now() +
               std::max<u32>(p_.turn_cycles, 64 * (static_cast<u32>(launch_.code[wave.pc].offset) & 127));
      }
      break;
    case Category::count:
      break;
  }
  if (outcome.event == Event::end) {
    end_wave(wave);
    return true;
  }
  if (outcome.event == Event::barrier) {
    arrive_at_barrier(wave);
    return true;
  }
  if (taken) {
    // The target's fetch is part of what a taken branch costs.
    settle(wave, base);
    wave.pc = outcome.next_pc;
    LOCKSTEP_ASSERT(wave.pc < launch_.code.size(), "a branch stays in the code");
    const u64 hit = p_.instruction_hit_cycles;
    flush_buffer(wave, base > now() + hit ? base - hit : now());
  }
  prepare(wave, base);
  return true;
}

}  // namespace lockstep::gcn5
