// The library of the virtual clock in a process that forks, and that calls what it stands before with null
// pointers and with deadlines that are none. Run with the library in LD_PRELOAD. Exit code: 0 all as it must
// be.
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

void (*stop)() = nullptr;
void (*go)() = nullptr;
int failed = 0;

void expect(bool good, const char* what) {
  if (good) return;
  std::printf("FAILED: %s\n", what);
  std::fflush(stdout);
  ++failed;
}

long long now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

void pass_host_time(long ns) {
  timespec time{0, ns};
  syscall(SYS_nanosleep, &time, nullptr);
}

// The exit code of a forked process; it is killed after ten seconds.
template <class F>
int forked(const F& function) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    _exit(function());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

// Whether the clock moves.
bool moves() {
  const long long before = now(CLOCK_MONOTONIC);
  pass_host_time(2'000'000);
  return now(CLOCK_MONOTONIC) > before;
}

void forks() {
  std::atomic<int> step{0};
  std::thread other([&] {
    stop();
    step = 1;
    while (step != 2) pass_host_time(1'000'000);
    go();
  });
  while (step != 1) pass_host_time(1'000'000);
  expect(!moves(), "the clock stands while a thread has stopped it");
  const long long before = now(CLOCK_MONOTONIC);
  expect(forked([&] { return moves() && now(CLOCK_MONOTONIC) >= before ? 0 : 1; }) == 0,
         "in a forked process, where that thread is not, it goes on from there");
  stop();
  expect(forked([] {
           if (moves()) return 1;
           go();
           return moves() ? 0 : 2;
         }) == 0,
         "what the forking thread itself stopped stays stopped until it says go");
  go();
  step = 2;
  other.join();
  expect(moves(), "the clock goes on");

  std::atomic<bool> end{false};
  std::vector<std::thread> busy;
  for (int i = 0; i < 3; ++i)
    busy.emplace_back([&] {
      while (!end) {
        stop();
        go();
      }
    });
  int wrong = 0;
  for (int i = 0; i < 200; ++i)
    wrong += forked([] {
               stop();
               go();
               return moves() ? 0 : 1;
             }) != 0;
  end = true;
  for (std::thread& thread : busy) thread.join();
  expect(wrong == 0, "a fork never copies a lock that another thread holds");
}

void nulls_and_odd_deadlines() {
  expect(gettimeofday(nullptr, nullptr) == 0, "gettimeofday of null");
  expect(time(nullptr) > 1'600'000'000, "time of null");
  expect(clock_gettime(CLOCK_MONOTONIC, nullptr) == -1 && errno == EFAULT, "clock_gettime of null");
  expect(timespec_get(nullptr, TIME_UTC) == 0, "timespec_get of null");
  expect(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, nullptr, nullptr) == EFAULT,
         "clock_nanosleep of null");
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  // Who has not to wait needs no deadline.
  expect(pthread_mutex_timedlock(&mutex, nullptr) == 0, "pthread_mutex_timedlock of null");
  const timespec odd{now(CLOCK_REALTIME) / 1'000'000'000 + 1, 2'000'000'000}, never{LONG_MAX, 0};
  expect(sem_timedwait(&semaphore, &odd) == -1 && errno == EINVAL, "a deadline of 2000000000 nanoseconds");
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  expect(pthread_cond_timedwait(&condition, &mutex, &odd) == EINVAL, "and of a condition");
  std::thread later([&] {
    pass_host_time(50'000'000);
    sem_post(&semaphore);
  });
  expect(sem_timedwait(&semaphore, &never) == 0, "a deadline at the end of time");
  later.join();
}

}  // namespace

int main() {
  stop = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "lockstep_clock_stop"));
  go = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "lockstep_clock_go"));
  if (stop == nullptr || go == nullptr) {
    std::printf("liblockstep_clock.so is not in LD_PRELOAD\n");
    return 2;
  }
  forks();
  nulls_and_odd_deadlines();
  return failed == 0 ? 0 : 1;
}
