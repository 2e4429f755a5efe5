// Issue: a SIMD has its turn every few cycles (on GCN one of four, on RDNA each). In its turn it issues at
// most one instruction to each pipe and at most one of each wave: the oldest of the highest priority first.
// What only concerns the wave itself (waits, nops, barriers, sleep) is handled at its buffer and takes no
// slot.
//
// A wave's `ready` is the first cycle in which nothing of its own keeps it from issuing: its previous
// instruction is done, its next one is in the buffer, what it depends on is there, its counters are low
// enough. Whatever keeps it after that is found in its SIMD's turn. A SIMD sleeps until the earliest `ready`
// of its waves.
#include <algorithm>
#include <bit>

#include "time/core/cluster.h"

namespace lockstep {

void Cluster::settle(Wave& wave, u64 time) {
  if (time <= wave.since) return;
  figures_of(wave).stalls[static_cast<std::size_t>(wave.reason)] += time - wave.since;
  wave.since = time;
}

void Cluster::schedule(u32 id, u64 time) {
  if (time == never) return;
  const u32 turn_cycles = f_.turn_cycles;
  u64 turn = std::max(time, now_);
  if (turn_cycles > 1) {
    const u64 past = (turn + turn_cycles - id % f_.simds % turn_cycles) % turn_cycles;
    if (past != 0) turn += turn_cycles - past;
  }
  if (turn >= wake_[id]) return;
  wake_[id] = turn;
  if (turn < window_end_) agenda_[turn - window_begin_] |= u64{1} << id;
}

// The cycle in which the counters have fallen so far; `never` while that is unknown.
u64 Cluster::counters_reach(const Wave& wave, const TimedOp& op, Stall& why) const {
  constexpr std::array<Stall, wait_counter_count> reasons = {Stall::vector_memory, Stall::vector_memory,
                                                             Stall::local_memory, Stall::scalar_memory,
                                                             Stall::vector_memory};
  u64 time = 0;
  for (u32 c = 0; c < wait_counter_count; ++c) {
    const u32 most = op.most_outstanding[c];
    if (most == 0xFF || !f_.has_counter[c]) continue;
    const WaitQueue& q = queue(wave.handle, c);
    if (q.issued <= most) continue;
    const u32 number = q.issued - most - 1;
    u64 done = never;
    if (number < q.resolved) done = q.done[number % q.done.size()];
    if (done > time) {
      time = done;
      why = wave.waits_for_scalar && c == static_cast<u32>(WaitCounter::local) ? Stall::scalar_memory
                                                                               : reasons[c];
    }
    if (time == never) return never;
  }
  return time;
}

// Works out when the wave can issue its next instruction, and what it waits for until then.
void Cluster::evaluate(Wave& wave) {
  const TimedOp& op = op_of(wave);
  u64 time = wave.base;
  Stall why = Stall::dependency;
  if (wave.issued == 0 && wave.reason == Stall::launch) why = Stall::launch;
  const auto later = [&time, &why](u64 other, Stall reason) {
    if (other > time) {
      time = other;
      why = reason;
    }
  };
  later(buffered_at(wave, op), Stall::fetch);
  for (u32 i = 0; i < op.dependences; ++i) {
    const TimedOp::Dependence& d = op.dependence[i];
    later(wave.issue[(wave.issued - d.distance) % wave.issue.size()] + d.cycles, Stall::dependency);
  }
  if (op.wait_mask != 0) {
    Stall barrier = Stall::vector_memory;
    const u64 down = barriers_down(wave, op, barrier);
    later(down, barrier);
  }
  if (counters_ != 0) {
    Stall counter = Stall::vector_memory;
    const u64 reached = counters_reach(wave, op, counter);
    later(reached, counter);
  }
  if (why != wave.reason) {
    settle(wave, now_);
    wave.reason = why;
  }
  Simd& simd = simd_of(wave);
  simd.next[wave.slot] = op.pipe;
  simd.ready[wave.slot] = time;
  wave.blocked = time == never;
  schedule(wave.unit * f_.simds + wave.simd, time);
}

// The wave is done with its instruction at `base` and gets to the next one.
void Cluster::next_instruction(Wave& wave, u64 base, bool jumped) {
  if (in_regions()) {
    const u32 done = wave.pc;
    const Step step = step_in_regions(wave) ? Step::found : next_segment(wave);
    if (step == Step::left) return;
    const u32 next = wave.pc;
    wave.pc = done;
    settle(wave, base);
    wave.pc = next;
    if (step == Step::found) return enter_instruction(wave, base, jumped);
    return wait_for_segment(wave, base, jumped);
  }
  settle(wave, base);
  const auto goes_with_last = [&] {
    return (context_.program->ops[wave.segment->first + wave.at].flags & TimedOp::second_half) != 0;
  };
  do {
    const std::vector<SegmentAccess>& accesses = wave.segment->accesses;
    while (wave.access < accesses.size() && accesses[wave.access].instruction == wave.at) ++wave.access;
    if (++wave.at < wave.segment->count) continue;
    wave.segment = &source_->next(wave.handle);
    wave.at = wave.access = 0;
    if (wave.segment->count == 0) {
      return wait_for_segment(wave, base, jumped);
    }
  } while (goes_with_last());
  enter_instruction(wave, base, jumped);
}

// An ordered access has to come back before it is known what the wave does next.
void Cluster::wait_for_segment(Wave& wave, u64 base, bool jumped) {
  wave.without_segment = wave.blocked = true;
  wave.jumped = jumped;
  wave.base = base;
  wave.reason = Stall::vector_memory;
  simd_of(wave).ready[wave.slot] = never;
}

void Cluster::enter_instruction(Wave& wave, u64 base, bool jumped) {
  wave.without_segment = false;
  settle(wave, now_);
  if (!in_regions()) wave.pc = wave.segment->first + wave.at;
  LOCKSTEP_ASSERT(wave.pc < context_.program->ops.size(), "a wave executes the launch's code");
  wave.base = base;
  if (jumped) {
    // The target's fetch is part of what a taken branch costs.
    const u64 hit =
        f_.near_instruction_hit_cycles != 0 ? f_.near_instruction_hit_cycles : f_.instruction_hit_cycles;
    flush_buffer(wave, base > now_ + hit ? base - hit : now_);
  } else {
    const u64 block = op_of(wave).address / f_.fetch_block_bytes;
    const u64 passed = block - wave.first_block;
    if (passed != 0) {
      if (passed > wave.blocks) {
        // Backwards without a branch: the machine's code is unrolled there.
        flush_buffer(wave, in_regions() ? now_ : base);
      } else {
        wave.first_block = block;
        wave.blocks -= static_cast<u32>(passed);
        fetch_more(wave, now_);
      }
    }
  }
  wave.reason = Stall::dependency;
  evaluate(wave);
}

// A memory instruction goes through its SIMD's queue and address unit, and the stage behind that all SIMDs
// share; the cycle in which it comes to that.
u64 Cluster::pass_front(Unit& unit, Simd& simd) {
  const u64 start = std::max(now_, simd.front_free);
  simd.front_free = start + f_.front_cycles;
  const u64 stage = std::max(start + f_.front_latency_cycles, unit.stage_free);
  unit.stage_free = stage + f_.front_stage_cycles;
  simd.front_left[simd.front_issued++ % simd.front_left.size()] = stage;
  return stage;
}

// The instruction that passed last keeps its SIMD's way for so many cycles in all.
void Cluster::hold_front(Simd& simd, u32 cycles) {
  if (cycles > f_.front_cycles) simd.front_free += cycles - f_.front_cycles;
}

// Whether a unit can take the instruction now; else why not, and when to ask again.
bool Cluster::may_issue(Unit& unit, Simd& simd, Wave& wave, const TimedOp& op, Stall& why, u64& again) {
  const auto wait_for = [&](u64 time, Stall reason) {
    if (time <= now_) return true;
    why = reason;
    again = time;
    return false;
  };
  if (op.unit != 0 && !wait_for(unit_free(unit, simd, op), Stall::valu_busy)) return false;
  if (f_.front_queue != 0 && (op.flags & TimedOp::through_front) != 0 &&
      simd.front_issued >= f_.front_queue &&
      !wait_for(simd.front_left[(simd.front_issued - f_.front_queue) % simd.front_left.size()],
                Stall::pipe_full))
    return false;
  switch (op.pipe) {
    case Pipe::vector:
      if ((op.flags & TimedOp::transcendental) != 0 && !wait_for(simd.transcendental_free, Stall::valu_busy))
        return false;
      if ((op.flags & TimedOp::matrix) != 0 && !wait_for(simd.matrix_free, Stall::valu_busy)) return false;
      if ((op.flags & TimedOp::co_issues) != 0 && simd.half_turn == now_) return true;
      return wait_for(simd.vector_free, Stall::valu_busy);
    case Pipe::scalar_memory:
      if (!wait_for(unit.scalar_free, Stall::pipe_busy)) return false;
      // A load touches two lines at most.
      if (scalar_cache_.free_misses.size() >= 2) return true;
      why = Stall::pipe_full;
      again = now_ + f_.turn_cycles;
      return false;
    case Pipe::local_memory: {
      if (!wait_for(unit.local_next, Stall::pipe_busy)) return false;
      const LocalPort& port = unit.ports[wave.simd * f_.local_ports / f_.simds];
      if (port.issued < port.start.size()) return true;
      return wait_for(port.start[port.issued % port.start.size()], Stall::pipe_full);
    }
    case Pipe::vector_memory: {
      Path& path = path_of(path_number(wave));
      if (!wait_for(path.next, Stall::pipe_busy)) return false;
      if (path.issued < f_.vector_queue) return true;
      const u64 oldest = path.issued - f_.vector_queue;
      if (oldest < path.finished) return wait_for(path.finish[oldest % f_.vector_queue], Stall::pipe_full);
      path.queue_waiters = true;  // the address unit wakes the SIMDs when it gets on
      why = Stall::pipe_full;
      again = never;
      return false;
    }
    default:
      return true;
  }
}

void Cluster::set_priority(Simd& simd, const Wave& wave, u8 priority) {
  simd.priority[wave.slot] = priority;
  std::sort(simd.order.begin(), simd.order.begin() + simd.count, [&simd](u8 a, u8 b) {
    return simd.priority[a] != simd.priority[b] ? simd.priority[a] > simd.priority[b]
                                                : simd.age[a] < simd.age[b];
  });
}

// The order in which a SIMD's waves are asked.
std::array<u8, most_slots_per_simd> Cluster::asking_order(const Simd& simd) const {
  if (!f_.greedy_then_youngest) return simd.order;
  std::array<u8, most_slots_per_simd> order{};
  u32 at = 0;
  for (u32 i = 0; i < simd.count; ++i) {
    if (simd.order[i] == simd.latest) order[at++] = simd.latest;
  }
  for (u32 i = simd.count; i-- > 0;) {
    if (simd.order[i] != simd.latest) order[at++] = simd.order[i];
  }
  return order;
}

void Cluster::run_simd(u32 id) {
  Simd& simd = simds_[id];
  wake_[id] = never;
  Unit& unit = units_[id / f_.simds];
  const u32 first = id * f_.slots_per_simd;
  const std::array<u8, most_slots_per_simd> order = asking_order(simd);
  const u32 count = simd.count;
  u32 taken = 0, issued = 0;
  u64 next = never;
  for (u32 i = 0; i < count; ++i) {
    const u32 slot = order[i];
    if (simd.ready[slot] > now_) {
      next = std::min(next, simd.ready[slot]);
      continue;
    }
    Wave& wave = waves_[first + slot];
    const Pipe pipe = simd.next[slot];
    Stall why = Stall::arbitration;
    u64 again = now_ + f_.turn_cycles;
    const u32 bit = 1u << static_cast<u32>(pipe);
    bool go = pipe == Pipe::internal;
    const bool second = simd.half_turn == now_ && pipe == Pipe::vector;
    if (!go && ((taken & bit) == 0 || (second && (op_of(wave).flags & TimedOp::co_issues) != 0)) &&
        issued < f_.issues_per_turn)
      go = may_issue(unit, simd, wave, op_of(wave), why, again);
    if (!go) {
      if (wave.reason != why) {
        settle(wave, now_);
        wave.reason = why;
      }
      next = std::min(next, again);
      continue;
    }
    if (pipe != Pipe::internal) {
      taken |= bit;
      ++issued;
    }
    simd.latest = static_cast<u8>(slot);
    issue(unit, simd, wave);
    if (failed_) return;
    if (wave.resident) next = std::min(next, simd.ready[slot]);
  }
  // In this cycle the SIMD has had its turn.
  if (next != never) schedule(id, std::max(next, now_ + 1));
}

void Cluster::issue(Unit& unit, Simd& simd, Wave& wave) {
  const TimedOp& op = op_of(wave);
  u32 token = no_index;
  const bool regions = in_regions();
  if (wave.segment->at_issue && (!regions || executes_now(wave, op))) {
    wave.executed = true;
    const IssuePlace place{now_, device_unit(wave.unit), wave.simd};
    if (wave.segment->ordered) {
      token = source_->capture(wave.handle, place, wave.segment);
    } else {
      wave.segment = &source_->execute(wave.handle, place);
    }
    if (regions) leave_at_end(wave);
  }
  const Segment& segment = *wave.segment;
  if (!regions) {
    wave.next_op = wave.at + 1 == segment.count ? no_index : wave.pc + 1;
  }
  const bool last = wave.next_op == no_index && !wave.in_bypass;
  const u64 active = active_of(wave);
  const u32 lanes = static_cast<u32>(std::popcount(active));
  settle(wave, now_);
  wave.since = now_ + 1;
  wave.issue[wave.issued++ % wave.issue.size()] = now_;
  ++counts_.issue_cycles;
  InstructionFigures& figures = figures_of(wave);
  ++figures.issued;
  figures.lanes_active += lanes;
  ++counts_.instructions;
  ++counts_.by_cost[static_cast<std::size_t>(op.cost)];
  ++counts_.by_pipe[static_cast<std::size_t>(op.pipe)];
  if (last && segment.end == Event::fault) return fail(source_->fault(wave.handle));

  wave.reason = Stall::dependency;
  u32 cycles = op.cycles;
  u64 base = now_ + std::max<u32>(op.cycles, f_.turn_cycles);
  bool taken = false;
  if (op.unit != 0) unit_free(unit, simd, op) = now_ + op.unit_cycles;
  u64 start = now_;  // of a memory instruction's way behind its SIMD's queue
  if (op.flags & TimedOp::through_front) start = pass_front(unit, simd);
  if (op.read_barrier != TimedOp::no_barrier) {
    raise_barrier(wave, op.read_barrier, Stall::dependency);
    const bool data = (op.flags & (TimedOp::memory_store | TimedOp::memory_atomic)) != 0;
    lower_barrier(wave, op.read_barrier, start + (data ? f_.front_data_cycles : f_.front_sources_cycles));
  }
  if (op.write_barrier != TimedOp::no_barrier && (op.pipe == Pipe::vector || op.pipe == Pipe::branch)) {
    const u64 begins = start == now_ ? now_ : start - f_.front_latency_cycles;
    raise_barrier(wave, op.write_barrier, Stall::dependency);
    lower_barrier(wave, op.write_barrier, begins + op.result_cycles);
  }
  switch (op.pipe) {
    case Pipe::vector: {
      ++counts_.active_lanes[lanes];
      counts_.lanes += lanes;
      u32 passes = 1;
      if (op.flags & TimedOp::per_pass) {
        // A wave wider than the SIMD goes through it in parts; parts without lanes are skipped.
        passes = 0;
        const u64 part = (u64{1} << f_.lanes_per_simd) - 1;
        for (u32 at = 0; at < context_.wave_lanes; at += f_.lanes_per_simd)
          passes += (active >> at & part) != 0;
        passes = std::max(1u, passes);
        cycles *= passes;
      }
      simd.vector_free = now_ + cycles;
      const bool second = (op.flags & TimedOp::co_issues) != 0 && simd.half_turn == now_;
      if (!second) simd.busy += cycles;
      if (op.flags & TimedOp::co_issues) simd.half_turn = second ? never : now_;
      if (op.flags & TimedOp::matrix) {
        simd.matrix_free = now_ + op.unit_cycles;
        simd.matrix_busy += op.unit_cycles;
      }
      if (op.flags & TimedOp::transcendental) {
        simd.transcendental_free = now_ + std::max<u32>(op.unit_cycles * (cycles / op.cycles), cycles);
      }
      base = now_ + std::max((op.flags & TimedOp::passes_on) != 0 ? passes : cycles, f_.turn_cycles);
      figures.issue_cycles += cycles;
      break;
    }
    case Pipe::scalar:
      ++unit.scalar_busy;
      figures.issue_cycles += cycles;
      break;
    case Pipe::scalar_memory:
      figures.issue_cycles += cycles;
      issue_scalar(unit, wave, op, start);
      break;
    case Pipe::vector_memory: {
      if ((op.flags & TimedOp::cache_control) == 0) ++counts_.active_lanes[lanes];
      figures.issue_cycles += f_.vector_issue_cycles;
      base = wave.base;
      path_of(path_number(wave)).next = now_ + f_.vector_issue_cycles;
      base = now_ + f_.turn_cycles;
      issue_vector(unit, wave, op, token, start);
      break;
    }
    case Pipe::local_memory:
      ++counts_.active_lanes[lanes];
      figures.issue_cycles += f_.local_issue_cycles;
      unit.local_next = now_ + f_.local_issue_cycles;
      base = now_ + f_.turn_cycles;
      issue_local(unit, wave, op, start);
      break;
    case Pipe::branch:
      if (op.cost == Cost::branch) {
        ++counts_.branches;
        taken = last && segment.next_pc != segment.first + segment.count;
        if (taken) ++counts_.branches_taken;
        cycles = taken ? f_.branch_taken_cycles : f_.branch_not_taken_cycles;
        base = now_ + cycles;
      }
      figures.issue_cycles += cycles;
      break;
    default:
      if (op.cost == Cost::nop || op.cost == Cost::sleep) {
        wave.reason = Stall::sleep;
        base = now_ + std::max<u32>(f_.turn_cycles, op.argument);
      }
      if (op.flags & TimedOp::set_priority) set_priority(simd, wave, static_cast<u8>(op.argument));
      break;
  }
  base = std::max(base, now_ + op.stall);
  if (last && segment.end == Event::end) return end_wave(wave);
  if (last && segment.end == Event::barrier) return arrive_at_barrier(wave);
  next_instruction(wave, base, taken);
}

}  // namespace lockstep
