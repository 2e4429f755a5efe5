// An application on the OpenCL driver, with nothing installed: what exec and check share.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "cli/exec_child.h"
#include "cli/exec_summary.h"

namespace lockstep::cli {

struct Application {
  std::vector<std::string> command;
  std::string folder;  // that it runs in; empty: the present one
  std::string gpu, report;
  std::string html;      // a page over all launches; empty: none
  std::string summary;   // of all launches, as JSON; empty: beside JSON reports alone
  std::string trace;     // what queues did over the modelled time; empty: none
  bool what_if = false;  // asked of the launches that cost most
  u32 threads = 0;
  std::string check;                 // which checks; empty: none
  std::vector<std::string> kernels;  // patterns of those that are timed and reported; empty: all
  u64 launch_skip = 0, launch_count = 0;
  bool functional = false, timed = false, json = false, virtual_clock = false;
  bool fail_on_violation = false, quiet = false;
};

struct ApplicationEnd {
  ChildEnd child;
  Summary summary;
};

// Runs it to its end. Errors: "no-such-program", "cannot-run"; and what is wrong before it runs, or with the
// reports behind it.
Expected<ApplicationEnd> run_application(const Application& application);

}  // namespace lockstep::cli
