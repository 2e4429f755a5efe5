#include "time/counters.h"

#include <algorithm>

#include "base/assert.h"

namespace lockstep {

InstructionFigures& InstructionFigures::operator+=(const InstructionFigures& other) {
  issued += other.issued;
  paired += other.paired;
  lanes_active += other.lanes_active;
  issue_cycles += other.issue_cycles;
  transactions += other.transactions;
  ideal_transactions += other.ideal_transactions;
  private_transactions += other.private_transactions;
  load_bytes += other.load_bytes;
  store_bytes += other.store_bytes;
  atomic_lanes += other.atomic_lanes;
  memory_accesses += other.memory_accesses;
  memory_cycles += other.memory_cycles;
  translation_cycles += other.translation_cycles;
  scalar_lines += other.scalar_lines;
  local_bytes += other.local_bytes;
  local_atomic_lanes += other.local_atomic_lanes;
  bank_conflict_cycles += other.bank_conflict_cycles;
  same_word_cycles += other.same_word_cycles;
  repeated_accesses += other.repeated_accesses;
  for (std::size_t i = 0; i < served.size(); ++i) served[i] += other.served[i];
  for (std::size_t i = 0; i < stalls.size(); ++i) stalls[i] += other.stalls[i];
  return *this;
}

u64 TimingResult::counter(std::string_view name) const {
  for (const Counter& counter : counters) {
    if (counter.name == name) return counter.value;
  }
  LOCKSTEP_ASSERT(false, "a counter that is asked for exists");
  return 0;
}

bool TimingResult::has_counter(std::string_view name) const {
  return std::ranges::any_of(counters, [name](const Counter& counter) { return counter.name == name; });
}

}  // namespace lockstep
