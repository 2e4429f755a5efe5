// Costs that a timed program needs of a machine file, with the first one that is not there.
#pragma once
#include <fmt/format.h>

#include <string>

#include "machine/machine.h"

namespace lockstep {

struct CostReader {
  const Machine& machine;
  std::string missing;  // key; empty while all were there

  u16 operator()(const std::string& key) {
    if (!has(machine, key)) {
      if (missing.empty()) missing = key;
      return 1;
    }
    return static_cast<u16>(integer(machine, key));
  }

  // "missing-figure": what is missing, and where to state it.
  Diagnostic diagnostic() const {
    return {"missing-figure",
            {machine.path, 0, 0},
            fmt::format("the machine {} lacks {}, which its timing needs", machine.id, missing),
            "state it in the machine's file or in one that it is based on"};
  }
};

}  // namespace lockstep
