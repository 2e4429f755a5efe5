// Branches, the places where lanes meet, the end. Source: "Parallel Thread Execution ISA",
// version 8.5, 9.7.11 (Control Flow Instructions).
#include "isa/nv/control.h"

#include <algorithm>
#include <bit>

#include "isa/nv/splits.h"
#include "isa/shapes.h"

namespace lockstep::nv {
namespace {

// Backward branches after which another side gets its turn, and after which lanes at meetings go on alone.
// The hardware's own figures are not published; any that are finite give progress.
constexpr u32 turn = 64, longest_wait = 8192;

// After a backward branch: sides take turns where lanes progress independently.
void after_backward(WaveState& wave, PtxWave& state) {
  if (!state.independent) return;
  if (++state.waited >= longest_wait && active(wave) != state.alive) {
    release(state, true);
    state.waited = 0;
  }
  if (++state.patience >= turn) take_turns(wave, state);
}

bool is_ahead(const PtxWave& state, u32 at) {
  for (u32 m = state.meeting; m != nowhere && !state.meetings[m].call; m = state.meetings[m].parent) {
    if (state.meetings[m].at == at) return true;
  }
  return false;
}

// The lanes are about to part; returns where they meet first, or nowhere.
u32 open_meetings(PtxWave& state, const Instruction& in, u32 lanes) {
  const u32 at = static_cast<u32>(in.operand[2].value);
  if (in.operand[4].kind != OperandKind::immediate) {
    if (at == nowhere) return nowhere;
    if (state.meeting == nowhere || state.meetings[state.meeting].at != at ||
        state.meetings[state.meeting].call)
      state.meeting = new_meeting(state, {at, state.meeting, lanes});
    return state.meetings[state.meeting].broken ? nowhere : at;
  }
  // A place outside a loop cannot be met before one in it that is ahead already.
  const std::vector<u32>& places = state.tables->registers[in.operand[4].value];
  for (std::size_t k = 0; k < places.size(); k += 2) {
    const bool inside = state.meeting != nowhere && !state.meetings[state.meeting].call &&
                        state.meetings[state.meeting].depth > places[k + 1];
    if (inside || is_ahead(state, places[k])) continue;
    Meeting meeting{places[k], state.meeting, lanes};
    meeting.depth = places[k + 1];
    state.meeting = new_meeting(state, meeting);
  }
  return state.meetings[state.meeting].broken ? nowhere : state.meetings[state.meeting].at;
}

// `taken` lanes go to `target`, `others` to the next instruction.
void part(WaveState& wave, PtxWave& state, const Instruction& in, u32 taken, u32 others) {
  const u32 target = in.target, at = open_meetings(state, in, taken | others);
  // Who begins at the meeting waits there at once. There is always somebody who does not: the meeting is no
  // branch's both sides.
  const Split side[2] = {{target, taken, state.meeting}, {wave.pc, others, state.meeting}};
  const bool waits[2] = {at != nowhere && target == at, at != nowhere && wave.pc == at};
  for (u32 i = 0; i < 2; ++i) {
    if (waits[i]) state.meetings[state.meeting].arrived |= side[i].lanes;
  }
  const u32 runs = waits[1] ? 0 : 1;
  if (!waits[0] && !waits[1]) state.ready.push_back(side[0]);
  wave.pc = side[runs].pc;
  wave.set_exec(side[runs].lanes);
}

struct Control {
  static constexpr Shape shape = Shape::control;
  static constexpr u16 implied = implies::writes_exec;
};

struct Branch : Control {
  static constexpr std::string_view name = "bra";
  static constexpr Role role = Role::branch_guard;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext&) {
    const u32 lanes = active(wave), taken = guarded_lanes(wave, in);
    if (taken == 0) return;
    PtxWave& state = ptx(wave);
    const u32 here = wave.pc;
    if (taken == lanes || in.target == wave.pc) {
      wave.pc = in.target;
    } else {
      part(wave, state, in, taken, lanes & ~taken);
    }
    if (in.target < here) after_backward(wave, state);
  }
};

struct IndexedBranch : Control {
  static constexpr std::string_view name = "brx.idx";
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u32};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    PtxWave& state = ptx(wave);
    const std::vector<u32>& targets = state.tables->registers[in.operand[3].value];
    Row<u32> room;
    const u32* index = fetch32<W>(wave, in, in.operand[1], Kind::u32, room);
    const u32 lanes = active(wave);
    u32 left = lanes;
    std::vector<Split> sides;
    while (left != 0) {
      const u32 first = static_cast<u32>(std::countr_zero(left));
      if (index[first] >= targets.size()) {
        refuse(context, "brx.idx with an index past its list of targets");
        return;
      }
      u32 same = 0;
      for (u32 lane = 0; lane < W; ++lane)
        same |=
            index[lane] < targets.size() && targets[index[lane]] == targets[index[first]] ? 1u << lane : 0u;
      same &= left;
      left &= ~same;
      sides.push_back({targets[index[first]], same, nowhere});
    }
    if (sides.size() == 1) {
      wave.pc = sides[0].pc;
      return;
    }
    const u32 at = open_meetings(state, in, lanes);
    for (Split& side : sides) {
      side.meeting = state.meeting;
      if (at != nowhere && side.pc == at) {
        state.meetings[state.meeting].arrived |= side.lanes;
      } else {
        state.ready.push_back(side);
      }
    }
    run_next(wave, state, context);
  }
};

