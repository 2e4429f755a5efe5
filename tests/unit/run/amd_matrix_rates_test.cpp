// Matrix instructions: how long each form takes, what the whole GPU reaches against the vendor's figure, what
// runs beside them.
#include "amd_assembly.h"

namespace lockstep {
namespace {

using namespace amd_assembly;

struct Form {
  const char* mnemonic;
  u32 a_registers, result_registers;
  u32 cycles;
  u64 operations;     // multiplications and additions
  f64 peak_tera = 0;  // of the vendor, per second; 0: none stated
  bool sparse = false;
};

std::string range(u32 first, u32 count, char file = 'v') {
  return count == 1 ? fmt::format("{}{}", file, first)
                    : fmt::format("{}[{}:{}]", file, first, first + count - 1);
}

// Sources of cycles: AMD's matrix instruction calculator, LLVM SISchedule.td (passes of four cycles). Of
// peaks: data sheets and white papers of MI100, MI210, MI250X (one of its two dies here), MI300X, MI300A, RX
// 7900 XTX and RX 9070 XT (AMD states sparse figures as twice the dense ones).
const std::map<std::string, std::vector<Form>> forms = {
    {"mi100",
     {{"v_mfma_f32_32x32x2f32", 1, 16, 64, 4096, 46.1},
      {"v_mfma_f32_16x16x4f32", 1, 4, 32, 2048, 46.1},
      {"v_mfma_f32_32x32x8f16", 2, 16, 64, 16384, 184.6},
      {"v_mfma_f32_16x16x16f16", 2, 4, 32, 8192, 184.6},
      {"v_mfma_f32_4x4x4f16", 2, 4, 8, 2048, 184.6},
      {"v_mfma_f32_32x32x4bf16", 1, 16, 64, 8192, 92.3},
      {"v_mfma_i32_32x32x8i8", 1, 16, 64, 16384, 184.6}}},
    {"mi210",
     {{"v_mfma_f64_16x16x4f64", 2, 8, 32, 2048, 45.3},
      {"v_mfma_f64_4x4x4f64", 2, 2, 16, 512},
      {"v_mfma_f32_32x32x2f32", 1, 16, 64, 4096, 45.3},
      {"v_mfma_f32_32x32x8f16", 2, 16, 64, 16384, 181},
      {"v_mfma_f32_16x16x16bf16_1k", 2, 4, 32, 8192, 181},
      {"v_mfma_i32_16x16x16i8", 1, 4, 32, 8192, 181}}},
    {"mi250x",
     {{"v_mfma_f64_16x16x4f64", 2, 8, 32, 2048, 95.7 / 2},
      {"v_mfma_f32_16x16x4f32", 1, 4, 32, 2048, 95.7 / 2},
      {"v_mfma_f32_32x32x8bf16_1k", 2, 16, 64, 16384, 383.0 / 2},
      {"v_mfma_f32_32x32x8f16", 2, 16, 64, 16384, 383.0 / 2},
      {"v_mfma_i32_32x32x8i8", 1, 16, 64, 16384, 383.0 / 2}}},
    {"mi300x",
     {{"v_mfma_f64_16x16x4_f64", 2, 8, 32, 2048, 163.4},
      {"v_mfma_f32_32x32x2_f32", 1, 16, 64, 4096, 163.4},
      {"v_mfma_f32_16x16x8_xf32", 2, 4, 16, 4096, 653.7},
      {"v_mfma_f32_32x32x8_f16", 2, 16, 32, 16384, 1307.4},
      {"v_mfma_f32_16x16x16_bf16", 2, 4, 16, 8192, 1307.4},
      {"v_mfma_f32_32x32x4_2b_f16", 2, 32, 64, 16384},
      {"v_mfma_i32_16x16x32_i8", 2, 4, 16, 16384, 2614.9},
      {"v_mfma_f32_32x32x16_fp8_fp8", 2, 16, 32, 32768, 2614.9},
      {"v_smfmac_f32_16x16x32_f16", 2, 4, 16, 16384, 2614.9, true},
      {"v_smfmac_i32_32x32x32_i8", 2, 16, 32, 65536, 5229.8, true}}},
    {"mi300a",
     {{"v_mfma_f64_16x16x4_f64", 2, 8, 32, 2048, 122.6},
      {"v_mfma_f32_32x32x8_f16", 2, 16, 32, 16384, 980.6},
      {"v_mfma_i32_32x32x16_i8", 2, 16, 32, 32768, 1961.2}}},
    {"rx7900xtx",
     {{"v_wmma_f32_16x16x16_f16", 8, 8, 32, 8192, 122.8},
      {"v_wmma_f32_16x16x16_bf16", 8, 8, 32, 8192, 122.8},
      {"v_wmma_i32_16x16x16_iu8", 4, 8, 32, 8192, 122.8},
      {"v_wmma_i32_16x16x16_iu4", 2, 8, 16, 8192, 245.6}}},
    {"rx9070xt",
     {{"v_wmma_f32_16x16x16_f16", 4, 8, 16, 8192, 195},
      {"v_wmma_f32_16x16x16_fp8_fp8", 2, 8, 8, 8192, 389},
      {"v_wmma_i32_16x16x16_iu8", 2, 8, 8, 8192, 389},
      {"v_wmma_i32_16x16x32_iu4", 2, 8, 8, 16384, 779},
      {"v_swmmac_f32_16x16x32_f16", 4, 8, 16, 16384, 389, true},
      {"v_swmmac_i32_16x16x32_iu8", 2, 8, 8, 16384, 779, true}}},
};

// Chains add to one result, streams to two in turns. CDNA 1 has results in accumulators alone.
std::string instruction(const Form& form, const Target& target, bool chain, u32 number) {
  const u32 b_registers = form.sparse ? 2 * form.a_registers : form.a_registers;
  const u32 first = 32 + (chain ? 0 : number % 2) * std::max(16u, form.result_registers);
  const std::string result = range(first, form.result_registers, target.name == "gfx908" ? 'a' : 'v');
  return fmt::format("{} {}, {}, {}, {}", form.mnemonic, result, range(8, form.a_registers),
                     range(16, b_registers), form.sparse ? "v4" : result);
}

class Matrix : public testing::TestWithParam<std::string> {};

TEST_P(Matrix, FormsTakeTheirCyclesAndReachTheVendorsPeak) {
  const auto machine = load_machine(machine_directory(), GetParam());
  ASSERT_TRUE(machine.ok());
  const Target& target = *machine->target;
  std::vector<Kernel> kernels;
  u32 number = 0;
  for (const Form& form : forms.at(GetParam())) {
    for (const bool chain : {false, true})
      add_repeated(kernels, target, fmt::format("k{}_{}", number, chain ? "chain" : "stream"), 128,
                   [&](u32 n) { return instruction(form, target, chain, n); });
    ++number;
  }
  const auto module = assembled(target, kernels);
  ASSERT_NE(module, nullptr);
  Bench bench(GetParam(), *module);
  bench.cycles(kernels[0].name, 1, 64);
  const f64 clock = static_cast<f64>(integer(bench.machine(), "clock.boost_hz"));
  const f64 simds = static_cast<f64>(integer(bench.machine(), "compute.units") *
                                     integer(bench.machine(), "compute.simds_per_unit"));
  number = 0;
  for (const Form& form : forms.at(GetParam())) {
    SCOPED_TRACE(GetParam() + " " + form.mnemonic);
    const std::string name = fmt::format("k{}", number++);
    const f64 stream = cost_of_one(bench, name + "_stream");
    EXPECT_DOUBLE_EQ(stream, form.cycles);
    // A sum goes on in the matrix unit.
    EXPECT_DOUBLE_EQ(cost_of_one(bench, name + "_chain"), form.cycles);
    if (form.peak_tera != 0) {
      const f64 tera = simds * static_cast<f64>(form.operations) / stream * clock / 1e12;
      EXPECT_NEAR(tera, form.peak_tera, 0.01 * form.peak_tera);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gpus, Matrix,
                         testing::Values("mi100", "mi210", "mi250x", "mi300x", "mi300a", "rx7900xtx",
                                         "rx9070xt"),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

// Vector instructions between matrix instructions: free where the unit works beside the ALU, for as many
// turns as it leaves.
TEST(MatrixUnit, WorksBesideTheVectorAlu) {
  struct Case {
    const char *gpu, *matrix;
    u32 independent;  // vector instructions of four cycles behind each matrix instruction
    f64 cycles;       // of both together
  };
  const Case cases[] = {
      {"mi100", "v_mfma_f32_16x16x4f32 a[32:35], v8, v9, a[32:35]", 6, 32},  // the ALU is free after 8
      {"mi100", "v_mfma_f32_16x16x4f32 a[32:35], v8, v9, a[32:35]", 8, 40},
      {"mi210", "v_mfma_f32_16x16x4f32 v[32:35], v8, v9, v[32:35]", 7, 32},            // after 4
      {"mi210", "v_mfma_f64_16x16x4f64 v[32:39], v[8:9], v[10:11], v[32:39]", 7, 60},  // never
      {"mi300x", "v_mfma_f32_16x16x16_f16 v[32:35], v[8:9], v[10:11], v[32:35]", 2, 16},
      {"mi300x", "v_mfma_f32_16x16x4_f32 v[32:35], v8, v9, v[32:35]", 2, 40},
      {"rx7900xtx", "v_wmma_f32_16x16x16_f16 v[32:39], v[8:15], v[16:23], v[32:39]", 8, 40},
  };
  u32 number = 0;
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.gpu) + " " + c.matrix);
    const auto machine = load_machine(machine_directory(), c.gpu);
    ASSERT_TRUE(machine.ok());
    std::vector<Kernel> kernels;
    const std::string name = fmt::format("k{}", number++);
    add_repeated(kernels, *machine->target, name, 128, [&](u32) {
      std::string text = c.matrix;
      for (u32 i = 0; i < c.independent; ++i) text += fmt::format("\n  v_and_b32 v{}, v2, v3", 80 + i);
      return text;
    });
    const auto module = assembled(*machine->target, kernels);
    ASSERT_NE(module, nullptr);
    Bench bench(c.gpu, *module);
    bench.cycles(kernels[0].name, 1, 64);
    EXPECT_DOUBLE_EQ(cost_of_one(bench, name), c.cycles);
  }
}

// A reader other than the sum waits for the last pass and what LLVM's wait states stand for.
TEST(MatrixUnit, ResultsAreThereAfterTheLastPass) {
  struct Case {
    const char *gpu, *matrix, *reader;
    f64 cycles;
  };
  const Case cases[] = {
      {"mi100", "v_mfma_f32_4x4x1f32 a[32:35], v8, v9, a[32:35]", "v_accvgpr_read_b32 v8, a32", 8 + 12 + 4},
      {"mi210", "v_mfma_f32_16x16x4f32 v[32:35], v8, v9, v[32:35]", "v_and_b32 v8, v32, v33", 32 + 16 + 4},
      {"rx9070xt", "v_wmma_f32_16x16x16_f16 v[32:39], v[8:11], v[16:19], v[32:39]", "v_and_b32 v8, v32, v33",
       16 + 5},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.gpu);
    const auto machine = load_machine(machine_directory(), c.gpu);
    ASSERT_TRUE(machine.ok());
    std::vector<Kernel> kernels;
    add_repeated(kernels, *machine->target, "k", 128,
                 [&](u32) { return fmt::format("{}\n  {}", c.matrix, c.reader); });
    const auto module = assembled(*machine->target, kernels);
    ASSERT_NE(module, nullptr);
    Bench bench(c.gpu, *module);
    EXPECT_DOUBLE_EQ(cost_of_one(bench, "k"), c.cycles);
  }
}

}  // namespace
}  // namespace lockstep
