// What a launch would cost with one cost taken away or one resource changed: its recording is timed again for
// each question. docs/what-if.md has each question's formula.
#pragma once
#include <functional>

#include "run/simulation.h"

namespace lockstep {

struct WhatIfWork {
  const LaunchRecord* record = nullptr;  // of the run; null: there is none
  std::vector<std::string> only;         // questions by name; empty: all
  u32 threads = 1;                       // of the host; any number gives the same result
  // Told by one thread at a time how many questions are answered. Asked also by several: false ends it.
  std::function<void(u64 done, u64 all)> progress;
  std::function<bool()> go_on;
};

// Fills RunData's what_if for the run's first launch: at most one pass of timing for each question, none
// where the launch has nothing of what would be taken away. Errors: "stopped", those of timing.
Status ask_what_if(RunData& run, const WhatIfWork& work);

}  // namespace lockstep
