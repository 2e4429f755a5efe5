// How fast Lockstep itself runs: wave-instructions a second over the benchmark kernels, which are cases in
// the corpus' format (bench/kernels).
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep {

enum class BenchMode {
  functional,  // execution, no checks, no timing
  counted,     // execution that counts what a timed run does, but for time
  checked,     // execution with every check
  timed,       // execution and the timing model, the whole GPU
  recorded,    // timed, and what the waves do written down to be timed again
};

std::string_view to_string(BenchMode mode);

struct BenchRow {
  std::string name;
  BenchMode mode = BenchMode::functional;
  u32 threads = 1;  // that took part
  u32 runs = 0;     // measured, after one that was not; the figures are the median run's
  u64 wave_instructions = 0;
  // By processor time over the threads: what the wall clock says on an idle host, and steady on a busy one.
  // Timed runs on several threads: by the wall clock.
  f64 wave_instructions_per_second = 0;
  f64 wall_wave_instructions_per_second = 0;
  // Timed: cache-line transactions of vector memory that were modelled, by the same clock.
  std::optional<f64> transactions_per_second;
};

struct BenchOptions {
  std::string gpu = "mi25";
  std::string filter;  // part of a kernel's name; empty for all
  std::optional<BenchMode> mode;
  u32 threads = 2;        // of the functional and timed runs beside those on one
  f64 seconds = 1.5;      // of processor time to spend on each row, at least three runs
  std::string directory;  // of the kernels; empty for bench_directory()
  std::function<void(std::string_view name, std::string_view mode, u64 done, u64 all)> progress;
  // Asked now and then; false ends everything with the error "stopped".
  std::function<bool()> go_on;
};

// Where the benchmark kernels are: the environment's LOCKSTEP_BENCH_KERNELS, else bench/kernels or
// share/lockstep/bench/kernels beside the executable's directory, else the source tree.
std::string bench_directory();

// Errors: no kernel whose name contains the filter, a case or GPU that cannot be read, compiled or run. A
// mode that this build lacks for a kernel is left out.
Expected<std::vector<BenchRow>> run_bench(const BenchOptions& options);

}  // namespace lockstep
