// Running an application in the foreground: it has our terminal, its signals reach it, its end is ours.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace lockstep::cli {

struct ChildEnd {
  int exit_code = 0;  // its own; 128 and the signal's number when a signal ended it, as shells say it
  int signal = 0;     // 0 when it ended by itself
};

// Runs `command` (searched for in PATH) in `folder` (empty: ours) with these variables added to our
// environment, and waits for its end. What would end us (SIGINT and SIGQUIT of the terminal reach the child
// by themselves, SIGTERM and SIGHUP are passed on) leaves us alive to clean up. `started` is called once it
// runs: threads that there are before it would be in the way of a fork. Errors: "no-such-program",
// "cannot-run".
Expected<ChildEnd> run_child(const std::vector<std::string>& command, const std::string& folder,
                             const std::vector<std::pair<std::string, std::string>>& variables,
                             const std::function<void()>& started);

}  // namespace lockstep::cli
