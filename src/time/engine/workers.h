// A few host threads that share the work of one window. They wait by spinning for a moment before they sleep:
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

  // Calls job(0) ... job(count - 1), each once, in any order and on any of the threads; returns when all are
  // done.
  void run(std::size_t count, const std::function<void(std::size_t)>& job);

 private:
  void work();
  void take_jobs();

  std::vector<std::thread> threads_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<u64> round_{0};
  std::atomic<u32> busy_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
};

}  // namespace lockstep
