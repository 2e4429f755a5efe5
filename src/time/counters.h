// What the timing model hands out: named counters, stall cycles, figures by instruction and over time.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "isa/cost.h"
#include "time/instruction_table.h"
#include "time/stall.h"
#include "time/units/occupancy_timeline.h"

namespace lockstep {

struct Counter {
  std::string name;          // dotted, stable
  std::string_view unit;     // "cycles", "instructions", "bytes", "transactions", ...
  std::string_view meaning;  // one line
  u64 value = 0;
};

// What a resource does, for those who judge a launch: no view knows a unit's or a cache's name.
enum class ResourceKind : u8 {
  arithmetic,    // vector units
  matrix,        // matrix units
  scalar,        // scalar units
  issue,         // instructions handed to units
  local_memory,  // banks of local memory
  near_memory,   // a compute unit's own way to memory: addresses, first-level cache, data return
  shared_cache,  // caches that compute units share
  memory,        // channels of memory
  atomics,       // one address that many change, one after the other
  translation,   // walks of page tables
};

// A part of the GPU that can do so much and no more: a number of units of one kind.
struct Resource {
  std::string name;   // stable: "valu", "l2_slice", ...
  std::string title;  // in words: "vector arithmetic"
  std::string meaning;
  ResourceKind kind = ResourceKind::arithmetic;
  std::vector<u64> busy_cycles;  // of each unit, in the order of their numbers
  f64 clocks = 0;                // in which each of them could have been busy
  // What all of them did in the launch's time and could have done at most, where that has a unit.
  std::string_view amount_unit;  // "bytes", "instructions"; empty: there is only how long they were busy
  f64 amount = 0, ceiling = 0;
};

// What was asked of a cache, as far as it can hit.
struct CacheFigures {
  std::string name, title;
  bool shared = false;  // by compute units, and in front of memory
  u64 hits = 0, merges = 0, misses = 0;
};

// Bytes that went one way.
struct Traffic {
  std::string title;
  u64 bytes = 0;
};

// One instruction of the code, over all waves.
struct InstructionFigures {
  static constexpr std::size_t most_levels = 8;

  // What each issue adds to comes first: two lines of the host's cache.
  u64 issued = 0;
  u64 lanes_active = 0;
  u64 issue_cycles = 0;  // cycles that it held the unit that executed it
  u64 paired = 0;        // of `issued`, those in a cycle in which their wave had issued one already
  StallCycles stalls{};  // cycles that waves spent in front of it

  u64 transactions = 0;                 // cache lines that its vector memory accesses touched
  u64 ideal_transactions = 0;           // the fewest lines that could hold the bytes it asked for
  u64 private_transactions = 0;         // of these lines, those of private memory
  u64 load_bytes = 0, store_bytes = 0;  // that its vector memory accesses moved
  u64 atomic_lanes = 0;                 // lanes whose atomics went to memory
  // Vector memory instructions, their cycles from issue to the end of the last line, summed, and those that
  // their lines waited for translations.
  u64 memory_accesses = 0, memory_cycles = 0, translation_cycles = 0;
  u64 scalar_lines = 0;  // look-ups of the scalar cache
  u64 local_bytes = 0;
  u64 local_atomic_lanes = 0;    // lanes that performed an atomic on local memory
  u64 bank_conflict_cycles = 0;  // further passes of the local-memory banks
  u64 same_word_cycles = 0;      // of them, those of atomics of several lanes on one word
  // Of its loads and stores, those whose addresses are those of its wave's last execution of it (repeats.h).
  u64 repeated_accesses = 0;
  // Lines of its memory accesses by the level that served them: 0 the compute unit's own caches, then the
  // shared levels in their order, memory last (TimingResult::levels names them).
  std::array<u64, most_levels> served{};

  InstructionFigures& operator+=(const InstructionFigures& other);
};

struct TimingResult {
  // From the launch to the last wave's end and the last store's arrival, and, where a cache writes its dirty
  // lines back at a launch's end, their arrival.
  u64 cycles = 0;
  bool stopped = false;  // before the launch's end: everything is what was counted until then
  u32 host_threads = 1;  // that it took; nothing else here depends on them
  u64 groups = 0, waves = 0, instructions = 0;
  u64 wave_cycles = 0;          // resident
  u64 longest_wave_cycles = 0;  // of the wave that was resident longest, of those that ended
  u64 issue_cycles = 0;  // wave-cycles in which the wave issued; wave_cycles = issue_cycles + all stalls
  StallCycles stalls{};
  std::vector<Counter> counters;
  std::vector<Resource> resources;
  std::vector<CacheFigures> caches;  // nearest first
  std::vector<Traffic> traffic;
  std::vector<u64> unit_wave_cycles;  // of each compute unit
  u64 launch_cycles = 0;              // of `cycles`, before the first work-group was sent out
  // Of the cycles from the first group to the last, those in which no group waited for room, or only because
  // ends of groups waited for their turn: groups started and ended as fast as they can.
  u64 sending_cycles = 0;
  u64 last_start_cycle = 0;                              // in which the last group went out
  InstructionTable<InstructionFigures> per_instruction;  // by index in the code
  std::vector<std::string> levels;                       // what InstructionFigures::served counts
  std::array<u64, 65> active_lanes{};                    // instructions by lanes that took part
  std::vector<OccupancySample> occupancy;

  // There must be such a counter.
  u64 counter(std::string_view name) const;
  bool has_counter(std::string_view name) const;
};

}  // namespace lockstep
