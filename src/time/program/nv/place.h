// Which of the hardware's registers each virtual one gets.
#pragma once
#include <span>

#include "time/program/nv/liveness.h"
#include "time/program/nv/spread.h"

namespace lockstep::lowering {

struct Places {
  std::vector<u32> at;                             // by virtual register: the first of its registers
  u32 registers = 0, uniform = 0, predicates = 0;  // one more than the highest that is taken
  bool fits = true;  // no register holds two values at once, since there were no more
};

struct PlacingInput {
  const Function& function;
  const Selected& selected;
  const Liveness& live;          // with the times that registers rest
  const Liveness& awake;         // without; empty before Volta
  const ReadTogether& together;  // empty where banks are not known
  u32 first;                     // general registers that are taken already
  // Where a load's value begins, ascending: it may lie where its address lay. Empty before Volta.
  std::span<const u32> loaded_at;
  bool wide_first = false;  // aligned values before narrower ones, not all as they begin
};

// `sides`: which bank each value had best lie in; null: only what lies there already decides. A value that
// its side would cost a new register may leave one free beside.
Places place_registers(const PlacingInput& input, const Sides* sides);

}  // namespace lockstep::lowering
