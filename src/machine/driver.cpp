#include "machine/driver.h"

namespace lockstep {

u64 memory_clock_hz(const Machine& machine) {
  return integer_or(machine, "memory.compute_clock_hz", integer(machine, "memory.clock_hz"));
}

}  // namespace lockstep
