// What a functional run counted, by source line, and what of it stands out.
#pragma once
#include <string>
#include <vector>

#include "report/run_data.h"
#include "report/source_text.h"

namespace lockstep {

struct CountedLine {
  SourceLine at;
  InstructionCounts counts;
  // Its accesses to global memory, images and local memory, by whether they load, store or are atomics.
  std::array<SpaceCounts, 3> global{}, image{}, local{};
  // Instructions in which lanes take part, and those that did, summed.
  u64 lane_instructions = 0, lanes = 0;
  LaneHistogram active_lanes{};

  // Without a clock: each instruction, each line or sector of memory and each pass of the local-memory banks
  // counts as one.
  u64 work() const;
  SpaceCounts vector_memory() const;  // global, private and image memory together
};

u64 work(const InstructionCounts& counts);

// All lines that were executed, those with the most work first.
std::vector<CountedLine> counted_lines(const RunData& run);

// Something that costs more than it had to, with its evidence.
struct Remark {
  std::string kind;  // "coalescing", "bank_conflicts", "idle_lanes", "hot_atomic", "private_memory"
  std::string text;
  SourceLine at;
  u64 excess = 0;  // of the line's work, what would not be needed
  f64 share = 0;   // of the launch's work
};

// The largest share first; nothing below remark_share.
inline constexpr f64 remark_share = 0.02;
std::vector<Remark> remarks(const RunData& run, const std::vector<CountedLine>& lines);

}  // namespace lockstep
