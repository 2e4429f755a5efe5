#include "time/counters.h"

namespace lockstep {

u64 TimingResult::counter(std::string_view name) const {
  for (const Counter& counter : counters) {
    if (counter.name == name) return counter.value;
  }
  return 0;
}

}  // namespace lockstep
