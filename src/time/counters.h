// What the timing model hands out: named counters, stall cycles, figures by instruction and over time.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "isa/cost.h"
#include "time/stall.h"

namespace lockstep {

struct Counter {
  std::string name;          // dotted, stable
  std::string_view unit;     // "cycles", "instructions", "bytes", "transactions", ...
  std::string_view meaning;  // one line
  u64 value = 0;
};

// Busy cycles of each unit of one kind, in the order of their numbers.
struct UnitBusy {
  std::string_view unit;  // "valu", "l2_slice", ...
  std::string_view meaning;
  std::vector<u64> busy_cycles;
};

// One instruction of the code, over all waves.
struct InstructionFigures {
  static constexpr std::size_t most_levels = 8;

  u64 issued = 0;
  u64 lanes_active = 0;
  u64 issue_cycles = 0;        // cycles that it held the unit that executed it
  u64 transactions = 0;        // cache lines that its vector memory accesses touched
  u64 ideal_transactions = 0;  // the fewest lines that could hold the bytes it asked for
  u64 bank_conflict_cycles = 0;
  // Lines of its memory accesses by the level that served them: 0 the compute unit's own caches, then the
  // shared levels in their order, memory last (TimingResult::levels names them).
  std::array<u64, most_levels> served{};
  StallCycles stalls{};  // cycles that waves spent in front of it

  InstructionFigures& operator+=(const InstructionFigures& other);
};

struct OccupancySample {
  u64 begin_cycle = 0, cycles = 0;
  u64 wave_cycles = 0;  // resident waves, integrated
};

struct TimingResult {
  // From the launch to the last wave's end and the last store's arrival, and, where a cache writes its dirty
  // lines back at a launch's end, their arrival.
  u64 cycles = 0;
  bool stopped = false;  // before the launch's end: everything is what was counted until then
  u64 groups = 0, waves = 0, instructions = 0;
  u64 wave_cycles = 0;   // resident
  u64 issue_cycles = 0;  // wave-cycles in which the wave issued; wave_cycles = issue_cycles + all stalls
  StallCycles stalls{};
  std::vector<Counter> counters;
  std::vector<UnitBusy> units;
  std::vector<InstructionFigures> per_instruction;  // by index in the code
  std::vector<std::string> levels;                  // what InstructionFigures::served counts
  std::array<u64, 65> active_lanes{};               // instructions by lanes that took part
  std::vector<OccupancySample> occupancy;

  // 0 when there is no such counter.
  u64 counter(std::string_view name) const;
};

}  // namespace lockstep
