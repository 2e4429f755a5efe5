#include "compile/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>

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
  bool gone = false;
  for (int i = 0; i < 500 && !gone; ++i) {
    gone = ::kill(grandchild, 0) != 0 && errno == ESRCH;
    // Where no init process reaps orphans it stays as a zombie: dead all the same.
    const std::string path = "/proc/" + std::to_string(grandchild) + "/stat";
    if (FILE* file = std::fopen(path.c_str(), "r")) {
      char line[256] = {};
      if (std::fgets(line, sizeof line, file) != nullptr && std::strstr(line, ") Z") != nullptr) gone = true;
      std::fclose(file);
    }
    if (!gone) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(gone);
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

}  // namespace
}  // namespace lockstep
