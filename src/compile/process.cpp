#include "compile/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "compile/confine.h"

namespace lockstep {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  void reset(int number = -1) {
    if (number_ >= 0) ::close(number_);
    number_ = number;
  }
  int get() const { return number_; }

 private:
  int number_;
};

struct Child {
  char* const* arguments;
  char* const* environment;
  const char* directory;  // nullptr: stay
  int input, output, errors;
  int rules;  // confinement()
  pid_t parent;
  u64 memory_limit_bytes, file_limit_bytes;
  volatile int error = 0;  // errno of what failed; the parent sees it because vfork shares memory
};

void limit(int resource, u64 value) {
  rlimit bound{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &bound) != 0) return;
  if (bound.rlim_max == RLIM_INFINITY || value < bound.rlim_max) bound.rlim_max = value;
  bound.rlim_cur = bound.rlim_max;
  ::setrlimit(static_cast<__rlimit_resource>(resource), &bound);
}

[[noreturn]] void give_up(Child& child) {
  child.error = errno;
  ::_exit(127);
}

// Kernels before 5.9 have no close_range.
void close_from_3() {
  if (::syscall(SYS_close_range, 3U, ~0U, 0U) == 0) return;
  rlimit open_files{};
  ::getrlimit(RLIMIT_NOFILE, &open_files);
  const int end = static_cast<int>(std::min<rlim_t>(open_files.rlim_cur, 1 << 20));
  for (int number = 3; number < end; ++number) ::close(number);
}

// Runs in the child between vfork and exec: only calls that are safe there, no memory of the parent changed
// but `error`.
[[noreturn]] void become_child(Child& child) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != child.parent) ::_exit(127);  // it died before that
  // Handlers of the host application must not run here; ignored signals would survive exec.
  struct sigaction standard{};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < 32; ++number)
    if (number != SIGKILL && number != SIGSTOP) ::sigaction(number, &standard, nullptr);
  int moved[3] = {child.input, child.output, child.errors};
  // Move away from 0..2 first, so that no dup2 overwrites one that is still needed.
  for (int& number : moved)
    if (number < 3) number = ::fcntl(number, F_DUPFD, 3);
  const int rules = child.rules >= 0 && child.rules < 3 ? ::fcntl(child.rules, F_DUPFD, 3) : child.rules;
  for (int target = 0; target < 3; ++target)
    if (moved[target] < 0 || ::dup2(moved[target], target) < 0) give_up(child);
  if (child.rules >= 0 && !confine_self(rules)) give_up(child);
  close_from_3();
  if (child.directory != nullptr && ::chdir(child.directory) != 0) give_up(child);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, child.file_limit_bytes);
  if (child.memory_limit_bytes != 0) limit(RLIMIT_AS, child.memory_limit_bytes);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(child.arguments[0], child.arguments, child.environment);
  give_up(child);
}

// vfork and not fork: a simulator with gigabytes of buffers must not copy its page tables for every compile.
[[gnu::noinline]] pid_t start(Child& child) {
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t process = ::vfork();
  if (process == 0) become_child(child);
  const int error = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return process;
}

// Takes what is there. False at the end of the stream or on an error.
bool drain(int number, std::string& text, u64 limit_bytes, bool& exceeded) {
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t got = ::read(number, buffer.data(), buffer.size());
    if (got > 0) {
      const u64 room = limit_bytes - std::min<u64>(limit_bytes, text.size());
      if (static_cast<u64>(got) > room) exceeded = true;
      text.append(buffer.data(), std::min<u64>(room, static_cast<u64>(got)));
      if (exceeded) return true;
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    return got < 0 && errno == EAGAIN;
  }
}

Diagnostic cannot_run(const ProcessRequest& request, const char* what, int error) {
  return Diagnostic{"cannot-run",
                    {request.arguments.empty() ? std::string() : request.arguments[0], 0, 0},
                    fmt::format("{}: {}", what, std::strerror(error)),
                    ""};
}

void collect_status(pid_t process, ProcessResult& result) {
  int status = 0;
  pid_t got;
  do got = ::waitpid(process, &status, 0);
  while (got < 0 && errno == EINTR);
  if (got != process) {
    result.end = ProcessResult::End::unknown;
  } else if (WIFSIGNALED(status)) {
    result.end = ProcessResult::End::signalled;
    result.code = WTERMSIG(status);
  } else {
    result.end = ProcessResult::End::exited;
    result.code = WEXITSTATUS(status);
  }
}

// True when the child has ended (it stays a zombie until collect_status, so that its group's number is ours).
bool has_ended(pid_t process) {
  siginfo_t info{};
  const int got = ::waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT);
  return (got == 0 && info.si_pid == process) || (got < 0 && errno == ECHILD);
}

