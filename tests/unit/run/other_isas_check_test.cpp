// Checked runs on Intel's Gen9 and AMD's VLIW: what is reported there of small kernels with one fault each,
// and that a program without one is left alone.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "compile/toolchain.h"
#include "exec/check/checked_run.h"
#include "exec/functional.h"
#include "machine/target.h"
#include "run/loader.h"

namespace lockstep {
namespace {

constexpr const char* source = R"(
__kernel void good(__global int* in, __global int* out) {
  __local int t[64];
  const int i = get_local_id(0);
  t[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max(&out[1], t[i ^ 33]);
  if (atomic_inc(&out[2]) == 0) atomic_add(&out[3], 5);
  out[16 + get_global_id(0)] = t[63 - i];
}
__kernel void behind(__global int* in, __global int* out) { out[get_global_id(0)] = in[get_global_id(0) + 64]; }
__kernel void both_store(__global int* in, __global int* out) { out[0] = in[get_global_id(0) & 63]; }
__kernel void bytes_store(__global int* in, __global char* out) { out[0] = (char)get_global_id(0); }
__kernel void local_race(__global int* in, __global int* out) {
  __local int t[128];
  const int i = get_local_id(0);
  t[i] = in[i & 63];
  out[get_global_id(0)] = t[i ^ 64];
}
__kernel void some_wait(__global int* in, __global int* out) {
  if (get_local_id(0) < 7) barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = in[0];
}
__kernel void unwritten(__global int* in, __global int* out) {
  __local int t[64];
  const int i = get_local_id(0);
  if (in[i & 63] < 0) t[i & 63] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t[(i * 3) & 63] > 3) out[get_global_id(0)] = 1;
}
)";

class OtherIsas : public testing::TestWithParam<const char*> {
 protected:
  // The codes of what is reported of 128 work-items in one group or two.
  std::set<std::string> reported(const std::string& kernel, u32 local = 128) {
    const Target* target = find_target(GetParam());
    CompileRequest request;
    request.path = "kernels.cl";
    request.source = source;
    request.language = SourceLanguage::opencl_c;
    request.target = target;
    Expected<LoadedProgram> loaded = load_program(request);
    if (!loaded.ok()) {
      ADD_FAILURE() << to_string(loaded.error());
      return {};
    }
    DeviceMemory memory(u64{64} << 20);
    memory.track_written();
    std::vector<u8> contents(1024);
    for (u32 i = 0; i < 256; ++i) std::memcpy(&contents[4 * i], &i, 4);
    std::vector<ArgumentValue> values;
    for (const u64 bytes : {256, 1024}) {
      const u64 address = *memory.allocate(bytes, 256, values.empty() ? "in" : "out");
      EXPECT_TRUE(memory.write(address, std::span(contents).first(bytes)).ok());
      ArgumentValue value;
      value.bytes.resize(8);
      std::memcpy(value.bytes.data(), &address, 8);
      values.push_back(value);
    }
    NdRange range;
    range.global = {128, 1, 1};
    range.local = {local, 1, 1};
    auto launch = PreparedLaunch::make(memory, *loaded->module, **find_kernel(*loaded->module, kernel), range,
                                       values, 16);
    if (!launch.ok()) {
      ADD_FAILURE() << to_string(launch.error());
      return {};
    }
    ViolationLog log;
    CheckedRun checker(**launch, CheckSelection::all(), &log);
    FunctionalOptions options;
    options.checker = &checker;
    options.instructions_per_wave = 100'000;
    std::set<std::string> codes;
    if (const auto result = run_functional(**launch, options); !result.ok())
      codes.insert(result.error().code);
    for (const Diagnostic& one : log.kept()) codes.insert(one.code);
    return codes;
  }
  void SetUp() override {
    const bool intel = std::string_view(GetParam()).starts_with("gen9");
    if (intel && (!find_tool(Tool::ocloc).ok() || !find_tool(Tool::iga).ok()))
      GTEST_SKIP() << "no Intel compiler";
  }
};

using Codes = std::set<std::string>;

TEST_P(OtherIsas, FaultsAreReported) {
  EXPECT_EQ(reported("good", 64), Codes{});
  EXPECT_TRUE(reported("behind").contains("out-of-bounds"));
  EXPECT_EQ(reported("both_store"), Codes{"data-race"});
  EXPECT_EQ(reported("bytes_store"), Codes{"data-race"});
  EXPECT_EQ(reported("local_race"), Codes{"data-race"});
  EXPECT_TRUE(reported("some_wait").contains("divergent-barrier"));
  EXPECT_TRUE(reported("unwritten").contains("uninitialised-value"));
}

INSTANTIATE_TEST_SUITE_P(Checker, OtherIsas, testing::Values("gen9", "gen9lp", "cypress", "cayman"),
                         [](const auto& target) { return std::string(target.param); });

}  // namespace
}  // namespace lockstep
