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
  for (u32 i = 1; i < threads; ++i) threads_.emplace_back([this, i] { work(i); });
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

void Workers::work(u32 number) {
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
    (*job_)(number);
    busy_.fetch_sub(1, std::memory_order_release);
  }
}

void Workers::run(const std::function<void(u32)>& job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    busy_ = static_cast<u32>(threads_.size());
    round_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  job(0);
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
