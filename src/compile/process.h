// Runs a child process without a shell: bounded in time, memory and output, never left behind.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"

namespace lockstep {

struct ProcessRequest {
  std::vector<std::string> arguments;      // [0] is the program's path; not searched for in PATH
  std::string_view input;                  // what the child reads from its standard input
  std::string directory;                   // its working directory; empty: ours
  u64 time_limit_ms = 60'000;              // wall time
  u64 memory_limit_bytes = u64{4} << 30;   // its address space (RLIMIT_AS); 0: no limit
  u64 output_limit_bytes = u64{64} << 20;  // kept of standard output, and again of standard error
};

struct ProcessResult {
  enum class End : u8 {
    exited,           // code is the exit status
    signalled,        // code is the signal
    timed_out,        // killed with its whole process group
    output_exceeded,  // likewise, because it wrote more than output_limit_bytes
    unknown,          // it ended, but the host application reaps or ignores children: no status can be had
  };
  End end = End::exited;
  int code = 0;
  std::string output;
  std::string errors;
  u64 elapsed_ms = 0;

  bool ok() const { return end == End::exited && code == 0; }
};

// Blocks until the child has ended. The child gets its own process group, an empty signal mask, default
// signal handlers, no file descriptor but 0, 1 and 2, no core file. Safe in programs with many threads.
// Errors: "cannot-run" when the child could not be started (program missing, no permission, no resources).
Expected<ProcessResult> run_process(const ProcessRequest& request);

}  // namespace lockstep
