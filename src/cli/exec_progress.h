// How far an application on the driver is, while it runs.
#pragma once
#include <string>

#include "cli/watch.h"

namespace lockstep::cli {

// For a Watch: counts the launches in `log` (launches.jsonl), and reads how far the present one is in
// `progress` (run/launch_progress.h). Files that are not there yet say nothing.
Watch::Look application_progress(std::string log, std::string progress);

}  // namespace lockstep::cli
