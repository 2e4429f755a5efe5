// A directory for one test, removed at its end, and the cache inside it.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace lockstep {

class ScratchTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string path = (std::filesystem::temp_directory_path() / "lockstep-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(path.data()), nullptr);
    directory = path;
    ::setenv("LOCKSTEP_CACHE", (directory + "/cache").c_str(), 1);
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(directory, ignored);
  }
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = directory + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string directory;
};

}  // namespace lockstep
