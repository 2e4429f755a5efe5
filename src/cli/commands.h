// The commands of the program, one file each; main.cpp is their table of contents.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace CLI {
class App;
}

namespace lockstep::cli {

// Exit codes, as `lockstep --help` documents them.
inline constexpr int exit_good = 0;
inline constexpr int exit_failed =
    1;  // the program, its input or the modelled run is wrong: a message says how
inline constexpr int exit_usage = 2;    // the command line is wrong
inline constexpr int exit_differs = 3;  // an experiment's figure is outside its tolerance, or
                                        // (exec --fail-on-violation) a launch failed

// Adds a command to the application; the action to run is left in `chosen`.
using Action = std::function<int()>;
void add_run(CLI::App& app, Action& chosen);
void add_gpus(CLI::App& app, Action& chosen);
void add_occupancy(CLI::App& app, Action& chosen);
void add_fidelity(CLI::App& app, Action& chosen);
void add_experiment(CLI::App& app, Action& chosen);
void add_exec(CLI::App& app, Action& chosen);
void add_bench(CLI::App& app, Action& chosen);

// Prints a diagnostic on standard error; returns exit_failed.
int fail(const Diagnostic& diagnostic);

// Writes a whole file or nothing: through a temporary file beside it. "-" is standard output.
Status write_file(const std::string& path, std::string_view content);
Expected<std::string> read_file(const std::string& path);

// A progress line with an estimate on a terminal; nothing elsewhere.
class Progress {
 public:
  void update(std::string_view what, unsigned long long done, unsigned long long all);
  ~Progress();

 private:
  long long begun_ms_ = -1, shown_ms_ = 0;
  std::string what_;
  bool visible_ = false;
};

}  // namespace lockstep::cli
