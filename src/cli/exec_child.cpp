#include "cli/exec_child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace lockstep::cli {
namespace {

std::atomic<pid_t> the_child{0};

void pass_on(int signal) {
  const int error = errno;
  if (const pid_t child = the_child; child > 0) ::kill(child, signal);
  errno = error;
}

constexpr int ignored[] = {SIGINT, SIGQUIT};
constexpr int passed_on[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

// Sets our dispositions and puts the former ones back.
class Dispositions {
 public:
  Dispositions() {
    struct sigaction quiet{}, handler{};
    quiet.sa_handler = SIG_IGN;
    handler.sa_handler = pass_on;
    handler.sa_flags = SA_RESTART;
    for (const int signal : ignored) set(signal, quiet);
    for (const int signal : passed_on) set(signal, handler);
  }
  ~Dispositions() { restore(); }
  Dispositions(const Dispositions&) = delete;
  Dispositions& operator=(const Dispositions&) = delete;

  // Also for the child, between fork and exec.
  void restore() const {
    for (std::size_t i = 0; i < count_; ++i) ::sigaction(former_[i].signal, &former_[i].action, nullptr);
  }

 private:
  void set(int signal, const struct sigaction& action) {
    former_[count_].signal = signal;
    ::sigaction(signal, &action, &former_[count_].action);
    // What was ignored stays ignored (nohup).
    if (former_[count_].action.sa_handler == SIG_IGN) ::sigaction(signal, &former_[count_].action, nullptr);
    ++count_;
  }

  struct Former {
    int signal;
    struct sigaction action;
  };
  Former former_[6]{};
  std::size_t count_ = 0;
};

[[noreturn]] void become(const std::vector<std::string>& command, const std::string& folder,
                         const std::vector<std::pair<std::string, std::string>>& variables, int report) {
  for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  if (folder.empty() || ::chdir(folder.c_str()) == 0) ::execvp(arguments[0], arguments.data());
  const int error = errno;
  // The parent reads this; exec would have closed the pipe.
  if (::write(report, &error, sizeof error) != sizeof error) ::_exit(126);
  ::_exit(127);
}

}  // namespace

Expected<ChildEnd> run_child(const std::vector<std::string>& command, const std::string& folder,
                             const std::vector<std::pair<std::string, std::string>>& variables,
                             const std::function<void()>& started) {
  const auto failure = [&](const char* code, int error) {
    return Diagnostic{code, {command[0], 0, 0}, std::strerror(error), ""};
  };
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) return failure("cannot-run", errno);
  const Dispositions dispositions;
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(report[0]);
    ::close(report[1]);
    return failure("cannot-run", errno);
  }
  if (child == 0) {
    dispositions.restore();
    become(command, folder, variables, report[1]);
  }
  the_child = child;
  ::close(report[1]);
  int error = 0;
  ssize_t got;
  do got = ::read(report[0], &error, sizeof error);
  while (got < 0 && errno == EINTR);
  ::close(report[0]);
  const bool runs = got != static_cast<ssize_t>(sizeof error);
  if (runs) started();
  int status = 0;
  pid_t ended;
  do ended = ::waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  the_child = 0;
  if (!runs) return failure(error == ENOENT ? "no-such-program" : "cannot-run", error);
  ChildEnd end;
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
    end.exit_code = 128 + end.signal;
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
  return end;
}

}  // namespace lockstep::cli
