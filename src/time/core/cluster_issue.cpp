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

void Cluster::schedule(u32 id, u64 time) {
  if (time == never) return;
  u64 turn = std::max(time, now_);
  const u64 past = by_turn_.remainder(turn + by_turn_.divisor() - turn_of_simd_[id]);
  if (past != 0) turn += by_turn_.divisor() - past;
  if (turn >= wake_[id]) return;
  wake_[id] = turn;
  if (turn < window_end_) note_turn(id, turn);
}

void Cluster::remove_from(Simd& simd, u32 id, u32 position) {
  const u32 below = (1u << position) - 1;
  const auto close = [below](u32& mask) { mask = (mask & below) | (mask >> 1 & ~below); };
  close(simd.awake);
  close(simd.timed);
  close(simd.losing);
  close(simd.piped);
  close(simd.in_clause);
  simd.for_clause = 0;
  for (u32& mask : simd.to_pipe) close(mask);
  --simd.count;
  for (u32 p = position; p < simd.count; ++p) {
    simd.ready[p] = simd.ready[p + 1];
    simd.next[p] = simd.next[p + 1];
    simd.slots[p] = simd.slots[p + 1];
    waves_[id * f_.slots_per_simd + simd.slots[p]].position = static_cast<u8>(p);
  }
}

void Cluster::sort_by_priority(Simd& simd, u32 id) {
  std::array<u8, most_slots_per_simd> from{};
  for (u32 p = 0; p < simd.count; ++p) from[p] = static_cast<u8>(p);
  std::sort(from.begin(), from.begin() + simd.count, [&simd](u8 a, u8 b) {
    const u8 one = simd.slots[a], other = simd.slots[b];
    return simd.priority[one] != simd.priority[other] ? simd.priority[one] > simd.priority[other]
                                                      : simd.age[one] < simd.age[other];
  });
  const auto move = [&](u32& mask) {
    u32 moved = 0;
    for (u32 p = 0; p < simd.count; ++p) moved |= (mask >> from[p] & 1) << p;
    mask = moved;
  };
  move(simd.awake);
  move(simd.timed);
  move(simd.losing);
  move(simd.piped);
  move(simd.in_clause);
  simd.for_clause = 0;
  move(simd.ended);
  for (u32& mask : simd.to_pipe) move(mask);
  const auto ready = simd.ready;
  const auto next = simd.next;
  const auto slots = simd.slots;
  for (u32 p = 0; p < simd.count; ++p) {
    simd.ready[p] = ready[from[p]];
    simd.next[p] = next[from[p]];
    simd.slots[p] = slots[from[p]];
    waves_[id * f_.slots_per_simd + simd.slots[p]].position = static_cast<u8>(p);
  }
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
  later(buffered_at(wave), Stall::fetch);
  if (const u8 hints = context_.hints[wave.pc].bits; (hints & OpHints::waits) != 0) {
    for (u32 i = 0; i < op.dependences; ++i) {
      const TimedOp::Dependence& d = op.dependence[i];
      later(issue_cycles_[wave.handle * issue_ring_ + ((wave.issued - d.distance) & (issue_ring_ - 1))] +
                d.cycles,
            Stall::dependency);
    }
    if (const u8 barriers = op.waits_every == 1 && !wave.was_unrolled ? op.wait_mask : waits_for(wave, op);
        barriers != 0) {
      Stall barrier = Stall::vector_memory;
      const u64 down = barriers_down(wave, barriers, barrier);
      later(down, barrier);
    }
    if (counters_ != 0 && (hints & OpHints::counts) != 0) {
      Stall counter = Stall::vector_memory;
      const u64 reached = counters_reach(wave, op, counter);
      later(reached, counter);
    }
  }
  if (why != wave.reason) {
    settle(wave, now_);
    wave.reason = why;
  }
  issues_next(simd_of(wave), wave, op.pipe, time);
  const u32 id = wave.unit * f_.simds + wave.simd;
  if (id == running_simd_ && time > now_) {
    running_next_ = std::min(running_next_, time);
  } else {
    schedule(id, time);
  }
}

