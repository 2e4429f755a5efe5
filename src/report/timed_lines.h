// What a timed run says of source lines.
#pragma once
#include <vector>

#include "report/run_data.h"
#include "report/source_text.h"

namespace lockstep {

struct TimedLine {
  SourceLine at;
  InstructionFigures figures;
  // Of vector arithmetic alone: cycles that it held its unit, and those of idle lanes among them.
  f64 vector_cycles = 0, idle_cycles = 0;
  // Of these cycles, those of 64-bit floats and of integer division (code_marks.h).
  f64 double_cycles = 0, division_cycles = 0;
  // Instructions of 64-bit floats, and conversions between them and 32-bit ones among them.
  u64 doubles = 0, conversions = 0;
  // Instructions in which lanes take part, and those that did, summed.
  u64 lane_instructions = 0, lanes = 0;
  // The fewest that its accesses could have touched: the bytes' lines, but at least one for all lanes whose
  // lines are looked up together.
  f64 least_transactions = 0;
  // Of its instructions that touch more than twice that: what they touch, and what would do.
  f64 wasteful_transactions = 0, wasteful_least = 0;
  // The line has a barrier and accesses no memory: what waves wait for there is the barrier's fence.
  bool barrier = false;
};

// Wave-cycles: the cycles in which waves issued it, and those that they stood in front of it.
u64 wave_cycles(const InstructionFigures& figures);
// Whether few lanes took part in instructions, so that waves waited for what few work-items do.
bool executed_by_few(u64 lanes, u64 instructions, u32 wave_lanes);
// Compute units that had a wave.
u64 units_used(const TimingResult& timing);
// A resource's clocks from the first group on: all shares of how busy its units were are of these.
f64 active_clocks(const TimingResult& timing, const Resource& resource);
// Whether it has a row: also what took no cycle of its own, since it was issued beside another.
bool took_part(const InstructionFigures& figures);

// Wave-cycles of a line in which few lanes of its waves take part (an eighth at most), waits at barriers left
// out; 0 of others, and of a line with a barrier.
f64 serial_cycles(const TimedLine& line, u32 wave_lanes);

// Whether such lines are work that could be divided: they execute many instructions between two barriers. A
// tree's step is as long for all lanes as for a few.
bool serial_work(const RunData& run, const std::vector<TimedLine>& lines);

// One instruction as a line of its own.
TimedLine timed_instruction(const RunData& run, std::size_t instruction);

// All lines that waves spent cycles at, the costliest first.
std::vector<TimedLine> timed_lines(const RunData& run);

}  // namespace lockstep
