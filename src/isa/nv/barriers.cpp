// Barriers of the group. One of the whole group without a result is the runner's and the timing model's: the
// wave waits until all others have come. The others are counted here: a wave that waits looks again at each
// of its turns. Source: "Parallel Thread Execution ISA", version 8.5, 9.7.13.1 (bar, barrier): 16 barriers;
// threads are counted by whole waves, which a lane at a time may arrive at from Volta on.
#include <bit>

#include "isa/nv/control.h"
#include "isa/nv/splits.h"
#include "isa/shapes.h"

namespace lockstep::nv {
namespace {

struct Control {
  static constexpr Shape shape = Shape::control;
  static constexpr u16 implied = implies::writes_exec;
};

// Looks at barriers without anybody arriving, after which nobody will.
constexpr u64 most_polls = 1u << 22;

// Before Volta a wave counts as arrived whatever lanes it has there; after, all lanes wait for each other.
struct Barrier : Control {
  static constexpr std::string_view name = "bar.sync";
  static constexpr Role role = Role::barrier;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const u32 number = static_cast<u32>(in.operand[1].value);
    if (!wait_for_wave(wave, number, false, context)) come_to_group_barrier(ptx_group(wave), number, context);
  }
};

template <int W>
bool same_in_all(WaveState& wave, const Instruction& in, const Operand& operand, u32& value) {
  Row<u32> room;
  const u32* row = fetch32<W>(wave, in, operand, Kind::u32, room);
  const u32 lanes = active(wave);
  value = row[std::countr_zero(lanes)];
  for (u32 lane = 0; lane < W; ++lane) {
    if (((lanes >> lane) & 1) != 0 && row[lane] != value) return false;
  }
  return true;
}

void complete(CountedBarrier& barrier) {
  const u64 slot = barrier.phase % CountedBarrier::remembered;
  barrier.result_population[slot] = barrier.population;
  barrier.result_all[slot] = barrier.all;
  barrier.result_any[slot] = barrier.any;
  barrier.population = barrier.arrived = 0;
  barrier.all = true;
  barrier.any = false;
  ++barrier.phase;
}

// Lanes that have come count as their wave's 32 when all of its living ones have.
u32 counted(u32 come, u32 alive) {
  return come == 0 ? 0 : (come & alive) == alive ? 32u : static_cast<u32>(std::popcount(come));
}

// sync, arrive, red.popc, red.and, red.or. Result [0]; number [1], threads [2] (none: the group's), predicate
// [3]. Instruction::detail is a BarrierKind.
struct Counted : Control {
  static constexpr std::string_view name = "bar";
  static constexpr Role role = Role::counted_barrier;

  template <int W>
  static void give_result(WaveState& wave, const Instruction& in, const CountedBarrier& barrier, u64 phase) {
    const u64 slot = phase % CountedBarrier::remembered;
    const u32 lanes = active(wave);
    const auto predicate = [&](bool value) {
      const u32 before = wave.read_scalar(in.operand[0].index);
      wave.write_scalar(in.operand[0].index, (value ? lanes : 0) | (before & ~lanes));
    };
    switch (static_cast<BarrierKind>(in.detail)) {
      case BarrierKind::population: {
        Row<u32> out;
        for (u32 lane = 0; lane < W; ++lane) out.lane[lane] = barrier.result_population[slot];
        commit32<W>(wave, in, in.operand[0], out.data());
        break;
      }
      case BarrierKind::all:
        predicate(barrier.result_all[slot]);
        break;
      case BarrierKind::any:
        predicate(barrier.result_any[slot]);
        break;
      case BarrierKind::sync:
      case BarrierKind::arrive:
        break;
    }
  }

