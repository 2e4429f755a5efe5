#include "time/engine/workers.h"

namespace lockstep {
namespace {

constexpr u32 spins_before_sleep = 2000;
constexpr u32 spins_before_yield = 200;  // where threads are more than processors, the others need this one

inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Workers::Workers(u32 threads) {
  for (u32 i = 1; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    ++round_;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::take_jobs() {
  for (std::size_t i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) (*job_)(i);
}

void Workers::work() {
  u64 seen = 0;
  while (true) {
    u32 spins = 0;
    while (round_.load(std::memory_order_acquire) == seen) {
      if (++spins < spins_before_sleep) {
        pause();
        continue;
      }
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return round_.load() != seen; });
    }
    seen = round_.load(std::memory_order_acquire);
    if (stop_) return;
    take_jobs();
    busy_.fetch_sub(1, std::memory_order_release);
  }
}

void Workers::run(std::size_t count, const std::function<void(std::size_t)>& job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    count_ = count;
    next_ = 0;
    busy_ = static_cast<u32>(threads_.size());
    round_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  take_jobs();
  u32 spins = 0;
  while (busy_.load(std::memory_order_acquire) != 0) {
    if (++spins < spins_before_yield) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
}

}  // namespace lockstep
