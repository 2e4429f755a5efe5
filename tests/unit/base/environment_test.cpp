#include "base/environment.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.is_open()) << path;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

TEST(Environment, ThePageIsTheTable) {
  const std::string page = content(LOCKSTEP_SOURCE_DIR "/docs/environment.md");
  const std::string table = environment_page_table();
  EXPECT_NE(page.find("\n" + table), std::string::npos) << "docs/environment.md must hold this table:\n"
                                                        << table;
  const std::string_view rest = std::string_view(page).substr(page.find(table) + table.size());
  EXPECT_EQ(rest.find("\n| "), std::string_view::npos) << "and no other rows";
}

TEST(Environment, OneFunctionReadsIt) {
  for (const auto& entry : fs::recursive_directory_iterator(LOCKSTEP_SOURCE_DIR "/src")) {
    if (!entry.is_regular_file() || entry.path().filename() == "environment.cpp") continue;
    const std::string text = content(entry.path());
    for (const char* way : {"getenv(", "environ;", "envp"})
      EXPECT_EQ(text.find(way), std::string::npos) << entry.path() << " has " << way;
  }
}

TEST(Environment, EmptyIsNotSet) {
  ::setenv("LOCKSTEP_MODE", "", 1);
  EXPECT_EQ(environment("LOCKSTEP_MODE"), nullptr);
  ::setenv("LOCKSTEP_MODE", "timed", 1);
  EXPECT_STREQ(environment("LOCKSTEP_MODE"), "timed");
  ::unsetenv("LOCKSTEP_MODE");
  EXPECT_EQ(environment("LOCKSTEP_MODE"), nullptr);
  EXPECT_DEATH(environment("LOCKSTEP_NONSENSE"), "stands in the table");
}

}  // namespace
}  // namespace lockstep
