// Code objects that another compiler made, of versions 2 to 5 (tests/data/objects): they load and give what
// their source says.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "functional_launch.h"

namespace lockstep {
namespace {

std::string folder() {
  return std::string(LOCKSTEP_SOURCE_DIR) + "/tests/data/objects";
}

void check(const std::string& path, const std::string& target) {
  CompileRequest request;
  request.path = path;
  request.target = find_target(target);
  FunctionalLaunch launch(request);
  ASSERT_TRUE(launch.loaded()) << path;
  ASSERT_EQ(launch.module().programs.size(), 3u) << path;

  constexpr u32 items = 256;
  std::vector<float> x(items), y(items, 1);
  for (u32 i = 0; i < items; ++i) x[i] = static_cast<float>(i);
  const u64 in = launch.buffer(x), out = launch.buffer(y);
  launch.pass(in), launch.pass(out), launch.pass_value(2.5f), launch.pass_value(i32{200});
  ASSERT_TRUE(launch.run("saxpy", items, 64)) << path;
  y = launch.read<float>(out, items);
  for (u32 i = 0; i < items; ++i) EXPECT_EQ(y[i], i < 200 ? 2.5f * x[i] + 1 : 1) << path << " " << i;

  std::vector<i32> numbers(items);
  for (u32 i = 0; i < items; ++i) numbers[i] = static_cast<i32>(i * i % 97);
  const u64 given = launch.buffer(numbers), sums = launch.buffer(std::vector<i32>(4, -1));
  launch.pass(given), launch.pass(sums);
  ASSERT_TRUE(launch.run("group_sums", items, 64)) << path;
  const std::vector<i32> got = launch.read<i32>(sums, 4);
  const i32 weights[] = {1, 10, 100, 1000};
  for (u32 group = 0; group < 4; ++group) {
    i32 expected = 4;  // the number of groups
    for (u32 i = 0; i < 64; ++i) expected += numbers[64 * group + i] * weights[i & 3];
    EXPECT_EQ(got[group], expected) << path << " group " << group;
  }

  const u64 longs = launch.buffer(std::vector<i64>(items, -1));
  launch.pass(given), launch.pass(longs), launch.pass_value(u8{3});
  ASSERT_TRUE(launch.run("rotated", items, 64)) << path;
  const std::vector<i64> rotated = launch.read<i64>(longs, items);
  for (u32 i = 0; i < items; ++i)
    EXPECT_EQ(rotated[i], i64{numbers[i]} + ((i + 3) & 7) + items) << path << " " << i;
}

TEST(CodeObjects, OfEveryVersionRun) {
  std::set<std::string> versions;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() != ".hsaco") continue;
    versions.insert(name.substr(0, 2));
    check(entry.path().string(), name.substr(name.find('_') + 1));
  }
  EXPECT_EQ(versions, (std::set<std::string>{"v2", "v3", "v4", "v5"}));
}

std::string contents(const std::string& name) {
  std::ifstream file(folder() + "/" + name, std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

void put64(std::string& bytes, u64 value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// As hipcc --genco writes it: an empty entry for the host, then the objects.
TEST(CodeObjects, ABundlesObjectForTheTargetRuns) {
  const std::vector<std::pair<std::string, std::string>> entries = {
      {"host-x86_64-unknown-linux--", ""},
      {"hipv4-amdgcn-amd-amdhsa--gfx900:xnack-", contents("v4_gfx900.hsaco")},
      {"hipv4-amdgcn-amd-amdhsa--gfx1030", contents("v4_gfx1030.hsaco")}};
  std::string bundle = "__CLANG_OFFLOAD_BUNDLE__", objects;
  put64(bundle, entries.size());
  for (const auto& [name, object] : entries) {
    put64(bundle, 4096 + objects.size());
    put64(bundle, object.size());
    put64(bundle, name.size());
    bundle += name;
    objects += object;
  }
  bundle.resize(4096);
  bundle += objects;
  const std::string path = ::testing::TempDir() + "lockstep-bundle.hsaco";
  std::ofstream(path, std::ios::binary) << bundle;
  check(path, "gfx1030");
  CompileRequest request;
  request.path = path;
  request.target = find_target("gfx906");
  const Expected<LoadedProgram> other = load_program(request);
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().code, "wrong-target");
  EXPECT_NE(other.error().message.find("gfx900, gfx1030"), std::string::npos) << other.error().message;
  std::ofstream(path, std::ios::binary) << bundle.substr(0, 5000);
  EXPECT_EQ(load_program(request).error().code, "bad-bundle");
  std::filesystem::remove(path);
}

TEST(CodeObjects, ADamagedOneIsADiagnostic) {
  std::string damaged = contents("v2_gfx900.hsaco");
  const std::size_t at = damaged.find("CodeProps:");
  ASSERT_NE(at, std::string::npos);
  damaged.replace(at, 10, "CodeProps ");
  CompileRequest request;
  request.path = "damaged.hsaco";
  request.source = damaged;
  request.target = find_target("gfx900");
  request.language = SourceLanguage::code_object;
  const Expected<LoadedProgram> loaded = load_program(request);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, "bad-metadata");
  EXPECT_NE(loaded.error().message.find("line"), std::string::npos);
}

}  // namespace
}  // namespace lockstep
