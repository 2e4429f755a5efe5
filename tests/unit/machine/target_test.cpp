#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "machine/target_reader.h"

namespace lockstep {
namespace {

TEST(Target, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  ASSERT_TRUE(targets_status().ok()) << to_string(targets_status().error());
  for (const Target& target : all_targets()) {
    EXPECT_TRUE(names.insert(target.name).second) << target.name;
    EXPECT_EQ(find_target(target.name), &target);
  }
  EXPECT_EQ(names.size(), 38u);
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
  EXPECT_EQ(widths("gen9lp"), widths("gen9"));
  EXPECT_EQ(find_target("gen9")->compiler_target, "skl");
  EXPECT_EQ(find_target("gen9lp")->compiler_target, "glk");
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

class TargetFile : public testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::temp_directory_path() / "lockstep-targets-XXXXXX").string();
    const int file = ::mkstemp(path_.data());
    ASSERT_GE(file, 0);
    ::close(file);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  Expected<std::vector<Target>> read(const std::string& text) {
    std::ofstream(path_) << text;
    return read_targets(path_);
  }

  void expect_error(const std::string& text, std::string_view code, u32 line, std::string_view hint) {
    const auto targets = read(text);
    ASSERT_FALSE(targets.ok()) << text;
    EXPECT_EQ(targets.error().code, code) << to_string(targets.error());
    EXPECT_EQ(targets.error().place.line, line) << to_string(targets.error());
    EXPECT_EQ(targets.error().place.file, path_);
    EXPECT_NE(targets.error().hint.find(hint), std::string::npos) << to_string(targets.error());
  }

  std::string path_;
};

TEST_F(TargetFile, OneLineIsATarget) {
  const auto targets = read(
      "[nvidia]\nsm_121 = {architecture = \"hopper\", compile_as = \"sm_90\"}\n"
      "[amd]\ngfx90c = {architecture = \"gcn\"}\ngfx1151 = {architecture = \"rdna\"}\n");
  ASSERT_TRUE(targets.ok()) << to_string(targets.error());
  ASSERT_EQ(targets->size(), 3u);
  const Target &first = (*targets)[0], &second = (*targets)[1], &third = (*targets)[2];
  EXPECT_EQ(first.name, "gfx90c");  // AMD's come first, wherever they stand
  EXPECT_EQ(first.isa, IsaFamily::amdgcn);
  EXPECT_EQ((std::array{first.major, first.minor, first.stepping}), (std::array{9u, 0u, 12u}));
  EXPECT_EQ(first.compiler_target, "gfx90c");
  EXPECT_EQ((std::array{second.major, second.minor, second.stepping}), (std::array{11u, 5u, 1u}));
  EXPECT_EQ(second.default_width, 32u);
  EXPECT_EQ(third.compute_capability(), 121u);
  EXPECT_EQ(third.compiler_target, "sm_90");
}

TEST_F(TargetFile, MistakesAreNamedWithTheirLine) {
  expect_error("[amd]\ngfx900 = {architecture = \"gnc\"}\n", "unknown-architecture", 2, "did you mean 'gcn'");
  expect_error("[nvidia]\nsm_75 = {architecture = \"rdna\"}\n", "unknown-architecture", 2, "turing");
  expect_error("[amd]\n\ngfx900 = {}\n", "missing-key", 3, "gfx900 = {architecture = ");
  expect_error("[amd]\ngfx900 = {architektur = \"gcn\"}\n", "unknown-key", 2, "did you mean 'architecture'");
  expect_error("[amd]\ngfx9 = {architecture = \"gcn\"}\n", "wrong-target", 2, "gfx<major>");
  expect_error("[nvidia]\nampere = {architecture = \"ampere\"}\n", "wrong-target", 2, "version = ");
  expect_error("[amd]\ngfx900 = 9\n", "wrong-type", 2, "");
  expect_error("[amd]\ncayman = {architecture = \"vliw4\", version = [6, 0]}\n", "wrong-type", 2, "");
  expect_error("[amd]\ncayman = {architecture = \"vliw4\", version = [6, 0, 4294967296]}\n", "wrong-type", 2,
               "");
  expect_error("[amd]\ngfx900 = {architecture = \"gcn\", compile_as = \"\"}\n", "wrong-type", 2, "");
  expect_error("\n[nvida]\n", "unknown-vendor", 2, "did you mean 'nvidia'");
  expect_error("[amd\n", "machine-file-syntax", 1, "");
}

}  // namespace
}  // namespace lockstep