// The wave is done with its instruction at `base` and gets to the next one.
void Cluster::next_instruction(Wave& wave, u64 base, bool jumped) {
  if (in_regions()) {
    const u32 done = wave.pc;
    const bool branch = op_of(wave).cost == Cost::branch;
    const u64 lanes = wave.left_lanes;
    const bool within = step_in_regions(wave);
    const Step step = within ? Step::found : next_segment(wave);
    if (step == Step::left) return;
    const u32 next = wave.pc;
    wave.pc = done;
    // Some of its lanes have gone another way, or wait for these.
    if (branch && !within && step == Step::found) {
      const u64 now = wave.segment->active[0];
      if (now != lanes && (now & ~lanes) == 0) base += f_.branch_parted_cycles;
    }
    settle(wave, base);
    wave.pc = next;
    if (step == Step::found) return enter_instruction(wave, base, jumped);
    return wait_for_segment(wave, base, jumped);
  }
  settle(wave, base);
  if (wave.access != no_index) {
    const std::vector<SegmentAccess>& accesses = wave.segment->accesses;
    while (wave.access != accesses.size() && accesses[wave.access].instruction == wave.at) ++wave.access;
    if (wave.access == accesses.size()) wave.access = no_index;
  }
  wave.at += op_of(wave).parts;
  if (wave.at >= wave.count) {
    begin_segment(wave, source_->next(wave.handle));
    if (wave.count == 0) return wait_for_segment(wave, base, jumped);
  }
  enter_instruction(wave, base, jumped);
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
    go_on_in_buffer(wave, base);
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

// The stage takes what finds lanes of equal values once for each of them; how many there are but the first.
u32 Cluster::pass_values(Unit& unit, const Segment& segment, const TimedOp& op) const {
  const u32 values = std::max(1u, static_cast<u32>(std::popcount(slow_lanes_of(segment, op.instruction))));
  const u32 cycles = values * f_.match_stage_cycles;
  unit.stage_free += cycles - std::min(cycles, f_.front_stage_cycles);
  return values - 1;
}

// The instruction that passed last keeps its SIMD's way for so many cycles in all.
void Cluster::hold_front(Simd& simd, u32 cycles) {
  if (cycles > f_.front_cycles) simd.front_free += cycles - f_.front_cycles;
}

// Whether local memory can take an instruction now; else why not, and when to ask again.
bool Cluster::local_takes(const Unit& unit, const Wave& wave, Stall& why, u64& again) const {
  const LocalPort& port = unit.ports[wave.simd * f_.local_ports / f_.simds];
  u64 time = unit.local_next;
  why = Stall::pipe_busy;
  if (time <= now_ && port.issued >= port.start.size()) {
    time = port.start[port.issued % port.start.size()];
    why = Stall::pipe_full;
  }
  again = time;
  return time <= now_;
}

// Whether a unit can take the instruction now; else why not, and when to ask again.
// `second`: it goes together with what its wave has issued in this cycle.
bool Cluster::may_issue(Unit& unit, Simd& simd, Wave& wave, const TimedOp& op, Stall& why, u64& again,
                        bool second) {
  const auto wait_for = [&](u64 time, Stall reason) {
    if (time <= now_) return true;
    why = reason;
    again = time;
    return false;
  };
  if (op.unit != 0 && !wait_for(unit_free(unit, simd, op, second),
                                op.pipe == Pipe::vector ? Stall::valu_busy : Stall::pipe_busy))
    return false;
  if (f_.front_queue != 0 && (op.flags & TimedOp::through_front) != 0 &&
      simd.front_issued >= f_.front_queue &&
      !wait_for(simd.front_left[(simd.front_issued - f_.front_queue) % simd.front_left.size()],
                Stall::pipe_full))
    return false;
  switch (op.pipe) {
    case Pipe::vector:
      if ((op.flags & TimedOp::in_clause) != 0 && !may_begin_clause(simd, wave)) {
        why = Stall::arbitration;
        again = never;  // who leaves a clause wakes the SIMD
        return false;
      }
      if ((op.flags & TimedOp::moves_local) != 0 && !local_takes(unit, wave, why, again)) return false;
      if ((op.flags & TimedOp::transcendental) != 0 && !wait_for(simd.transcendental_free, Stall::valu_busy))
        return false;
      if ((op.flags & TimedOp::matrix) != 0 && !wait_for(simd.matrix_free, Stall::valu_busy)) return false;
      if ((op.flags & TimedOp::co_issues) != 0 && simd.half_turn == now_) return true;
      if ((op.flags & TimedOp::second_pipe) != 0) return wait_for(simd.second_free, Stall::valu_busy);
      return second || vector_has_room(simd) || wait_for(pipe_free(simd), Stall::valu_busy);
    case Pipe::scalar_memory:
      if (!wait_for(unit.scalar_free, Stall::pipe_busy) ||
          !wait_for(scalar_cache_.port_free - std::min(scalar_cache_.port_free, scalar_cycles_ahead),
                    Stall::pipe_full))
        return false;
      // An address touches two lines at most.
      if (scalar_takes()) return true;
      why = Stall::pipe_full;
      again = now_ + f_.turn_cycles;
      return false;
    case Pipe::local_memory:
      return local_takes(unit, wave, why, again);
    case Pipe::vector_memory:
      return vector_memory_takes(wave, why, again);
    default:
      return true;
  }
}

void Cluster::set_priority(Simd& simd, const Wave& wave, u8 priority) {
  simd.priority[wave.slot] = priority;
  simd.reordered = true;
}

// What an instruction may need beside its pipe.
constexpr u32 beside_its_pipe = TimedOp::transcendental | TimedOp::matrix | TimedOp::co_issues |
                                TimedOp::through_front | TimedOp::in_clause | TimedOp::second_pipe;

u32 Cluster::first_asked(const Simd& simd, u32 first, u32 asked) const {
  if (!f_.round_robin || simd.latest == 0xFF || !waves_[first + simd.latest].resident) return asked & -asked;
  return first_behind(asked, waves_[first + simd.latest].position);
}

// A SIMD's waves are asked in their order, where it is greedy the one that issued last before all others.
// What an instruction issues to is taken for the others that want the same.
void Cluster::run_simd(u32 id) {
  Simd& simd = simds_[id];
  wake_[id] = never;
  u64 next = never;
  if (simd.timed != 0) {
    const LaterWaves later = later_waves(simd.ready, simd.timed, simd.count, now_);
    simd.awake |= simd.timed & ~later.waves;
    simd.timed = later.waves;
    next = later.first;
  }
  Unit& unit = units_[unit_of_simd_[id]];
  const u32 first = id * f_.slots_per_simd;
  const u32 for_memory = simd.to_pipe[static_cast<u32>(Pipe::vector_memory)];
  if (u64 again = 0;
      simd.awake != 0 && (simd.awake & ~for_memory) == 0 && memory_refuses_all(unit, simd, first, again)) {
    // In this cycle the SIMD has had its turn.
    if (next = std::min(next, again); next != never) schedule(id, std::max(next, now_ + 1));
    return;
  }
  u32 latest = 0;  // the wave that is asked first
  if (f_.greedy && simd.latest != 0xFF && waves_[first + simd.latest].resident)
    latest = 1u << waves_[first + simd.latest].position;
  running_simd_ = id;
  running_next_ = never;
  // Who may begin a clause in this turn: nobody else of the SIMD issues to the same pipe in it.
  const u32 begins = f_.vector_clauses == 0
                         ? 0
                         : simd.awake & simd.to_pipe[static_cast<u32>(Pipe::vector)] & ~simd.in_clause;
  const u32 may_begin = (begins & ~simd.for_clause) != 0 ? refuse_clauses(simd, first, begins) : 0;
  u32 taken = 0, issued = 0, passed = 0, lost = 0;
  while (true) {
    const u32 asked = simd.awake & ~passed & ~simd.for_clause;
    u32 self = 0;
    if (latest != 0) {
      self = latest;
      latest = 0;
      passed |= self;
      if ((asked & self) == 0) continue;
    } else {
      if (asked == 0) break;
      self = first_asked(simd, first, asked);
      // Who is before it and has been put aside has had its turn, even if a clause ends now.
      passed |= self | (simd.for_clause & (self - 1));
    }
    const u32 position = static_cast<u32>(std::countr_zero(self));
    Wave& wave = waves_[first + simd.slots[position]];
    const Pipe pipe = simd.next[position];
    if (pipe != Pipe::internal) {
      const u32 bit = 1u << static_cast<u32>(pipe);
      const bool second = simd.half_turn == now_ && pipe == Pipe::vector;
      if (issued >= f_.issues_per_turn ||
          ((taken & bit) != 0 && !(second && (op_of(wave).flags & TimedOp::co_issues) != 0))) {
        lost |= self;
        continue;
      }
      Stall why = Stall::arbitration;
      u64 again = now_ + f_.turn_cycles;
      const TimedOp& op = op_of(wave);
      const u32 beside = op.flags & (beside_its_pipe | TimedOp::moves_local);
      const bool goes_on = beside == TimedOp::in_clause && ((simd.in_clause | may_begin) & self) != 0;
      const bool simple = op.unit == 0 && (beside == 0 || goes_on) &&
                          (pipe == Pipe::vector ? simd.vector_free <= now_ || vector_has_room(simd)
                                                : pipe == Pipe::scalar || pipe == Pipe::branch);
      if (!simple && !may_issue(unit, simd, wave, op, why, again)) {
        simd.losing &= ~self;
        simd.piped &= ~self;
        if (wave.reason != why) {
          settle(wave, now_);
          wave.reason = why;
        }
        next = std::min(next, again);
        if (again == never && why == Stall::arbitration && op.unit == 0 &&
            (op.flags & TimedOp::through_front) == 0)
          simd.for_clause |= self;
        continue;
      }
      taken |= bit;
      ++issued;
    }
    simd.latest = wave.slot;
    const bool pairs = f_.issues_of_wave > 1 && (op_of(wave).flags & TimedOp::pairs) != 0;
    issue(unit, simd, wave);
    if (failed_) return;
    if (pairs) issue_second(unit, simd, wave);
    if (failed_) return;
    if (pipe == Pipe::internal) continue;
    // Nobody else's turn comes: they need not be asked one by one.
    const bool room = pipe == Pipe::vector && vector_has_room(simd);
    if (room) taken &= ~(1u << static_cast<u32>(pipe));
    u32 losers = simd.awake & ~passed & ~simd.for_clause;
    if (f_.vector_pipes > 1 && pipe == Pipe::vector && !room && issued < f_.issues_per_turn) {
      // None of the pipes is free before the first of them is done.
      losers &= simd.to_pipe[static_cast<u32>(pipe)];
      wait_for_pipes(simd, first, losers);
      if (losers != 0) next = std::min(next, pipe_free(simd));
      passed |= losers;
      continue;
    }
    if (issued < f_.issues_per_turn)
      losers &=
          room || (pipe == Pipe::vector && simd.half_turn == now_) ? 0 : simd.to_pipe[static_cast<u32>(pipe)];
    else
      losers &= ~simd.to_pipe[static_cast<u32>(Pipe::internal)];
    lost |= losers;
    passed |= losers;
  }
  running_simd_ = no_index;
  next = std::min(next, running_next_);
  if (lost != 0) {
    for (u32 bits = lost & ~simd.losing; bits != 0; bits &= bits - 1) {
      Wave& wave = waves_[first + simd.slots[static_cast<u32>(std::countr_zero(bits))]];
      settle(wave, now_);
      wave.reason = Stall::arbitration;
    }
    simd.losing |= lost;
    simd.piped &= ~lost;
    next = std::min(next, now_ + f_.turn_cycles);
  }
  if (simd.reordered) {
    simd.reordered = false;
    sort_by_priority(simd, id);
  }
  if (simd.ended != 0) {
    for (u32 bits = simd.ended; bits != 0;) {
      const u32 position = static_cast<u32>(std::bit_width(bits)) - 1;
      remove_from(simd, id, position);
      bits &= ~(1u << position);
    }
    simd.ended = 0;
  }
  // In this cycle the SIMD has had its turn.
  if (next != never) schedule(id, std::max(next, now_ + 1));
}

// The wave has issued an instruction with which its next one goes together, if nothing but that turn keeps
// it.
void Cluster::issue_second(Unit& unit, Simd& simd, Wave& wave) {
  if (!wave.resident || wave.blocked || simd.ready[wave.position] != now_ + f_.turn_cycles) return;
  const TimedOp& op = op_of(wave);
  Stall why = Stall::arbitration;
  u64 again = 0;
  if (op.pipe == Pipe::internal || buffered_at(wave) > now_ ||
      !may_issue(unit, simd, wave, op, why, again, true))
    return;
  ++counts_.paired;
  ++figures_of(wave).paired;
  issue(unit, simd, wave, true);
}

// Its barrier is not complete: nothing has issued.
void Cluster::wait_for_others(Wave& wave) {
  settle(wave, now_);
  wave.reason = Stall::barrier;
  wave.at_barrier = wave.looks_again = wave.blocked = true;
  wave.next_op = no_index;
  ++groups_[wave.group].looking;
  set_ready(simd_of(wave), wave, never);
}

void Cluster::issue(Unit& unit, Simd& simd, Wave& wave, bool second) {
  const TimedOp& op = op_of(wave);
  if ((context_.hints[wave.pc].bits & plain_) != 0 && !second && !wave.at_issue &&
      wave.at + op.parts < wave.count &&
      (wave.access == no_index || wave.segment->accesses[wave.access].instruction != wave.at))
    return issue_plain(unit, simd, wave, op);
  u32 token = no_index;
  const bool regions = in_regions();
  if (wave.at_issue && (!regions || executes_now(wave, op))) {
    wave.executed = true;
    const IssuePlace place{now_, device_unit(wave.unit), wave.simd};
    if (wave.segment->ordered) {
      const Segment* captured = nullptr;
      token = source_->capture(wave.handle, place, captured);
      begin_segment(wave, *captured);
    } else {
      begin_segment(wave, source_->execute(wave.handle, place));
    }
    if (regions) leave_at_end(wave);
    if (wave.segment->end == Event::yield && wave.segment->next_pc == wave.segment->first)
      return wait_for_others(wave);
    if (groups_[wave.group].looking != 0) look_again(groups_[wave.group]);
  }
  const Segment& segment = *wave.segment;
  if (!regions) wave.next_op = wave.at + op.parts == wave.count ? no_index : wave.pc + op.parts;
  const bool last = wave.next_op == no_index && !wave.in_bypass;
  const u64 active =
      op.every == TimedOp::when_slow ? slow_lanes_of(segment, op.instruction) : active_of(wave);
  const u32 lanes = static_cast<u32>(std::popcount(active));
  InstructionFigures& figures = count_issue(simd, wave, op, lanes);
  const bool moves_local = (op.flags & TimedOp::moves_local) != 0;
  if (last && segment.end == Event::fault) return fail(source_->fault(wave.handle));

  wave.reason = Stall::dependency;
  u32 cycles = op.cycles;
  u64 base = now_ + std::max<u32>(op.cycles, f_.turn_cycles);
  bool taken = false;
  if (op.unit != 0)
    unit_free(unit, simd, op, second) =
        now_ + (second && op.second_unit != 0 ? op.second_unit_cycles : op.unit_cycles);
  u64 start = now_;  // of a memory instruction's way behind its SIMD's queue
  if (op.flags & TimedOp::through_front) start = pass_front(unit, simd);
  u32 further_values = 0;
  if (op.cost == Cost::message && op.argument != 0 && f_.match_stage_cycles != 0) [[unlikely]]
    further_values = pass_values(unit, segment, op);
  if (op.read_barrier != TimedOp::no_barrier) {
    raise_barrier(wave, op.read_barrier, Stall::dependency);
    const bool data = (op.flags & (TimedOp::memory_store | TimedOp::memory_atomic)) != 0;
    lower_barrier(wave, op.read_barrier, start + (data ? f_.front_data_cycles : f_.front_sources_cycles));
  }
  if (op.write_barrier != TimedOp::no_barrier && (op.pipe == Pipe::vector || op.pipe == Pipe::branch)) {
    const u64 begins = start == now_ ? now_ : start - f_.front_latency_cycles;
    raise_barrier(wave, op.write_barrier, Stall::dependency);
    lower_barrier(wave, op.write_barrier,
                  begins + op.result_cycles + u64{further_values} * f_.match_value_cycles);
  }
  switch (op.pipe) {
    case Pipe::vector: {
      ++counts_.active_lanes[lanes];
      if (!moves_local) counts_.lanes += lanes;
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
      const bool by_second =
          f_.vector_pipes > 1 && ((op.flags & TimedOp::second_pipe) != 0 || simd.vector_free > now_);
      u64& free = by_second ? simd.second_free : simd.vector_free;
      const bool beside = free > now_;  // the first of its pair
      free = std::max(free, now_ + cycles);
      const bool shares = (op.flags & TimedOp::co_issues) != 0 && simd.half_turn == now_;
      if (!shares && !beside) simd.busy += cycles;
      if (op.flags & TimedOp::co_issues) simd.half_turn = shares ? never : now_;
      if (op.flags & TimedOp::matrix) {
        simd.matrix_free = now_ + op.unit_cycles;
        simd.matrix_busy += op.unit_cycles;
      }
      if (op.flags & TimedOp::transcendental) {
        simd.transcendental_free = now_ + std::max<u32>(op.unit_cycles * (cycles / op.cycles), cycles);
      }
      base = now_ + std::max((op.flags & TimedOp::passes_on) != 0 ? passes : cycles, f_.turn_cycles);
      figures.issue_cycles += cycles;
      if (op.flags & TimedOp::in_clause) simd.in_clause |= 1u << wave.position;
      if (moves_local) {
        unit.local_next = now_ + f_.local_issue_cycles;
        issue_local(unit, wave, op, start);
      }
      if (op.flags & TimedOp::ends_clause) leave_clause(simd, wave);
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
      if (op.flags & TimedOp::holds_arithmetic)
        simd.vector_free = std::max(simd.vector_free, now_ + op.cycles);
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
        taken = last && (segment.next_pc != segment.first + segment.count) == (op.argument == 0);
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
