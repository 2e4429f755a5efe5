// The benchmarks there are, and a run of them.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dissect/bench.h"

namespace lockstep::dissect {

struct Benchmark {
  std::string_view name;
  std::string_view meaning;  // one line
  // Adds what it measured to the bench's outcome. Errors: those of the backend; "not-applicable" for a
  // device that the benchmark says nothing about.
  Status (*measure)(Bench& bench);
};

std::span<const Benchmark> benchmarks();

// Those of these names, in the suite's order; all for an empty list. Error: "no-benchmark".
Expected<std::vector<Benchmark>> choose(const std::vector<std::string>& names);

struct SuiteOptions {
  std::vector<Benchmark> chosen;
  const Machine* machine = nullptr;  // to compare with
  f64 clock_hz = 0;                  // 0: measured, else what the device states
  // Told before each benchmark.
  std::function<void(std::string_view name, u64 done, u64 all)> progress;
  // Asked before each benchmark; false ends everything with the error "stopped".
  std::function<bool()> go_on;
};

struct SuiteResult {
  Traits traits;
  f64 clock_hz = 0;
  std::vector<Outcome> outcomes;
  bool failed() const;
};

// A benchmark that fails leaves its reason in its outcome, and the others go on. Error: "stopped".
Expected<SuiteResult> run_suite(Backend& backend, const SuiteOptions& options);

// The folder of the suite's kernels: the environment's LOCKSTEP_DISSECT, else dissect or
// share/lockstep/dissect beside the program's folder, else the source tree's.
std::string kernel_directory();

// The measurements, a file for each few.
Status measure_clock(Bench& bench);
Status measure_arithmetic(Bench& bench);
Status measure_latency(Bench& bench);
Status measure_tlb(Bench& bench);
Status measure_constant(Bench& bench);
Status measure_bandwidth(Bench& bench);
Status measure_memory(Bench& bench);
Status measure_groups(Bench& bench);
Status measure_strides(Bench& bench);
Status measure_powers(Bench& bench);
Status measure_local(Bench& bench);
Status measure_atomics(Bench& bench);
Status measure_barrier(Bench& bench);
Status measure_divergence(Bench& bench);
Status measure_code(Bench& bench);
Status measure_launch(Bench& bench);
Status measure_copy(Bench& bench);

}  // namespace lockstep::dissect
