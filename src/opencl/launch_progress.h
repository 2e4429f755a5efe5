// Tells the process that waits for this one how far the present launch is (LOCKSTEP_PROGRESS).
#pragma once
#include <atomic>
#include <string>

#include "exec/progress.h"

namespace lockstep::opencl {

class LaunchTeller {
 public:
  // `what` is done to `kernel`: "timing".
  LaunchTeller(const char* what, const std::string& kernel);
  // The launch is over.
  ~LaunchTeller();
  LaunchTeller(const LaunchTeller&) = delete;
  LaunchTeller& operator=(const LaunchTeller&) = delete;

  bool wanted() const { return file_ >= 0; }
  // Any thread may call it, as often as it likes: few calls write.
  void tell(const RunProgress& so_far);

 private:
  const int file_;
  const char* const what_;
  const std::string& kernel_;
  std::atomic<u64> next_ns_;
  std::atomic<bool> told_{false};
};

}  // namespace lockstep::opencl
