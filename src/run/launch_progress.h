// How far an application's launch is, from the driver in its process to the process that waits for it
// (`lockstep exec`): one line of text in a file, written again and again.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "exec/progress.h"

namespace lockstep {

struct LaunchProgress {
  std::string what;    // "executing", "timing"
  std::string kernel;  // characters that would steer a terminal are replaced
  RunProgress so_far;
};

// Every state takes as many bytes, so that a shorter one leaves nothing of a longer one.
inline constexpr std::size_t launch_progress_bytes = 512;
std::string launch_progress_text(const LaunchProgress& progress);
// Nothing where the text says none: no launch is going on.
std::optional<LaunchProgress> parse_launch_progress(std::string_view text);

}  // namespace lockstep
