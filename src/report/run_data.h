// Everything that the views of one run read. Every view is a function of this alone.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "count/counts.h"
#include "exec/check/violations.h"
#include "exec/functional.h"
#include "isa/program.h"
#include "machine/machine.h"
#include "machine/occupancy.h"
#include "time/counters.h"

namespace lockstep {

// What a change of one assumed figure by 20 % does to the run's time.
struct Sensitivity {
  std::string key;
  // By which the figure was changed: 1.2, or 0.8 where that contradicts the machine's other figures; small
  // counts move by one, sizes double or halve.
  f64 factor = 1.2;
  f64 change = 0;  // of the time, relative: 0.03 is 3 % longer
};

// Launches of the same kernel one after the other, on one device and in the same buffers.
struct RepeatedLaunches {
  u32 asked = 1;
  bool cold = false;        // all caches and translations were empty before each of them
  std::vector<u64> cycles;  // of each that ended, in order; empty where the run was not timed
  std::size_t shown = 0;    // the one that RunData::timing is of, from 0
  // The first launch where another one is shown.
  std::optional<TimingResult> first;
};

// How far the model was from published measurements of these GPUs, and from what `lockstep dissect` measured
// on a device of the kind: relative errors.
struct ModelAccuracy {
  std::vector<std::string> gpus;
  u32 figures = 0;
  f64 mean_error = 0, worst_error = 0;
  u32 measured_figures = 0;
  f64 measured_mean_error = 0, measured_median_error = 0, measured_worst_error = 0;
};

// What the launch would have cost with one thing changed. docs/what-if.md defines each question.
struct WhatIf {
  enum class How : u8 {
    played,   // the recorded launch was timed again
    formula,  // from the run's own figures
    nothing,  // the launch has nothing of what would be taken away
  };
  std::string name;   // stable: "no_bank_conflicts"
  std::string title;  // in words
  How how = How::nothing;
  u64 cycles = 0;
  u64 memory_read_bytes = 0;  // read from memory, where it was played
};

struct WhatIfs {
  std::string missing;            // why nothing could be asked; empty where it was
  u64 cycles = 0;                 // of the launch as it is: the first one
  bool alone = false;             // launches before it left something in the caches: not in these cycles
  bool timing_dependent = false;  // what waves do depends on when: the recording's way is assumed
  std::vector<WhatIf> answers;    // the most saved first

  const WhatIf* find(std::string_view name) const {
    for (const WhatIf& one : answers) {
      if (one.name == name) return &one;
    }
    return nullptr;
  }
};

struct RunData {
  const Machine* machine = nullptr;
  const Module* module = nullptr;
  const Program* program = nullptr;
  NdRange range;
  u32 local_bytes = 0;  // per group, arguments included
  Occupancy occupancy;
  std::optional<FunctionalResult> functional;
  std::optional<LaunchCounts> counts;  // of a functional run, where it counted
  std::optional<TimingResult> timing;  // of the launch that is shown
  RepeatedLaunches repeated;
  // Of an application's launches, timed on a device that keeps its caches between them: which one on this
  // device it is, and which one of this kernel, from 1; 0: alone on a device of its own.
  u64 device_launch = 0, kernel_launch = 0;
  std::vector<std::string> source_lines;  // of source_file; may be empty
  std::string source_file;
  // Of an application's launch: its command line, and the file beside the report that holds the program's
  // source. Empty elsewhere.
  std::vector<std::string> command;
  std::string source_copy;

  std::string printed;  // what the kernel's printf said
  // What ended the run before its end, if anything did: a fault, say. What was printed until then is there.
  std::optional<Diagnostic> failed;
  bool stopped = false;     // by who watched it: `failed` says why, and it is no error
  ViolationLog violations;  // what checks found; they end no run

  bool sensitivity_measured = false;
  // Why the launch had to be executed again for each figure; empty where a recording of it was played back.
  std::string sensitivity_executed;
  u32 timing_figures = 0, assumed_figures = 0;  // that timing reads; of these, assumed
  std::optional<ModelAccuracy> accuracy;
  std::vector<Sensitivity> sensitivity;  // those that move the time by more than 2 %, the largest first

  std::optional<WhatIfs> what_if;

  u64 clock_hz() const { return run_clock_hz(*machine); }
};

}  // namespace lockstep
