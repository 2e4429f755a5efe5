// Variables of HIP and CUDA C++ that a host program writes: contents for them, and what a run makes of those
// that nobody writes.
#include <gtest/gtest.h>

#include <cstring>

#include "compile/unset_constants.h"
#include "run/loader.h"
#include "run/simulation.h"

namespace lockstep {
namespace {

const char* const kernels = R"(
__constant__ float weights[4];
__constant__ int limit;
__constant__ int none = 0;
__constant__ int table[4] = {1, 10, 100, 1000};
__device__ int counter;
__managed__ int managed = 3;
int main() { return managed++; }
namespace scope {
__constant__ int limit;
}
__global__ void weigh(float* x) { x[threadIdx.x] *= weights[threadIdx.x & 3]; }
__global__ void count(float* x) {
  if ((int)threadIdx.x < limit) x[threadIdx.x] = counter + table[threadIdx.x & 3];
}
__global__ void inner(float* x) {
  if ((int)threadIdx.x < scope::limit) x[threadIdx.x] = 7;
}
__global__ void initialised(float* x) {
  if ((int)threadIdx.x >= none + counter) x[threadIdx.x] = 5;
}
__global__ void both(float* x) {
  x[threadIdx.x] = managed;
}
)";

struct Loaded {
  std::unique_ptr<Module> module;
  Expected<Machine> machine = Diagnostic{};
};

Loaded load(const char* gpu, SourceLanguage language, const std::string& source = kernels) {
  Loaded loaded;
  loaded.machine = load_machine(machine_directory(), gpu);
  CompileRequest request;
  request.path = language == SourceLanguage::hip ? "kernel.hip" : "kernel.cu";
  request.source = source;
  request.language = language;
  request.target = loaded.machine->target;
  Expected<LoadedProgram> program = load_program(request);
  if (!program) {
    ADD_FAILURE() << gpu << ": " << to_string(program.error());
  } else {
    loaded.module = std::move(program->module);
  }
  return loaded;
}

Expected<std::vector<SymbolContents>> place(const Module& module, const std::vector<std::string>& texts) {
  std::vector<ArgumentText> given;
  for (const std::string& text : texts) {
    Expected<ArgumentText> argument = parse_argument_text(text, "--symbol");
    if (!argument) return argument.error();
    given.push_back(std::move(*argument));
  }
  return place_symbols(module, given);
}

struct Ran {
  std::string error;
  std::vector<float> x;
};

// 64 work-items over x, which is 1 everywhere.
Ran run(const Loaded& loaded, const char* kernel, const std::vector<std::string>& symbols,
        CheckSelection checks = {}) {
  Ran ran;
  const auto placed = place(*loaded.module, symbols);
  if (!placed) return {to_string(placed.error()), {}};
  DeviceMemory memory(u64{64} << 20);
  if (checks.values) memory.track_written();
  ran.x.assign(64, 1.0f);
  const u64 address = *memory.allocate(256, 256, "x");
  EXPECT_TRUE(memory.write(address, {reinterpret_cast<const u8*>(ran.x.data()), 256}).ok());
  ArgumentValue value;
  value.bytes.resize(8);
  std::memcpy(value.bytes.data(), &address, 8);
  NdRange range;
  range.global = {64, 1, 1};
  range.local = {64, 1, 1};
  SimulationOptions options;
  options.timed = false;
  options.checks = checks;
  options.symbols = *placed;
  const Expected<RunData> data = simulate(memory, *loaded.machine, *loaded.module,
                                          **find_kernel(*loaded.module, kernel), range, {{value}}, options);
  if (!data) return {to_string(data.error()), {}};
  EXPECT_TRUE(memory.read(address, {reinterpret_cast<u8*>(ran.x.data()), 256}).ok());
  return ran;
}

class Symbols : public testing::TestWithParam<std::tuple<const char*, SourceLanguage>> {
 protected:
  Loaded loaded_ = load(std::get<0>(GetParam()), std::get<1>(GetParam()));
  void SetUp() override { ASSERT_NE(loaded_.module, nullptr); }
};

TEST_P(Symbols, HaveTheirContentsWhenTheKernelBegins) {
  const Ran weighed = run(loaded_, "weigh", {"weights=float[4]:ramp(2,3)"});
  ASSERT_EQ(weighed.error, "");
  for (u32 i = 0; i < 64; ++i) EXPECT_EQ(weighed.x[i], static_cast<float>(2 + 3 * (i & 3)));
  EXPECT_EQ(run(loaded_, "weigh", {"weights=float4:8,4,2,1"}).x[1], 4.0f);
  EXPECT_EQ(run(loaded_, "weigh", {"weights={float:8,float:4,float:2,float:1}"}).x[2], 2.0f);
  const Ran counted = run(loaded_, "count", {"::limit=int:3", "counter=int:40"});
  EXPECT_NE(counted.error.find("no variable '::limit'"), std::string::npos) << counted.error;
  const Ran few = run(loaded_, "count", {"limit=int:3", "counter=int:40", "table=int[4]:values(5,6)"});
  ASSERT_EQ(few.error, "");
  EXPECT_EQ((std::vector<float>{few.x.begin(), few.x.begin() + 4}), (std::vector<float>{45, 46, 45, 1}));
  const Ran inner = run(loaded_, "inner", {"scope::limit=int:2"});
  ASSERT_EQ(inner.error, "");
  EXPECT_EQ((std::vector<float>{inner.x.begin(), inner.x.begin() + 3}), (std::vector<float>{7, 7, 1}));
}

// To the device a variable as any other.
TEST_P(Symbols, AreManaged) {
  const Ran initial = run(loaded_, "both", {}, CheckSelection::all());
  ASSERT_EQ(initial.error, "");
  EXPECT_EQ(initial.x[63], 3.0f);
  EXPECT_EQ(run(loaded_, "both", {"managed=int:8"}).x[63], 8.0f);
}

TEST_P(Symbols, AreUndefinedWhereTheHostWasToWriteThem) {
  const CheckSelection all = CheckSelection::all();
  EXPECT_EQ(run(loaded_, "count", {}).x[0], 1.0f);
  const Ran unset = run(loaded_, "count", {}, all);
  EXPECT_NE(unset.error.find("uninitialised-value"), std::string::npos) << unset.error;
  EXPECT_NE(unset.error.find("variable 'limit', byte 0"), std::string::npos) << unset.error;
  EXPECT_NE(run(loaded_, "inner", {"limit=int:3"}, all).error.find("'scope::limit'"), std::string::npos);
  EXPECT_EQ(run(loaded_, "count", {"limit=int:3"}, all).error, "");
  // Zero by an initial value, or by the language's rule for __device__.
  const Ran initialised = run(loaded_, "initialised", {}, all);
  EXPECT_EQ(initialised.error, "");
  EXPECT_EQ(initialised.x[9], 5.0f);
}

TEST_P(Symbols, AreNamedWhereTheKernelReachesThem) {
  const auto awaited = [&](const char* kernel) {
    std::vector<std::string> names;
    for (const ModuleVariable& variable : loaded_.module->variables) {
      if (variable.awaits_host && loaded_.module->may_reach(**find_kernel(*loaded_.module, kernel), variable))
        names.push_back(variable.name);
    }
    return names;
  };
  EXPECT_EQ(awaited("weigh"), std::vector<std::string>{"weights"});
  EXPECT_EQ(awaited("count"), std::vector<std::string>{"limit"});
  EXPECT_EQ(awaited("inner"), std::vector<std::string>{"scope::limit"});
  EXPECT_EQ(awaited("initialised"), std::vector<std::string>{});
}

TEST_P(Symbols, RefuseWhatDoesNotFit) {
  const auto refusal = [&](const std::vector<std::string>& texts) {
    const auto placed = place(*loaded_.module, texts);
    return placed ? "" : to_string(placed.error());
  };
  const std::string size = refusal({"weights=float[3]:ramp"});
  EXPECT_NE(size.find("--symbol weights=float[3]:ramp"), std::string::npos) << size;
  EXPECT_NE(size.find("variable 'weights' has 16 bytes, not 12"), std::string::npos) << size;
  EXPECT_NE(refusal({"weights=float:1"}).find("has 16 bytes, not 4"), std::string::npos);
  EXPECT_NE(refusal({"counter=5"}).find("type of variable 'counter' is not known"), std::string::npos);
  EXPECT_NE(refusal({"weight=float:1"}).find("did you mean: weights"), std::string::npos);
  EXPECT_NE(refusal({"counter=int:1", "counter=int:2"}).find("given twice"), std::string::npos);
  EXPECT_NE(refusal({"counter=int[1]:local"}).find("not local memory"), std::string::npos);
  EXPECT_NE(refusal({"counter=int:1e99"}).find("--symbol counter"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Targets, Symbols,
                         testing::Combine(testing::Values("mi25", "rx6900xt", "h200", "gtx1080"),
                                          testing::Values(SourceLanguage::hip, SourceLanguage::cuda)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) == SourceLanguage::hip ? "Hip" : "Cuda");
                         });

// In PTX by hand a constant that the text gives no value; a global variable is zeros.
TEST(PtxSymbols, OfConstantMemoryWithoutAValueAwaitTheHost) {
  Loaded loaded;
  loaded.machine = load_machine(machine_directory(), "v100");
  CompileRequest request;
  request.path = "kernel.ptx";
  request.source =
      ".version 8.0\n.target sm_70\n.address_size 64\n"
      ".visible .const .align 4 .u32 limit;\n.visible .const .align 4 .u32 given = 3;\n"
      ".visible .global .align 4 .u32 counter;\n.visible .entry k(.param .u64 p) { ret; }\n";
  request.language = SourceLanguage::ptx;
  request.target = loaded.machine->target;
  const Expected<LoadedProgram> program = load_program(request);
  ASSERT_TRUE(program.ok()) << to_string(program.error());
  std::vector<std::string> awaited;
  for (const ModuleVariable& variable : program->module->variables) {
    if (variable.awaits_host) awaited.push_back(variable.name);
  }
  EXPECT_EQ(program->module->variables.size(), 3u);
  EXPECT_EQ(awaited, std::vector<std::string>{"limit"});
}

TEST(UnsetConstants, AreDeclarationsWithoutAValue) {
  EXPECT_EQ(unset_constants_in("__attribute__((constant)) float a[4][2];\n"
                               "static const unsigned int b __attribute__((constant));\n"
                               "__attribute__((constant)) int c = 0;\n"
                               "__attribute__((constant)) int d[2] = {0, 0};\n"
                               "__attribute__((constant)) Pair e(1, 2);\n"
                               "__attribute__((constant)) int f{};\n"
                               "extern __attribute__((constant)) int g;\n"
                               "__attribute__((device)) int h;\n"
                               "    int *i __attribute__((constant)) __attribute__((aligned(16)));\n"),
            (std::vector<std::string>{"a", "b", "i"}));
}

}  // namespace
}  // namespace lockstep
