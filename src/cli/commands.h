// The commands of the program, one file each; main.cpp is their table of contents.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "cli/output.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lockstep::cli {

// Exit codes, as `lockstep --help` documents them.
inline constexpr int exit_good = 0;
// The program or a file that is read is wrong, or an output cannot be written.
inline constexpr int exit_failed = 1;
// The command line is wrong: an option, a name, a value, or arguments that do not fit the kernel.
inline constexpr int exit_usage = 2;
// A launch failed or a check found something (run, exec --fail-on-violation), or an experiment's figure is
// outside its tolerance.
inline constexpr int exit_differs = 3;
// --time-limit ended the run, as timeout(1) has it. A signal gives 128 and its number.
inline constexpr int exit_time_limit = 124;

// The table of them, as --help and the manual have it.
struct ExitCode {
  std::string_view codes;
  std::string_view meaning;
};
std::span<const ExitCode> exit_codes();

// The GPU of commands that take one and are told none: the first of $LOCKSTEP_GPU or of the configuration's
// file, else mi25.
std::string default_gpu();

// For options that name something: what it refuses, for CLI11. An empty text names nothing.
std::string refuse_empty(const std::string& text);
// For options that take a number of at least zero, and one above it.
std::string refuse_negative(const std::string& text);
std::string refuse_zero(const std::string& text);

// Adds --json to a command: alone it prints, --json=FILE writes a file. `file` gets the path, "-" where it
// prints.
CLI::Option* add_json_flag(CLI::App& command, std::string& file, const std::string& what);
// The same for commands that print their text beside the file: they take --json FILE, too.
void add_json_option(CLI::App& command, std::string& file, const std::string& what);

// Adds a command to the application; the action to run is left in `chosen`.
using Action = std::function<int()>;
void add_run(CLI::App& app, Action& chosen);
void add_gpus(CLI::App& app, Action& chosen);
void add_occupancy(CLI::App& app, Action& chosen);
void add_fidelity(CLI::App& app, Action& chosen);
void add_experiment(CLI::App& app, Action& chosen);
void add_exec(CLI::App& app, Action& chosen);
void add_check(CLI::App& app, Action& chosen);
void add_compare(CLI::App& app, Action& chosen);
void add_tune(CLI::App& app, Action& chosen);
void add_bench(CLI::App& app, Action& chosen);
void add_dissect(CLI::App& app, Action& chosen);
// These describe `app` with the commands that it has when they run.
void add_manual(CLI::App& app, Action& chosen);
void add_completion(CLI::App& app, Action& chosen);

// Prints a diagnostic on standard error, a place in a file first, as editors read it. Returns the exit code:
// exit_usage where the diagnostic's code says that the command line is wrong, else exit_failed.
int fail(const Diagnostic& diagnostic);
// The same for a diagnostic that is about the command line whatever its code says.
int misuse(const Diagnostic& diagnostic);

}  // namespace lockstep::cli
