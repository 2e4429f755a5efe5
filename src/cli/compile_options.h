// The options that every command which compiles or launches a program takes.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "compile/request.h"
#include "run/request.h"

namespace CLI {
class App;
}

namespace lockstep::cli {

struct CompileOptions {
  std::vector<std::string> defines;
  std::string build_options;
  u32 optimisation = 3;
};

// Adds FILE and --gpu: what is compiled, and for what.
void add_program_options(CLI::App& command, std::string& file, std::string& gpu);

// Adds --define, --options and -O; `options` must outlive the command.
void add_compile_options(CLI::App& command, CompileOptions& options);

// Adds what says how a kernel is launched, and the compiler's options: --kernel, --global, --arg and the
// rest.
void add_launch_options(CLI::App& command, LaunchRequest& request);

// Error: "bad-option" where the build options cannot be split.
Expected<CompileRequest> compile_request(const std::string& file, const Target& target,
                                         const CompileOptions& options);

}  // namespace lockstep::cli
