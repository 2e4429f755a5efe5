// Memory operations on their way, who waits for them, and the wait counters that they raise and lower.
#include <algorithm>
#include <bit>

#include "time/core/cluster.h"

namespace lockstep {

void Cluster::trace_wait(const Wave& wave, u64 time) {
  trace_->wait(trace_wave_[wave.handle], instruction_of(wave), wave.reason, wave.since, time);
}

// Waves of a SIMD whose pipes for arithmetic are all taken.
void Cluster::wait_for_pipes(Simd& simd, u32 first, u32 positions) {
  for (u32 bits = positions & ~simd.piped; bits != 0; bits &= bits - 1) {
    Wave& wave = waves_[first + simd.slots[static_cast<u32>(std::countr_zero(bits))]];
    settle(wave, now_);
    wave.reason = Stall::valu_busy;
  }
  simd.losing &= ~positions;
  simd.piped |= positions;
}

// Whether vector memory can take an instruction now; else why not, and when to ask again. Of SIMDs that wait
// for a place in its queue the next one behind the latest goes first: by their turns alone, a place that
// comes free in every 64th cycle would always be the same SIMD's, and the others' waves fall behind.
bool Cluster::vector_memory_takes(const Wave& wave, Stall& why, u64& again) {
  Path& path = path_of(path_number(wave));
  const u32 own = 1u << wave.simd;
  const u32 others = path.waiting_simds & ~own;
  path.waiting_simds |= own;
  if (path.next > now_) {
    why = Stall::pipe_busy;
    again = path.next;
    return false;
  }
  if (path.issued < f_.vector_queue) return true;
  why = Stall::pipe_full;
  const u64 oldest = path.issued - f_.vector_queue;
  const auto left_at = [&](u64 entry) {
    return entry < path.finished ? path.finish[entry % f_.vector_queue] : never;
  };
  again = left_at(oldest);
  if (again > now_) {
    if (again == never) path.queue_waiters = true;  // the address unit wakes the SIMDs when it gets on
    return false;
  }
  // Where partitions have ways of their own to it those take turns.
  if (others == 0 || left_at(oldest + 1) <= now_) return true;
  // Who has not come after a turn has something else to issue.
  if (first_behind(path.waiting_simds, path.latest_simd) == own || path.any_simd_from <= now_) return true;
  again = now_ + f_.turn_cycles;
  path.any_simd_from = std::min(path.any_simd_from, again);
  return false;
}

// Whether vector memory takes nothing, for which all of the SIMD's waves are that could issue; then when to
// ask again. Where many SIMDs wait for a place in its queue that is what most turns come to.
bool Cluster::memory_refuses_all(Unit& unit, Simd& simd, u32 first, u64& again) {
  if ((simd.awake & simd.for_clause) != 0 || f_.front_queue != 0) return false;
  const auto wave_at = [&](u32 bits) -> Wave& {
    return waves_[first + simd.slots[static_cast<u32>(std::countr_zero(bits))]];
  };
  for (u32 bits = simd.awake; bits != 0; bits &= bits - 1) {
    const TimedOp& op = op_of(wave_at(bits));
    if (op.unit != 0 && unit_free(unit, simd, op, false) > now_) return false;
  }
  Stall why = Stall::arbitration;
  if (vector_memory_takes(wave_at(simd.awake), why, again)) return false;
  for (u32 bits = simd.awake; bits != 0; bits &= bits - 1) {
    Wave& wave = wave_at(bits);
    if (wave.reason == why) continue;
    settle(wave, now_);
    wave.reason = why;
  }
  simd.losing &= ~simd.awake;
  simd.piped &= ~simd.awake;
  return true;
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

u32 Cluster::new_op() {
  u32 op = free_op_;
  if (op == no_index) {
    op = static_cast<u32>(ops_.size());
    ops_.emplace_back();
  } else {
    free_op_ = ops_[op].next;
    if (free_op_ != no_index) __builtin_prefetch(&ops_[free_op_].next, 1);
    ops_[op] = {};
  }
  return op;
}

void Cluster::raise_counters(Wave& wave, const TimedOp& op, MemoryOp& into) {
  into.wave = wave.handle;
  into.generation = wave.generation;
  into.figures = &figures_of(wave);
  into.counters = 0;
  into.write_barrier = op.write_barrier;
  if (op.write_barrier != TimedOp::no_barrier) raise_barrier(wave, op.write_barrier, barrier_reason(op));
  for (u32 bits = op.counters; bits != 0; bits &= bits - 1) {
    const u32 counter = static_cast<u32>(std::countr_zero(bits));
    WaitQueue& q = queue(wave.handle, counter);
    LOCKSTEP_ASSERT(into.counters < into.number.size(), "an operation raises at most two counters");
    into.counter[into.counters] = static_cast<u8>(counter);
    into.number[into.counters++] = q.issued;
    q.done[q.issued % q.done.size()] = never;
    ++q.issued;
  }
}

void Cluster::resolve(Wave& wave, const MemoryOp& op, u64 time) {
  for (u32 i = 0; i < op.counters; ++i) {
    WaitQueue& q = queue(wave.handle, op.counter[i]);
    q.done[op.number[i] % q.done.size()] = time;
    // A counter falls in the order of issue.
    while (q.resolved < q.issued) {
      u64& done = q.done[q.resolved % q.done.size()];
      if (done == never) break;
      if (q.resolved > 0) done = std::max(done, q.done[(q.resolved - 1) % q.done.size()]);
      ++q.resolved;
    }
  }
  lower_barrier(wave, op.write_barrier, time);
  if (wave.blocked && !wave.at_barrier && !wave.without_segment) evaluate(wave);
}

void Cluster::complete(u32 o, u64 time) {
  MemoryOp& op = ops_[o];
  const bool ordered = op.token != no_index;
  if (ordered) source_->commit(op.token);
  if (op.issued != 0) op.figures->memory_cycles += time - op.issued;
  Wave& wave = waves_[op.wave];
  const bool alive = wave.resident && wave.generation == op.generation;
  if (trace_ != nullptr && alive && op.issued != 0) [[unlikely]]
    trace_->load(trace_wave_[op.wave], op.issued, time);
  if (alive) resolve(wave, op, time);
  op.next = free_op_;
  free_op_ = o;
  if (!ordered) return;
  if (alive && wave.without_segment) go_on_behind(wave, time);
  if (!groups_wait_) return;
  groups_wait_ = false;
  for (Wave& other : waves_) {
    if (other.resident && other.without_segment) go_on_behind(other, time);
  }
}

// What the wave waited for to be committed may have been.
void Cluster::go_on_behind(Wave& wave, u64 time) {
  if (in_regions()) {
    if (next_segment(wave) == Step::found) enter_instruction(wave, std::max(wave.base, time), wave.jumped);
    return;
  }
  begin_segment(wave, source_->next(wave.handle));
  if (wave.count != 0) enter_instruction(wave, std::max(wave.base, time), wave.jumped);
}

void Cluster::leave_clause(Simd& simd, const Wave& wave) {
  if ((simd.in_clause >> wave.position & 1) == 0) return;
  simd.in_clause &= ~(1u << wave.position);
  simd.for_clause = 0;
  schedule(wave.unit * f_.simds + wave.simd, now_ + f_.turn_cycles);
}

// Whether the wave is in a clause of vector instructions or has its turn to begin one: who has been ready
// longest goes first.
bool Cluster::may_begin_clause(const Simd& simd, const Wave& wave) const {
  if ((simd.in_clause >> wave.position & 1) != 0) return true;
  const u32 begun = static_cast<u32>(std::popcount(simd.in_clause));
  if (begun >= f_.vector_clauses) return false;
  u32 before = 0;
  const u64 ready = simd.ready[wave.position];
  for (u32 bits = simd.awake & simd.to_pipe[static_cast<u32>(Pipe::vector)] & ~simd.in_clause; bits != 0;
       bits &= bits - 1) {
    const u32 other = static_cast<u32>(std::countr_zero(bits));
    before += simd.ready[other] < ready || (simd.ready[other] == ready && other < wave.position);
    if (begun + before >= f_.vector_clauses) return false;
  }
  return true;
}

// Of those that are ready to begin a clause puts those aside that would be refused if they were asked now:
// all but the first, as many as clauses may still begin; gives these. On these machines every vector
// instruction is one of a clause.
u32 Cluster::refuse_clauses(Simd& simd, u32 first, u32 waiting) {
  u32 refused = waiting;
  for (u32 room = static_cast<u32>(std::popcount(simd.in_clause)); room < f_.vector_clauses && refused != 0;
       ++room)
    refused &= ~earliest_wave(simd.ready, refused, simd.count);
  for (u32 bits = refused & ~simd.for_clause & ~simd.losing; bits != 0; bits &= bits - 1) {
    Wave& wave = waves_[first + simd.slots[static_cast<u32>(std::countr_zero(bits))]];
    if (wave.reason == Stall::arbitration) continue;
    settle(wave, now_);
    wave.reason = Stall::arbitration;
  }
  simd.losing |= refused;
  simd.piped &= ~refused;
  simd.for_clause |= refused;
  return waiting & ~refused;
}

// An ordered access has to come back before it is known what the wave does next.
void Cluster::wait_for_segment(Wave& wave, u64 base, bool jumped) {
  wave.without_segment = wave.blocked = true;
  wave.jumped = jumped;
  wave.base = base;
  wave.reason = Stall::vector_memory;
  set_ready(simd_of(wave), wave, never);
}

}  // namespace lockstep
