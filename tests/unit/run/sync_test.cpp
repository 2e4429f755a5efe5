// How work-items get on with each other: data races are reported with both lines, programs without any are
// not; groups that wait for each other go on as long as the GPU holds them; what cannot go on is explained.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "run/loader.h"
#include "run/simulation.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

struct Ran {
  std::optional<Diagnostic> error;
  std::map<std::string, std::vector<u8>> buffers;
  std::optional<RunData> data;
};

struct How {
  std::string gpu = "mi25";
  u32 optimisation = 3;
  std::string checks = "none";
  bool timed = false;
  u32 threads = 1;
};

// Runs the case's launches one after the other. Nothing where the machine's target cannot compile it.
std::optional<Ran> run_case(const std::string& path, const How& how) {
  Ran ran;
  const Expected<corpus::Case> test = corpus::read_case(path);
  if (!test.ok()) {
    ADD_FAILURE() << to_string(test.error());
    return std::nullopt;
  }
  const Expected<Machine> machine = load_machine(machine_directory(), how.gpu);
  if (!machine.ok()) {
    ADD_FAILURE() << to_string(machine.error());
    return std::nullopt;
  }
  CompileRequest request;
  request.path = path;
  request.source = test->source;
  request.language = SourceLanguage::opencl_c;
  request.target = machine->target;
  request.optimisation = how.optimisation;
  const Expected<LoadedProgram> loaded = load_program(request);
  if (!loaded.ok()) {
    ADD_FAILURE() << to_string(loaded.error());
    return std::nullopt;
  }
  DeviceMemory memory(u64{1} << 30);
  const CheckSelection checks = *parse_checks(how.checks);
  if (checks.values) memory.track_written();
  const Expected<Buffers> buffers =
      Buffers::make(memory, *machine->target, test->arguments, corpus::initial_contents(*test));
  if (!buffers.ok()) {
    ADD_FAILURE() << to_string(buffers.error());
    return std::nullopt;
  }
  for (const corpus::Launch& launch : test->launches) {
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
    options.checks = checks;
    options.instructions_per_wave = u64{1} << 24;
    Expected<RunData> data = simulate(memory, *machine, *loaded->module, program, range, values, options);
    if (!data.ok()) {
      ran.error = data.error();
      break;
    }
    ran.data = std::move(*data);
    ran.data->machine = nullptr;
  }
  for (std::size_t i = 0; i < test->arguments.size(); ++i) {
    if (test->arguments[i].kind == corpus::ArgumentKind::buffer)
      ran.buffers[test->arguments[i].name] = *buffers->read(memory, i);
  }
  return ran;
}

std::vector<std::string> files_of(const char* folder) {
  std::vector<std::string> files;
  for (const auto& entry :
       fs::directory_iterator(std::string(LOCKSTEP_SOURCE_DIR "/tests/data/check/") + folder))
    files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

// The lines that end with "// WORD".
std::set<u32> marked_lines(const std::string& path, const std::string& word) {
  std::set<u32> lines;
  std::ifstream in(path);
  u32 number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.ends_with("// " + word)) lines.insert(number);
  }
  return lines;
}

// The lines of the file that a message names.
std::set<u32> named_lines(const std::string& text, const std::string& path) {
  std::set<u32> lines;
  for (std::size_t at = text.find(path + ":"); at != std::string::npos; at = text.find(path + ":", at + 1))
    lines.insert(static_cast<u32>(std::stoul(text.substr(at + path.size() + 1))));
  return lines;
}

std::string stem_of(const testing::TestParamInfo<std::string>& info) {
  return fs::path(info.param).stem().string();
}

u32 word(const std::vector<u8>& bytes, std::size_t index) {
  u32 value;
  std::memcpy(&value, bytes.data() + 4 * index, 4);
  return value;
}

class Racy : public testing::TestWithParam<std::string> {};

