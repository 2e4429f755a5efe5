// Machine files with every kind of mistake, and inheritance: each test writes a small directory of machines.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "machine/machine.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

// A complete machine, one line a figure, so that tests can leave out or replace lines. Its lines are counted
// in the tests' expectations: the first figure is on line 5.
const std::vector<std::string>& complete_lines() {
  static const std::vector<std::string> lines{
      "id = \"small\"",
      "name = \"Small GPU\"",
      "target = \"gen9\"",
      "[clock]",
      "base_hz = {value = 300, unit = \"MHz\", source = \"A\", confidence = \"documented\"}",
      "boost_hz = {value = 1.5, unit = \"GHz\", source = \"A, B\", confidence = \"measured\"}",
      "[compute]",
      "units = {value = 3, unit = \"CU\", source = \"A\", confidence = \"documented\"}",
      "simds_per_unit = {value = 8, unit = \"SIMD\", source = \"A\", confidence = \"documented\"}",
      "lanes_per_simd = {value = 8, unit = \"lanes\", source = \"A\", confidence = \"documented\"}",
      "[rate]",
      "f32 = {value = 64, unit = \"results/cycle\", source = \"A\", confidence = \"documented\"}",
      "[occupancy]",
      "waves_per_unit = {value = 56, unit = \"waves\", source = \"A\", confidence = \"documented\"}",
      "groups_per_unit = {value = 16, unit = \"groups\", source = \"A\", confidence = \"documented\"}",
      "max_group_items = {value = 256, unit = \"items\", source = \"A\", confidence = \"documented\"}",
      "threads_per_eu = {value = 7, unit = \"waves\", source = \"A\", confidence = \"documented\"}",
      "grf_registers = {value = 128, unit = \"registers\", source = \"A\", confidence = \"documented\"}",
      "grf_bytes = {value = 32, unit = \"B\", source = \"A\", confidence = \"documented\"}",
      "[local]",
      "bytes_per_unit = {value = 64, unit = \"KiB\", source = \"A\", confidence = \"documented\"}",
      "bytes_per_group_max = {value = 64, unit = \"KiB\", source = \"A\", confidence = \"documented\"}",
      "granule_bytes = {value = 1024, unit = \"B\", source = \"A\", confidence = \"documented\"}",
      "power_of_two = {value = 1, unit = \"flag\", source = \"A\", confidence = \"documented\"}",
      "latency_cycles = {value = 90, unit = \"cycles\", source = \"B\", confidence = \"assumed\", why = \"a "
      "guess\"}",
      "[memory]",
      "size_bytes = {value = 2, unit = \"GiB\", source = \"A\", confidence = \"documented\"}",
  };
  return lines;
}

class MachineFile : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::temp_directory_path() / ("lockstep-machines-" + std::to_string(getpid()));
    fs::remove_all(directory_);
    fs::create_directories(directory_ / "test");
    write("sources.toml",
          "[A]\ntitle = \"First\"\nwhere = \"shelf\"\n[B]\ntitle = \"Second\"\n[C]\ntitle = \"Third\"\n");
  }
  void TearDown() override { fs::remove_all(directory_); }

  void write(const std::string& name, const std::string& content) {
    std::ofstream(directory_ / name) << content;
  }

  void write_lines(const std::string& name, const std::vector<std::string>& lines) {
    std::ofstream stream(directory_ / name);
    for (const std::string& line : lines) stream << line << '\n';
  }

  // The complete machine with line `number` (from 1) replaced.
  void write_small(std::size_t number = 0, const std::string& line = "") {
    std::vector<std::string> lines = complete_lines();
    if (number != 0) lines[number - 1] = line;
    write_lines("test/small.toml", lines);
  }

  Expected<Machine> load(std::string_view id = "small") { return load_machine(directory_.string(), id); }

  // The error of loading "small", with its place as "file:line".
  void expect_error(std::string_view code, u32 line, std::string_view message, std::string_view hint,
                    const std::string& file = "small.toml") {
    const Expected<Machine> machine = load();
    ASSERT_FALSE(machine.ok());
    const Diagnostic& error = machine.error();
    EXPECT_EQ(error.code, code) << to_string(error);
    EXPECT_EQ(fs::path(error.place.file).filename().string(), file) << to_string(error);
    EXPECT_EQ(error.place.line, line) << to_string(error);
    EXPECT_NE(error.message.find(message), std::string::npos) << to_string(error);
    EXPECT_NE(error.hint.find(hint), std::string::npos) << to_string(error);
  }

  fs::path directory_;
};