struct Meet : Control {
  static constexpr std::string_view name = "meet";
  static void leave_loops(WaveState& wave, PtxWave& state, const Instruction& in) {
    const std::vector<u32>& places = state.tables->registers[in.operand[4].value];
    bool left = false;
    while (state.meeting != nowhere && !state.meetings[state.meeting].call &&
           std::binary_search(places.begin(), places.end(), state.meetings[state.meeting].at)) {
      const u32 index = state.meeting;
      state.meeting = state.meetings[index].parent;
      leave(state, index, active(wave));
      left = true;
    }
    if (left) release(state, false);
  }
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    PtxWave& state = ptx(wave);
    const u32 here = wave.pc - 1;
    if (in.operand[4].kind == OperandKind::immediate) leave_loops(wave, state, in);
    while (state.meeting != nowhere && state.meetings[state.meeting].at == here) {
      Meeting& meeting = state.meetings[state.meeting];
      const u32 index = state.meeting;
      if (meeting.broken) {
        state.meeting = meeting.parent;
        leave(state, index, active(wave));
        continue;
      }
      meeting.arrived |= active(wave);
      if (meeting.arrived != meeting.expected) {
        run_next(wave, state, context);
        return;
      }
      const u32 lanes = meeting.arrived;
      state.meeting = meeting.parent;
      leave(state, index, lanes);
      wave.set_exec(lanes);
      state.patience = state.waited = 0;  // nobody waits for these lanes here any more
    }
    if ((in.detail & turn_yields) != 0) yield(wave, state);
    if ((in.detail & in_front_of_barrier) != 0)
      wait_for_wave(wave, static_cast<u32>(in.operand[1].value), true, context);
  }
};

struct Exit : Control {
  static constexpr std::string_view name = "exit";
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    const u32 lanes = active(wave), leaving = guarded_lanes(wave, in);
    if (leaving == 0) return;
    PtxWave& state = ptx(wave);
    end_lanes(wave, leaving);
    if (state.alive == 0 && state.ready.empty()) {
      end_wave(wave, context);
      return;
    }
    for (u32 i = 0; i < state.meetings.size(); ++i) {
      if (state.meetings[i].at != nowhere) leave(state, i, leaving);
    }
    release(state, false);
    wake_members(state);
    if (leaving != lanes) {
      wave.set_exec(lanes & ~leaving);
      return;
    }
    run_next(wave, state, context);
  }
};

struct Trap : Control {
  static constexpr std::string_view name = "trap";
  static constexpr u16 implied = 0;
  template <int W>
  static void step(WaveState& wave, const Instruction&, StepContext& context) {
    Fault fault;
    fault.kind = FaultKind::trap;
    fault.lane = static_cast<u32>(std::countr_zero(active(wave)));
    context.raise(fault);
  }
};

