#include "base/scratch.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

class ScratchDirectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    base_ = (fs::temp_directory_path() / "scratch-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(base_.data()), nullptr);
    ::setenv("LOCKSTEP_TMPDIR", base_.c_str(), 1);
  }
  void TearDown() override {
    ::unsetenv("LOCKSTEP_TMPDIR");
    fs::remove_all(base_);
  }
  bool empty() const { return fs::is_empty(base_); }
  // Runs the function in a process of its own.
  template <class F>
  static int in_child(const F& function) {
    const pid_t child = ::fork();
    if (child == 0) {
      function();
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }
  static void fill(const ScratchDirectory& folder) {
    fs::create_directories(folder.file("a/b/c"));
    std::ofstream(folder.file("a/b/c/file")) << "x";
    fs::create_symlink("/usr", folder.file("a/link"));
    std::ofstream(folder.file("file")) << "x";
  }

  std::string base_;
};

TEST_F(ScratchDirectoryTest, ItIsOursAloneAndGoesWithEverythingInIt) {
  {
    const auto folder = ScratchDirectory::create();
    ASSERT_TRUE(folder.ok());
    struct stat info{};
    ASSERT_EQ(::stat(folder->path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
    fill(*folder);
  }
  EXPECT_TRUE(empty());
  EXPECT_TRUE(fs::exists("/usr/bin"));
  ::setenv("LOCKSTEP_TMPDIR", "/no/such/folder", 1);
  EXPECT_EQ(ScratchDirectory::create().error().code, "cannot-write");
}

TEST_F(ScratchDirectoryTest, ASignalsHandlerCanRemoveIt) {
  const int status = in_child([] {
    const auto folder = ScratchDirectory::create();
    fill(*folder);
    ::signal(SIGINT, [](int signal) {
      remove_scratch_directories();
      ::signal(signal, SIG_DFL);
      ::raise(signal);
    });
    ::raise(SIGINT);
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  EXPECT_TRUE(empty());
}

TEST_F(ScratchDirectoryTest, WhatADeadProcessLeftGoesAndNothingElse) {
  in_child([] {
    const auto folder = ScratchDirectory::create();
    fill(*folder);
    ::raise(SIGKILL);
  });
  EXPECT_FALSE(empty());
  // Names like ours, which are not: no mark, another mark, a file.
  fs::create_directory(base_ + "/lockstep-abcdef");
  std::ofstream(base_ + "/lockstep-abcdef/mine") << "mine";
  fs::create_directory(base_ + "/lockstep-ghijkl");
  std::ofstream(base_ + "/lockstep-ghijkl/.lockstep-scratch") << "mine";
  std::ofstream(base_ + "/lockstep-mnopqr") << "mine";
  const auto living = ScratchDirectory::create();
  ASSERT_TRUE(living.ok());
  remove_abandoned_scratch(base_);
  EXPECT_TRUE(fs::exists(living->path()));
  EXPECT_TRUE(fs::exists(base_ + "/lockstep-abcdef/mine"));
  EXPECT_TRUE(fs::exists(base_ + "/lockstep-ghijkl/.lockstep-scratch"));
  EXPECT_TRUE(fs::exists(base_ + "/lockstep-mnopqr"));
  EXPECT_EQ(std::distance(fs::directory_iterator(base_), fs::directory_iterator()), 4);
}

}  // namespace
}  // namespace lockstep
