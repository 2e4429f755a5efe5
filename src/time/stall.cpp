#include "time/stall.h"

#include "base/assert.h"

namespace lockstep {
namespace {

struct StallText {
  std::string_view name, meaning;
};

constexpr std::array<StallText, stall_count> texts = {{
    {"launch", "the wave's registers are being initialised"},
    {"fetch", "its next instruction is not in its instruction buffer"},
    {"dependency", "its own previous instruction still executes"},
    {"vector_memory", "it waits for vector memory"},
    {"scalar_memory", "it waits for scalar memory"},
    {"local_memory", "it waits for local memory"},
    {"barrier", "it waits for other waves of its work-group"},
    {"valu_busy", "the SIMD's vector unit executes a longer instruction of another wave"},
    {"pipe_busy", "a unit of the compute unit cannot take an instruction in this cycle"},
    {"pipe_full", "the queue of a memory pipe is full"},
    {"arbitration", "another wave was chosen"},
    {"sleep", "s_sleep or s_nop"},
}};

}  // namespace

std::string_view name(Stall stall) {
  LOCKSTEP_ASSERT(stall < Stall::count, "a stall reason has a name");
  return texts[static_cast<std::size_t>(stall)].name;
}

std::string_view meaning(Stall stall) {
  LOCKSTEP_ASSERT(stall < Stall::count, "a stall reason has a meaning");
  return texts[static_cast<std::size_t>(stall)].meaning;
}

}  // namespace lockstep
