// Sides of a wave whose lanes have parted: which runs, where they wait, when they go on together. Up to
// Pascal a wave has one program counter and a stack of reconvergence points: one side of a branch runs until
// it reaches the point where both meet, then the other; lanes that wait there do not run. From Volta on every
// lane makes progress: sides take turns, lanes that yield let others go first, and lanes that have waited
// long at a meeting go on without the others. Sources: "NVIDIA Tesla V100 GPU Architecture" (whitepaper,
// 2017), Independent Thread Scheduling; "Parallel Thread Execution ISA", version 8.5, 9.7.12 (bar); US patent
// 10,067,768, convergence barriers that yielding threads do not hold; an H200's own order
// (experiments/h200-timing/sides.txt).
#include "isa/nv/splits.h"

#include <bit>

namespace lockstep::nv {

void refuse(StepContext& context, const char* what) {
  Fault fault;
  fault.kind = FaultKind::not_supported;
  fault.text = what;
  context.raise(fault);
}

u32 active(const WaveState& wave) {
  return static_cast<u32>(wave.exec());
}

u32 guarded_lanes(const WaveState& wave, const Instruction& in) {
  const u32 lanes = active(wave);
  if (in.guard == 0) return lanes;
  const u32 predicate = wave.read_scalar(in.guard_register);
  return lanes & (in.guard == 1 ? predicate : ~predicate);
}

u32 new_meeting(PtxWave& state, const Meeting& meeting) {
  if (state.free_meetings.empty()) {
    state.meetings.push_back(meeting);
    return static_cast<u32>(state.meetings.size() - 1);
  }
  const u32 index = state.free_meetings.back();
  state.free_meetings.pop_back();
  state.meetings[index] = meeting;
  return index;
}

void leave(PtxWave& state, u32 index, u32 lanes) {
  Meeting& meeting = state.meetings[index];
  meeting.expected &= ~lanes;
  meeting.arrived &= ~lanes;
  if (meeting.expected == 0 && meeting.at != nowhere) {
    meeting.at = nowhere;
    state.free_meetings.push_back(index);
  }
}

namespace {

// Who waits at the meeting goes on without the others.
void let_go(PtxWave& state, u32 index) {
  const Meeting& meeting = state.meetings[index];
  const Split split{meeting.at, meeting.arrived, meeting.parent};
  leave(state, index, split.lanes);
  state.ready.push_back(split);
  state.waited = 0;
}

}  // namespace

bool release(PtxWave& state, bool all) {
  bool any = false;
  for (u32 i = 0; i < state.meetings.size(); ++i) {
    const Meeting& meeting = state.meetings[i];
    if (meeting.at == nowhere || meeting.arrived == 0 || (!all && meeting.arrived != meeting.expected))
      continue;
    let_go(state, i);
    any = true;
  }
  return any;
}

namespace {

void resume(WaveState& wave, PtxWave& state, const Split& split) {
  wave.pc = split.pc;
  wave.set_exec(split.lanes);
  state.meeting = split.meeting;
  state.waits = split.waits;
  state.patience = 0;
}

bool is_around(const PtxWave& state, u32 outer, u32 inner) {
  for (u32 m = inner; m != outer; m = state.meetings[m].parent) {
    if (m == nowhere || state.meetings[m].call) return false;
  }
  return true;
}

// Lanes with `from` ahead take what lies ahead of others at the same place instead, if it is the same but for
// what only one of the two has still to come to.
bool adopt(PtxWave& state, u32 from, u32 to, u32 lanes) {
  u32 common = from;
  while (!is_around(state, common, to)) {
    if (common == nowhere || state.meetings[common].call) return false;
    u32 same = to;
    while (same != nowhere && state.meetings[same].at != state.meetings[common].at)
      same = state.meetings[same].parent;
    if (same == nowhere && !state.meetings[common].broken) return false;
    common = state.meetings[common].parent;
  }
  for (u32 m = to; m != common; m = state.meetings[m].parent) state.meetings[m].expected |= lanes;
  while (from != common) {
    const u32 parent = state.meetings[from].parent;
    leave(state, from, lanes);
    from = parent;
  }
  return true;
}

// The other side goes on with the first, if both are at one place, wait for one thing and have the same
// ahead.
bool joins(PtxWave& state, Split& side, const Split& other) {
  if (other.pc != side.pc || other.waits != side.waits ||
      (other.meeting != side.meeting &&
       !(state.independent && adopt(state, other.meeting, side.meeting, other.lanes))))
    return false;
  side.lanes |= other.lanes;
  return true;
}

// Sides that have waited for one thing. Others do not go on together, even where they come to one place: on
// an H200 waves whose lanes parted without a place to meet went 1931 times through a block, 2155 times here,
// and 998 times where they are put together whenever they can be (experiments/h200-timing/loops.txt,
// `never`).
void join(PtxWave& state) {
  std::vector<Split>& sides = state.ready;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (std::size_t k = sides.size(); k-- > i + 1;) {
      if (joins(state, sides[i], sides[k])) sides.erase(sides.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
}

// Which of the first `count` sides that may run does. Before Volta the newest side, as on a stack; after,
// that of the next lane: sides take turns by lanes, as they do on an H200.
std::size_t choose(PtxWave& state, std::size_t count) {
  if (!state.independent) return count - 1;
  std::size_t chosen = 0;
  int least = 32;
  for (std::size_t i = 0; i < count; ++i) {
    const int ahead =
        std::countr_zero(std::rotr(state.ready[i].lanes, static_cast<int>(state.lane_of_turn) + 1));
    if (ahead >= least) continue;
    least = ahead;
    chosen = i;
  }
  state.lane_of_turn = (state.lane_of_turn + 1 + static_cast<u32>(least)) % 32;
  return chosen;
}

u32 waiting_at_barrier(const PtxWave& state) {
  u32 lanes = 0;
  for (const Split& split : state.at_barrier) lanes |= split.lanes;
  return lanes;
}

// The side goes on, and with it those that have yielded at the same place.
void run_one(WaveState& wave, PtxWave& state, std::size_t chosen) {
  std::vector<Split>& sides = state.ready;
  Split side = sides[chosen];
  sides.erase(sides.begin() + static_cast<std::ptrdiff_t>(chosen));
  if (side.yields)
    std::erase_if(sides, [&](const Split& other) { return other.yields && joins(state, side, other); });
  resume(wave, state, side);
}

// Nobody waits at meetings for lanes that have yielded, which all are but those that may run and have not,
// and `busy` ones: who is there goes on, and who comes there later.
void break_meetings(PtxWave& state, u32 busy) {
  for (const Split& side : state.ready) busy |= side.yields ? 0 : side.lanes;
  for (u32 i = 0; i < state.meetings.size(); ++i) {
    Meeting& meeting = state.meetings[i];
    if (meeting.at == nowhere || meeting.call || meeting.broken || meeting.arrived == 0 ||
        (meeting.expected & busy) != 0)
      continue;
    meeting.broken = true;
    let_go(state, i);
  }
}

// The running side gives its turn to another one, if there is one.
void give_way(WaveState& wave, PtxWave& state, bool yields) {
  const std::size_t others = state.ready.size();
  if (others == 0) return;
  state.ready.push_back({wave.pc, active(wave), state.meeting, state.waits, nowhere, false, yields});
  run_one(wave, state, choose(state, others));
}

}  // namespace

void end_wave(WaveState& wave, StepContext& context) {
  --ptx_group(wave).waves;
  context.event = Event::end;
}

// A turn of a loop that yields begins (YIELD): another side's turn. Those who begin one and have others
// beside them do not count as having yielded before they have.
void yield(WaveState& wave, PtxWave& state) {
  const u32 lanes = active(wave);
  if (lanes == state.alive) return;
  break_meetings(state, state.ready.empty() ? 0 : lanes);
  give_way(wave, state, true);
}

void run_next(WaveState& wave, PtxWave& state, StepContext& context) {
  if (state.ready.empty() && state.alive == 0) {
    end_wave(wave, context);
    wave.set_exec(0);
    return;
  }
  if (state.ready.empty() && !state.at_barrier.empty() && waiting_at_barrier(state) != state.alive) {
    release(state, true);  // they may be on their way to the barrier
  }
  if (state.ready.empty() && !state.at_barrier.empty()) {
    if (waiting_at_barrier(state) != state.alive) {
      refuse(context, "lanes of a wave wait at a barrier that its other lanes cannot reach");
      return;
    }
    const u32 number = state.at_barrier.front().barrier;
    bool in_front = true;
    for (Split& split : state.at_barrier) {
      if (split.barrier != number) {
        refuse(context, "lanes of a wave wait at different barriers, which each need the whole group");
        return;
      }
      split.barrier = nowhere;
      in_front &= split.in_front;
    }
    state.ready.swap(state.at_barrier);
    if (in_front) join(state);
    const bool seen = context.checker != nullptr && context.checker->sees_lanes_at_barriers();
    if (!in_front || (state.ready.size() > 1 && !seen)) {
      // At several instructions for one barrier: it takes all of them.
      for (Split& split : state.ready) split.pc += split.in_front ? 1 : 0;
      join(state);
      come_to_group_barrier(ptx_group(wave), number, context);
      if (context.event != Event::barrier) return;
    }
    for (Split& split : state.ready) split.in_front = false;
  }
  if (state.ready.empty()) {
    release(state, true);
  }
  if (state.ready.empty()) {
    refuse(context, state.at_members.empty()
                        ? "no lane of the wave can go on"
                        : "lanes wait at a .sync instruction for lanes of its member mask that cannot come");
    return;
  }
  run_one(wave, state, choose(state, state.ready.size()));
}

bool wait_for_wave(WaveState& wave, u32 number, bool in_front, StepContext& context) {
  PtxWave& state = ptx(wave);
  if (!state.independent || active(wave) == state.alive) return false;
  state.at_barrier.push_back({wave.pc, active(wave), state.meeting, Split::no_wait, number, in_front});
  run_next(wave, state, context);
  return true;
}

void take_turns(WaveState& wave, PtxWave& state) {
  if (state.independent) give_way(wave, state, false);
}

void wake_members(PtxWave& state) {
  for (const MemberWait& wait : state.at_members) state.ready.push_back({wait.pc, wait.lanes, wait.meeting});
  state.at_members.clear();
  join(state);
}

}  // namespace lockstep::nv
