// What a functional run counts is what a timed run counts.
#include <gtest/gtest.h>

#include "corpus_launches.h"
#include "count/counter.h"
#include "report/counters.h"
#include "time/source/live.h"

namespace lockstep {
namespace {

std::string corpus_path(const std::string& name) {
  return LOCKSTEP_SOURCE_DIR "/tests/corpus/" + name + ".cl";
}

// The counts of each launch of a case; nothing where the GPU cannot run it.
std::optional<std::vector<LaunchCounts>> counted(const std::string& gpu, const std::string& path,
                                                 u32 threads) {
  const auto machine = load_machine(machine_directory(), gpu);
  std::vector<LaunchCounts> counts;
  const auto contents = contents_after({gpu, path}, 2048, [&](const PreparedLaunch& launch) {
    const auto rules = counting_rules(*machine, launch.program().needs.wave_lanes);
    if (!rules.ok()) return std::optional<Diagnostic>(rules.error());
    LaunchCounter counter(launch.module(), *rules, threads);
    FunctionalOptions options;
    options.threads = threads;
    counter.watch(options);
    const auto result = run_functional(launch, options);
    if (!result.ok()) return std::optional<Diagnostic>(result.error());
    counts.push_back(counter.result());
    EXPECT_EQ(counts.back().instructions, result->wave_instructions);
    return std::optional<Diagnostic>();
  });
  if (!contents) return std::nullopt;
  return counts;
}

std::optional<std::vector<TimingResult>> timed(const std::string& gpu, const std::string& path) {
  const auto machine = load_machine(machine_directory(), gpu);
  auto device = TimedDevice::make(*machine);
  if (!device.ok()) {
    ADD_FAILURE() << to_string(device.error());
    return std::nullopt;
  }
  std::vector<TimingResult> results;
  const auto contents = contents_after({gpu, path}, 16384, [&](const PreparedLaunch& launch) {
    LiveFactory sources(launch);
    auto result = (*device)->launch(timed_launch(launch), sources, {});
    if (!result.ok()) return std::optional<Diagnostic>(result.error());
    results.push_back(std::move(*result));
    return std::optional<Diagnostic>();
  });
  if (!contents) return std::nullopt;
  return results;
}

const Counter* find(const std::vector<Counter>& counters, const std::string& name) {
  for (const Counter& counter : counters) {
    if (counter.name == name) return &counter;
  }
  return nullptr;
}

void expect_same(const LaunchCounts& counts, const TimingResult& timing) {
  // Every counter that both have; these they must have.
  const std::vector<Counter> named = counters_of(counts);
  for (const char* name :
       {"instructions", "instructions.valu", "instructions.class.salu", "lanes.active", "branches",
        "branches.taken", "barriers", "vector.transactions", "vector.ideal_transactions", "vector.load_bytes",
        "vector.store_bytes", "lds.bytes", "scalar.requests", "scalar.bytes"}) {
    // Machines without scalar loads have nothing to count of them.
    const Counter* scalar = find(timing.counters, "scalar.requests");
    const bool none =
        std::string_view(name).starts_with("scalar.") && scalar != nullptr && scalar->value == 0;
    EXPECT_TRUE(none || find(named, name) != nullptr) << name;
    EXPECT_NE(find(timing.counters, name), nullptr) << name;
  }
  for (const Counter& counter : named) {
    const Counter* other = find(timing.counters, counter.name);
    if (other == nullptr) continue;
    EXPECT_EQ(counter.value, other->value) << counter.name;
    EXPECT_EQ(counter.unit, other->unit) << counter.name;
  }
  EXPECT_EQ(counts.active_lanes, timing.active_lanes);

  ASSERT_EQ(counts.per_instruction.size(), timing.per_instruction.size());
  for (std::size_t i = 0; i < counts.per_instruction.size(); ++i) {
    SCOPED_TRACE("instruction " + std::to_string(i));
    const InstructionCounts& one = counts.per_instruction[i];
    const InstructionFigures& other = timing.per_instruction[i];
    EXPECT_EQ(one.issued, other.issued);
    EXPECT_EQ(one.lanes_active, other.lanes_active);
    EXPECT_EQ(one.atomic_lanes, other.atomic_lanes + other.local_atomic_lanes);
    u64 made = 0, ideal = 0;
    for (const Space space : {Space::global, Space::private_memory, Space::image}) {
      made += one.of(space).transactions;
      ideal += one.of(space).ideal_transactions;
    }
    EXPECT_EQ(made, other.transactions);
    EXPECT_EQ(ideal, other.ideal_transactions);
    // On these machines a further pass costs one cycle.
    const SpaceCounts& local = one.of(Space::local);
    EXPECT_EQ(local.transactions - local.ideal_transactions, other.bank_conflict_cycles);
    if (testing::Test::HasFailure()) return;
  }
}

class CountedAsTimed : public testing::TestWithParam<const char*> {};

TEST_P(CountedAsTimed, OnSeveralMachines) {
  u32 ran = 0;
  for (const char* gpu :
       {"hd7970", "mi25", "mi210", "mi300x", "rx6900xt", "rx9070xt", "hd5870", "hd6970", "hd530", "uhd600"}) {
    SCOPED_TRACE(gpu);
    const auto counts = counted(gpu, corpus_path(GetParam()), 1);
    if (!counts) continue;
    const auto times = timed(gpu, corpus_path(GetParam()));
    ASSERT_TRUE(times);
    ASSERT_EQ(counts->size(), times->size());
    for (std::size_t i = 0; i < counts->size(); ++i) expect_same((*counts)[i], (*times)[i]);
    if (HasFailure()) return;
    ++ran;
  }
  EXPECT_GT(ran, 3u);
}

INSTANTIATE_TEST_SUITE_P(
    Some, CountedAsTimed,
    testing::Values("local_reduce", "local_histogram", "atomics_global", "barrier_exchange", "pattern_spmv",
                    "flow_calls", "private_dynamic", "local_transpose", "pattern_matmul", "image_linear",
                    "vector_load_store", "private_vectors", "flow_switch", "constant_tables"),
    [](const testing::TestParamInfo<const char*>& info) { return std::string(info.param); });

// NVIDIA's timed instructions are not PTX's; what they ask of memory is, but for what calls pass in their
// frames.
TEST(CountedAndTimed, SectorsOnNvidia) {
  u32 ran = 0;
  for (const char* gpu : {"8800", "gtx285", "gtx480", "k40c", "gtx1080", "v100", "a100", "h200"}) {
    for (const char* kernel :
         {"pattern_spmv", "local_transpose", "pattern_matmul", "vector_load_store", "local_reduce"}) {
      SCOPED_TRACE(std::string(gpu) + " " + kernel);
      // Its groups need more registers than these GPUs have.
      const std::string on = std::string(gpu) + " " + kernel;
      if (on == "8800 pattern_matmul" || on == "gtx285 pattern_matmul") continue;
      // What does not fit 63 registers is stored and loaded, which PTX does not say.
      if (on == "gtx480 pattern_matmul") continue;
      // Of 8 and 16 bytes functional runs take half and a quarter of a wave there, timed ones all of it.
      if (on == "gtx480 vector_load_store" || on == "k40c vector_load_store" ||
          on == "gtx1080 vector_load_store")
        continue;
      const auto counts = counted(gpu, corpus_path(kernel), 1);
      if (!counts) continue;
      const auto times = timed(gpu, corpus_path(kernel));
      ASSERT_TRUE(times);
      ASSERT_EQ(counts->size(), times->size());
      for (std::size_t i = 0; i < counts->size(); ++i) {
        const LaunchCounts& one = (*counts)[i];
        const TimingResult& other = (*times)[i];
        const std::vector<Counter> named = counters_of(one);
        for (const char* name : {"vector.transactions", "vector.ideal_transactions", "vector.load_bytes",
                                 "vector.store_bytes", "lds.bytes"})
          EXPECT_EQ(find(named, name)->value, find(other.counters, name)->value) << name;
        ASSERT_EQ(one.per_instruction.size(), other.per_instruction.size());
        for (std::size_t k = 0; k < one.per_instruction.size(); ++k) {
          u64 made = 0;
          for (const Space space : {Space::global, Space::private_memory, Space::image})
            made += one.per_instruction[k].of(space).transactions;
          EXPECT_EQ(made, other.per_instruction[k].transactions) << "instruction " << k;
        }
      }
      if (HasFailure()) return;
      ++ran;
    }
  }
  EXPECT_EQ(ran, 34u);
}

class Counted : public testing::TestWithParam<const char*> {};

bool same(const InstructionCounts& a, const InstructionCounts& b) {
  for (std::size_t s = 0; s < space_count; ++s) {
    const SpaceCounts &one = a.spaces[s], &other = b.spaces[s];
    if (one.accesses != other.accesses || one.lanes != other.lanes || one.bytes() != other.bytes() ||
        one.transactions != other.transactions || one.ideal_transactions != other.ideal_transactions)
      return false;
  }
  return a.issued == b.issued && a.lanes_active == b.lanes_active && a.branches_taken == b.branches_taken &&
         a.parted == b.parted && a.atomic_lanes == b.atomic_lanes &&
         a.most_same_in_wave == b.most_same_in_wave && a.most_same == b.most_same &&
         a.hot_address == b.hot_address;
}

// Of every vendor's GPUs that execute, timed or not; and the lines' sums are the counters.
TEST_P(Counted, AnyNumberOfThreadsCountsTheSame) {
  u32 ran = 0;
  for (const char* gpu : {"mi25", "rx6900xt", "gtx285", "gtx580", "k40c", "gtx1080", "v100", "h100"}) {
    SCOPED_TRACE(gpu);
    const auto one = counted(gpu, corpus_path(GetParam()), 1);
    if (!one) continue;
    const auto four = counted(gpu, corpus_path(GetParam()), 4);
    ASSERT_TRUE(four);
    ASSERT_EQ(one->size(), four->size());
    for (std::size_t i = 0; i < one->size(); ++i) {
      const LaunchCounts &a = (*one)[i], &b = (*four)[i];
      EXPECT_GT(a.instructions, 0u);
      EXPECT_GT(a.total.of(Space::global).transactions, 0u);
      EXPECT_TRUE(same(a.total, b.total));
      EXPECT_EQ(a.active_lanes, b.active_lanes);
      EXPECT_EQ(a.barriers, b.barriers);
      EXPECT_EQ(a.by_cost, b.by_cost);
      ASSERT_EQ(a.per_instruction.size(), b.per_instruction.size());
      EXPECT_EQ(a.lanes_by_instruction, b.lanes_by_instruction);
      for (const auto& [number, histogram] : a.lanes_by_instruction) {
        u64 issued = 0, lanes = 0;
        for (std::size_t k = 0; k < histogram.size(); ++k) {
          issued += histogram[k];
          lanes += k * histogram[k];
        }
        EXPECT_EQ(issued, a.per_instruction[number].issued);
        EXPECT_EQ(lanes, a.per_instruction[number].lanes_active);
      }
      InstructionCounts sum;
      for (std::size_t k = 0; k < a.per_instruction.size(); ++k) {
        EXPECT_TRUE(same(a.per_instruction[k], b.per_instruction[k])) << "instruction " << k;
        sum += a.per_instruction[k];
      }
      sum.most_same = a.total.most_same;  // of all instructions together
      sum.hot_address = a.total.hot_address;
      EXPECT_TRUE(same(sum, a.total));
    }
    ++ran;
  }
  EXPECT_GT(ran, 6u);
}

INSTANTIATE_TEST_SUITE_P(Some, Counted,
                         testing::Values("local_reduce", "local_histogram", "barrier_exchange",
                                         "pattern_matmul", "private_dynamic", "atomics_global"),
                         [](const testing::TestParamInfo<const char*>& info) {
                           return std::string(info.param);
                         });

}  // namespace
}  // namespace lockstep
