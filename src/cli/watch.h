// What goes on while a command works: progress on standard error, the user's Ctrl-C, a time limit.
#pragma once
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/diagnostic.h"

namespace lockstep::cli {

// From here on the first SIGINT, SIGTERM or SIGHUP asks the command to end with what it has; a second one
// ends the process.
void catch_signals();

// Watches over the work of one command. While it lives, it says on standard error how far the work is, after
// the first two seconds: on a terminal in one line that it rewrites, elsewhere in a line now and then.
class Watch {
 public:
  Watch() : Watch(Look()) {}
  // For work of a process that writes to the same terminal: whole lines there too, so that nothing of its own
  // is overwritten. `look` finds out how far the work is, and calls update(); it is asked before each line.
  using Look = std::function<void(Watch&)>;
  explicit Watch(Look look);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  // The work's present part, of which `done` of `all` are done; `detail` is for parts of which little is
  // known. Any thread may call it.
  void update(std::string_view part, u64 done, u64 all, std::string_view unit, std::string detail = {});
  // From now on go_on() allows so many seconds; 0 for any number. Called before other threads ask.
  void limit(f64 seconds);
  // No more lines from here on.
  void quiet();

  // Whether the work shall go on: no signal came, and the time limit is not reached. Any thread may ask.
  bool go_on() const;
  // Why not: "interrupted" or "time-limit".
  Diagnostic reason() const;
  // 128 and the signal's number, or exit_time_limit.
  int exit_code() const;

 private:
  using Clock = std::chrono::steady_clock;
  void speak();
  std::string line(f64 seconds) const;

  const Look look_;
  const Clock::time_point begun_ = Clock::now();
  f64 limit_seconds_ = 0;
  Clock::time_point limit_begun_ = begun_;
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  bool over_ = false, visible_ = false;
  std::string part_, unit_, detail_;
  u64 done_ = 0, all_ = 0;
  Clock::time_point part_begun_ = begun_;
  std::thread speaker_;
};

}  // namespace lockstep::cli
