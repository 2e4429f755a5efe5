// Costs that a timed program needs of a machine file, with the first one that is not there.
#pragma once
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
};

}  // namespace lockstep
