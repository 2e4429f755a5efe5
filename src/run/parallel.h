// Independent work on several host threads.
#pragma once
#include <atomic>
#include <thread>
#include <vector>

#include "base/types.h"

namespace lockstep {

// Calls work(i) for every i below `count`, in this order of beginning, at most `threads` at a time, until all
// are done or go_on() says no.
template <class Work, class GoOn>
void for_each_parallel(std::size_t count, u32 threads, const Work& work, const GoOn& go_on) {
  std::atomic<std::size_t> next{0};
  const auto run = [&] {
    while (go_on()) {
      const std::size_t i = next.fetch_add(1);
      if (i >= count) return;
      work(i);
    }
  };
  std::vector<std::thread> others;
  for (u32 i = 1; i < threads && i < count; ++i) others.emplace_back(run);
  run();
  for (std::thread& other : others) other.join();
}

}  // namespace lockstep
