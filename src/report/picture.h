// Pictures of a timed launch, each an SVG file of a few kilobytes, drawn from what the HTML page draws.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "report/run_data.h"
#include "time/attribution/trace.h"

namespace lockstep {

struct PictureKind {
  std::string_view name;     // of --picture NAME=FILE
  std::string_view meaning;  // one line
};
std::span<const PictureKind> picture_kinds();
// The one that shows what was noted of a launch's waves; others need no trace.
inline constexpr std::string_view picture_needs_trace = "timeline";

// Error: "no-picture" where the launch has nothing of what the picture shows (no modelled time, no trace).
Expected<std::string> draw_picture(std::string_view kind, const RunData& run, const LaunchTrace* trace);

}  // namespace lockstep
