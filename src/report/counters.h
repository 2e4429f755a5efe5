// The counters of a run, timed or counted: one name means one thing in both.
#pragma once
#include <vector>

#include "report/run_data.h"

namespace lockstep {

// Those of a functional run that counted.
std::vector<Counter> counters_of(const LaunchCounts& counts);

// By name, from what the run has. Who asks for a counter that there is not has misspelt it.
class CounterTable {
 public:
  explicit CounterTable(const RunData& run);
  bool empty() const { return counters_ == nullptr; }
  u64 operator()(std::string_view name) const;
  bool has(std::string_view name) const;
  const std::vector<Counter>& all() const { return *counters_; }

 private:
  std::vector<Counter> own_;
  const std::vector<Counter>* counters_ = nullptr;  // null: nothing was counted
};

}  // namespace lockstep
