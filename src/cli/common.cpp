#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>

#include "cli/commands.h"

namespace lockstep::cli {

namespace {

// Of diagnostics that only a wrong command line brings about.
constexpr std::array<std::string_view, 10> usage_codes = {
    "bad-size",   "bad-argument",    "wrong-arguments", "bad-check",  "bad-dump",
    "bad-output", "unknown-machine", "no-such-kernel",  "bad-option", "bad-range"};

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

int misuse(const Diagnostic& diagnostic) {
  print_diagnostic(diagnostic);
  return exit_usage;
}

void Progress::update(std::string_view what, unsigned long long done, unsigned long long all) {
  static const bool terminal = isatty(STDERR_FILENO) != 0;
  if (!terminal || all == 0) return;
  const long long now = std::chrono::duration_cast<std::chrono::milliseconds>(
                            std::chrono::steady_clock::now().time_since_epoch())
                            .count();
  if (begun_ms_ < 0 || what != what_) {
    begun_ms_ = shown_ms_ = now;
    what_ = what;
    return;
  }
  if (now - shown_ms_ < 500) return;
  shown_ms_ = now;
  const double share = static_cast<double>(done) / static_cast<double>(all);
  const double left = share > 0 ? static_cast<double>(now - begun_ms_) / 1000 * (1 - share) / share : 0;
  show(stderr, "\r{}: {:.0f} % ({} of {}), about {:.0f} s left   ", what, 100 * share, done, all, left);
  visible_ = true;
}

Progress::~Progress() {
  if (visible_) show(stderr, "\r{:70}\r", "");
}

}  // namespace lockstep::cli
