#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "base/files.h"
#include "cli/commands.h"

namespace lockstep::cli {

int fail(const Diagnostic& diagnostic) {
  fmt::print(stderr, "lockstep: {}\n", to_string(diagnostic));
  return exit_failed;
}

Status write_file(const std::string& path, std::string_view content) {
  if (path == "-") {
    std::fwrite(content.data(), 1, content.size(), stdout);
    return Success{};
  }
  return write_whole_file(path, content);
}

Expected<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Diagnostic{"no-such-file", {path, 0, 0}, "the file cannot be read", ""};
  return std::string(std::istreambuf_iterator<char>(in), {});
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
  fmt::print(stderr, "\r{}: {:.0f} % ({} of {}), about {:.0f} s left   ", what, 100 * share, done, all, left);
  visible_ = true;
}

Progress::~Progress() {
  if (visible_) fmt::print(stderr, "\r{:70}\r", "");
}

}  // namespace lockstep::cli
