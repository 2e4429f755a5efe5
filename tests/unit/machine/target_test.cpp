#include "machine/target.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep {
namespace {

TEST(Target, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const Target& target : all_targets()) {
    EXPECT_TRUE(names.insert(target.name).second) << target.name;
    EXPECT_EQ(find_target(target.name), &target);
  }
  EXPECT_EQ(names.size(), 32u);
  EXPECT_EQ(find_target("gfx9"), nullptr);
  EXPECT_EQ(find_target("GFX900"), nullptr);
}

TEST(Target, GenerationIsWhatTheNameSays) {
  for (const Target& target : all_targets()) {
    std::string spelt;
    if (target.isa == IsaFamily::amdgcn) {
      spelt = "gfx" + std::to_string(target.major) + std::to_string(target.minor) +
              "0123456789abcdef"[target.stepping];
    } else if (target.isa == IsaFamily::ptx) {
      spelt = "sm_" + std::to_string(target.compute_capability());
    } else {
      continue;
    }
    EXPECT_EQ(spelt, target.name);
  }
}

TEST(Target, WaveWidths) {
  const auto widths = [](std::string_view name) {
    const auto span = find_target(name)->wave_widths();
    return std::vector<u32>(span.begin(), span.end());
  };
  EXPECT_EQ(widths("gfx900"), (std::vector<u32>{64}));
  EXPECT_EQ(widths("gfx942"), (std::vector<u32>{64}));
  EXPECT_EQ(widths("gfx1030"), (std::vector<u32>{32, 64}));
  EXPECT_EQ(widths("sm_90"), (std::vector<u32>{32}));
  EXPECT_EQ(widths("gen9"), (std::vector<u32>{8, 16, 32}));
  EXPECT_EQ(find_target("gfx1100")->default_width, 32u);
  EXPECT_EQ(find_target("gfx90a")->default_width, 64u);
}

TEST(Target, OldComputeCapabilitiesAreCompiledForTheLowestThatClangHas) {
  EXPECT_EQ(find_target("sm_10")->compiler_target, "sm_20");
  EXPECT_EQ(find_target("sm_13")->compiler_target, "sm_20");
  EXPECT_EQ(find_target("sm_21")->compiler_target, "sm_20");
  EXPECT_EQ(find_target("sm_35")->compiler_target, "sm_35");
  EXPECT_EQ(find_target("gfx900")->compiler_target, "gfx900");
}

}  // namespace
}  // namespace lockstep