std::atomic<bool> stopping{false};
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

void stop_processes() {
  stopping = true;
}

Expected<ProcessResult> run_process(const ProcessRequest& request) {
  using Clock = std::chrono::steady_clock;
  if (request.arguments.empty()) return cannot_run(request, "no program named", EINVAL);

  // A file in memory instead of a pipe: nobody has to feed it while the child runs.
  Descriptor input(::memfd_create("lockstep-input", MFD_CLOEXEC));
  if (input.get() < 0) return cannot_run(request, "cannot create its input", errno);
  for (u64 done = 0; done < request.input.size();) {
    const ssize_t wrote = ::write(input.get(), request.input.data() + done, request.input.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return cannot_run(request, "cannot write its input", errno);
    done += static_cast<u64>(wrote);
  }
  ::lseek(input.get(), 0, SEEK_SET);

  int pipes[4];
  if (::pipe2(pipes, O_CLOEXEC) != 0) return cannot_run(request, "cannot create a pipe", errno);
  Descriptor output(pipes[0]), child_output(pipes[1]);
  if (::pipe2(pipes + 2, O_CLOEXEC) != 0) return cannot_run(request, "cannot create a pipe", errno);
  Descriptor errors(pipes[2]), child_errors(pipes[3]);
  for (const int number : {output.get(), errors.get()}) ::fcntl(number, F_SETFL, O_NONBLOCK);

  std::vector<char*> arguments;
  for (const std::string& argument : request.arguments)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  // Nothing of ours: what loads libraries, finds headers or adds options would change what is compiled.
  std::string words[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=/nonexistent",
                         "TMPDIR=" + (request.writable.empty() ? "/nonexistent" : request.writable)};
  std::vector<char*> environment;
  for (std::string& word : words) environment.push_back(word.data());
  environment.push_back(nullptr);
  const Descriptor rules(confinement(request.writable));
  Child child{arguments.data(),
              environment.data(),
              request.directory.empty() ? nullptr : request.directory.c_str(),
              input.get(),
              child_output.get(),
              child_errors.get(),
              rules.get(),
              ::getpid(),
              request.memory_limit_bytes,
              request.file_limit_bytes};

  const auto begin = Clock::now();
  const auto deadline = begin + std::chrono::milliseconds(request.time_limit_ms);
  const pid_t process = start(child);
  if (process < 0) return cannot_run(request, "cannot start", errno);
  child_output.reset();
  child_errors.reset();
  ProcessResult result;
  if (child.error != 0) {
    const int error = child.error;
    collect_status(process, result);
    return cannot_run(request, "cannot run", error);
  }

  // Wakes the loop when the child ends although a grandchild still holds the pipes; where the kernel has no
  // pidfd, the loop looks every 10 ms instead.
  const Descriptor ended(static_cast<int>(::syscall(SYS_pidfd_open, process, 0U)));
  bool exceeded = false, timed_out = false, stopped = false, output_open = true, errors_open = true;
  while (!exceeded) {
    stopped = stopping && !has_ended(process);
    if (stopped) break;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      timed_out = !has_ended(process);
      if (timed_out) break;
    }
    pollfd watched[3] = {{output_open ? output.get() : -1, POLLIN, 0},
                         {errors_open ? errors.get() : -1, POLLIN, 0},
                         {ended.get(), POLLIN, 0}};
    // A signal that asks to stop may have come to another thread, or just before this one waits.
    constexpr i64 glance = 200;
    const auto wait_ms = std::min<i64>(left, ended.get() >= 0 ? glance : 10);
    ::poll(watched, 3, static_cast<int>(std::clamp<i64>(wait_ms, 0, 3'600'000)));
    const bool over = has_ended(process);
    if (output_open) output_open = drain(output.get(), result.output, request.output_limit_bytes, exceeded);
    if (errors_open) errors_open = drain(errors.get(), result.errors, request.output_limit_bytes, exceeded);
    if (over) break;
  }
  ::kill(-process, SIGKILL);  // what it may have left running, and itself when a limit was hit
  collect_status(process, result);
  if (timed_out) result.end = ProcessResult::End::timed_out;
  if (stopped) result.end = ProcessResult::End::stopped;
  if (exceeded) result.end = ProcessResult::End::output_exceeded;
  if (result.end == ProcessResult::End::signalled && result.code == SIGXFSZ)
    result.end = ProcessResult::End::file_too_long;
  result.elapsed_ms =
      static_cast<u64>(std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin).count());
  return result;
}

}  // namespace lockstep
