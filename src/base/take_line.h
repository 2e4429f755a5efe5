#pragma once
#include <string_view>

namespace lockstep {

// Takes the next line off the text, and its line end; returns it without.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

}  // namespace lockstep
