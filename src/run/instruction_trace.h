// What one work-item, wave or group does, instruction by instruction, with the registers before and after;
// and a debugger's commands between them. docs/debugging.md.
#pragma once
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "exec/run_wave.h"
#include "isa/program.h"

namespace lockstep {

// Which waves are looked at, and of which lanes values are shown.
struct TracedPart {
  u64 group = 0;  // linear
  i64 wave = -1;  // of the group; -1: all
  i64 lane = -1;  // -1: all
};

// "item:X[,Y[,Z]]" (a work-item, by its global id without the offset), "wave:GROUP[,WAVE]", "group:GROUP".
// Error: "bad-trace".
Expected<TracedPart> parse_traced_part(const std::string& text, const NdRange& range, u32 wave_lanes);

using TraceWriter = std::function<void(std::string_view)>;

// Writes each instruction of the part as it is executed. For FunctionalOptions::runner, on one thread. The
// module and the program must outlive it.
std::unique_ptr<StepRunner> make_tracer(const Module& module, const Program& program, const TracedPart& part,
                                        TraceWriter write);

// Stops before instructions of the part, and asks for commands: `read` gives a line, or false at the end of
// input, after which the run goes on without stops. `quit` is called for the command that ends the run.
std::unique_ptr<StepRunner> make_stepper(const Module& module, const Program& program, const TracedPart& part,
                                         TraceWriter write, std::function<bool(std::string&)> read,
                                         std::function<void()> quit);

}  // namespace lockstep
