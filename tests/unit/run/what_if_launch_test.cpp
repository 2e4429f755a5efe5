// What-ifs of whole launches: what the model charges for the thing that is taken away is gone.
#include <gtest/gtest.h>

#include "run/launch_arguments.h"
#include "run/loader.h"
#include "run/simulation.h"
#include "run/what_if.h"

namespace lockstep {
namespace {

// An empty kernel of so many groups of one wave that a launch takes as long as groups start and end one after
// the other.
TEST(InstantStarts, NeitherStartsNorEndsWaitForTheirTurn) {
  const Expected<Machine> machine = load_machine(machine_directory(), "v100");
  ASSERT_TRUE(machine.ok());
  CompileRequest request;
  request.path = "empty.cl";
  request.source = "__kernel void empty() {}";
  request.language = SourceLanguage::opencl_c;
  request.target = machine->target;
  const Expected<LoadedProgram> loaded = load_program(request);
  ASSERT_TRUE(loaded.ok()) << to_string(loaded.error());
  constexpr u64 groups = 16'384;
  NdRange range;
  range.dimensions = 1;
  range.local[0] = 32;
  range.global[0] = groups * range.local[0];
  DeviceMemory memory;
  LaunchRecord record;
  SimulationOptions options;
  options.record = &record;
  Expected<RunData> run = simulate(memory, *machine, *loaded->module, **find_kernel(*loaded->module, "empty"),
                                   range, {}, options);
  ASSERT_TRUE(run.ok()) << to_string(run.error());
  WhatIfWork work;
  work.record = &record;
  work.only = {"instant_starts"};
  ASSERT_TRUE(ask_what_if(*run, work).ok());
  const WhatIf* instant = run->what_if->find("instant_starts");
  ASSERT_NE(instant, nullptr);
  const u64 ends =
      groups * static_cast<u64>(integer_or(*machine, "timing.dispatch.cycles_per_256_ends", 0)) / 256;
  ASSERT_GT(ends, 0u);
  EXPECT_GE(run->timing->cycles - run->timing->launch_cycles, ends);
  EXPECT_LT(instant->cycles - run->timing->launch_cycles, ends / 4);
}

}  // namespace
}  // namespace lockstep
