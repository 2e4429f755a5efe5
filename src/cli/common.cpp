#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/commands.h"

namespace lockstep::cli {

namespace {

// Of diagnostics that only a wrong command line brings about.
constexpr std::array usage_codes = std::to_array<std::string_view>(
    {"bad-size", "bad-argument", "wrong-arguments", "bad-check", "bad-dump", "bad-output", "unknown-machine",
     "no-such-kernel", "bad-option", "bad-range", "no-such-experiment", "no-benchmark", "unknown-axis",
     "no-group-size", "bad-clock", "no-device"});

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
  show(stderr, text + "\n");
}

}  // namespace

int fail(const Diagnostic& diagnostic) {
  print_diagnostic(diagnostic);
  const bool usage = std::find(usage_codes.begin(), usage_codes.end(), diagnostic.code) != usage_codes.end();
  return usage ? exit_usage : exit_failed;
}

std::string refuse_empty(const std::string& text) {
  return text.empty() ? "an empty text names nothing" : "";
}

int misuse(const Diagnostic& diagnostic) {
  print_diagnostic(diagnostic);
  return exit_usage;
}

}  // namespace lockstep::cli
