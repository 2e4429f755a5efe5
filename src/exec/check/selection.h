// Which checks a checked run makes.
#pragma once
#include <string_view>

#include "base/diagnostic.h"

namespace lockstep {

struct CheckSelection {
  bool bounds = false;    // accesses outside of allocations, misaligned ones, stores to what is read-only
  bool values = false;    // branches, addresses and atomics that depend on bytes which nothing wrote
  bool barriers = false;  // barriers that part of a wave or group does not reach
  bool races = false;     // accesses of different waves, or of one instruction, that nothing orders
  // Races between work-items of one wave as well, as if waves did not run in step. Not among "all": machine
  // code does not show every point at which the compiler ordered the work-items of a wave.
  bool lane_races = false;
  bool same_value_races = false;  // stores of one value to one place count as races; not among "all"

  static CheckSelection all() { return {true, true, true, true, false, false}; }
  bool any() const { return bounds || values || barriers || races; }
  bool definedness_or_bounds() const { return bounds || values || barriers; }
};

// "all", "none", or words separated by commas: bounds, values, barriers, races, lane-races,
// same-value-races (the last two with races). "1" is all and "0" none, as environments have it. Error:
// "bad-check".
Expected<CheckSelection> parse_checks(std::string_view text);

}  // namespace lockstep
