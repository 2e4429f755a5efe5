#include "base/diagnostic.h"

#include <fmt/format.h>

namespace lockstep {

std::string to_string(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.place.file.empty()) {
    text += diagnostic.place.file;
    if (diagnostic.place.line != 0) text += fmt::format(":{}", diagnostic.place.line);
    if (diagnostic.place.column != 0) text += fmt::format(":{}", diagnostic.place.column);
    text += ": ";
  }
  // A compiler's message begins with its place itself.
  if (!text.empty() && diagnostic.message.starts_with(text))
    text = fmt::format("{} [{}]", diagnostic.message, diagnostic.code);
  else
    text += fmt::format("error: {} [{}]", diagnostic.message, diagnostic.code);
  if (!diagnostic.hint.empty()) text += fmt::format("\n  hint: {}", diagnostic.hint);
  return text;
}

}  // namespace lockstep