  template <int W>
  static void arrive(WaveState& wave, const Instruction& in, u32 number) {
    PtxWave& state = ptx(wave);
    PtxGroup& group = ptx_group(wave);
    CountedBarrier& barrier = group.barrier[number];
    if (state.arrived_phase[number] != barrier.phase) {
      state.arrived_phase[number] = barrier.phase;
      state.arrived_at[number] = 0;
    }
    const u32 lanes = state.independent ? active(wave) : state.alive;
    const u32 before = state.arrived_at[number];
    state.arrived_at[number] |= lanes;
    barrier.arrived += counted(before | lanes, state.alive) - counted(before, state.alive);
    if (in.operand[3].kind != OperandKind::none) {
      const u32 holds = static_cast<u32>(mask_value(wave, in.operand[3])) & active(wave);
      barrier.population += static_cast<u32>(std::popcount(holds));
      barrier.all = barrier.all && holds == active(wave);
      barrier.any = barrier.any || holds != 0;
    }
    group.polls = 0;
  }

  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    PtxWave& state = ptx(wave);
    PtxGroup& group = ptx_group(wave);
    u32 number = 0, threads = 0;
    if (!same_in_all<W>(wave, in, in.operand[1], number) ||
        (in.operand[2].kind != OperandKind::none && !same_in_all<W>(wave, in, in.operand[2], threads))) {
      refuse(context, "a barrier's number or count that differs between the lanes of a wave");
      return;
    }
    if (number >= group.barrier.size()) {
      refuse(context, "a barrier's number is 0 to 15");
      return;
    }
    if (in.operand[2].kind != OperandKind::none && (threads == 0 || threads % 32 != 0)) {
      refuse(context, "a barrier's count of threads is a multiple of 32");
      return;
    }
    CountedBarrier& barrier = group.barrier[number];
    const auto expected = [&] {
      return in.operand[2].kind != OperandKind::none ? threads : 32 * group.waves;
    };
    if (state.waits == Split::no_wait) {
      const u64 phase = barrier.phase;
      arrive<W>(wave, in, number);
      if (barrier.arrived >= expected()) complete(barrier);
      if (static_cast<BarrierKind>(in.detail) == BarrierKind::arrive) return;
      state.waits = phase;
    }
    if (barrier.phase == state.waits && barrier.arrived >= expected())
      complete(barrier);  // others have ended
    if (barrier.phase != state.waits) {
      give_result<W>(wave, in, barrier, state.waits);
      state.waits = Split::no_wait;
      return;
    }
    if (++group.polls > most_polls) {
      refuse(context, "a barrier waits for threads that do not come");
      return;
    }
    --wave.pc;
    // Lanes that wait for these where they would meet may be on their way to the barrier.
    if (state.independent && state.ready.empty() && active(wave) != state.alive) release(state, true);
    take_turns(wave, state);
    if (context.event == Event::none) context.event = Event::yield;
  }
};

}  // namespace

void come_to_group_barrier(PtxGroup& group, u32 number, StepContext& context) {
  if (group.whole_group_waiting == 0 || group.whole_group_waiting >= group.waves) {
    group.whole_group = number;
    group.whole_group_waiting = 0;
  }
  ++group.whole_group_waiting;
  group.polls = 0;
  if (group.whole_group != number) {
    context.event = Event::none;
    refuse(context, "waves of a group wait at different barriers, which each need the whole group");
    return;
  }
  context.event = Event::barrier;
}

void end_lanes(WaveState& wave, u32 leaving) {
  PtxWave& state = ptx(wave);
  PtxGroup& group = ptx_group(wave);
  const u32 before = state.alive;
  state.alive &= ~leaving;
  if (!state.independent) return;
  for (u32 i = 0; i < group.barrier.size(); ++i) {
    const u32 come = state.arrived_phase[i] == group.barrier[i].phase ? state.arrived_at[i] : 0;
    const u32 more = counted(come, state.alive) - counted(come, before);
    group.barrier[i].arrived += more;
    if (more != 0) group.polls = 0;
  }
}

const Semantic& group_barrier() {
  return semantic32<Barrier>;
}
const Semantic& counted_barrier() {
  return semantic32<Counted>;
}

}  // namespace lockstep::nv