TEST_P(Racy, IsReportedWithBothLines) {
  const std::set<u32> marked = marked_lines(GetParam(), "race");
  for (const How& how : {How{"mi25", 0, "races"}, How{"mi25", 3, "all"}, How{"rx6900xt", 3, "races"},
                         How{"mi300x", 3, "races"}, How{"p100", 3, "races"}, How{"v100", 0, "races"},
                         How{"v100", 3, "all"}, How{"h200", 3, "races"}, How{"mi25", 3, "races", true}}) {
    SCOPED_TRACE(how.gpu + " -O" + std::to_string(how.optimisation) + (how.timed ? " timed" : ""));
    // Without optimisation this store stands behind a wait, as an atomic one would.
    // Timed, its groups come in an order that orders it as well.
    if ((how.optimisation == 0 || how.timed) && GetParam().ends_with("counter_cleared_late.cl")) continue;
    const bool next_groups = GetParam().ends_with("store_before_next_groups_atomic.cl");
    if (how.optimisation == 0 && how.gpu == "mi25" &&
        (next_groups || GetParam().ends_with("store_before_own_atomic.cl")))
      continue;
    const auto ran = run_case(GetParam(), how);
    ASSERT_TRUE(ran);
    ASSERT_TRUE(ran->error) << "no race was found";
    const std::string text = to_string(*ran->error);
    EXPECT_EQ(ran->error->code, "data-race") << text;
    EXPECT_NE(text.find("conflicts with"), std::string::npos) << text;
    if (next_groups) {
      EXPECT_NE(text.find("no atomics order the two work-groups"), std::string::npos) << text;
    }
    const std::set<u32> named = named_lines(text, GetParam());
    EXPECT_FALSE(named.empty()) << text;
    EXPECT_TRUE(std::includes(marked.begin(), marked.end(), named.begin(), named.end())) << text;
    // Two work-items.
    const std::size_t first = text.find("work-item (");
    ASSERT_NE(first, std::string::npos) << text;
    const std::size_t second = text.find("work-item (", first + 1);
    ASSERT_NE(second, std::string::npos) << text;
    EXPECT_NE(text.substr(first, text.find(')', first) - first),
              text.substr(second, text.find(')', second) - second))
        << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Races, Racy, testing::ValuesIn(files_of("racy")), stem_of);

class Ordered : public testing::TestWithParam<std::string> {};

TEST_P(Ordered, IsNotReported) {
  for (const How& how :
       {How{"mi25", 0, "all"}, How{"mi25", 3, "all"}, How{"rx6900xt", 3, "all"}, How{"mi300x", 3, "races"},
        How{"p100", 3, "all"}, How{"v100", 0, "all"}, How{"v100", 3, "all"}, How{"mi25", 3, "all", true}}) {
    SCOPED_TRACE(how.gpu + " -O" + std::to_string(how.optimisation) + (how.timed ? " timed" : ""));
    const auto ran = run_case(GetParam(), how);
    ASSERT_TRUE(ran);
    EXPECT_FALSE(ran->error) << to_string(*ran->error);
  }
}

INSTANTIATE_TEST_SUITE_P(Races, Ordered, testing::ValuesIn(files_of("clean")), stem_of);

class Progress : public testing::TestWithParam<std::string> {};

TEST_P(Progress, IsMadeByGroupsThatWaitForEachOther) {
  const std::string name = fs::path(GetParam()).stem().string();
  for (const How& how : {How{"mi25", 3}, How{"mi25", 0}, How{"mi25", 3, "none", false, 2},
                         How{"mi25", 3, "none", true}, How{"p100", 3}, How{"v100", 3}}) {
    SCOPED_TRACE(how.gpu + " -O" + std::to_string(how.optimisation) + (how.timed ? " timed" : ""));
    const auto ran = run_case(GetParam(), how);
    ASSERT_TRUE(ran);
    ASSERT_FALSE(ran->error) << to_string(*ran->error);
    if (name == "flag_of_a_later_group") {
      for (u32 i = 0; i < 1024; ++i) ASSERT_EQ(word(ran->buffers.at("out"), i), i / 64 + 1);
    } else if (name == "global_barriers") {
      // Twenty rounds move everything by twenty groups of sixteen: by four; the last round writes a.
      for (u32 i = 0; i < 1024; ++i) ASSERT_EQ(word(ran->buffers.at("a"), i), (i + 20 * 64) % 1024);
    } else if (name == "producers_and_consumers") {
      for (u32 i = 0; i < 80; ++i) ASSERT_EQ(word(ran->buffers.at("out"), i), i / 10 * 100 + i % 10 + 1);
    } else {
      FAIL() << "no expectation for " << name;
    }
    if (!how.timed) {
      EXPECT_TRUE(ran->data->functional->order.starts_with("one fixed order"))
          << ran->data->functional->order;
      EXPECT_EQ(ran->data->functional->threads, 1u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, Progress, testing::ValuesIn(files_of("progress")), stem_of);

class Stuck : public testing::TestWithParam<std::string> {};

TEST_P(Stuck, IsExplained) {
  const std::string name = fs::path(GetParam()).stem().string();
  for (const How& how : {How{"mi25", 3}, How{"mi25", 0}, How{"mi25", 3, "none", true}, How{"p100", 3},
                         How{"v100", 3}, How{"v100", 0}, How{"v100", 3, "all"}}) {
    SCOPED_TRACE(how.gpu + " -O" + std::to_string(how.optimisation) + (how.timed ? " timed" : ""));
    if (name == "more_groups_than_fit" && how.gpu == "v100") continue;  // 80 units of 96 KiB hold them all
    const auto ran = run_case(GetParam(), how);
    ASSERT_TRUE(ran);
    if (name == "lanes_and_a_lock" && how.gpu == "v100") {
      // From Volta on every lane makes progress.
      ASSERT_FALSE(ran->error) << to_string(*ran->error);
      EXPECT_EQ(word(ran->buffers.at("sum"), 0), 32u * 33 / 2);
      continue;
    }
    ASSERT_TRUE(ran->error) << "it ended";
    const std::string text = to_string(*ran->error);
    EXPECT_EQ(ran->error->code, "deadlock") << text;
    const std::set<u32> named = named_lines(text, GetParam());
    for (const u32 line : marked_lines(GetParam(), "waits"))
      EXPECT_TRUE(named.contains(line) || named.contains(line + 1)) << line << " is not in\n" << text;
    if (name == "nobody_sets_the_flag") {
      EXPECT_NE(text.find("'flag', byte 8"), std::string::npos) << text;
    }
    if (name == "flag_behind_a_barrier") {
      for (const u32 line : marked_lines(GetParam(), "barrier")) EXPECT_TRUE(named.contains(line)) << text;
      EXPECT_NE(text.find("missing there: wave 0"), std::string::npos) << text;
    }
    if (name == "more_groups_than_fit") {
      EXPECT_NE(text.find("work-groups have not begun"), std::string::npos) << text;
    }
    if (name == "lanes_and_a_lock" && how.gpu == "p100") {
      EXPECT_NE(text.find("its other lanes wait at"), std::string::npos) << text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Runs, Stuck, testing::ValuesIn(files_of("stuck")), stem_of);

}  // namespace
}  // namespace lockstep
