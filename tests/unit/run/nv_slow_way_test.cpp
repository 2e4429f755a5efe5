// Divisions, reciprocals and roots on NVIDIA: one lane with a zero sends its warp the slow way, and what is
// played back takes it too.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "../time/support.h"
#include "first_launch.h"
#include "run/sensitivity.h"

namespace lockstep {
namespace {

using namespace timing_test;

constexpr u32 turns = 16;

struct Operation {
  const char *name, *type;
  bool two;
  u32 instructions;  // of the routine and the call on a zero's way, counted in SASS of ptxas (CUDA 13, sm_90)
  u32 device, normal;  // cycles of an H200, experiments/h200-timing/slow_ways.txt: of a zero, of a one
};

constexpr Operation operations[] = {
    {"div.rn.f32", "float", true, 34, 206, 45},   {"rcp.rn.f32", "float", false, 15, 166, 69},
    {"sqrt.rn.f32", "float", false, 10, 125, 47}, {"div.rn.f64", "double", true, 69, 410, 111},
    {"rcp.rn.f64", "double", false, 17, 187, 65}, {"sqrt.rn.f64", "double", false, 18, 210, 83}};

struct Times {
  u64 instructions = 0, cycles = 0;
};

// Two warps compute the operation of a[i] again and again: of `first` in the first work-item, of `others` in
// the others.
Times times_of(const char* gpu, const Operation& operation, const std::string& first,
               const std::string& others) {
  const std::string path = testing::TempDir() + "lockstep_slow_way_" + std::to_string(getpid()) + ".cl";
  const std::string type = operation.type, letter = type == "float" ? "f" : "d";
  std::string values = first;
  for (u32 i = 1; i < 64; ++i) values += "," + others;
  std::ofstream(path) << "// arg: a buffer " << type << "[64] values(" << values << ")\n// arg: out buffer "
                      << type
                      << "[64] zero\n// arg: none scalar int 0\n// launch: kernel=k global=64 local=64\n// "
                         "compare: out exact\n"
                      << "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                      << "__kernel void k(__global const " << type << "* a, __global " << type
                      << "* out, int none) {\n"
                      << "  const " << type << " three = 3;\n  " << type << " r = 0, sum = 0;\n"
                      << "  __attribute__((opencl_unroll_hint(1))) for (int i = 0; i < " << turns
                      << "; ++i) {\n"
                      << "    const " << type << " x = a[get_global_id(0) + (i & none)];\n"
                      << "    __asm__ volatile(\"" << operation.name << " %0, %1"
                      << (operation.two ? ", %2" : "") << ";\" : \"=" << letter << "\"(r) : \"" << letter
                      << "\"(x), \"" << letter << "\"(three));\n"
                      << "    sum += r;\n  }\n  out[get_global_id(0)] = sum;\n}\n";
  const auto launch = First::make(gpu, path);
  std::remove(path.c_str());
  if (!launch) return {};
  LaunchRecord record;
  const auto live = launch->execute_on(launch->machine, &record);
  if (!live.ok() || !record.recording) {
    ADD_FAILURE() << (live.ok() ? record.missing : to_string(live.error()));
    return {};
  }
  const auto played = replay(launch->machine, *launch->module, *launch->program, record, {});
  EXPECT_TRUE(played.ok());
  if (played.ok()) expect_same(*live->timing, *played);
  return {live->timing->instructions, live->timing->cycles};
}

TEST(NvSlowWay, OneLaneSendsItsWarpThere) {
  for (const Operation& operation : operations) {
    SCOPED_TRACE(operation.name);
    const Times none = times_of("h200", operation, "1", "1"), one = times_of("h200", operation, "0", "1"),
                all = times_of("h200", operation, "0", "0");
    EXPECT_EQ(one.instructions - none.instructions, turns * operation.instructions);
    EXPECT_EQ(all.instructions - none.instructions, 2 * turns * operation.instructions);
    // Within a third of what the device takes longer: no figure of the machine was set by it.
    const f64 longer = static_cast<f64>(one.cycles - none.cycles) / turns,
              on_device = operation.device - operation.normal;
    EXPECT_NEAR(longer, on_device, on_device / 3) << longer;
  }
}

TEST(NvSlowWay, IsThereOnEveryGeneration) {
  for (const char* gpu : {"gtx580", "k40c", "gtx1080", "v100", "rtx2080ti", "a100"}) {
    SCOPED_TRACE(gpu);
    const Times none = times_of(gpu, operations[0], "1", "1"), one = times_of(gpu, operations[0], "0", "1");
    EXPECT_EQ(one.instructions - none.instructions, turns * operations[0].instructions);
    EXPECT_GT(one.cycles, none.cycles + turns * 50);
  }
}

}  // namespace
}  // namespace lockstep
