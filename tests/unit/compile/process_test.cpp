#include "compile/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "compile/confine.h"

namespace lockstep {
namespace {

ProcessRequest shell(const std::string& script) {
  ProcessRequest request;
  request.arguments = {"/bin/sh", "-c", script};
  request.time_limit_ms = 20'000;
  return request;
}

ProcessResult run(const ProcessRequest& request) {
  auto result = run_process(request);
  EXPECT_TRUE(result.ok()) << to_string(result.error());
  return result.ok() ? *result : ProcessResult{};
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    count += entry.path().empty() ? 0 : 1;
  return count;
}

// Whether the process is gone within five seconds.
bool dies(pid_t process) {
  bool gone = false;
  for (int i = 0; i < 500 && !gone; ++i) {
    gone = ::kill(process, 0) != 0 && errno == ESRCH;
    // Where no init process reaps orphans it stays as a zombie: dead all the same.
    const std::string path = "/proc/" + std::to_string(process) + "/stat";
    if (FILE* file = std::fopen(path.c_str(), "r")) {
      char line[256] = {};
      if (std::fgets(line, sizeof line, file) != nullptr && std::strstr(line, ") Z") != nullptr) gone = true;
      std::fclose(file);
    }
    if (!gone) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return gone;
}

TEST(Process, CapturesBothStreamsAndTheStatus) {
  const ProcessResult result = run(shell("echo out; echo err >&2; exit 7"));
  EXPECT_EQ(result.end, ProcessResult::End::exited);
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.output, "out\n");
  EXPECT_EQ(result.errors, "err\n");
  EXPECT_FALSE(result.ok());
}

TEST(Process, GivesTheInputUnchanged) {
  std::string input;
  for (int i = 0; i < 300'000; ++i) input += static_cast<char>(i * 7);
  ProcessRequest request;
  request.arguments = {"/bin/cat"};
  request.input = input;
  const ProcessResult result = run(request);
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(result.output == input);
}

TEST(Process, RunsWithoutAShellInItsDirectory) {
  ProcessRequest request;
  request.arguments = {"/bin/pwd"};
  request.directory = "/usr";
  EXPECT_EQ(run(request).output, "/usr\n");
  request.arguments = {"/bin/echo", "$HOME; a  b"};
  EXPECT_EQ(run(request).output, "$HOME; a  b\n");
}

TEST(Process, MissingProgramIsADiagnostic) {
  ProcessRequest request;
  request.arguments = {"/no/such/program"};
  auto result = run_process(request);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, "cannot-run");
  EXPECT_EQ(result.error().place.file, "/no/such/program");
  request.arguments = {"/bin/true"};
  request.directory = "/no/such/directory";
  EXPECT_FALSE(run_process(request).ok());
}

TEST(Process, KillsTheWholeGroupAtTheTimeLimit) {
  ProcessRequest request = shell("sleep 60 & echo $!; sleep 60");
  request.time_limit_ms = 200;
  const auto begin = std::chrono::steady_clock::now();
  const ProcessResult result = run(request);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  EXPECT_EQ(result.end, ProcessResult::End::timed_out);
  const pid_t grandchild = std::stoi(result.output);
  EXPECT_TRUE(dies(grandchild));
}

TEST(Process, DoesNotWaitForAGrandchildThatHoldsThePipes) {
  const auto begin = std::chrono::steady_clock::now();
  const ProcessResult result = run(shell("sleep 60 & echo done"));
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.output, "done\n");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST(Process, BoundsTheMemory) {
  ProcessRequest request;
  request.arguments = {"/usr/bin/python3", "-c", "print(len(bytearray(1 << 28)))"};
  request.memory_limit_bytes = u64{128} << 20;
  const ProcessResult bounded = run(request);
  EXPECT_FALSE(bounded.ok());
  EXPECT_NE(bounded.errors.find("MemoryError"), std::string::npos);
  request.memory_limit_bytes = u64{4} << 30;
  EXPECT_EQ(run(request).output, "268435456\n");
}

TEST(Process, BoundsTheOutput) {
  ProcessRequest request;
  request.arguments = {"/usr/bin/yes"};
  request.output_limit_bytes = 100'001;
  const ProcessResult result = run(request);
  EXPECT_EQ(result.end, ProcessResult::End::output_exceeded);
  EXPECT_EQ(result.output.size(), 100'001u);
}

TEST(Process, TellsTheSignal) {
  const ProcessResult result = run(shell("kill -SEGV $$"));
  EXPECT_EQ(result.end, ProcessResult::End::signalled);
  EXPECT_EQ(result.code, SIGSEGV);
}

TEST(Process, LeavesNoZombieAndNoDescriptor) {
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 20; ++i) (void)run(shell("exit 0"));
  ProcessRequest slow = shell("sleep 60");
  slow.time_limit_ms = 20;
  (void)run(slow);
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Process, RunsFromManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::array<int, 8> good{};
  for (std::size_t t = 0; t < good.size(); ++t)
    threads.emplace_back([t, &good] {
      for (int i = 0; i < 10; ++i) {
        ProcessRequest request;
        const std::string text = std::to_string(1000 * t + static_cast<std::size_t>(i));
        request.arguments = {"/bin/echo", text};
        auto result = run_process(request);
        if (result && result->ok() && result->output == text + "\n") ++good[t];
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const int count : good) EXPECT_EQ(count, 10);
}

TEST(Process, SaysSoWhenTheHostIgnoresItsChildren) {
  struct sigaction ignore{}, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGCHLD, &ignore, &before);
  const ProcessResult result = run(shell("echo x"));
  ::sigaction(SIGCHLD, &before, nullptr);
  EXPECT_EQ(result.end, ProcessResult::End::unknown);
  EXPECT_EQ(result.output, "x\n");
}

// A folder for one test.
struct Folder {
  std::string path = (std::filesystem::temp_directory_path() / "lockstep-process-XXXXXX").string();
  Folder() { EXPECT_NE(::mkdtemp(path.data()), nullptr); }
  ~Folder() { std::filesystem::remove_all(path); }
};

TEST(Process, GivesTheChildAnEnvironmentOfItsOwn) {
  ::setenv("LD_PRELOAD", "", 1);
  ::setenv("CPATH", "/hostile", 1);
  ProcessRequest request;
  request.arguments = {"/usr/bin/env"};
  EXPECT_EQ(run(request).output, "PATH=/usr/bin:/bin\nLC_ALL=C\nHOME=/nonexistent\nTMPDIR=/nonexistent\n");
  request.writable = "/tmp";
  EXPECT_NE(run(request).output.find("\nTMPDIR=/tmp\n"), std::string::npos);
  ::unsetenv("LD_PRELOAD");
  ::unsetenv("CPATH");
}

TEST(Process, GivesNoDescriptorButThree) {
  const int kept = ::open("/dev/null", O_RDONLY);  // not close-on-exec
  ASSERT_GE(kept, 0);
  // The fourth is of ls itself.
  ProcessRequest request;
  request.arguments = {"/bin/ls", "/proc/self/fd"};
  EXPECT_EQ(run(request).output, "0\n1\n2\n3\n");
  ::close(kept);
}

TEST(Process, WritesBelowItsFolderOnly) {
  const int rules = confinement("");
  if (rules < 0) GTEST_SKIP() << "this kernel has no Landlock";
  ::close(rules);
  const Folder inside, outside;
  std::ofstream(outside.path + "/mine") << "mine";
  ProcessRequest request =
      shell("echo a > $TMPDIR/a && mkdir $TMPDIR/d && echo b > $TMPDIR/d/b && cat " + outside.path +
            "/mine; echo c > " + outside.path + "/mine; echo d > " + outside.path + "/d; rm " + outside.path +
            "/mine; mv $TMPDIR/a " + outside.path + "; echo e > /dev/null && echo done");
  request.writable = inside.path;
  const ProcessResult result = run(request);
  EXPECT_EQ(result.output, "minedone\n") << result.errors;
  std::string mine;
  std::ifstream(outside.path + "/mine") >> mine;
  EXPECT_EQ(mine, "mine");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(outside.path), {}), 1);
  EXPECT_TRUE(std::filesystem::exists(inside.path + "/d/b"));
  request.writable.clear();
  EXPECT_FALSE(run(shell("echo f > " + inside.path + "/f")).ok());
}

TEST(Process, BoundsItsFiles) {
  const Folder folder;
  ProcessRequest request;
  request.arguments = {"/bin/dd", "if=/dev/zero", "of=" + folder.path + "/large", "bs=1M", "count=3"};
  request.writable = folder.path;
  request.file_limit_bytes = u64{1} << 20;
  EXPECT_EQ(run(request).end, ProcessResult::End::file_too_long);
}

TEST(Process, DiesWithItsParent) {
  const Folder folder;
  const std::string told = folder.path + "/pid";
  const pid_t parent = ::fork();
  ASSERT_GE(parent, 0);
  if (parent == 0) {
    ProcessRequest request = shell("echo $$ > $TMPDIR/part; mv $TMPDIR/part $TMPDIR/pid; exec sleep 60");
    request.writable = folder.path;
    (void)run_process(request);
    ::_exit(0);
  }
  for (int i = 0; i < 1000 && !std::filesystem::exists(told); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  pid_t child = 0;
  std::ifstream(told) >> child;
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  ASSERT_GT(child, 0);
  EXPECT_TRUE(dies(child));
}

[[noreturn]] void stop_one_that_sleeps() {
  std::thread later([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    stop_processes();
  });
  ProcessRequest request;
  request.arguments = {"/bin/sleep", "50"};
  const Expected<ProcessResult> result = run_process(request);
  later.join();
  const bool stopped = result.ok() && result->end == ProcessResult::End::stopped;
  std::exit(stopped && result->elapsed_ms < 20'000 ? 0 : 1);
}

// In a process of its own: what has been stopped stays so.
TEST(Process, StoppingEndsWhatRuns) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(stop_one_that_sleeps(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace lockstep
