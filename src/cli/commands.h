// The commands of the program, one file each; main.cpp is their table of contents.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "cli/output.h"

namespace CLI {
class App;
}

namespace lockstep::cli {

// Exit codes, as `lockstep --help` documents them.
inline constexpr int exit_good = 0;
// The program, a file that is read, or the modelled run is wrong, or an output cannot be written.
inline constexpr int exit_failed = 1;
// The command line is wrong: an option, a name, a value, or arguments that do not fit the kernel.
inline constexpr int exit_usage = 2;
// An experiment's figure is outside its tolerance, or (exec --fail-on-violation) a launch failed.
inline constexpr int exit_differs = 3;

// Adds a command to the application; the action to run is left in `chosen`.
using Action = std::function<int()>;
void add_run(CLI::App& app, Action& chosen);
void add_gpus(CLI::App& app, Action& chosen);
void add_occupancy(CLI::App& app, Action& chosen);
void add_fidelity(CLI::App& app, Action& chosen);
void add_experiment(CLI::App& app, Action& chosen);
void add_exec(CLI::App& app, Action& chosen);
void add_bench(CLI::App& app, Action& chosen);

// Prints a diagnostic on standard error, a place in a file first, as editors read it. Returns the exit code:
// exit_usage where the diagnostic's code says that the command line is wrong, else exit_failed.
int fail(const Diagnostic& diagnostic);
// The same for a diagnostic that is about the command line whatever its code says.
int misuse(const Diagnostic& diagnostic);

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
