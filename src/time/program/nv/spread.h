// General registers change places so that those that one instruction reads lie in both banks.
#pragma once
#include <utility>
#include <vector>

#include "time/program/nv/ranges.h"

namespace lockstep::lowering {

// For each 32-bit register: others that some instruction reads with it, and about how often.
using ReadTogether = std::vector<std::vector<std::pair<u32, u64>>>;

// Which of two banks each value had best lie in: values that are read together apart, those most often read
// together first. Values of one tree hang together: `other_side` says on which side of it each lies.
struct Sides {
  std::vector<u32> tree;  // by value
  std::vector<bool> other_side;
  std::vector<u64> weight;  // how often an instruction reads it with another
};
Sides sides_of(const ReadTogether& together);

// A 32-bit value that has its place.
struct PlacedValue {
  u32 unit;  // its number in `together`
  u32 at;    // its register
  const Ranges* held;
  bool moves;  // it may lie elsewhere: no part of a wider one, nobody's argument
};

// Moves values to registers of another bank that are free, or exchanges two, where that makes the
// instructions fewer that read two registers of one bank. No register is used that was not before.
void spread_over_banks(std::vector<PlacedValue>& values, const ReadTogether& together, u32 banks);

}  // namespace lockstep::lowering
