#include "opencl/virtual_clock.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <chrono>

#include "preload/virtual_clock.h"

namespace lockstep::opencl {
namespace {

struct Clock {
  decltype(&lockstep_clock_now_ns) now = nullptr;
  decltype(&lockstep_clock_stop) stop = nullptr;
  decltype(&lockstep_clock_go) go = nullptr;
  decltype(&lockstep_clock_advance_to) advance = nullptr;
};

template <class F>
F in_process(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_DEFAULT, name));
}

Clock find_clock() {
  Clock clock;
  clock.stop = in_process<decltype(clock.stop)>("lockstep_clock_stop");
  clock.go = in_process<decltype(clock.go)>("lockstep_clock_go");
  clock.advance = in_process<decltype(clock.advance)>("lockstep_clock_advance_to");
  if (clock.stop != nullptr && clock.go != nullptr && clock.advance != nullptr)
    clock.now = in_process<decltype(clock.now)>("lockstep_clock_now_ns");
  return clock;
}

const Clock& clock() {
  static const Clock found = find_clock();
  return found;
}

}  // namespace

bool has_virtual_clock() {
  return clock().now != nullptr;
}

u64 host_monotonic_ns() {
  timespec now{};
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<u64>(now.tv_sec) * 1'000'000'000 + static_cast<u64>(now.tv_nsec);
}

u64 application_now_ns() {
  if (has_virtual_clock()) return static_cast<u64>(clock().now());
  return static_cast<u64>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                              std::chrono::steady_clock::now().time_since_epoch())
                              .count());
}

void advance_application_clock(u64 ns) {
  if (has_virtual_clock()) clock().advance(static_cast<long long>(ns));
}

StoppedClock::StoppedClock() {
  if (has_virtual_clock()) clock().stop();
}

StoppedClock::~StoppedClock() {
  if (has_virtual_clock()) clock().go();
}

}  // namespace lockstep::opencl
