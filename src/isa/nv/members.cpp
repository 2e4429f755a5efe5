// Source: "Parallel Thread Execution ISA", version 8.5, 9.7.9.6 (shfl.sync), 9.7.13.2
// (bar.warp.sync), 9.7.13.6 to 9.7.13.10 (vote.sync, match.sync, redux.sync, elect.sync): the executing
// thread waits until all threads of its member mask that have not exited execute the instruction with the
// same mask.
#include "isa/nv/members.h"

#include <algorithm>
#include <bit>

#include "isa/nv/control.h"

namespace lockstep::nv {

void member_row(const WaveState& wave, const Instruction& in, Row<u32>& members) {
  const Operand& operand = in.operand[5];
  if (operand.kind == OperandKind::none) {
    for (u32 lane = 0; lane < 32; ++lane) members.lane[lane] = active(wave);
    return;
  }
  Row<u32> room;
  const u32* row = fetch32<32>(wave, in, operand, Kind::u32, room);
  for (u32 lane = 0; lane < 32; ++lane) members.lane[lane] = row[lane] & active(wave);
}

namespace {

// Waits at this place, a record for each member mask.
void wait_for_members(PtxWave& state, u32 pc, u32 lanes, const u32* members, bool anywhere) {
  while (lanes != 0) {
    const u32 mask = members[std::countr_zero(lanes)];
    u32 same = 0;
    for (u32 lane = 0; lane < 32; ++lane) same |= members[lane] == mask ? 1u << lane : 0u;
    same &= lanes;
    lanes &= ~same;
    state.at_members.push_back({pc, same, state.meeting, mask, anywhere});
  }
}

}  // namespace

bool gather_members(WaveState& wave, const Instruction& in, StepContext& context, bool anywhere) {
  PtxWave& state = ptx(wave);
  const u32 lanes = active(wave);
  Row<u32> room;
  const u32* members = fetch32<32>(wave, in, in.operand[5], Kind::u32, room);
  u32 needed = 0, strangers = 0;
  for (u32 lane = 0; lane < 32; ++lane) {
    const u32 here = (lanes >> lane) & 1;
    needed |= here != 0 ? members[lane] : 0;
    strangers |= here & ~(members[lane] >> lane);
  }
  if (strangers != 0) {
    refuse(context, "a lane executes a .sync instruction without being in its member mask");
    return false;
  }
  if (!state.independent || (needed & state.alive & ~lanes) == 0) return true;

  const u32 pc = wave.pc - 1;
  const auto together = [&](const MemberWait& wait) { return anywhere ? wait.anywhere : wait.pc == pc; };
  u32 here = lanes;
  for (const MemberWait& wait : state.at_members) here |= together(wait) ? wait.lanes : 0;
  const auto complete = [&](u32 mask) { return (mask & state.alive & ~here) == 0; };
  u32 going = 0;
  for (u32 lane = 0; lane < 32; ++lane) {
    if (((lanes >> lane) & 1) != 0 && complete(members[lane])) going |= 1u << lane;
  }
  if (going == 0) {
    wait_for_members(state, pc, lanes, members, anywhere);
    run_next(wave, state, context);
    return false;
  }
  if (going != lanes) wait_for_members(state, pc, lanes & ~going, members, anywhere);
  state.joined.push_back({0, going, state.meeting});  // the running side's own; its place is the wave's
  u32 all = going;
  std::erase_if(state.at_members, [&](const MemberWait& wait) {
    if (!together(wait) || !complete(wait.members)) return false;
    state.joined.push_back({wait.pc + 1, wait.lanes, wait.meeting});
    all |= wait.lanes;
    return true;
  });
  wave.set_exec(all);
  return true;
}

void part_members(WaveState& wave, PtxWave& state) {
  if (state.joined.empty()) return;
  u32 own = state.joined[0].lanes;
  for (std::size_t i = 1; i < state.joined.size(); ++i) {
    const Split& other = state.joined[i];
    if (other.pc == wave.pc && other.meeting == state.meeting) {
      own |= other.lanes;
    } else {
      state.ready.push_back(other);
    }
  }
  state.joined.clear();
  wave.set_exec(own);
}

namespace {

struct WarpBarrier {
  static constexpr Shape shape = Shape::control;
  static constexpr u16 implied = implies::writes_exec;
  static constexpr std::string_view name = "bar.warp.sync";
  template <int W>
  static void step(WaveState& wave, const Instruction& in, StepContext& context) {
    if (gather_members(wave, in, context, true)) part_members(wave, ptx(wave));
  }
};

}  // namespace

const Semantic& warp_barrier() {
  return semantic32<WarpBarrier>;
}

}  // namespace lockstep::nv
