// How a wave's lanes part, wait and go on: what the instructions of program flow share.
#pragma once
#include "isa/nv/wave.h"
#include "isa/operands.h"

namespace lockstep::nv {

// Raises FaultKind::not_supported. `what` must outlive the launch.
void refuse(StepContext& context, const char* what);
u32 active(const WaveState& wave);
// The active lanes for which the instruction's guard holds.
u32 guarded_lanes(const WaveState& wave, const Instruction& in);

u32 new_meeting(PtxWave& state, const Meeting& meeting);
// The lanes do not come to the meeting any more.
void leave(PtxWave& state, u32 index, u32 lanes);
// Lanes that wait at meetings go on, whoever is missing; those of complete meetings only, unless `all`.
bool release(PtxWave& state, bool all);
// The running side has stopped: another one's turn.
void run_next(WaveState& wave, PtxWave& state, StepContext& context);
// A turn of a loop that yields begins: another side's turn, if there is one.
void yield(WaveState& wave, PtxWave& state);
// Barriers do not wait for the wave any more.
void end_wave(WaveState& wave, StepContext& context);
// The active lanes give their turn to another side, if there is one.
void take_turns(WaveState& wave, PtxWave& state);
// From Volta on, in front of the group's barrier of this number or at it: whether the active lanes wait for
// the others of their wave, and another side runs.
bool wait_for_wave(WaveState& wave, u32 number, bool in_front, StepContext& context);
// All of a wave's lanes that have not ended are at the group's barrier of this number: Event::barrier, or a
// refusal where another wave waits at another one.
void come_to_group_barrier(PtxGroup& group, u32 number, StepContext& context);
// The lanes end: barriers that count threads take them as come where the wave's others have.
void end_lanes(WaveState& wave, u32 leaving);
// Lanes that wait for others of a member mask look again who is there.
void wake_members(PtxWave& state);

}  // namespace lockstep::nv
