// A clock of modelled device time for an unmodified process: loaded with LD_PRELOAD, it stands before the C
// library's functions that tell the time, and before those that wait until a time.
//
// What it shows is the host's clock plus an offset; while it is stopped, the times at which it stopped. The
// driver alone moves it. Readers take no lock: signal handlers tell the time too.
#include "preload/virtual_clock.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace {

constexpr long long second_ns = 1'000'000'000;

// The clocks that are moved, by their place in State. What is not among them (processor time of the process
// and its threads, other processes' clocks) stays the host's.
enum Kind { realtime, monotonic, raw, boottime, kinds, other };

Kind kind_of(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
      return realtime;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
      return monotonic;
    case CLOCK_MONOTONIC_RAW:
      return raw;
    case CLOCK_BOOTTIME:
      return boottime;
    default:
      return other;
  }
}

constexpr clockid_t clock_of[kinds] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME};

struct State {
  std::atomic<long long> offset{0};
  std::atomic<bool> stopped{false};
  std::atomic<long long> at[kinds]{};  // the times to show while stopped
};

// Two states, of which `current` counts the one in force: a reader that was overtaken reads again.
State states[2];
std::atomic<unsigned> current{0};
pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
int stops = 0;

using ClockGettime = int (*)(clockid_t, timespec*);
ClockGettime host_gettime = nullptr;

// How often this thread has stopped the clock: what remains of the stops in a forked process.
thread_local int own_stops = 0;

// The functions here are declared to take no null pointer, from which compilers conclude that none comes.
bool is_null(const void* pointer) {
  asm("" : "+r"(pointer));
  return pointer == nullptr;
}

// The C library's own function of this name, behind this library.
template <class F>
F behind(const char* name, const char* version = nullptr) {
  void* found = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  if (found == nullptr) found = dlsym(RTLD_NEXT, name);
  return reinterpret_cast<F>(found);
}

int host_time(clockid_t clock, timespec* time) {
  // The kernel answers null with an error, where the C library's way past it ends in a signal.
  if (host_gettime != nullptr && !is_null(time)) return host_gettime(clock, time);
  return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
}

long long to_ns(const timespec& time) {
  // What is beyond 292 years is as far away as that.
  constexpr long long most = __LONG_LONG_MAX__ / second_ns - 1;
  const long long seconds = time.tv_sec > most ? most : time.tv_sec < -most ? -most : time.tv_sec;
  return seconds * second_ns + time.tv_nsec;
}

timespec to_timespec(long long ns) {
  timespec time{};
  time.tv_sec = static_cast<time_t>(ns / second_ns);
  time.tv_nsec = static_cast<long>(ns % second_ns);
  return time;
}

long long host_ns(clockid_t clock) {
  timespec time{};
  host_time(clock, &time);
  return to_ns(time);
}

long long shown_ns(clockid_t clock, Kind kind) {
  for (;;) {
    const unsigned before = current.load(std::memory_order_acquire);
    const State& state = states[before & 1];
    const bool stopped = state.stopped.load(std::memory_order_relaxed);
    const long long value = stopped ? state.at[kind].load(std::memory_order_relaxed)
                                    : state.offset.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (current.load(std::memory_order_relaxed) != before) continue;
    return stopped ? value : host_ns(clock) + value;
  }
}

