// One launch, whoever asks for it: what ends it and what checks find are part of its description.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "report/view.h"
#include "run/loader.h"
#include "run/simulation.h"

namespace lockstep {
namespace {

const char* const kernels = R"(
__kernel void beyond(__global int* x) { printf("item %d\n", (int)get_global_id(0)); x[get_global_id(0) << 20] = 1; }
__kernel void race(__global int* x) { x[0] = get_local_id(0); x[get_global_id(0)] = 2; }
__kernel void chatty(__global int* x) {
  for (int i = 0; i < 400; ++i) printf("a line of some sixty characters, so that there is much of it: %d\n", i);
}
__kernel void local_room(__global int* x, __local int* t) {
  t[get_local_id(0)] = x[get_global_id(0)];
  x[get_global_id(0)] = t[get_local_id(0)];
}
)";

class Launches : public testing::Test {
 protected:
  void SetUp() override {
    machine_ = load_machine(machine_directory(), "mi25");
    CompileRequest request;
    request.path = "kernels.cl";
    request.source = kernels;
    request.language = SourceLanguage::opencl_c;
    request.target = machine_->target;
    Expected<LoadedProgram> loaded = load_program(request);
    ASSERT_TRUE(loaded.ok()) << to_string(loaded.error());
    loaded_ = std::move(*loaded);
    address_ = *memory_.allocate(4096, 256, "x");
    memory_.mark_written(address_, 4096);
  }

  Expected<RunData> run(const char* kernel, SimulationOptions options, u32 items = 64) {
    ArgumentValue value;
    value.bytes.resize(8);
    std::memcpy(value.bytes.data(), &address_, 8);
    std::vector<ArgumentValue> values{value};
    const Program& program = **find_kernel(*loaded_.module, kernel);
    if (program.explicit_parameters() == 2) {
      values.emplace_back();
      values.back().local_bytes = 4096;
    }
    NdRange range;
    range.global = {items, 1, 1};
    range.local = {64, 1, 1};
    range.dynamic_local_bytes = 1024;
    return execute(memory_, *machine_, *loaded_.module, program, range, values, options);
  }

  Expected<Machine> machine_ = Diagnostic{};
  LoadedProgram loaded_;
  DeviceMemory memory_;
  u64 address_ = 0;
};

TEST_F(Launches, ThatFaultAreDescribed) {
  for (const bool timed : {false, true}) {
    SimulationOptions options;
    options.timed = timed;
    const auto run = this->run("beyond", options);
    ASSERT_TRUE(run.ok()) << to_string(run.error());
    ASSERT_TRUE(run->failed);
    EXPECT_FALSE(run->stopped);
    EXPECT_NE(run->printed.find("item 0\n"), std::string::npos);
    const Json report = Json::parse(json_report(*run));
    EXPECT_EQ(report["status"], "failed");
    EXPECT_EQ(report["views"]["failure"]["code"], run->failed->code);
    EXPECT_EQ(report["occupancy"]["limit"], 40);
    EXPECT_NE(text_report(*run).find("The launch failed"), std::string::npos);
  }
}

TEST_F(Launches, GoOnAfterAViolation) {
  for (const bool timed : {false, true}) {
    SimulationOptions options;
    options.timed = timed;
    options.checks = CheckSelection::all();
    const auto run = this->run("race", options);
    ASSERT_TRUE(run.ok()) << to_string(run.error());
    EXPECT_FALSE(run->failed);
    EXPECT_GT(run->violations.count(), 0u);
    const Json report = Json::parse(json_report(*run));
    EXPECT_EQ(report["status"], "done");
    EXPECT_EQ(report["views"]["violations"]["kept"][0]["code"], "data-race");
    EXPECT_EQ(report["cycles"].is_null(), !timed);
  }
}

TEST_F(Launches, PrintUpToFourMegabytes) {
  SimulationOptions options;
  options.timed = false;
  const auto run = this->run("chatty", options);
  ASSERT_TRUE(run.ok()) << to_string(run.error());
  EXPECT_EQ(std::ranges::count(run->printed, '\n'), 64 * 400);
}

TEST_F(Launches, OccupancyCountsAllLocalMemory) {
  SimulationOptions options;
  options.timed = false;
  const auto run = this->run("local_room", options);
  ASSERT_TRUE(run.ok()) << to_string(run.error());
  EXPECT_EQ(run->local_bytes, 4096u + 1024u);
  EXPECT_EQ(run->occupancy.limiter, "local memory");
  EXPECT_FALSE(run->occupancy.advice.empty());
}

TEST_F(Launches, ThatAreStoppedAreNoFailures) {
  SimulationOptions options;
  options.timed = false;
  options.progress = [](std::string_view, const RunProgress&) { return false; };
  const auto run = this->run("chatty", options, 1 << 20);
  ASSERT_TRUE(run.ok()) << to_string(run.error());
  EXPECT_TRUE(run->stopped);
  EXPECT_EQ(Json::parse(json_report(*run))["status"], "stopped");
}

}  // namespace
}  // namespace lockstep
