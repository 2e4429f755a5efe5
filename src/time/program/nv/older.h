// GPUs before Volta: their instructions, how long results take, which instructions issue together.
#pragma once
#include <span>
#include <vector>

#include "time/program/nv/select.h"

namespace lockstep::lowering {

// Puts what a GPU before Volta issues in place of what the selection chose; does nothing for later ones.
void older_instructions(Selected& selected, u32 capability);

// Constants that were moved to registers of which nobody reads.
void drop_unread_constants(Selected& selected);

// Whether an instruction's result comes a known number of cycles after its issue.
bool older_fixed(const LoweredInstruction& in, u32 capability);

// Cycles from the issue of `from` to that of what takes its result, or its predicate. Sources: S4, MAXAS
// (5.x, 6.x), NAK30 (3.x), NVC0 (2.x), GT, WB (1.x).
u32 older_latency(const LoweredInstruction& from, bool predicate, u32 capability);

// Whether the warp's next instruction can issue in the same cycle: what can go together, without regard to
// results that are still to come.
bool may_pair(const LoweredInstruction& first, const LoweredInstruction& second, u32 capability);

// Stalls where the machine has a scoreboard: an instruction waits for its operands by itself, so that only
// pairs (a stall of 0) and what is left of results at the region's end show.
void scoreboard_stalls(std::span<LoweredInstruction> region, u32 capability);

// For which earlier instruction's result of known latency an instruction waits, and how long behind it.
struct Dependence {
  u32 distance = 0, cycles = 0;
};
std::vector<std::vector<Dependence>> dependences_of(std::span<const LoweredInstruction> region,
                                                    u32 capability);

}  // namespace lockstep::lowering
