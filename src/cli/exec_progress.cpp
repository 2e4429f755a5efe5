#include "cli/exec_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "run/launch_progress.h"

namespace lockstep::cli {
namespace {

// A line for each launch; what was counted is not read again.
class LaunchCount {
 public:
  explicit LaunchCount(std::string log) : log_(std::move(log)) {}

  u64 now() {
    std::ifstream in(log_, std::ios::binary);
    if (!in.is_open() || !in.seekg(read_)) return count_;
    char piece[65536];
    do {
      in.read(piece, sizeof piece);
      read_ += in.gcount();
      count_ += static_cast<u64>(std::count(piece, piece + in.gcount(), '\n'));
    } while (in);
    return count_;
  }

 private:
  std::string log_;
  std::streamoff read_ = 0;
  u64 count_ = 0;
};

}  // namespace

Watch::Look application_progress(std::string log, std::string progress) {
  return [count = LaunchCount(std::move(log)), progress = std::move(progress)](Watch& watch) mutable {
    const u64 launches = count.now();
    std::ifstream in(progress, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    if (const auto present = parse_launch_progress(text)) {
      const RunProgress& so_far = present->so_far;
      watch.update(
          fmt::format("launch {}: {} kernel '{}'", launches + 1, present->what, present->kernel),
          so_far.groups_done, so_far.groups, "groups",
          fmt::format("{:.3g} million wave-instructions", static_cast<f64>(so_far.instructions) * 1e-6));
    } else {
      watch.update("the application runs", 0, 0, "",
                   fmt::format("{} {} done", launches, launches == 1 ? "launch" : "launches"));
    }
  };
}

}  // namespace lockstep::cli
