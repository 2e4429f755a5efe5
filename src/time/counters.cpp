#include "time/counters.h"

namespace lockstep {

InstructionFigures& InstructionFigures::operator+=(const InstructionFigures& other) {
  issued += other.issued;
  lanes_active += other.lanes_active;
  issue_cycles += other.issue_cycles;
  transactions += other.transactions;
  ideal_transactions += other.ideal_transactions;
  bank_conflict_cycles += other.bank_conflict_cycles;
  for (std::size_t i = 0; i < served.size(); ++i) served[i] += other.served[i];
  for (std::size_t i = 0; i < stalls.size(); ++i) stalls[i] += other.stalls[i];
  return *this;
}

u64 TimingResult::counter(std::string_view name) const {
  for (const Counter& counter : counters) {
    if (counter.name == name) return counter.value;
  }
  return 0;
}

}  // namespace lockstep
