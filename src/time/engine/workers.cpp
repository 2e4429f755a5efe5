#include "time/engine/workers.h"

namespace lockstep {
namespace {

constexpr u32 turns_before_sleep = 4000;
constexpr u32 turns_before_yield = 2000;  // where threads are more than processors, the others need this one

// Some tens of cycles. Without a PAUSE: hypervisors take a loop of these for a wait for a lock whose owner
// does not run, and take the processor away.
inline void moment() {
  for (u32 i = 0; i < 32; ++i) asm volatile("" ::: "memory");
}

}  // namespace

void Workers::rest(u32& turns) {
  if (++turns < turns_before_yield) {
    moment();
  } else {
    std::this_thread::yield();
  }
}

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
    u32 turns = 0;
    while (round_.load(std::memory_order_acquire) == seen) {
      if (++turns < turns_before_sleep) {
        moment();
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
  for (u32 turns = 0; busy_.load(std::memory_order_acquire) != 0;) rest(turns);
}

}  // namespace lockstep
