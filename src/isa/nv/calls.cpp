// Calls of functions. Every function has rows of its own for its registers, so that a call moves nothing; a
// call that may come back to its caller's own code (recursion, calls through pointers) keeps what the
// caller's registers held and gives it back at the return, as a compiler's spills to the stack would. Source:
// "Parallel Thread Execution ISA", version 8.5, 9.7.11.5 (call), 7.1 (Function Declarations).
#include <algorithm>
#include <bit>

#include "isa/nv/control.h"
#include "isa/nv/splits.h"
#include "isa/shapes.h"

namespace lockstep::nv {
namespace {

// Meetings of calls have no instruction: function ends are theirs.
constexpr u32 no_place = nowhere - 1;
// A wave's meetings and calls at once. The hardware's own limit is the stack's size.
constexpr std::size_t most_meetings = 1u << 15;

struct Control {
  static constexpr Shape shape = Shape::control;
  static constexpr u16 implied = implies::writes_exec | implies::frame | implies::moves_frame;
};

void move_frame(WaveState& wave, u32 lanes, u32 bytes) {
  u32* frame = wave.row(fixed_row::frame);
  for (u32 lane = 0; lane < 32; ++lane) frame[lane] += ((lanes >> lane) & 1) != 0 ? bytes : 0;
}

void save(WaveState& wave, Meeting& meeting, const std::vector<u32>& ranges) {
  meeting.saved_ranges = &ranges;
  meeting.saved.clear();
  const u32* rows = wave.row(ranges[0]);
  meeting.saved.assign(rows, rows + std::size_t{ranges[1]} * 32);
  for (u32 i = 0; i < ranges[3]; ++i) meeting.saved.push_back(wave.read_scalar(ranges[2] + i));
}

void restore(WaveState& wave, const Meeting& meeting, u32 lanes) {
  if (meeting.saved_ranges == nullptr) return;
  const std::vector<u32>& ranges = *meeting.saved_ranges;
  const u32* from = meeting.saved.data();
  for (u32 i = 0; i < ranges[1]; ++i, from += 32) {
    u32* row = wave.row(ranges[0] + i);
    for (u32 lane = 0; lane < 32; ++lane) row[lane] = ((lanes >> lane) & 1) != 0 ? from[lane] : row[lane];
  }
  for (u32 i = 0; i < ranges[3]; ++i, ++from) {
    const u32 index = ranges[2] + i;
    wave.write_scalar(index, (*from & lanes) | (wave.read_scalar(index) & ~lanes));
  }
}

// The active lanes go to `entry` and come back to the wave's program counter.
void enter(WaveState& wave, const Instruction& in, StepContext& context, u32 entry) {
  PtxWave& state = ptx(wave);
  if (state.meetings.size() - state.free_meetings.size() >= most_meetings) {
    refuse(context, "calls nest more than 32768 deep: a recursion without an end?");
    return;
  }
  const u32 bytes = static_cast<u32>(in.offset);
  Meeting meeting{no_place, state.meeting, active(wave), 0, true, wave.pc, bytes, {}, nullptr};
  if (in.operand[3].kind == OperandKind::immediate)
    save(wave, meeting, state.tables->registers[in.operand[3].value]);
  state.meeting = new_meeting(state, meeting);
  move_frame(wave, active(wave), bytes);
  wave.pc = entry;
}

struct Call : Control {
  static constexpr std::string_view name = "call";
  static constexpr Role role = Role::call;
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    enter(wave, in, context, in.target);
  }
};

struct IndirectCall : Control {
  static constexpr std::string_view name = "call indirect";
  static constexpr Role role = Role::call;
  static constexpr Kind result = Kind::none;
  static constexpr u8 sources = 1;
  static constexpr std::array<Kind, 4> source_kinds{Kind::u64};
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    PtxWave& state = ptx(wave);
    const Operand& operand = in.operand[1];
    Row<u64> address;
    if (operand.registers == 2) {
      Row<u64> room;
      const u64* row = fetch64<W>(wave, in, operand, Kind::u64, room);
      for (u32 lane = 0; lane < W; ++lane) address.lane[lane] = row[lane];
    } else {
      Row<u32> room;
      const u32* row = fetch32<W>(wave, in, operand, Kind::u32, room);
      for (u32 lane = 0; lane < W; ++lane) address.lane[lane] = row[lane];
    }
    const u32 lanes = active(wave);
    const u64 chosen = address.lane[static_cast<u32>(std::countr_zero(lanes))];
    u32 same = 0;
    for (u32 lane = 0; lane < W; ++lane) same |= address.lane[lane] == chosen ? 1u << lane : 0u;
    same &= lanes;
    const u32 number = static_cast<u32>(chosen) / 16;
    // Registers and frames are laid out for the functions that the call's prototype or list allows.
    const std::vector<u32>& possible = state.tables->registers[in.operand[4].value];
    const bool known = number >= 1 && number <= state.tables->entries.size() && chosen % 16 == 0 &&
                       (operand.registers == 1 || chosen == function_address(number - 1)) &&
                       std::binary_search(possible.begin(), possible.end(), number - 1);
    if (!known) {
      Fault fault;
      fault.kind = FaultKind::unknown_target;
      fault.lane = static_cast<u32>(std::countr_zero(lanes));
      fault.address = chosen;
      context.raise(fault);
      return;
    }
    if (same != lanes) {
      // One function after the other; the lanes meet behind the call.
      const u32 at = static_cast<u32>(in.operand[2].value);
      if (state.meeting == nowhere || state.meetings[state.meeting].at != at ||
          state.meetings[state.meeting].call) {
        state.meeting = new_meeting(state, {at, state.meeting, lanes});
      }
      state.ready.push_back({wave.pc - 1, lanes & ~same, state.meeting});
      wave.set_exec(same);
    }
    enter(wave, in, context, state.tables->entries[number - 1]);
  }
};

struct Return : Control {
  static constexpr std::string_view name = "ret";
  static constexpr Role role = Role::jump;
  template <int W>
  static void step(WaveState& wave, const Instruction&, StepContext& context) {
    PtxWave& state = ptx(wave);
    // Lanes may still be inside of a meeting that they left without the others.
    u32 index = state.meeting;
    while (index != nowhere && !state.meetings[index].call) {
      const u32 parent = state.meetings[index].parent;
      leave(state, index, active(wave));
      index = parent;
    }
    if (index == nowhere) {
      refuse(context, "a return outside of a function");
      return;
    }
    const Meeting& meeting = state.meetings[index];
    wave.pc = meeting.return_pc;
    state.meeting = meeting.parent;
    move_frame(wave, active(wave), 0 - meeting.frame_bytes);
    restore(wave, meeting, active(wave));
    leave(state, index, active(wave));
    release(state, false);
  }
};

}  // namespace

const Semantic& call() {
  return semantic32<Call>;
}
const Semantic& indirect_call() {
  return semantic32<IndirectCall>;
}
const Semantic& return_from_call() {
  return semantic32<Return>;
}

}  // namespace lockstep::nv
