// Kernels of the corpus on every timed GPU: the length of windows and the number of host threads change
// neither what is counted nor what is computed.
#include <gtest/gtest.h>

#include <cstdio>

#include "../time/support.h"
#include "corpus_launches.h"
#include "exec/functional.h"
#include "time/source/live.h"

namespace lockstep {
namespace {

std::string corpus_path(const std::string& name) {
  return LOCKSTEP_SOURCE_DIR "/tests/corpus/" + name + ".cl";
}

using namespace timing_test;

std::vector<std::string> timed_machines() {
  std::vector<std::string> timed;
  const auto machines = list_machines(machine_directory());
  if (!machines.ok()) return timed;
  for (const MachineSummary& summary : *machines) {
    const auto machine = load_machine(machine_directory(), summary.id);
    if (machine.ok() && timing_model(*machine).ok()) timed.push_back(summary.id);
  }
  return timed;
}

struct Timed {
  std::vector<TimingResult> results;  // of each launch
  std::vector<std::vector<u8>> contents;
};

// All launches of the case on one device; nothing where the GPU cannot run it.
std::optional<Timed> timed(const std::string& gpu, const char* file, u32 window, u32 threads) {
  const auto machine = load_machine(machine_directory(), gpu);
  auto device = TimedDevice::make(*machine);
  if (!device.ok()) {
    ADD_FAILURE() << to_string(device.error());
    return std::nullopt;
  }
  TimingOptions options;
  options.window_cycles = window;
  options.threads = threads;
  Timed out;
  // As many waves as the largest GPU has slots.
  constexpr u32 resident_waves = 16384;
  const auto contents =
      contents_after({gpu, corpus_path(file)}, resident_waves, [&](const PreparedLaunch& launch) {
        LiveFactory sources(launch);
        const auto result = (*device)->launch(timed_launch(launch), sources, options);
        if (!result.ok()) return std::optional<Diagnostic>(result.error());
        expect_sums(*result);
        out.results.push_back(*result);
        return std::optional<Diagnostic>();
      });
  if (!contents) return std::nullopt;
  out.contents = *contents;
  return out;
}

std::optional<Diagnostic> functional(const PreparedLaunch& launch) {
  const Expected<FunctionalResult> result = run_functional(launch, {});
  if (!result.ok()) return result.error();
  return std::nullopt;
}

class TimingCorpus : public testing::TestWithParam<const char*> {};

TEST_P(TimingCorpus, WindowsAndThreadsChangeNothing) {
  u32 ran = 0;
  for (const std::string& gpu : timed_machines()) {
    SCOPED_TRACE(gpu);
    const auto expected = contents_after({gpu, corpus_path(GetParam())}, 2048, functional);
    if (!expected) continue;  // not compiled for this GPU
    const auto one = timed(gpu, GetParam(), 1, 1);
    ASSERT_TRUE(one);
    EXPECT_TRUE(one->contents == *expected) << "not what the functional run computes";
    for (const auto& [window, threads] : {std::pair<u32, u32>{0, 1}, {7, 1}, {0, 3}}) {
      SCOPED_TRACE("windows of " + std::to_string(window) + " cycles, " + std::to_string(threads) +
                   " threads");
      const auto other = timed(gpu, GetParam(), window, threads);
      ASSERT_TRUE(other);
      EXPECT_TRUE(other->contents == *expected);
      ASSERT_EQ(one->results.size(), other->results.size());
      for (std::size_t i = 0; i < one->results.size(); ++i) expect_same(one->results[i], other->results[i]);
      if (HasFailure()) return;
    }
    ++ran;
  }
  EXPECT_GT(ran, 0u);
}

INSTANTIATE_TEST_SUITE_P(Some, TimingCorpus,
                         testing::Values("local_reduce", "local_histogram", "atomics_global", "atomics_queue",
                                         "barrier_exchange", "pattern_spmv", "flow_calls", "private_dynamic",
                                         "vector_load_store"),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return std::string(info.param);
                         });

TEST(TimedMachines, WindowsAreLongEnoughToBeWorthWhile) {
  const std::vector<std::string> machines = timed_machines();
  EXPECT_FALSE(machines.empty());
  for (const std::string& gpu : machines) {
    const auto machine = load_machine(machine_directory(), gpu);
    const auto device = TimedDevice::make(*machine);
    ASSERT_TRUE(device.ok()) << gpu;
    const u32 longest = (*device)->longest_window();
    std::printf("%-10s windows of up to %u cycles\n", gpu.c_str(), longest);
    if (integer(*machine, "compute.units") >= 16) {
      EXPECT_GE(longest, 16u) << gpu;
    }
  }
}

}  // namespace
}  // namespace lockstep
