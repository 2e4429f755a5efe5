#include "report/source_text.h"

#include <fmt/format.h>

#include <filesystem>

namespace lockstep {

SourceLine source_line(const Code& code, std::size_t instruction) {
  const SourcePosition at = code.position(static_cast<u32>(instruction));
  return {at.line == 0 ? 0 : at.file, at.line};
}

std::string file_of(const Code& code, const SourceLine& at) {
  return at.line == 0 || at.file >= code.files.size() ? "" : code.files[at.file];
}

bool same_file(const std::string& a, const std::string& b) {
  return a == b || std::filesystem::path(a).lexically_normal() == std::filesystem::path(b).lexically_normal();
}

std::string text_of(const RunData& run, const SourceLine& at) {
  if (at.line == 0 || at.line > run.source_lines.size() ||
      !same_file(file_of(run.module->code, at), run.source_file))
    return "";
  const std::string& text = run.source_lines[at.line - 1];
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin);
}

std::string place_text(const std::string& file, u32 line) {
  return line == 0 ? "(no line)" : fmt::format("{}:{}", file, line);
}

}  // namespace lockstep
