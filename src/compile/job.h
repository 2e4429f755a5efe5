// One compilation's processes: they share a time limit and a scratch directory, and fail alike.
#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/scratch.h"
#include "compile/request.h"
#include "compile/toolchain.h"

namespace lockstep {

class CompileJob {
 public:
  // The tools may write into `scratch` and nowhere else; without one they write to their standard output
  // only.
  explicit CompileJob(const CompileRequest& request, const ScratchDirectory* scratch = nullptr)
      : request_(request), scratch_(scratch), begin_(std::chrono::steady_clock::now()) {}

  // Runs a tool and returns its standard output; what it writes to standard error is added to log().
  // Errors: "compile-failed" (the tool's own text, and the first place in it), "compile-timeout",
  // "compile-out-of-memory", "compile-crashed", "cannot-run", "tool-missing".
  Expected<std::string> run(Tool tool, const std::vector<std::string>& arguments,
                            std::string_view input = {});

  std::string& log() { return log_; }

 private:
  const CompileRequest& request_;
  const ScratchDirectory* scratch_;
  std::chrono::steady_clock::time_point begin_;
  std::string log_;
};

// The first "file:line:column: error:" in a compiler's text, or the linker's first reference to what is
// undefined; an empty Place when there is none.
Place first_error_place(std::string_view text);

// The whole file. Error: "no-such-file".
Expected<std::string> read_file(const std::string& path);

}  // namespace lockstep
