// A time limit for one input: by processor time, so that a busy host finds no hang where there is none, and
// by the wall clock, much longer, for a reader that waits for something.
#pragma once
#include <sys/time.h>
#include <unistd.h>

#include <csignal>

namespace lockstep::fuzz {

// SIGPROF or SIGALRM comes when it is over; 0: no limit any more.
inline void limit_seconds(unsigned seconds) {
  constexpr unsigned wall_per_processor = 60;
  const itimerval timer{{0, 0}, {static_cast<time_t>(seconds), 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
  alarm(seconds * wall_per_processor);
}

inline bool is_over_limit(int signal_number) {
  return signal_number == SIGPROF || signal_number == SIGALRM;
}

}  // namespace lockstep::fuzz
