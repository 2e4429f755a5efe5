#include "run/launch_progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace lockstep {
namespace {

// The names stand between tabs and may be as long as a C++ compiler makes them.
std::string shown(std::string_view name) {
  constexpr std::size_t longest = 200;
  std::string text(name.substr(0, longest));
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

std::string_view take_field(std::string_view& text) {
  const std::size_t end = std::min(text.find('\t'), text.size());
  const std::string_view field = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return field;
}

bool take_number(std::string_view& text, u64& value) {
  const std::string_view field = take_field(text);
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  return error == std::errc() && end == field.data() + field.size();
}

}  // namespace

std::string launch_progress_text(const LaunchProgress& progress) {
  std::string text = fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t", shown(progress.what), shown(progress.kernel),
                                 progress.so_far.groups_done, progress.so_far.groups,
                                 progress.so_far.instructions, progress.so_far.longest_wave);
  text.resize(launch_progress_bytes - 1, ' ');
  return text + '\n';
}

std::optional<LaunchProgress> parse_launch_progress(std::string_view text) {
  if (text.size() != launch_progress_bytes) return std::nullopt;
  LaunchProgress progress;
  progress.what = shown(take_field(text));
  progress.kernel = shown(take_field(text));
  RunProgress& so_far = progress.so_far;
  for (u64* number : {&so_far.groups_done, &so_far.groups, &so_far.instructions, &so_far.longest_wave})
    if (!take_number(text, *number)) return std::nullopt;
  return progress;
}

}  // namespace lockstep