struct Nanosleep : Control {
  static constexpr std::string_view name = "nanosleep";
  template <int W>
  static void step(WaveState& wave, const Instruction&, StepContext& context) {
    PtxWave& state = ptx(wave);
    take_turns(wave, state);
    if (context.event == Event::none) context.event = Event::yield;
  }
};

struct Nothing : Control {
  static constexpr std::string_view name = "nop";
  static constexpr u16 implied = 0;
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext&) {}
};

struct NotSupported : Control {
  static constexpr std::string_view name = "not supported";
  static constexpr u16 implied = 0;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    refuse(context, ptx(wave).tables->strings[in.operand[1].value].c_str());
  }
};

}  // namespace

u32 PtxWave::waiting_pc() const {
  if (!ready.empty()) return ready.back().pc;
  for (const Meeting& place : meetings) {
    if (place.at != nowhere && place.arrived != 0) return place.at;
  }
  return nowhere;
}

namespace {

struct Hash {
  u64 value = 0xCBF29CE484222325u;
  void add(u64 more) { value = (value ^ more) * 0x100000001B3u; }
  void add(const std::vector<Split>& splits) {
    for (const Split& split : splits) {
      for (const u64 part : {u64{split.pc}, u64{split.lanes}, u64{split.meeting}, split.waits,
                             u64{split.barrier}, u64{split.yields}})
        add(part);
    }
    add(splits.size());
  }
};

}  // namespace

u64 PtxWave::fingerprint() const {
  Hash hash;
  hash.add(alive);
  hash.add(meeting);
  hash.add(waits);
  // It counts only while some lanes wait for others.
  const bool lanes_wait = !ready.empty() || !at_barrier.empty() || !at_members.empty() ||
                          std::any_of(meetings.begin(), meetings.end(), [](const Meeting& place) {
                            return place.at != nowhere && place.arrived != 0;
                          });
  hash.add(lanes_wait ? u64{patience} << 32 | waited : 0);
  hash.add(lanes_wait ? lane_of_turn : 0);
  hash.add(ready);
  hash.add(at_barrier);
  hash.add(joined);
  for (const MemberWait& wait : at_members) {
    for (const u32 part : {wait.pc, wait.lanes, wait.meeting, wait.members}) hash.add(part);
  }
  for (const Meeting& place : meetings) {
    hash.add(place.at);
    if (place.at == nowhere) continue;
    for (const u32 part :
         {place.parent, place.expected, place.arrived, place.return_pc, place.frame_bytes, u32{place.broken}})
      hash.add(part);
    for (const u32 word : place.saved) hash.add(word);
  }
  for (u32 i = 0; i < arrived_at.size(); ++i) {
    hash.add(arrived_at[i]);
    hash.add(arrived_phase[i]);
  }
  return hash.value;
}

// All but the looks at barriers, which change nothing.
u64 PtxGroup::fingerprint() const {
  Hash hash;
  for (const CountedBarrier& one : barrier) {
    hash.add(one.arrived);
    hash.add(one.phase);
    hash.add(one.population);
    hash.add(u64{one.all} | u64{one.any} << 1);
  }
  hash.add(whole_group);
  hash.add(whole_group_waiting);
  hash.add(waves);
  return hash.value;
}

const Semantic& branch() {
  return semantic32<Branch>;
}
const Semantic& indexed_branch() {
  return semantic32<IndexedBranch>;
}
const Semantic& meet() {
  return semantic32<Meet>;
}
const Semantic& exit_lanes() {
  return semantic32<Exit>;
}
const Semantic& trap() {
  return semantic32<Trap>;
}
const Semantic& nanosleep() {
  return semantic32<Nanosleep>;
}
const Semantic& nothing() {
  return semantic32<Nothing>;
}
const Semantic& not_supported() {
  return semantic32<NotSupported>;
}

}  // namespace lockstep::nv
