// How long results take, and what keeps instructions in order.
#pragma once
#include "time/program/nv/lowered.h"

namespace lockstep::lowering {

// Whether its results come after a known number of cycles: not from the FP64 units that an SM's partitions
// share, nor from Ampere's.
bool is_fixed(const LoweredInstruction& in, u32 capability);
// Cycles from the issue of what makes a value to the issue of what takes it.
u32 latency(const LoweredInstruction& from, const LoweredInstruction& to, const LoweredOperand& made,
            bool as_guard, u32 capability);
// What the order reckons with for results that come when they come.
u32 expected_latency(const LoweredInstruction& in);

// Cycles from one of a warp's memory instructions to its next, from Volta on, as ptxas of CUDA 13 keeps them
// apart for sm_90 whatever their width.
constexpr u32 access_interval = 4;

bool is_memory(const LoweredInstruction& in);
bool only_reads(const LoweredInstruction& in);
// What nothing is moved over.
bool is_anchor(const LoweredInstruction& in);
// Whether two memory instructions must stay in their order: one may write what the other reaches. Where
// their addresses have the same base, the offsets decide.
bool keeps_order(const LoweredInstruction& a, const LoweredInstruction& b, bool same_base);

}  // namespace lockstep::lowering
