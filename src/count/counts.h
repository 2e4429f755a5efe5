// What a functional run counts: the same things as a timed run, without a clock.
#pragma once
#include <array>
#include <map>
#include <vector>

#include "base/types.h"
#include "count/rules.h"
#include "isa/cost.h"

namespace lockstep {

inline constexpr std::size_t space_count = static_cast<std::size_t>(Space::image) + 1;

// Accesses to one kind of memory. Scalar loads, and constants, count as Space::constant.
struct SpaceCounts {
  u64 accesses = 0;  // of waves: those of which at least one lane reached this memory
  u64 lanes = 0;
  u64 load_bytes = 0, store_bytes = 0;  // that lanes asked for; atomics store
  // Lines, sectors or segments that they touched, and the fewest that could hold the bytes; of local memory
  // the passes of its banks, and those without conflicts; of constants the different addresses.
  u64 transactions = 0, ideal_transactions = 0;

  u64 bytes() const { return load_bytes + store_bytes; }
  SpaceCounts& operator+=(const SpaceCounts& other);
};

// One instruction of the code, over all waves.
struct InstructionCounts {
  u64 issued = 0;
  u64 lanes_active = 0;
  u64 branches_taken = 0;
  u64 parted = 0;  // times that it let some lanes of a wave go on without the others
  std::array<SpaceCounts, space_count> spaces{};
  u64 atomic_lanes = 0;
  u32 most_same_in_wave = 0;  // lanes of one wave at one address
  u64 most_same = 0;          // of the whole launch at one address of global memory
  u64 hot_address = 0;        // the lowest such

  const SpaceCounts& of(Space space) const { return spaces[static_cast<std::size_t>(space)]; }
  SpaceCounts& of(Space space) { return spaces[static_cast<std::size_t>(space)]; }
  InstructionCounts& operator+=(const InstructionCounts& other);  // but for hot_address
};

// Instructions by the lanes that took part.
using LaneHistogram = std::array<u64, 65>;

struct LaunchCounts {
  CountingRules rules;
  u64 instructions = 0;          // wave-instructions
  u64 barriers = 0;              // arrivals of waves
  LaneHistogram active_lanes{};  // of all instructions in which lanes take part
  std::map<u32, LaneHistogram> lanes_by_instruction;
  std::array<u64, static_cast<std::size_t>(Cost::count)> by_cost{};
  u64 valu_lanes = 0;                              // that took part in vector arithmetic, summed
  std::vector<InstructionCounts> per_instruction;  // by index in the code
  InstructionCounts total;                         // most_same: over all instructions together
};

// Of the vector unit's pipe.
bool is_vector_arithmetic(Cost cost);
// Whether lanes take part in instructions of this class: vector arithmetic, vector and local memory.
bool counts_lanes(Cost cost);

}  // namespace lockstep
