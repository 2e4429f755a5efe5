// What a compute unit's storage leaves to the first level, against what a real H200's driver chose
// (experiments/h200-timing/near.txt), and figures of its sets that do not fit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "isa/program.h"
#include "machine/machine.h"
#include "time/core/core_figures.h"

namespace lockstep {
namespace {

TEST(LaunchLimits, LeaveTheFirstLevelWhatADriverDoes) {
  const Expected<Machine> h200 = load_machine(machine_directory(), "h200");
  ASSERT_TRUE(h200.ok()) << to_string(h200.error());
  std::ifstream file(LOCKSTEP_SOURCE_DIR "/experiments/h200-timing/near.txt");
  u32 rows = 0;
  std::string otherwise;
  for (std::string line; std::getline(file, line);) {
    // share.ITEMS.VALUES.KB share KB registers COUNT
    std::replace(line.begin(), line.end(), '.', ' ');
    std::istringstream words(line);
    std::string name, share, registers;
    u32 items = 0, values = 0, kb = 0, given = 0, count = 0;
    if (!(words >> name >> items >> values >> kb >> share >> given >> registers >> count) || name != "share")
      continue;
    ++rows;
    KernelNeeds needs;
    needs.wave_lanes = 32;
    needs.vector_registers = count;
    const Expected<LaunchLimits> limits = launch_limits(*h200, needs, items, kb << 10);
    ASSERT_TRUE(limits.ok()) << to_string(limits.error());
    const u32 expected = std::max(16u, 248 - std::min(given, 248u));
    if (limits->l1_bytes != expected << 10) otherwise += fmt::format("{} ", line);
  }
  EXPECT_GT(rows, 300u);
  EXPECT_EQ(otherwise, "");
}

TEST(LaunchLimits, OfSetsThatDoNotFitAreRefused) {
  const std::string path = testing::TempDir() + "/first_level.toml";
  const auto refusal = [&](const std::string& figure) {
    std::ofstream(path)
        << "id = \"first_level\"\nname = \"first level\"\ntarget = \"sm_90\"\nbase = \"h200\"\n\n[l1]\n"
        << figure << "\n";
    const Expected<Machine> machine = load_machine(machine_directory(), path);
    if (!machine.ok()) return to_string(machine.error());
    const Expected<CoreFigures> figures = core_figures_partitioned(*machine, 1'000'000'000);
    return figures.ok() ? std::string() : to_string(figures.error());
  };
  const auto with = [](const char* key, const char* value) {
    return fmt::format(
        "{} = {{value = {}, unit = \"{}\", source = \"H200DEV\", confidence = \"assumed\", why = \"a "
        "test\"}}",
        key, value,
        std::string_view(key) == "sets"       ? "sets"
        : std::string_view(key) == "set_hash" ? "bits"
                                              : "ways");
  };
  EXPECT_EQ(refusal(with("protected_ways", "3")), "");
  EXPECT_NE(refusal(with("protected_ways", "4")).find("l1.protected_ways cannot be 4 of 4"),
            std::string::npos);
  EXPECT_NE(refusal(with("ways", "64")).find("l1.protected_ways cannot be 2 of 64"), std::string::npos);
  EXPECT_NE(refusal(with("sets", "500")).find("l1.set_hash does not fit l1.sets"), std::string::npos);
  EXPECT_NE(refusal(with("set_hash", "[512]")).find("l1.set_hash does not fit l1.sets"), std::string::npos);
}

}  // namespace
}  // namespace lockstep
