// The corpus has no undefined behaviour and no data race: checked runs of all of it must report nothing, and
// its results are the same bytes on any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>

#include "run/loader.h"
#include "run/simulation.h"

namespace lockstep {
namespace {

// LOCKSTEP_CHECKED_CORPUS names another folder of such cases, generated ones say.
std::vector<std::string> corpus_files() {
  const char* other = std::getenv("LOCKSTEP_CHECKED_CORPUS");
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(other != nullptr ? other : LOCKSTEP_SOURCE_DIR "/tests/corpus")) {
    if (entry.path().extension() == ".cl") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

struct How {
  const char* gpu = "mi25";
  u32 optimisation = 3;
  CheckSelection checks = CheckSelection::all();
  bool timed = false;
  u32 threads = 1;
};

struct Outcome {
  std::string skipped, report;
  std::vector<std::vector<u8>> contents;  // of every buffer and image
  std::string order;
  u64 cycles = 0;
};

// Runs all launches of the case; ends with the first report.
Outcome run_case(const corpus::Case& test, const How& how) {
  Outcome outcome;
  const Expected<Machine> machine = load_machine(machine_directory(), how.gpu);
  if (!machine.ok()) return {"", to_string(machine.error()), {}, "", 0};
  CompileRequest request;
  request.path = test.path;
  request.source = test.source;
  request.language = SourceLanguage::opencl_c;
  request.target = machine->target;
  request.optimisation = how.optimisation;
  std::string option;
  for (const char c : test.options + " ") {
    if (c != ' ') {
      option += c;
    } else if (!option.empty()) {
      request.options.push_back(std::exchange(option, ""));
    }
  }
  Expected<LoadedProgram> loaded = load_program(request);
  if (!loaded.ok()) return {to_string(loaded.error()), "", {}, "", 0};
  DeviceMemory memory(u64{256} << 20);
  if (how.checks.values) memory.track_written();
  const Expected<Buffers> buffers =
      Buffers::make(memory, *machine->target, test.arguments, corpus::initial_contents(test));
  if (!buffers.ok()) return {to_string(buffers.error()), "", {}, "", 0};
  for (const corpus::Launch& launch : test.launches) {
    const Program& program = *find_kernel(*loaded->module, launch.kernel).value();
    std::vector<ArgumentValue> values;
    for (const u32 index : launch.arguments) values.push_back(buffers->values()[index]);
    NdRange range;
    range.dimensions = launch.dimensions;
    range.global = launch.global;
    range.offset = launch.offset;
    for (u32 i = 0; i < 3; ++i) range.local[i] = static_cast<u32>(launch.local[i]);
    SimulationOptions options;
    options.timed = how.timed;
    options.threads = how.threads;
    options.checks = how.checks;
    const Expected<RunData> data =
        simulate(memory, *machine, *loaded->module, program, range, values, options);
    if (!data.ok()) {
      const std::string& code = data.error().code;
      std::string& where = code == "not-supported" || code == "not-timed" ? outcome.skipped : outcome.report;
      where = to_string(data.error());
      return outcome;
    }
    if (data->timing) outcome.cycles += data->timing->cycles;
    if (data->functional) outcome.order += std::string(data->functional->order) + "\n";
  }
  for (std::size_t i = 0; i < test.arguments.size(); ++i) {
    const corpus::ArgumentKind kind = test.arguments[i].kind;
    if (kind == corpus::ArgumentKind::buffer || kind == corpus::ArgumentKind::image)
      outcome.contents.push_back(*buffers->read(memory, i));
  }
  return outcome;
}

class CheckedCorpus : public testing::TestWithParam<std::string> {};

void expect_nothing(const std::string& path, std::initializer_list<How> ways) {
  const Expected<corpus::Case> test = corpus::read_case(path);
  ASSERT_TRUE(test.ok()) << to_string(test.error());
  bool any = false;
  std::string skipped;
  for (const How& how : ways) {
    const Outcome outcome = run_case(*test, how);
    if (!outcome.skipped.empty()) {
      skipped += std::string(how.gpu) + ": " + outcome.skipped + "\n";
      continue;
    }
    any = true;
    EXPECT_EQ(outcome.report, "") << how.gpu << " -O" << how.optimisation;
  }
  if (!any) GTEST_SKIP() << skipped;
}

TEST_P(CheckedCorpus, HasNothingToReportOnGfx900) {
  expect_nothing(GetParam(), {{"mi25", 0}, {"mi25", 3}});
}
TEST_P(CheckedCorpus, HasNothingToReportOnRdna) {
  expect_nothing(GetParam(), {{"rx6900xt", 0}, {"rx6900xt", 3}, {"rx7900xtx", 3}});
}
TEST_P(CheckedCorpus, HasNothingToReportOnCdna) {
  expect_nothing(GetParam(), {{"mi210", 0}, {"mi210", 3}});
}
TEST_P(CheckedCorpus, HasNothingToReportOnSm70) {
  expect_nothing(GetParam(), {{"v100", 0}, {"v100", 3}});
}
TEST_P(CheckedCorpus, HasNothingToReportOnSm90) {
  expect_nothing(GetParam(), {{"h200", 0}, {"h200", 3}});
}

TEST_P(CheckedCorpus, HasNothingToReportOnGen9) {
  if (!GetParam().ends_with("/flow_calls.cl"))
    return expect_nothing(GetParam(), {{"hd530", 0}, {"hd530", 3}});
  expect_nothing(GetParam(), {{"hd530", 0}});
  // Intel's compiler leaves out the stores of two members there (limits.txt).
  const Expected<corpus::Case> test = corpus::read_case(GetParam());
  ASSERT_TRUE(test.ok());
  const Outcome outcome = run_case(*test, {"hd530", 3});
  if (!outcome.skipped.empty()) GTEST_SKIP() << outcome.skipped;
  EXPECT_NE(outcome.report.find("uninitialised-value"), std::string::npos);
}

TEST_P(CheckedCorpus, HasNothingToReportOnVliw) {
  expect_nothing(GetParam(), {{"hd5870", 3}, {"hd6970", 3}});
}

// LOCKSTEP_CHECKED_GPUS names more, "mi300x gtx1080" say. Where LOCKSTEP_CHECKED_UNWRITTEN names a GPU and a
// case, "hd530/seed_3", the GPU's compiler leaves values out that the case computes, and the run has to say
// so.
TEST_P(CheckedCorpus, HasNothingToReportOnOtherGpus) {
  const char* named = std::getenv("LOCKSTEP_CHECKED_GPUS");
  if (named == nullptr) GTEST_SKIP() << "LOCKSTEP_CHECKED_GPUS names none";
  const char* left_out = std::getenv("LOCKSTEP_CHECKED_UNWRITTEN");
  std::istringstream pairs(left_out == nullptr ? "" : left_out);
  const std::set<std::string> unwritten{std::istream_iterator<std::string>(pairs), {}};
  const Expected<corpus::Case> test = corpus::read_case(GetParam());
  ASSERT_TRUE(test.ok()) << to_string(test.error());
  std::istringstream gpus(named);
  for (std::string gpu; gpus >> gpu;) {
    SCOPED_TRACE(gpu);
    if (!unwritten.contains(gpu + "/" + std::filesystem::path(GetParam()).stem().string())) {
      expect_nothing(GetParam(), {{gpu.c_str(), 3}});
      continue;
    }
    const Outcome outcome = run_case(*test, {gpu.c_str(), 3});
    if (!outcome.skipped.empty()) GTEST_SKIP() << outcome.skipped;
    EXPECT_NE(outcome.report.find("uninitialised-value"), std::string::npos) << outcome.report;
  }
}

TEST_P(CheckedCorpus, GivesTheSameBytesOnAnyNumberOfThreads) {
  const Expected<corpus::Case> test = corpus::read_case(GetParam());
  ASSERT_TRUE(test.ok()) << to_string(test.error());
  for (const bool timed : {false, true}) {
    const Outcome one = run_case(*test, {"mi25", 3, {}, timed, 1});
    if (!one.skipped.empty()) GTEST_SKIP() << one.skipped;
    ASSERT_EQ(one.report, "");
    for (const u32 threads : {2u, 7u}) {
      const Outcome other = run_case(*test, {"mi25", 3, {}, timed, threads});
      EXPECT_EQ(other.report, "");
      EXPECT_EQ(other.contents, one.contents) << threads << " threads" << (timed ? ", timed" : "");
      EXPECT_EQ(other.order, one.order);
      EXPECT_EQ(other.cycles, one.cycles);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, CheckedCorpus, testing::ValuesIn(corpus_files()),
                         [](const auto& info) { return std::filesystem::path(info.param).stem().string(); });

}  // namespace
}  // namespace lockstep
