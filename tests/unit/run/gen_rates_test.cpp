// Arithmetic on the timed Intel GPUs, in OpenCL C that Intel's compiler makes into machine code: what the
// model takes for it is what the machine's file states.
#include "amd_assembly.h"
#include "compile/toolchain.h"

namespace lockstep {
namespace {

using amd_assembly::argument_value;

// Kernels NAME_32 and NAME_96 of as many steps in a round; threads have 16 channels, of two registers each.
constexpr const char* source = R"(
#define R4(S) S S S S
#define R32(S) R4(R4(S)) R4(R4(S))
#define PAIR(NAME, T, STEP)                                                                         \
  __attribute__((intel_reqd_sub_group_size(16))) __kernel void NAME##_32(__global T* out, int rounds, T a, T b) { \
    T x = (T)get_global_id(0);                                                                      \
    _Pragma("nounroll") for (int i = 0; i < rounds; ++i) { R32(STEP) }                              \
    out[get_global_id(0)] = x;                                                                      \
  }                                                                                                 \
  __attribute__((intel_reqd_sub_group_size(16))) __kernel void NAME##_96(__global T* out, int rounds, T a, T b) { \
    T x = (T)get_global_id(0);                                                                      \
    _Pragma("nounroll") for (int i = 0; i < rounds; ++i) { R32(STEP) R32(STEP) R32(STEP) }          \
    out[get_global_id(0)] = x;                                                                      \
  }
PAIR(mads, float, x = mad(x, a, b);)
PAIR(roots, float, x = native_rsqrt(x);)
PAIR(products, int, x = (x ^ a) * b;)
)";

class GenRates : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!find_tool(Tool::ocloc).ok() || !find_tool(Tool::iga).ok()) GTEST_SKIP() << "no Intel compiler";
    const auto machine = load_machine(machine_directory(), GetParam());
    ASSERT_TRUE(machine.ok());
    machine_ = std::make_unique<Machine>(*machine);
    CompileRequest request;
    request.path = "rates.cl";
    request.source = source;
    request.language = SourceLanguage::opencl_c;
    request.target = machine_->target;
    Expected<LoadedProgram> loaded = load_program(request);
    ASSERT_TRUE(loaded.ok()) << to_string(loaded.error());
    module_ = std::move(loaded->module);
    bench_ = std::make_unique<amd_assembly::Bench>(GetParam(), *module_);
  }
  u32 figure(const std::string& key) const { return static_cast<u32>(integer(*machine_, key)); }
  u32 kind(const std::string& name) const { return figure(fmt::format("timing.eu.{}_cycles", name)); }

  // Cycles of one step where `threads` run it on the device.
  f64 of_step(const std::string& name, u32 threads) {
    const auto round = [&](u32 length) {
      const auto cycles = [&](u32 rounds) {
        return bench_
            ->run_with(fmt::format("{}_{}", name, length),
                       {argument_value(bench_->buffer()), argument_value(rounds), argument_value(3u),
                        argument_value(5u)},
                       threads, 16)
            .cycles;
      };
      cycles(8);  // the code is there
      return static_cast<f64>(cycles(24) - cycles(8)) / 16;
    };
    return (round(96) - round(32)) / 64;
  }

 private:
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<Module> module_;
  std::unique_ptr<amd_assembly::Bench> bench_;
};

TEST_P(GenRates, AThreadWaitsForItsResults) {
  EXPECT_NEAR(of_step("mads", 1), 2 * kind("full") + kind("full_result"), 0.1);
  EXPECT_NEAR(of_step("roots", 1), 2 * kind("math") + kind("math_result"), 0.1);
  // UHD 600 has no product of two 32-bit integers: its compiler makes two instructions of one.
  if (GetParam() == "uhd600") return;
  EXPECT_NEAR(of_step("products", 1),
              2 * kind("product") + kind("product_result") + 2 * kind("full") + kind("full_result"), 0.1);
}

// Groups of a thread each, as many as a subslice takes: two on an execution unit, or more.
TEST_P(GenRates, ThreadsFillBothPipesOrTheSecond) {
  const u32 units = figure("compute.units"), groups = figure("occupancy.groups_per_unit");
  const f64 lanes = 16.0 * groups;
  const auto rate = [&](const std::string& name) { return lanes / of_step(name, units * groups); };
  // Of so many threads a chain of steps fills the pipes as far as their latency lets it.
  const f64 alone = 2 * kind("full") + kind("full_result");
  EXPECT_NEAR(rate("mads"), std::min(lanes / alone, static_cast<f64>(figure("rate.f32"))),
              0.03 * lanes / alone);
  const f64 root = 2 * kind("math") + kind("math_result");
  EXPECT_NEAR(rate("roots"), std::min(lanes / root, static_cast<f64>(figure("rate.special"))),
              0.03 * lanes / root);
}

INSTANTIATE_TEST_SUITE_P(Gpus, GenRates, testing::Values("hd530", "uhd600"));

}  // namespace
}  // namespace lockstep
