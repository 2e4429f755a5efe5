// The corpus has no undefined behaviour: checked runs of all of it must report nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "corpus/case.h"
#include "exec/check/checker.h"
#include "exec/functional.h"
#include "machine/target.h"
#include "run/loader.h"

namespace lockstep {
namespace {

std::vector<std::string> corpus_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(LOCKSTEP_SOURCE_DIR "/tests/corpus")) {
    if (entry.path().extension() == ".cl") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class CheckedCorpus : public testing::TestWithParam<std::string> {};

// Runs all launches of the case, checked; the first report, or nothing.
std::string report_of(const corpus::Case& test, u32 optimisation) {
  CompileRequest request;
  request.path = test.path;
  request.source = test.source;
  request.language = SourceLanguage::opencl_c;
  request.target = find_target("gfx900");
  request.optimisation = optimisation;
  std::string option;
  for (const char c : test.options + " ") {
    if (c != ' ') {
      option += c;
    } else if (!option.empty()) {
      request.options.push_back(std::exchange(option, ""));
    }
  }
  Expected<LoadedProgram> loaded = load_program(request);
  if (!loaded.ok()) return "skip: " + to_string(loaded.error());
  DeviceMemory memory(u64{256} << 20);
  memory.track_written();
  const std::vector<std::vector<u8>> contents = corpus::initial_contents(test);
  std::vector<u64> addresses(test.arguments.size());
  for (std::size_t i = 0; i < contents.size(); ++i) {
    if (contents[i].empty()) continue;
    addresses[i] = *memory.allocate(contents[i].size(), 256, test.arguments[i].name);
    if (!memory.write(addresses[i], contents[i]).ok()) return "the buffer cannot be written";
  }
  for (const corpus::Launch& launch : test.launches) {
    const Program& program = *find_kernel(*loaded->module, launch.kernel).value();
    std::vector<ArgumentValue> values;
    for (const u32 index : launch.arguments) {
      const corpus::Argument& argument = test.arguments[index];
      ArgumentValue value;
      if (argument.kind == corpus::ArgumentKind::local) {
        value.local_bytes = argument.bytes();
      } else if (argument.kind == corpus::ArgumentKind::scalar) {
        value.bytes = corpus::scalar_bytes(argument);
      } else {
        value.bytes.resize(8);
        std::memcpy(value.bytes.data(), &addresses[index], 8);
      }
      values.push_back(std::move(value));
    }
    NdRange range;
    range.dimensions = launch.dimensions;
    range.global = launch.global;
    range.offset = launch.offset;
    for (u32 i = 0; i < 3; ++i) range.local[i] = static_cast<u32>(launch.local[i]);
    auto prepared = PreparedLaunch::make(memory, *loaded->module, program, range, values, 64);
    if (!prepared.ok()) return to_string(prepared.error());
    RunChecker checker(**prepared);
    FunctionalOptions options;
    options.checker = &checker;
    const Expected<FunctionalResult> result = run_functional(**prepared, options);
    if (!result.ok()) {
      return (result.error().code == "not-supported" ? "skip: " : "") + to_string(result.error());
    }
  }
  return "";
}

TEST_P(CheckedCorpus, HasNothingToReport) {
  const Expected<corpus::Case> test = corpus::read_case(GetParam());
  ASSERT_TRUE(test.ok()) << to_string(test.error());
  // Image and sampler descriptors are the business of a host that makes images.
  if (test->has_need("images") || test->has_need("image_writes_3d")) GTEST_SKIP();
  for (const u32 optimisation : {0u, 3u}) {
    const std::string report = report_of(*test, optimisation);
    if (report.starts_with("skip: ")) GTEST_SKIP() << report;
    EXPECT_EQ(report, "") << "-O" << optimisation;
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, CheckedCorpus, testing::ValuesIn(corpus_files()),
                         [](const auto& info) { return std::filesystem::path(info.param).stem().string(); });

}  // namespace
}  // namespace lockstep
