// lockstep: GPU programs on modelled GPUs.
#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>

#include "base/environment.h"
#include "base/nearest.h"
#include "base/scratch.h"
#include "cli/commands.h"

namespace {

// The options and commands that a misspelt word may stand for.
std::string suggestion(const CLI::App& app) {
  const CLI::App* at = &app;
  for (auto chosen = at->get_subcommands(); !chosen.empty(); chosen = at->get_subcommands()) at = chosen[0];
  const std::vector<std::string> extras = app.remaining(true);
  const std::string wanted = extras.empty() ? std::string() : extras[0].substr(0, extras[0].find('='));
  std::vector<std::string> known;
  if (wanted.starts_with('-')) {
    for (const CLI::Option* option : at->get_options()) {
      if (option->get_group().empty()) continue;  // for our own processes
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  } else {
    for (const CLI::App* command : at->get_subcommands(nullptr)) known.push_back(command->get_name());
  }
  const std::vector<std::string> near = lockstep::nearest_names(wanted, known, 1);
  return near.empty() ? std::string() : "Did you mean " + near[0] + "?\n";
}

// The variables of Lockstep's own, by lines.
std::string environment_names() {
  std::string text = "Environment (docs/environment.md):";
  std::size_t column = 100;
  for (const lockstep::EnvironmentVariable& variable : lockstep::environment_variables()) {
    const std::string_view name = variable.name;
    if (!name.starts_with("LOCKSTEP_")) continue;
    column += name.size() + 1;
    text += column > 100 ? "\n            " : " ";
    if (column > 100) column = 12 + name.size();
    text += name;
  }
  return text;
}

std::string exit_code_lines() {
  std::string text = "Exit codes:";
  for (const lockstep::cli::ExitCode& code : lockstep::cli::exit_codes())
    text += fmt::format("{} {}: {};\n", text.size() > 11 ? "           " : "", code.codes, code.meaning);
  return text +
         "            A message on standard error says what. Those of exec are the application's: 'lockstep "
         "exec "
         "--help'.\n";
}

// What ends the program leaves no temporary folder behind. Commands that do more about a signal replace this.
void tidy_at_signals() {
  struct sigaction action{};
  action.sa_handler = [](int signal) {
    lockstep::remove_scratch_directories();
    ::raise(signal);
  };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    // What was ignored stays ignored (nohup).
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      ::sigaction(signal, &action, nullptr);
  }
}

// Prints help, the version, or what is wrong with the command line.
int answer(const CLI::App& app, const CLI::ParseError& error) {
  std::ostringstream out, errors;
  const int code = app.exit(error, out, errors);
  lockstep::cli::show(stdout, out.str());
  std::string text = errors.str();
  if (text.find("--json: 1 required FILE missing") != std::string::npos) text += "Hint: --json - prints it\n";
  lockstep::cli::show(stderr, (code == 0 ? std::string() : suggestion(app)) + text);
  return code == 0 ? lockstep::cli::exit_good : lockstep::cli::exit_usage;
}

// Nothing that a library throws ends the program without a message.
int run_guarded(const lockstep::cli::Action& action) {
  try {
    return action();
  } catch (const std::bad_alloc&) {
    lockstep::cli::show(stderr,
                        "lockstep: error: the host has no memory left for this [out-of-host-memory]\n");
  } catch (const std::exception& error) {
    lockstep::cli::show(stderr, "lockstep: error: {} [failed]\n", error.what());
  }
  return lockstep::cli::exit_failed;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace lockstep::cli;
  hold_standard_streams();
  tidy_at_signals();
  CLI::App app{
      "Runs GPU programs on modelled GPUs: the real compiler's machine code, wave by wave, with its cycles."};
  app.name("lockstep");
  app.require_subcommand(1);
  app.set_version_flag("--version", "lockstep " LOCKSTEP_VERSION, "print the version");
  app.footer(exit_code_lines() + environment_names());
  Action chosen;
  add_run(app, chosen);
  add_gpus(app, chosen);
  add_occupancy(app, chosen);
  add_fidelity(app, chosen);
  add_experiment(app, chosen);
  add_exec(app, chosen);
  add_check(app, chosen);
  add_compare(app, chosen);
  add_tune(app, chosen);
  add_bench(app, chosen);
  add_dissect(app, chosen);
  add_manual(app, chosen);
  add_completion(app, chosen);
  int code;
  try {
    app.parse(argc, argv);
    code = run_guarded(chosen);
  } catch (const CLI::ParseError& error) {
    code = answer(app, error);
  }
  const lockstep::Status written = finish_standard_output();
  if (!written && code == exit_good) code = fail(written.error());
  return code;
}
