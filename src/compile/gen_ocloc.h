// Intel's offline compiler as a child process: its options, its messages, what it is given.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "compile/job.h"

namespace lockstep {

struct GenOptions {
  std::string text;                  // as ocloc takes them: one string
  std::vector<std::string> ignored;  // without a counterpart there
  bool is_1_1 = false;               // asked for as OpenCL C 1.1, which is compiled as 1.2
  bool optimises = true;
};

// Errors: "bad-option".
Expected<GenOptions> gen_options(const CompileRequest& request);

// One source, or what was made of it, for one device.
struct Ocloc {
  CompileJob& job;
  const ScratchDirectory& scratch;
  std::string device, options;
  std::string file;  // in the scratch directory
  std::string kind;  // the option that says what it is; empty: OpenCL C

  // Errors: those of CompileJob::run, with the compiler's own words.
  Expected<std::string> run(const std::vector<std::string>& more) const;
  // Takes bytes of SPIR-V or LLVM bitcode as its input from now on.
  void take(const std::string& bytes);
};

// What ocloc says of the program, without what it says of itself.
std::string messages_of(std::string_view output);

// The source with the name that its user knows.
std::string named_source(const std::string& path, const std::string& source, const GenOptions& options);

void write_file(const std::string& path, std::string_view text);

// Compiling and linking apart: OpenCL C to SPIR-V, several of these to one module. The files lie in the
// job's scratch directory; headers in `headers`, which may be empty.
Expected<std::string> gen_module(CompileJob& job, const ScratchDirectory& scratch,
                                 const CompileRequest& request, const std::string& headers);
Expected<std::string> link_gen_modules(CompileJob& job, const ScratchDirectory& scratch,
                                       const std::vector<std::string>& modules);

}  // namespace lockstep