// Changes the state: `change` gets a copy of it. The mutex is held.
template <class F>
void publish(F&& change) {
  const unsigned now = current.load(std::memory_order_relaxed);
  const State& from = states[now & 1];
  State& to = states[(now + 1) & 1];
  to.offset.store(from.offset.load(std::memory_order_relaxed), std::memory_order_relaxed);
  to.stopped.store(from.stopped.load(std::memory_order_relaxed), std::memory_order_relaxed);
  for (int i = 0; i < kinds; ++i)
    to.at[i].store(from.at[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
  change(to);
  current.store(now + 1, std::memory_order_release);
}

// From here on the clock shows what it shows now and the host's time that passes.
void run_on() {
  publish([](State& state) {
    state.offset.store(state.at[monotonic].load(std::memory_order_relaxed) - host_ns(CLOCK_MONOTONIC),
                       std::memory_order_relaxed);
    state.stopped.store(false, std::memory_order_relaxed);
  });
}

class Writing {
 public:
  Writing() { pthread_mutex_lock(&writing); }
  ~Writing() { pthread_mutex_unlock(&writing); }
};

// A deadline of a shown clock as one of the host's, in `place`. What the C library would not look at or
// would refuse (null, nanoseconds out of range) is handed on as it is.
const timespec* host_deadline(clockid_t clock, const timespec* deadline, timespec& place) {
  const Kind kind = kind_of(clock);
  if (kind == other || is_null(deadline) || deadline->tv_sec < 0 || deadline->tv_nsec < 0 ||
      deadline->tv_nsec >= second_ns)
    return deadline;
  long long left = 0, at = 0;
  if (__builtin_sub_overflow(to_ns(*deadline), shown_ns(clock, kind), &left)) return deadline;
  if (left > 0 && __builtin_add_overflow(host_ns(clock), left, &at)) return deadline;
  place = to_timespec(at);
  return &place;
}

// A fork copies this thread alone: the lock must not be another's then, and the stops of threads that are
// gone must not hold the clock for ever.
void before_fork() {
  pthread_mutex_lock(&writing);
}

void after_fork() {
  pthread_mutex_unlock(&writing);
}

void in_forked() {
  stops = own_stops;
  if (stops == 0 && states[current.load(std::memory_order_relaxed) & 1].stopped) run_on();
  pthread_mutex_unlock(&writing);
}

__attribute__((constructor)) void begin() {
  host_gettime = behind<ClockGettime>("clock_gettime");
  pthread_atfork(before_fork, after_fork, in_forked);
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

// What the driver uses.

long long lockstep_clock_now_ns() {
  return shown_ns(CLOCK_MONOTONIC, monotonic);
}

void lockstep_clock_stop() {
  const Writing lock;
  ++own_stops;
  if (stops++ != 0) return;
  publish([](State& state) {
    const long long offset = state.offset.load(std::memory_order_relaxed);
    for (int i = 0; i < kinds; ++i)
      state.at[i].store(host_ns(clock_of[i]) + offset, std::memory_order_relaxed);
    state.stopped.store(true, std::memory_order_relaxed);
  });
}

void lockstep_clock_go() {
  const Writing lock;
  --own_stops;
  if (--stops == 0) run_on();
}

void lockstep_clock_advance_to(long long ns) {
  const Writing lock;
  const long long ahead = ns - shown_ns(CLOCK_MONOTONIC, monotonic);
  if (ahead <= 0) return;
  publish([ahead](State& state) {
    state.offset.fetch_add(ahead, std::memory_order_relaxed);
    for (int i = 0; i < kinds; ++i) state.at[i].fetch_add(ahead, std::memory_order_relaxed);
  });
}

// What applications and their libraries call to know the time.

int clock_gettime(clockid_t clock, timespec* time) noexcept {
  const Kind kind = kind_of(clock);
  if (kind == other || is_null(time)) return host_time(clock, time);
  *time = to_timespec(shown_ns(clock, kind));
  return 0;
}

int gettimeofday(timeval* __restrict time, void* __restrict zone) noexcept {
  if (zone != nullptr) {
    const auto host = behind<int (*)(timeval*, void*)>("gettimeofday");
    if (host != nullptr) host(time, zone);
  }
  if (is_null(time)) return 0;
  const long long ns = shown_ns(CLOCK_REALTIME, realtime);
  time->tv_sec = static_cast<time_t>(ns / second_ns);
  time->tv_usec = static_cast<suseconds_t>(ns % second_ns / 1000);
  return 0;
}

time_t time(time_t* place) noexcept {
  const time_t now = static_cast<time_t>(shown_ns(CLOCK_REALTIME, realtime) / second_ns);
  if (place != nullptr) *place = now;
  return now;
}

int timespec_get(timespec* time, int base) noexcept {
  if (base != TIME_UTC || is_null(time)) return 0;
  *time = to_timespec(shown_ns(CLOCK_REALTIME, realtime));
  return base;
}

// What waits until a time of such a clock.

int pthread_cond_timedwait(pthread_cond_t* __restrict condition, pthread_mutex_t* __restrict mutex,
                           const timespec* __restrict deadline) {
  // A condition variable's clock is chosen with its attributes; the deadline says which: the monotonic clock
  // counts from the host's start, the other one from 1970.
  const auto host = behind<int (*)(pthread_cond_t*, pthread_mutex_t*, const timespec*)>(
      "pthread_cond_timedwait", "GLIBC_2.3.2");
  const long long monotonic_now = host_ns(CLOCK_MONOTONIC), real_now = host_ns(CLOCK_REALTIME);
  const bool is_real =
      !is_null(deadline) && to_ns(*deadline) > monotonic_now + (real_now - monotonic_now) / 2;
  timespec at;
  return host(condition, mutex, host_deadline(is_real ? CLOCK_REALTIME : CLOCK_MONOTONIC, deadline, at));
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* deadline) {
  const auto host = behind<int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>(
      "pthread_cond_clockwait");
  timespec at;
  return host(condition, mutex, clock, host_deadline(clock, deadline, at));
}

int pthread_mutex_timedlock(pthread_mutex_t* __restrict mutex, const timespec* __restrict deadline) noexcept {
  const auto host = behind<int (*)(pthread_mutex_t*, const timespec*)>("pthread_mutex_timedlock");
  timespec at;
  return host(mutex, host_deadline(CLOCK_REALTIME, deadline, at));
}

int pthread_mutex_clocklock(pthread_mutex_t* __restrict mutex, clockid_t clock,
                            const timespec* __restrict deadline) noexcept {
  static const auto host =
      behind<int (*)(pthread_mutex_t*, clockid_t, const timespec*)>("pthread_mutex_clocklock");
  timespec at;
  return host(mutex, clock, host_deadline(clock, deadline, at));
}

int sem_timedwait(sem_t* __restrict semaphore, const timespec* __restrict deadline) {
  const auto host = behind<int (*)(sem_t*, const timespec*)>("sem_timedwait");
  timespec at;
  return host(semaphore, host_deadline(CLOCK_REALTIME, deadline, at));
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* request, timespec* left) {
  const auto host = behind<int (*)(clockid_t, int, const timespec*, timespec*)>("clock_nanosleep");
  if (flags != TIMER_ABSTIME) return host(clock, flags, request, left);
  timespec at;
  return host(clock, flags, host_deadline(clock, request, at), left);
}

}  // extern "C"
#pragma GCC visibility pop
