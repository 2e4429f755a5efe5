// Everything that the views of one run read. Every view is a function of this alone.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "count/counts.h"
#include "exec/functional.h"
#include "isa/program.h"
#include "machine/machine.h"
#include "machine/occupancy.h"
#include "time/counters.h"

namespace lockstep {

// What a change of one assumed figure by 20 % does to the run's time.
struct Sensitivity {
  std::string key;
  f64 factor = 1.2;  // by which the figure was changed; 0.8 where 1.2 contradicts the machine's other figures
  f64 change = 0;    // of the time, relative: 0.03 is 3 % longer
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
  std::optional<TimingResult> timing;
  std::vector<std::string> source_lines;  // of the file that the line table names first; may be empty
  std::string source_file;

  std::string printed;  // what the kernel's printf said
  // What ended the run before its end, if anything did: a fault, say. What was printed until then is there.
  std::optional<Diagnostic> failed;

  bool sensitivity_measured = false;
  u32 assumed_figures = 0;               // that timing reads
  std::vector<Sensitivity> sensitivity;  // those that move the time by more than 2 %, the largest first

  u64 clock_hz() const { return run_clock_hz(*machine); }
};

}  // namespace lockstep
