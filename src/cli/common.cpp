#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/environment.h"
#include "cli/commands.h"
#include "machine/chosen.h"

namespace lockstep::cli {

namespace {

// Of diagnostics that only a wrong command line brings about.
constexpr std::array usage_codes = std::to_array<std::string_view>(
    {"bad-size",           "bad-argument",    "wrong-arguments", "bad-check",     "bad-dump",
     "bad-output",         "unknown-machine", "no-such-kernel",  "bad-option",    "bad-range",
     "no-such-experiment", "no-benchmark",    "unknown-axis",    "no-group-size", "bad-clock",
     "no-device",          "bad-trace",       "bad-picture",     "bad-banks",     "not-lowered",
     "no-picture"});

// The words that a reader looks for, where a person reads (https://no-color.org).
std::string with_colours(std::string text) {
  const char* terminal = environment("TERM");
  const bool plain = environment("NO_COLOR") != nullptr || terminal == nullptr ||
                     std::string_view(terminal) == "dumb" || ::isatty(STDERR_FILENO) == 0;
  if (plain) return text;
  const auto paint = [&](std::string_view word, std::string_view colour) {
    const std::size_t at = text.find(word);
    if (at != std::string::npos)
      text.replace(at, word.size(), fmt::format("\033[{}m{}\033[0m", colour, word));
  };
  paint("error:", "1;31");
  paint("hint:", "1;36");
  return text;
}

void print_diagnostic(const Diagnostic& diagnostic) {
  std::string text;
  if (diagnostic.code == "compile-failed") {
    // The message is the compiler's own, with its places.
    const Diagnostic summary{diagnostic.code, {}, "the program does not compile", diagnostic.hint};
    text = diagnostic.message + (diagnostic.message.ends_with('\n') ? "" : "\n") +
           "lockstep: " + to_string(summary);
  } else {
    text = (diagnostic.place.line == 0 ? "lockstep: " : "") + to_string(diagnostic);
  }
  std::fflush(stdout);
  show(stderr, with_colours(std::move(text)) + "\n");
}

}  // namespace

std::span<const ExitCode> exit_codes() {
  static constexpr ExitCode codes[] = {
      {"0", "good"},
      {"1", "the program or a file is wrong, or an output cannot be written"},
      {"2", "wrong command line: an option, a name or a value, or arguments that do not fit the kernel"},
      {"3",
       "the modelled launch failed, a check found something, or an experiment's figure is outside its "
       "tolerance"},
      {"124", "--time-limit ended the run"},
      {"128 and a signal's number", "that signal ended it (130: Ctrl-C)"},
  };
  return codes;
}

std::string default_gpu() {
  const std::vector<std::string> names = chosen_gpus();
  return names.empty() ? "mi25" : names[0];
}

// Whether the GPU that there is not is the one that commands take which are told none.
static bool names_default_gpu(const Diagnostic& diagnostic) {
  if (diagnostic.code != "unknown-machine") return false;
  const std::vector<std::string> names = chosen_gpus();
  return !names.empty() && diagnostic.message.find("'" + names[0] + "'") != std::string::npos;
}

int fail(const Diagnostic& told) {
  Diagnostic diagnostic = told;
  if (names_default_gpu(diagnostic))
    diagnostic.hint += "; $LOCKSTEP_GPU or the configuration's file names it";
  print_diagnostic(diagnostic);
  const bool usage = std::find(usage_codes.begin(), usage_codes.end(), diagnostic.code) != usage_codes.end();
  return usage ? exit_usage : exit_failed;
}

std::string refuse_empty(const std::string& text) {
  return text.empty() ? "an empty text names nothing" : "";
}

std::string refuse_negative(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(number))
    return fmt::format("'{}' is not a number", text);
  return number < 0 ? fmt::format("'{}' is below zero", text) : "";
}

std::string refuse_zero(const std::string& text) {
  const std::string wrong = refuse_negative(text);
  return wrong.empty() && std::strtod(text.c_str(), nullptr) == 0 ? "zero is too little" : wrong;
}

int misuse(const Diagnostic& diagnostic) {
  print_diagnostic(diagnostic);
  return exit_usage;
}

}  // namespace lockstep::cli
