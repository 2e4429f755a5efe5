// What the sensitivity of a time is made of: launches recorded once and timed again on changed machines give
// the same figures as executing them there.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "../time/support.h"
#include "first_launch.h"
#include "run/sensitivity.h"

namespace lockstep {
namespace {

std::string corpus_path(const std::string& name) {
  return LOCKSTEP_SOURCE_DIR "/tests/corpus/" + name + ".cl";
}

using namespace timing_test;

class Replay : public testing::TestWithParam<const char*> {};

TEST_P(Replay, GivesWhatExecutionGives) {
  for (const char* gpu : {"hd5870", "hd6970", "hd530", "uhd600", "hd7970", "mi25", "mi300x", "rx7900xtx"}) {
    SCOPED_TRACE(gpu);
    const bool packets = std::string_view(gpu) == "hd5870" || std::string_view(gpu) == "hd6970";
    if (packets && std::string_view(GetParam()) == "private_dynamic") continue;  // no compiler does it
    const auto first = First::make(gpu, corpus_path(GetParam()));
    ASSERT_TRUE(first);
    LaunchRecord record;
    const auto live = first->execute_on(first->machine, &record);
    ASSERT_TRUE(live.ok()) << to_string(live.error());
    ASSERT_TRUE(record.recording) << record.missing;
    EXPECT_FALSE(record.recording->timing_dependent);
    const auto played = replay(first->machine, *first->module, *first->program, record, {});
    ASSERT_TRUE(played.ok()) << to_string(played.error());
    expect_same(*live->timing, *played);
    for (const char* key : {"timing.dram.latency_cycles", "timing.l2.misses", "timing.lds.latency_cycles"}) {
      SCOPED_TRACE(key);
      const Machine changed = with_scaled(first->machine, key, 1.2);
      const auto again = first->execute_on(changed, nullptr);
      const auto replayed = replay(changed, *first->module, *first->program, record, {});
      ASSERT_TRUE(again.ok() && replayed.ok());
      expect_same(*again->timing, *replayed);
      if (HasFailure()) return;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Some, Replay,
                         testing::Values("local_reduce", "local_histogram", "flow_calls", "barrier_exchange",
                                         "pattern_spmv", "private_dynamic"),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return std::string(info.param);
                         });

// By replay on several threads, by executing: the same figures. What says how comes along.
TEST(Sensitivity, ReplayAndExecutionAgree) {
  const auto first = First::make("mi25", corpus_path("local_reduce"));
  ASSERT_TRUE(first);
  LaunchRecord record, none;
  none.most_bytes = 1;
  Expected<RunData> run = first->execute_on(first->machine, &record);
  Expected<RunData> other = first->execute_on(first->machine, &none);
  ASSERT_TRUE(run.ok() && other.ok());
  ASSERT_TRUE(record.recording) << record.missing;
  EXPECT_FALSE(none.recording);
  EXPECT_FALSE(none.missing.empty());
  SensitivityWork work;
  work.record = &record;
  u32 executed = 0;
  work.again = [&](const Machine& changed) -> Expected<TimingResult> {
    ++executed;
    Expected<RunData> again = first->execute_on(changed, nullptr);
    if (!again) return again.error();
    return std::move(*again->timing);
  };
  work.threads = 3;
  ASSERT_TRUE(measure_sensitivity(*run, work).ok());
  EXPECT_EQ(executed, 0u);
  EXPECT_EQ(run->sensitivity_executed, "");
  ASSERT_FALSE(run->sensitivity.empty());
  work.record = &none;
  ASSERT_TRUE(measure_sensitivity(*other, work).ok());
  EXPECT_GT(executed, 0u);
  EXPECT_NE(other->sensitivity_executed.find("bytes"), std::string::npos) << other->sensitivity_executed;
  ASSERT_EQ(run->sensitivity.size(), other->sensitivity.size());
  for (std::size_t i = 0; i < run->sensitivity.size(); ++i) {
    EXPECT_EQ(run->sensitivity[i].key, other->sensitivity[i].key);
    EXPECT_EQ(run->sensitivity[i].change, other->sensitivity[i].change);
  }
  // Ended on the way.
  work.record = &record;
  work.go_on = [] { return false; };
  const Status ended = measure_sensitivity(*run, work);
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().code, "stopped");
}

// A work queue and a spin lock: what a returned atomic gave decides what is done next.
TEST(Sensitivity, WhatDependsOnWhenIsExecutedAgain) {
  const std::string lock = testing::TempDir() + "/lockstep-spin-lock-" + std::to_string(getpid()) + ".cl";
  std::ofstream(lock) << "// arg: state buffer uint[2] zero\n"
                         "// launch: kernel=locked global=256 local=64 args=state\n"
                         "// compare: state exact\n"
                         "__kernel void locked(volatile __global uint* state) {\n"
                         "  if (get_local_id(0) == 0) {\n"
                         "    while (atomic_cmpxchg(&state[0], 0u, 1u) != 0u) {}\n"
                         "    state[1] += 1;\n"
                         "    atomic_xchg(&state[0], 0u);\n"
                         "  }\n"
                         "}\n";
  for (const std::string& path : {corpus_path("atomics_queue"), lock}) {
    SCOPED_TRACE(path);
    const auto first = First::make("mi25", path);
    ASSERT_TRUE(first);
    LaunchRecord record;
    Expected<RunData> run = first->execute_on(first->machine, &record);
    ASSERT_TRUE(run.ok()) << to_string(run.error());
    ASSERT_TRUE(record.recording) << record.missing;
    EXPECT_TRUE(record.recording->timing_dependent);
    SensitivityWork work;
    work.record = &record;
    u32 executed = 0;
    work.again = [&](const Machine&) -> Expected<TimingResult> {
      ++executed;
      return *run->timing;
    };
    ASSERT_TRUE(measure_sensitivity(*run, work).ok());
    EXPECT_EQ(executed, assumed_quantities(first->machine, "timing.").size());
    EXPECT_NE(run->sensitivity_executed.find("depends on when"), std::string::npos);
    EXPECT_TRUE(run->sensitivity.empty());
  }
  std::remove(lock.c_str());
}

}  // namespace
}  // namespace lockstep