TEST_F(MachineFile, Complete) {
  write_small();
  const Expected<Machine> machine = load();
  ASSERT_TRUE(machine.ok()) << to_string(machine.error());
  EXPECT_EQ(machine->name, "Small GPU");
  EXPECT_EQ(machine->target, find_target("gen9"));
  EXPECT_EQ(integer(*machine, "clock.base_hz"), 300'000'000u);
  EXPECT_EQ(integer(*machine, "clock.boost_hz"), 1'500'000'000u);
  EXPECT_DOUBLE_EQ(number(*machine, "clock.boost_hz"), 1.5e9);
  EXPECT_EQ(integer(*machine, "memory.size_bytes"), 2ull << 30);
  EXPECT_EQ(run_clock_hz(*machine), 1'500'000'000u);
  EXPECT_FALSE(has(*machine, "l2.size_bytes"));
  EXPECT_EQ(integer_or(*machine, "l2.size_bytes", 5), 5u);
  const Quantity* boost = find_quantity(*machine, "clock.boost_hz");
  ASSERT_NE(boost, nullptr);
  EXPECT_EQ(boost->confidence, Confidence::measured);
  EXPECT_EQ(boost->source, "A, B");
  EXPECT_EQ(boost->place.line, 6u);
  ASSERT_EQ(machine->sources.size(), 2u);  // C is not used
  EXPECT_EQ(machine->sources[0].title, "First");
  EXPECT_EQ(machine->sources[0].where, "shelf");
  EXPECT_EQ(machine->sources[1].code, "B");
  // In schema order, whatever the file's.
  for (std::size_t i = 1; i < machine->quantities.size(); ++i)
    EXPECT_LT(machine->quantities[i - 1].info, machine->quantities[i].info);
  const auto assumed = assumed_quantities(*machine);
  ASSERT_EQ(assumed.size(), 1u);
  EXPECT_EQ(assumed[0]->info->key, "local.latency_cycles");
  EXPECT_EQ(assumed[0]->why, "a guess");
  EXPECT_TRUE(assumed_quantities(*machine, "timing.").empty());
}

TEST_F(MachineFile, UnknownKey) {
  write_small(8, "unit = {value = 3, unit = \"CU\", source = \"A\", confidence = \"documented\"}");
  expect_error("unknown-key", 8, "'compute.unit'", "did you mean 'compute.units'");
  write_small(7, "[compoot]");
  expect_error("unknown-key", 7, "'compoot'", "");
  write_small(8, "units = {valeu = 3, unit = \"CU\", source = \"A\", confidence = \"documented\"}");
  expect_error("unknown-key", 8, "'compute.units' has no 'valeu'", "did you mean 'value'");
}

TEST_F(MachineFile, KeyOfAnotherTarget) {
  write_small(25,
              "[scalar]\nways = {value = 4, unit = \"ways\", source = \"A\", confidence = \"documented\"}");
  expect_error("unknown-key", 26, "'scalar.ways' means nothing for gen9", "docs/machines.md");
}

TEST_F(MachineFile, MissingKey) {
  write_small(14, "");
  expect_error("missing-key", 3, "'occupancy.waves_per_unit', which gen9 needs", "\"waves\"");
  write_small(2, "");
  expect_error("missing-key", 1, "no 'name'", "");
}

TEST_F(MachineFile, Sources) {
  write_small(8, "units = {value = 3, unit = \"CU\", confidence = \"documented\"}");
  expect_error("missing-source", 8, "'compute.units'", "sources.toml");
  write_small(8, "units = {value = 3, unit = \"CU\", source = \"\", confidence = \"documented\"}");
  expect_error("missing-source", 8, "'compute.units'", "sources.toml");
  write_small(8, "units = {value = 3, unit = \"CU\", source = \"A, D\", confidence = \"documented\"}");
  expect_error("unknown-source", 8, "unknown source \"D\"", "did you mean 'A'");
  write_small();
  write("sources.toml", "[A]\ntitle = \"First\"\n[B]\nwhere = \"no title\"\n");
  expect_error("wrong-type", 3, "'B' has no title", "title", "sources.toml");
}

TEST_F(MachineFile, Units) {
  write_small(5, "base_hz = {value = 300, unit = \"MB\", source = \"A\", confidence = \"documented\"}");
  expect_error("wrong-unit", 5, "'clock.base_hz' cannot be in \"MB\"", "\"Hz\", \"kHz\", \"MHz\", \"GHz\"");
  write_small(5, "base_hz = {value = 300, source = \"A\", confidence = \"documented\"}");
  expect_error("wrong-unit", 5, "does not state its unit", "\"Hz\"");
  write_small(21,
              "bytes_per_unit = {value = 64, unit = \"KB\", source = \"A\", confidence = \"documented\"}");
  expect_error("wrong-unit", 21, "\"KB\"", "\"KiB\"");
}

TEST_F(MachineFile, Types) {
  write_small(8, "units = 3");
  expect_error("wrong-type", 8, "must be a table", "units = {value");
  write_small(8, "units = {value = \"3\", unit = \"CU\", source = \"A\", confidence = \"documented\"}");
  expect_error("wrong-type", 8, "takes an integer (CU), not a string", "");
  write_small(8, "units = {value = 3.5, unit = \"CU\", source = \"A\", confidence = \"documented\"}");
  expect_error("wrong-type", 8, "whole number", "");
  write_small(8, "units = {value = 3.0, unit = \"CU\", source = \"A\", confidence = \"documented\"}");
  expect_error("wrong-type", 8, "whole number", "");
  write_small(8, "units = {value = -3, unit = \"CU\", source = \"A\", confidence = \"documented\"}");
  expect_error("wrong-type", 8, "0 or more", "");
  write_small(8, "units = {value = [3], unit = \"CU\", source = \"A\", confidence = \"documented\"}");
  expect_error("wrong-type", 8, "not a list", "");
  write_small(8, "units = {unit = \"CU\", source = \"A\", confidence = \"documented\"}");
  expect_error("wrong-type", 8, "has no value", "");
  write_small(8, "units = {value = 3, unit = 4, source = \"A\", confidence = \"documented\"}");
  expect_error("wrong-type", 8, "'unit' takes a string", "");
  write_small(2, "name = 5");
  expect_error("wrong-type", 2, "'name' takes a string", "");
  // 1.5 GHz is whole in Hz, 1.00000000005 GHz is not.
  write_small(
      6, "boost_hz = {value = 1.00000000055, unit = \"GHz\", source = \"A\", confidence = \"documented\"}");
  expect_error("wrong-type", 6, "whole number of Hz", "");
}

TEST_F(MachineFile, Confidence) {
  write_small(8, "units = {value = 3, unit = \"CU\", source = \"A\", confidence = \"guessed\"}");
  expect_error("unknown-confidence", 8, "\"guessed\"",
               "\"measured\", \"documented\", \"database\" or \"assumed\"");
  write_small(8, "units = {value = 3, unit = \"CU\", source = \"A\"}");
  expect_error("unknown-confidence", 8, "does not state its confidence", "");
  write_small(8, "units = {value = 3, unit = \"CU\", source = \"A\", confidence = \"assumed\"}");
  expect_error("missing-why", 8, "'compute.units' is assumed", "why = ");
}

TEST_F(MachineFile, SyntaxAndIdentity) {
  write_small(8, "units = {value = 3,");
  expect_error("machine-file-syntax", 8, "", "");
  write_small(8, complete_lines()[8]);  // the same key twice
  expect_error("machine-file-syntax", 9, "", "");
  write_small(3, "target = \"gfx9000\"");
  expect_error("unknown-target", 3, "'gfx9000'", "did you mean 'gfx900'");
  write_small(1, "id = \"large\"");
  expect_error("wrong-id", 1, "'large'", "id = \"small\"");
}

TEST_F(MachineFile, DerivedStatesOnlyDifferences) {
  std::vector<std::string> family = complete_lines();
  family.erase(family.begin(), family.begin() + 3);
  write_lines("test/family.toml", family);
  write("test/middle.toml",
        "base = \"family\"\n[rate]\nf32 = {value = 32, unit = \"results/cycle\", source = \"C\", confidence "
        "= \"measured\"}\n"
        "[compute]\nunits = {value = 9, unit = \"CU\", source = \"C\", confidence = \"measured\"}\n");
  write("test/small.toml",
        "id = \"small\"\nname = \"Derived\"\ntarget = \"gen9\"\nbase = \"middle\"\naliases = [\"tiny\", "
        "\"wee\"]\n"
        "note = \"half of it\"\n"
        "[compute]\nunits = {value = 1, unit = \"CU\", source = \"B\", confidence = \"documented\"}\n");
  const Expected<Machine> machine = load("wee");
  ASSERT_TRUE(machine.ok()) << to_string(machine.error());
  EXPECT_EQ(machine->name, "Derived");
  EXPECT_EQ(machine->note, "half of it");
  EXPECT_EQ(integer(*machine, "compute.units"), 1u);           // its own
  EXPECT_EQ(integer(*machine, "rate.f32"), 32u);               // the middle's
  EXPECT_EQ(integer(*machine, "compute.lanes_per_simd"), 8u);  // the family's
  EXPECT_EQ(find_quantity(*machine, "rate.f32")->source, "C");
  EXPECT_EQ(fs::path(find_quantity(*machine, "rate.f32")->place.file).filename(), "middle.toml");
  const auto machines = list_machines(directory_.string());
  ASSERT_TRUE(machines.ok());
  ASSERT_EQ(machines->size(), 1u);  // bases are not machines
  // A mistake in a base names the base's file.
  write("test/middle.toml", "base = \"family\"\n[rate]\nf23 = {}\n");
  expect_error("unknown-key", 3, "'rate.f23'", "'rate.f32'", "middle.toml");
}

TEST_F(MachineFile, UnknownBaseAndCycle) {
  write("test/gfx9.toml", "base = \"gfx8\"\n");
  write("test/small.toml", "id = \"small\"\nname = \"S\"\ntarget = \"gen9\"\nbase = \"gfx90\"\n");
  expect_error("unknown-base", 4, "'gfx90'", "did you mean 'gfx9'");
  write("test/small.toml", "id = \"small\"\nname = \"S\"\ntarget = \"gen9\"\nbase = \"gfx9\"\n");
  write("test/gfx8.toml", "\nbase = \"gfx9\"\n");
  expect_error("base-cycle", 2, "'gfx9' is its own base", "", "gfx8.toml");
  write("test/gfx9.toml", "base = \"gfx9\"\n");
  expect_error("base-cycle", 1, "'gfx9' is its own base", "", "gfx9.toml");
}

TEST_F(MachineFile, AMemoryStandardStatesWhatNoOtherFileDoes) {
  fs::create_directories(directory_ / "memory");
  write(
      "memory/hbm9.toml",
      "[timing.dram]\n"
      "trp_clocks = {value = 14, unit = \"memory clocks\", source = \"C\", confidence = \"documented\"}\n"
      "trcd_clocks = {value = 15, unit = \"memory clocks\", source = \"C\", confidence = \"documented\"}\n");
  std::vector<std::string> lines = complete_lines();
  const auto name = [&lines](const std::string& standard) {
    lines.resize(complete_lines().size());
    lines.push_back("standard = {value = \"" + standard +
                    "\", unit = \"name\", source = \"A\", confidence = \"documented\"}");
    lines.push_back("[timing.dram]");
    lines.push_back(
        "trcd_clocks = {value = 9, unit = \"memory clocks\", source = \"A\", confidence = \"documented\"}");
  };
  name("hbm9");
  write_lines("test/small.toml", lines);
  const Expected<Machine> machine = load("small");
  ASSERT_TRUE(machine.ok()) << to_string(machine.error());
  EXPECT_EQ(integer(*machine, "timing.dram.trp_clocks"), 14u);
  EXPECT_EQ(integer(*machine, "timing.dram.trcd_clocks"), 9u);
  EXPECT_EQ(machine->sources.back().code, "C");
  name("hbm8");
  write_lines("test/small.toml", lines);
  expect_error("unknown-standard", static_cast<u32>(complete_lines().size() + 1), "'hbm8'",
               "did you mean 'hbm9'");
}

TEST_F(MachineFile, UnknownMachine) {
  write_small();
  const Expected<Machine> machine = load("smal");
  ASSERT_FALSE(machine.ok());
  EXPECT_EQ(machine.error().code, "unknown-machine");
  EXPECT_EQ(machine.error().hint, "did you mean 'small'?");
  EXPECT_EQ(load("test").error().code, "unknown-machine");
  EXPECT_EQ(load_machine((directory_ / "nowhere").string(), "small").error().code, "missing-file");
  EXPECT_EQ(load((directory_ / "nothing.toml").string()).error().code, "missing-file");
  std::filesystem::create_directories(directory_ / "hollow" / "amd");
  const auto none = list_machines((directory_ / "hollow").string());
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message.find("there is no machine file"), std::string::npos);
  EXPECT_NE(none.error().hint.find("LOCKSTEP_MACHINES"), std::string::npos);
}

TEST_F(MachineFile, AFileOfOnesOwn) {
  write_small();
  fs::create_directories(directory_ / "elsewhere/deeper");
  write("elsewhere/deeper/mine.toml",
        "id = \"mine\"\nname = \"Mine\"\ntarget = \"gen9\"\nbase = \"small\"\n"
        "[compute]\nunits = {value = 5, unit = \"CU\", source = \"B\", confidence = \"documented\"}\n");
  const Expected<Machine> machine = load((directory_ / "elsewhere/deeper/mine.toml").string());
  ASSERT_TRUE(machine.ok()) << to_string(machine.error());
  EXPECT_EQ(integer(*machine, "compute.units"), 5u);
  EXPECT_EQ(machine->id, "mine");
}

TEST_F(MachineFile, TwoMachinesOfOneName) {
  write_small();
  std::vector<std::string> lines = complete_lines();
  lines[0] = "id = \"other\"";
  lines[1] = "name = \"Other\"\naliases = [\"small\"]";
  write_lines("test/other.toml", lines);
  const auto machines = list_machines(directory_.string());
  ASSERT_FALSE(machines.ok());
  EXPECT_EQ(machines.error().code, "duplicate-machine");
}

TEST_F(MachineFile, Scaling) {
  write_small();
  const Expected<Machine> machine = load();
  ASSERT_TRUE(machine.ok());
  const Machine slower = with_scaled(*machine, "local.latency_cycles", 1.2);
  EXPECT_EQ(integer(slower, "local.latency_cycles"), 108u);
  EXPECT_DOUBLE_EQ(number(slower, "local.latency_cycles"), 108.0);
  EXPECT_EQ(integer(*machine, "local.latency_cycles"), 90u);
  EXPECT_EQ(slower.changes, (std::vector<std::string>{"local.latency_cycles * 1.2"}));
  // What would round back to itself moves by one; 1 is not halved away.
  write_small(25,
              "latency_cycles = {value = 2, unit = \"cycles\", source = \"B\", confidence = \"documented\"}");
  const Expected<Machine> quick = load();
  EXPECT_EQ(integer(with_scaled(*quick, "local.latency_cycles", 1.2), "local.latency_cycles"), 3u);
  EXPECT_EQ(integer(with_scaled(*quick, "local.latency_cycles", 0.8), "local.latency_cycles"), 1u);
  const Machine least =
      with_scaled(with_scaled(*quick, "local.latency_cycles", 0.8), "local.latency_cycles", 0.8);
  EXPECT_EQ(integer(least, "local.latency_cycles"), 1u);
  EXPECT_EQ(least.changes.size(), 1u);
  // A size doubles or halves; a count of units stays.
  EXPECT_EQ(integer(with_scaled(*machine, "local.bytes_per_unit", 1.2), "local.bytes_per_unit"), 131072u);
  EXPECT_EQ(integer(with_scaled(*machine, "local.bytes_per_unit", 0.8), "local.bytes_per_unit"), 32768u);
  EXPECT_EQ(integer(with_scaled(*machine, "compute.units", 1.2), "compute.units"), 3u);
  EXPECT_TRUE(with_scaled(*machine, "compute.units", 1.2).changes.empty());
}

TEST_F(MachineFile, DirectoryFromTheEnvironment) {
  ASSERT_EQ(setenv("LOCKSTEP_MACHINES", directory_.c_str(), 1), 0);
  EXPECT_EQ(machine_directory(), directory_.string());
  ASSERT_EQ(unsetenv("LOCKSTEP_MACHINES"), 0);
  EXPECT_TRUE(fs::exists(fs::path(machine_directory()) / "sources.toml"));
}

TEST(Schema, KeysAreUniqueAndUnitsKnown) {
  for (const KeyInfo& info : schema()) {
    EXPECT_EQ(find_key(info.key), &info) << info.key << " twice";
    ASSERT_FALSE(units_of(info.unit).empty()) << info.key;
    EXPECT_EQ(units_of(info.unit)[0].unit, info.unit);
    EXPECT_EQ(units_of(info.unit)[0].factor, 1u);
    EXPECT_EQ(info.required & ~info.allowed, 0u) << info.key << " is required where it is not allowed";
    EXPECT_FALSE(info.meaning.empty());
  }
}

}  // namespace
}  // namespace lockstep
