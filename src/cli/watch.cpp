#include "cli/watch.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>

#include "base/scratch.h"
#include "cli/commands.h"
#include "compile/process.h"

namespace lockstep::cli {
namespace {

std::atomic<int> caught{0};

i64 milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return i64{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

// A signal may come twice at once, to the process and to its group: only a later one is a second wish.
void remember(int signal) {
  static std::atomic<i64> first{0};
  const i64 now = milliseconds();
  if (caught == 0) {
    first = now;
    caught = signal;
    stop_processes();
  } else if (now - first > 500) {
    remove_scratch_directories();
    ::signal(signal, SIG_DFL);
    ::raise(signal);
  }
}

constexpr f64 silent_seconds = 2;       // before the first line
constexpr f64 most_pause_seconds = 60;  // between lines where there is no terminal
constexpr auto glance = std::chrono::milliseconds(500);

}  // namespace

void catch_signals() {
  struct sigaction action{};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART | SA_NODEFER;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    // What was ignored stays ignored (nohup).
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      ::sigaction(signal, &action, nullptr);
  }
}

Watch::Watch(Look look) : look_(std::move(look)) {
  // Signals go to the thread that works.
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  speaker_ = std::thread([this] { speak(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Watch::~Watch() {
  quiet();
}

void Watch::quiet() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (speaker_.joinable()) speaker_.join();
  if (visible_) show(stderr, "\r\033[K");
  visible_ = false;
}

void Watch::update(std::string_view part, u64 done, u64 all, std::string_view unit, std::string detail) {
  const std::lock_guard lock(mutex_);
  if (part != part_) {
    part_ = part;
    part_begun_ = Clock::now();
  }
  done_ = done;
  all_ = all;
  unit_ = unit;
  detail_ = std::move(detail);
}

std::string Watch::line(f64 seconds) const {
  std::string text = part_.empty() ? "working" : part_;
  if (all_ != 0 && done_ != 0) {
    const f64 share = static_cast<f64>(done_) / static_cast<f64>(all_);
    text += fmt::format(": {:.0f} % ({} of {} {})", 100 * share, done_, all_, unit_);
    if (done_ < all_) text += fmt::format(", about {:.0f} s left", seconds * (1 - share) / share);
  } else if (all_ != 0) {
    text += fmt::format(": none of {} {} done", all_, unit_);
  }
  if (!detail_.empty()) text += "; " + detail_;
  return text;
}

void Watch::speak() {
  const bool rewritten = !look_ && ::isatty(STDERR_FILENO) != 0;
  f64 next = silent_seconds;
  std::unique_lock lock(mutex_);
  while (!over_) {
    changed_.wait_for(lock, glance);
    if (look_ && !over_) {
      lock.unlock();
      look_(*this);
      lock.lock();
    }
    const Clock::time_point now = Clock::now();
    const f64 seconds = std::chrono::duration<f64>(now - begun_).count();
    if (over_ || seconds < next) continue;
    const std::string text = line(std::chrono::duration<f64>(now - part_begun_).count());
    if (rewritten) {
      show(stderr, "\r\033[K" + text);
      visible_ = true;
    } else {
      show(stderr, "lockstep: {}, {:.0f} s so far\n", text, seconds);
      next = seconds + std::min(seconds, most_pause_seconds);
    }
  }
}

void Watch::limit(f64 seconds) {
  limit_seconds_ = seconds;
  limit_begun_ = Clock::now();
}

bool Watch::go_on() const {
  if (caught != 0) return false;
  return limit_seconds_ <= 0 ||
         std::chrono::duration<f64>(Clock::now() - limit_begun_).count() < limit_seconds_;
}

Diagnostic Watch::reason() const {
  if (caught == 0)
    return {"time-limit", {}, fmt::format("the time limit of {} s ended the run", limit_seconds_), ""};
  return {"interrupted", {}, fmt::format("the user ended the run ({})", ::sigabbrev_np(caught)), ""};
}

int Watch::exit_code() const {
  return caught != 0 ? 128 + caught : exit_time_limit;
}

}  // namespace lockstep::cli
