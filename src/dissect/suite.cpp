#include "dissect/suite.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/environment.h"
#include "base/installation.h"
#include "base/nearest.h"

namespace lockstep::dissect {
namespace {

constexpr Benchmark table[] = {
    {"clock", "the clock by the device's own counter, where its language has one", measure_clock},
    {"arithmetic", "latency and throughput by class of instruction", measure_arithmetic},
    {"latency", "latency of global loads over footprint, a step for each level", measure_latency},
    {"tlb", "latency over pages, a step for each level of translation", measure_tlb},
    {"constant", "latency of constants over footprint", measure_constant},
    {"bandwidth", "bandwidth of loads over footprint", measure_bandwidth},
    {"memory", "bandwidth of memory: loads, stores, copies", measure_memory},
    {"groups", "bandwidth of memory over the number of work-groups", measure_groups},
    {"strides", "a wave's load by stride and alignment, in the first level", measure_strides},
    {"powers", "loads of lines that lie a power of two apart, in shared caches", measure_powers},
    {"local", "local memory: latency, bandwidth by width, bank conflicts", measure_local},
    {"atomics", "atomic additions in local and global memory, by contention", measure_atomics},
    {"barrier", "a barrier, by the size of its group", measure_barrier},
    {"divergence", "work-items of a wave that go different ways", measure_divergence},
    {"code", "instruction caches: straight-line code of growing length", measure_code},
    {"launch", "what launches cost", measure_launch},
    {"copy", "a copy from the host beside a kernel", measure_copy},
};

}  // namespace

std::span<const Benchmark> benchmarks() {
  return table;
}

Expected<std::vector<Benchmark>> choose(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Benchmark& benchmark : table) known.emplace_back(benchmark.name);
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::vector<std::string> near = nearest_names(name, known, 1);
    return Diagnostic{"no-benchmark",
                      {},
                      fmt::format("there is no benchmark '{}'", name),
                      near.empty()
                          ? "'lockstep dissect --list' lists them"
                          : fmt::format("did you mean '{}'? 'lockstep dissect --list' lists them", near[0])};
  }
  std::vector<Benchmark> chosen;
  for (const Benchmark& benchmark : table) {
    if (names.empty() || std::find(names.begin(), names.end(), benchmark.name) != names.end())
      chosen.push_back(benchmark);
  }
  return chosen;
}

bool SuiteResult::failed() const {
  return std::any_of(outcomes.begin(), outcomes.end(),
                     [](const Outcome& outcome) { return outcome.failed.has_value(); });
}

// Compilers say of each of a thousand copies of a line what is wrong with it.
static Diagnostic shortened(Diagnostic diagnostic) {
  constexpr u32 most_lines = 10;
  std::size_t at = 0;
  for (u32 line = 0; line < most_lines && at != std::string::npos; ++line)
    at = diagnostic.message.find('\n', at == 0 ? 0 : at + 1);
  if (at != std::string::npos) diagnostic.message.resize(at);
  return diagnostic;
}

Expected<SuiteResult> run_suite(Backend& backend, const SuiteOptions& options) {
  SuiteResult result;
  result.traits = backend.traits();
  result.clock_hz = options.clock_hz > 0 ? options.clock_hz : backend.traits().clock_hz;
  u64 done = 0;
  for (const Benchmark& benchmark : options.chosen) {
    if (options.progress) options.progress(benchmark.name, done++, options.chosen.size());
    if (options.go_on && !options.go_on())
      return Diagnostic{"stopped", {}, "the suite was ended before its end", ""};
    Bench bench(backend, options.machine);
    bench.set_clock(result.clock_hz);
    bench.outcome().benchmark = benchmark.name;
    const Status measured = benchmark.measure(bench);
    if (!measured) {
      if (measured.error().code == "stopped") return measured.error();
      if (measured.error().code == "not-applicable")
        bench.outcome().skipped = measured.error().message;
      else
        bench.outcome().failed = shortened(measured.error());
    }
    result.clock_hz = bench.clock_hz();
    result.outcomes.push_back(std::move(bench.outcome()));
  }
  return result;
}

std::string kernel_directory() {
  if (const char* chosen = environment("LOCKSTEP_DISSECT")) return chosen;
  if (auto installed = installed_folder("dissect", "repeat.h")) return *installed;
  return LOCKSTEP_SOURCE_DIR "/dissect";
}

}  // namespace lockstep::dissect
