// Runs a child process without a shell: bounded in time, memory, output and what it may write, never left
// behind.
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
  std::string writable;                    // the folder below which it may write, its TMPDIR; empty: none
  u64 time_limit_ms = 60'000;              // wall time
  u64 memory_limit_bytes = u64{4} << 30;   // its address space (RLIMIT_AS); 0: no limit
  u64 output_limit_bytes = u64{64} << 20;  // kept of standard output, and again of standard error
  u64 file_limit_bytes = u64{1} << 30;     // of each file that it writes (RLIMIT_FSIZE)
};

struct ProcessResult {
  enum class End : u8 {
    exited,           // code is the exit status
    signalled,        // code is the signal
    timed_out,        // killed with its whole process group
    output_exceeded,  // likewise, because it wrote more than output_limit_bytes
    file_too_long,    // killed by the system at file_limit_bytes
    stopped,          // killed after stop_processes()
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
// signal handlers, no file descriptor but 0, 1 and 2, no core file, no way to gain privileges, and an
// environment of its own: PATH, HOME, TMPDIR and the locale C, whatever ours says. It is killed when the
// calling thread ends, however that happens. Where the kernel can (confine.h), it may write below `writable`
// alone and use no network. Safe in programs with many threads.
// Errors: "cannot-run" when the child could not be started (program missing, no permission, no resources).
Expected<ProcessResult> run_process(const ProcessRequest& request);

// From now on every process that runs or is started is killed: whoever waits for one has been told to end. A
// signal's handler may call it.
void stop_processes();

}  // namespace lockstep
