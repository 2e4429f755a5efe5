#include "compile/r600_refused.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "compile/r600_text.h"

namespace lockstep::r600 {
namespace {

constexpr const char* no_assembler =
    "LLVM's r600 back end has no assembler: say it in OpenCL C, or give the whole program as the back end's "
    "assembly text";

// The definition of "!7": "distinct !DILexicalBlock(...)"; empty where there is none.
std::string_view node(std::string_view module, std::string_view number) {
  if (number.empty()) return {};
  const std::string begin = fmt::format("\n{} = ", number);
  const std::size_t at = module.find(begin);
  if (at == std::string_view::npos) return {};
  const std::string_view text = module.substr(at + begin.size());
  return text.substr(0, text.find('\n'));
}

// The value of a field: "!5" of "scope: !5, ", "k.cl" of "filename: \"k.cl\"".
std::string_view field(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + key.size());
  if (text.starts_with('"')) return text.substr(1, text.find('"', 1) - 1);
  return text.substr(0, text.find_first_of(",)"));
}

u32 number(std::string_view text) {
  u32 value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

Place place_in(std::string_view module, std::string_view line, const std::string& path) {
  Place place{path, 0, 0};
  std::string_view at = place_of(line);
  if (at.empty()) return place;
  at.remove_prefix(at.find('!', 2));  // ", !dbg !7"
  at.remove_prefix(at.find('!', 1));
  const std::string_view location = node(module, at);
  place.line = number(field(location, "line: "));
  place.column = number(field(location, "column: "));
  const std::string_view file = field(node(module, field(location, "scope: ")), "file: ");
  if (const std::string_view name = field(node(module, file), "filename: "); !name.empty()) place.file = name;
  return place;
}

Diagnostic not_compiled(const Place& place, std::string_view what, std::string hint) {
  std::string where = place.file;
  if (place.line != 0) where += fmt::format(":{}", place.line);
  if (place.line != 0 && place.column != 0) where += fmt::format(":{}", place.column);
  return {"compile-failed", place, fmt::format("{}: error: {}", where, what), std::move(hint)};
}

// "call i32 asm sideeffect "text", "=r,r"(i32 %x)": its text, where it has any or operands.
std::optional<std::string_view> inline_assembly(std::string_view line) {
  const std::size_t call = line.find("call ");
  const std::size_t at = line.find(" asm ");
  if (call == std::string_view::npos || at == std::string_view::npos || at < call) return std::nullopt;
  std::string_view rest = line.substr(at + 5);
  if (line.substr(0, at).find('"') != std::string_view::npos) return std::nullopt;  // within a string
  if (!take_until(rest, "\"")) return std::nullopt;
  const auto text = take_until(rest, "\"");
  if (!text) return std::nullopt;
  if (!take_until(rest, "\"")) return text;
  const auto operands = take_until(rest, "\"");
  bool blank = true;
  for (std::string_view left = *text; !left.empty() && blank;) {
    // Lines end in "\0A" here.
    std::string_view one = left.substr(0, left.find("\\0A"));
    left.remove_prefix(std::min(left.size(), one.size() + 3));
    one = one.substr(0, one.find(';'));
    blank = one.find_first_not_of(" \t") == std::string_view::npos;
  }
  bool only_clobbers = operands.has_value();
  for (std::string_view left = operands.value_or(""); !left.empty();) {
    only_clobbers = only_clobbers && left.starts_with("~{");
    left.remove_prefix(std::min(left.size(), left.find('}') == left.npos ? left.size() : left.find('}') + 2));
  }
  if (blank && only_clobbers) return std::nullopt;
  return text;
}

bool name_part(char c) {
  return c == '_' || c == '.' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

bool has_name(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (end == line.size() || !name_part(line[end])) return true;
  }
  return false;
}

}  // namespace

std::optional<Diagnostic> refused(std::string_view module, const std::string& path) {
  std::vector<std::string_view> variables;  // "@name"
  bool inside = false;
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (line.starts_with('@') && line.find(" addrspace(1) ") < line.find_first_of("{[\""))
      variables.push_back(line.substr(0, line.find(' ')));
    if (line.starts_with("module asm ") && line != "module asm \"\"")
      return not_compiled({path, 0, 0}, fmt::format("assembly outside of functions ({})", line.substr(11)),
                          no_assembler);
    if (line.starts_with("define ")) inside = true;
    if (line == "}") inside = false;
    if (!inside) continue;
    if (const auto text = inline_assembly(line))
      return not_compiled(place_in(module, line, path),
                          text->empty() ? std::string("inline assembly with operands")
                                        : fmt::format("inline assembly ('{}')", *text),
                          no_assembler);
    for (const std::string_view variable : variables) {
      if (has_name(line, variable))
        return not_compiled(
            place_in(module, line, path),
            fmt::format("the variable '{}' of the program in global memory", variable.substr(1)),
            "LLVM's r600 back end has no variables of the program in global memory: use buffers");
    }
  }
  return std::nullopt;
}

}  // namespace lockstep::r600
