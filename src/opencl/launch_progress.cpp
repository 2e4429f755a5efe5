#include "opencl/launch_progress.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/environment.h"
#include "opencl/virtual_clock.h"
#include "run/launch_progress.h"

namespace lockstep::opencl {
namespace {

constexpr u64 pause_ns = 200'000'000;  // between two states, and before a launch's first

int progress_file() {
  static const int file = [] {
    const char* path = environment("LOCKSTEP_PROGRESS");
    return path != nullptr ? ::open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
  }();
  return file;
}

// Who reads it can do without: that it cannot be written is no error.
void write(int file, const std::string& text) {
  if (::pwrite(file, text.data(), text.size(), 0) < 0) return;
}

}  // namespace

LaunchTeller::LaunchTeller(const char* what, const std::string& kernel)
    : file_(progress_file()),
      what_(what),
      kernel_(kernel),
      next_ns_(file_ >= 0 ? host_monotonic_ns() + pause_ns : 0) {}

LaunchTeller::~LaunchTeller() {
  if (told_) write(file_, std::string(launch_progress_bytes, ' '));
}

void LaunchTeller::tell(const RunProgress& so_far) {
  const u64 now = host_monotonic_ns();
  u64 next = next_ns_.load(std::memory_order_relaxed);
  if (now < next || !next_ns_.compare_exchange_strong(next, now + pause_ns)) return;
  told_ = true;
  write(file_, launch_progress_text({what_, kernel_, so_far}));
}

}  // namespace lockstep::opencl
