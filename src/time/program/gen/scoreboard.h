// What instructions wait for that need what a message brings: of each counter, how many of the wave's
// messages may still be on their way.
#pragma once
#include <vector>

#include "isa/program.h"
#include "time/program/timed_op.h"

namespace lockstep {

namespace gen {
struct GenProgram;
}

// Fills most_outstanding of ops that read or write a register that a message before them, on any way to
// them, has yet to write. `program` is any of the module's. Messages of one counter come back in order.
void find_message_waits(const Module& module, const gen::GenProgram& program, std::vector<TimedOp>& ops);

}  // namespace lockstep
