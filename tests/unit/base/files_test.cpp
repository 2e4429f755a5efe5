#include "base/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = (fs::temp_directory_path() / "lockstep-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder_.data()), nullptr);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string content(const std::string& name) const {
    std::ifstream in(folder_ + "/" + name, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }

  std::string folder_;
};

TEST_F(FilesTest, AFileIsWrittenWholeAndNoOtherIsTouched) {
  const std::string path = folder_ + "/report";
  for (const char* beside : {"report.part", "report.tmp"}) std::ofstream(folder_ + "/" + beside) << "mine";
  ASSERT_TRUE(write_whole_file(path, "first").ok());
  EXPECT_EQ(content("report"), "first");
  ASSERT_TRUE(write_whole_file(path, "second").ok());
  EXPECT_EQ(content("report"), "second");
  for (const char* beside : {"report.part", "report.tmp"}) EXPECT_EQ(content(beside), "mine");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 3);
}

TEST_F(FilesTest, AProcessThatIsKilledLeavesNothing) {
  const int unnamed = ::open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (unnamed < 0) GTEST_SKIP() << "this file system has no files without names";
  ::close(unnamed);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    Expected<WholeFile> file = WholeFile::open(folder_ + "/report");
    if (file && file->write("half of it")) ::raise(SIGKILL);
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(FilesTest, TheModeIsANewFilesOrTheFormerOne) {
  const std::string path = folder_ + "/report";
  const mode_t before = ::umask(027);
  EXPECT_TRUE(write_whole_file(path, "x").ok());
  ::umask(before);
  struct stat info{};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  EXPECT_TRUE(write_whole_file(path, "y").ok());
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(FilesTest, WhatIsNoFileIsWrittenToAndStays) {
  EXPECT_EQ(write_whole_file("/dev/full", "x").error().code, "cannot-write");
  EXPECT_TRUE(write_whole_file("/dev/null", "x").ok());
  struct stat info{};
  for (const char* device : {"/dev/full", "/dev/null"}) {
    ASSERT_EQ(::stat(device, &info), 0);
    EXPECT_TRUE(S_ISCHR(info.st_mode)) << device;
  }
  EXPECT_EQ(write_whole_file(folder_, "x").error().code, "cannot-write");
  EXPECT_EQ(write_whole_file(folder_ + "/no/file", "x").error().code, "cannot-write");
}

}  // namespace
}  // namespace lockstep
