// A few host threads that share the work of windows. They wait by spinning for a moment before they sleep:
// windows are short.
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/types.h"

namespace lockstep {

class Workers {
 public:
  // `threads` in all, the caller's included.
  explicit Workers(u32 threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Calls job(0) ... job(threads - 1), each on a thread of its own, which is the same each time (0 is the
  // caller's); returns when all are done.
  void run(const std::function<void(u32)>& job);

  // For a moment without rest, then letting other threads have the processor in between. `turns`: 0 at first.
  static void rest(u32& turns);

 private:
  void work(u32 number);

  std::vector<std::thread> threads_;
  const std::function<void(u32)>* job_ = nullptr;
  // What threads wait for lies apart: each of them is read all the time by one and written by others.
  alignas(64) std::atomic<u64> round_{0};
  alignas(64) std::atomic<u32> busy_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace lockstep
