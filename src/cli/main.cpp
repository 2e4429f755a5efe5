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
#include "base/host_memory.h"
#include "base/nearest.h"
#include "base/scratch.h"
#include "cli/commands.h"

namespace {

// The command whose words are wrong: the last one that was recognised.
const CLI::App& chosen_command(const CLI::App& app) {
  const CLI::App* at = &app;
  for (auto chosen = at->get_subcommands(); !chosen.empty(); chosen = at->get_subcommands()) at = chosen[0];
  return *at;
}

// What is wrong with the command line, as every other error is said.
lockstep::Diagnostic misunderstood(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  const std::string help =
      &command == &app ? "'lockstep --help'" : fmt::format("'lockstep {} --help'", command.get_name());
  lockstep::Diagnostic wrong{"bad-command-line", {}, error.what(), help + " lists the options"};
  // "Could not convert: --vgprs = -1" says nothing of what is wrong with it.
  constexpr std::string_view unconverted = "Could not convert: ";
  const std::size_t equals = wrong.message.find(" = ");
  if (wrong.message.starts_with(unconverted) && equals != std::string::npos)
    wrong.message = fmt::format("{}: '{}' is no number that it takes",
                                wrong.message.substr(unconverted.size(), equals - unconverted.size()),
                                wrong.message.substr(equals + 3));
  // The word that nothing takes: an option rather than what may have been its value.
  std::vector<std::string> extras;
  const bool unexpected = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  if (&command == &app || unexpected) extras = command.remaining(true);
  const auto option = std::find_if(extras.begin(), extras.end(),
                                   [](const std::string& word) { return word.starts_with("--"); });
  if (option != extras.end()) std::swap(*option, extras.front());
  std::vector<std::string> known;
  std::string wanted;
  if (!extras.empty() && extras[0].starts_with('-')) {
    wanted = extras[0].substr(0, extras[0].find('='));
    for (const CLI::Option* one : command.get_options()) {
      if (one->get_group().empty()) continue;  // for our own processes
      for (const std::string& name : one->get_lnames()) known.push_back("--" + name);
    }
    wrong.code = "unknown-option";
    wrong.message = fmt::format("there is no option '{}'", wanted);
  } else if (&command == &app) {
    for (const CLI::App* one : command.get_subcommands(nullptr)) known.push_back(one->get_name());
    wrong.code = "unknown-command";
    wrong.message = "no command is given";
    wrong.hint = help + " lists the commands";
    if (!extras.empty()) {
      wanted = extras[0];
      wrong.message = fmt::format("there is no command '{}'", wanted);
    }
  } else if (unexpected && command.get_name() == "exec") {
    // What stands behind -- is left over where something before it was taken for the application.
    wrong.code = "unexpected-argument";
    wrong.message = fmt::format("'{}' stands before -- and belongs to no option",
                                command.get_option("COMMAND")->results().front());
    wrong.hint =
        "lockstep exec OPTIONS -- APP ARGS; a value of an option that has one by itself is written "
        "--option=VALUE";
  } else if (!extras.empty()) {
    wrong.code = "unexpected-argument";
    wrong.message = fmt::format("'{}' is not expected behind 'lockstep {}'", extras[0], command.get_name());
    const CLI::Option* json = command.get_option_no_throw("--json");
    if (json != nullptr && json->count() > 0)
      wrong.hint = fmt::format("did you mean --json={}? {}", extras[0], wrong.hint);
  }
  const std::vector<std::string> near = lockstep::nearest_names(wanted, known, 1);
  if (!near.empty()) wrong.hint = fmt::format("did you mean {}? {}", near[0], wrong.hint);
  return wrong;
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
  if (app.exit(error, out, errors) != 0) return lockstep::cli::misuse(misunderstood(app, error));
  lockstep::cli::show(stdout, out.str());
  return lockstep::cli::exit_good;
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
  lockstep::keep_freed_memory();
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
