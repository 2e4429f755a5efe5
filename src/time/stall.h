// Why a resident wave did not issue in a cycle. Every such cycle is charged to exactly one of these.
#pragma once
#include <array>
#include <string_view>

#include "base/types.h"

namespace lockstep {

enum class Stall : u8 {
  launch,         // registers are being initialised
  fetch,          // its next instruction is not in its buffer
  dependency,     // its own previous instruction still executes
  vector_memory,  // a wait for vector memory
  scalar_memory,  // a wait for scalar memory
  local_memory,   // a wait for local memory
  barrier,        // other waves of its group have not arrived
  valu_busy,      // its SIMD's vector unit executes a longer instruction of another wave
  pipe_busy,      // a unit of the compute unit cannot take an instruction in this cycle
  pipe_full,      // a memory pipe's queue is full
  arbitration,    // another wave was chosen
  sleep,          // s_sleep, s_nop
  count
};

inline constexpr std::size_t stall_count = static_cast<std::size_t>(Stall::count);
using StallCycles = std::array<u64, stall_count>;

std::string_view name(Stall stall);     // "vector_memory"
std::string_view meaning(Stall stall);  // one line

}  // namespace lockstep
