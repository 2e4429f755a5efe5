#include "compile/r600_types.h"

#include <algorithm>
#include <charconv>

#include "base/align.h"
#include "base/take_line.h"

namespace lockstep::r600 {
namespace {

void blanks(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
}
bool word(std::string_view& text, std::string_view wanted) {
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(wanted.size());
  return true;
}
std::optional<u64> take_number(std::string_view& text) {
  u64 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value > 0xFFFFFFFF) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

Types::Types(std::string_view module) {
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::size_t at = line.find(" = type ");
    if (line.starts_with('%') && at != std::string_view::npos)
      named_.emplace(line.substr(0, at), line.substr(at + 8));
  }
}

std::optional<Size> Types::take(std::string_view& text, int depth) const {
  blanks(text);
  if (depth > 64) return std::nullopt;
  if (word(text, "ptr")) {
    blanks(text);
    if (word(text, "addrspace(")) text.remove_prefix(std::min(text.find(')') + 1, text.size()));
    return Size{4, 4};
  }
  if (word(text, "half")) return Size{2, 2};
  if (word(text, "float")) return Size{4, 4};
  if (word(text, "double")) return Size{8, 8};
  if (word(text, "i")) {
    const auto bits = take_number(text);
    if (!bits || *bits == 0 || *bits > 64) return std::nullopt;
    const u64 bytes = *bits <= 8 ? 1 : *bits <= 16 ? 2 : *bits <= 32 ? 4 : 8;
    return Size{bytes, bytes};
  }
  if (word(text, "%")) return take_named(text, depth);
  if (word(text, "<{")) return take_structure(text, "}>", true, depth);
  if (word(text, "{")) return take_structure(text, "}", false, depth);
  const bool vector = word(text, "<");
  if (!vector && !word(text, "[")) return std::nullopt;
  const auto count = take_number(text);
  blanks(text);
  if (!count || !word(text, "x ")) return std::nullopt;
  const auto element = take(text, depth + 1);
  blanks(text);
  if (!element || !word(text, vector ? ">" : "]")) return std::nullopt;
  if (!vector) return Size{*count * align_up(element->bytes, element->align), element->align};
  // A vector of three takes the room of four.
  u64 bytes = 1;
  while (bytes < *count * element->bytes) bytes *= 2;
  return Size{bytes, bytes};
}

std::optional<Size> Types::take_named(std::string_view& text, int depth) const {
  const std::size_t end = text.starts_with('"') ? text.find('"', 1) + 1 : text.find_first_of(" ,*)>]}");
  const std::string name = "%" + std::string(text.substr(0, end));
  text.remove_prefix(std::min(end, text.size()));
  const auto found = named_.find(name);
  if (found == named_.end()) return std::nullopt;
  std::string_view body = found->second;
  return take(body, depth + 1);
}

std::optional<Size> Types::take_structure(std::string_view& text, std::string_view close, bool packed,
                                          int depth) const {
  Size whole;
  for (;;) {
    blanks(text);
    if (word(text, close)) break;
    word(text, ",");
    const auto element = take(text, depth + 1);
    if (!element) return std::nullopt;
    const u64 align = packed ? 1 : element->align;
    whole.bytes = align_up(whole.bytes, align) + element->bytes;
    whole.align = std::max(whole.align, align);
  }
  whole.bytes = align_up(whole.bytes, whole.align);
  return whole;
}

std::optional<Definition> definition_of(std::string_view line) {
  if (!line.starts_with("define ")) return std::nullopt;
  const std::size_t at = line.find('@');
  const std::size_t open = line.find('(', at);
  if (at == std::string_view::npos || open == std::string_view::npos) return std::nullopt;
  Definition made;
  made.name = line.substr(at + 1, open - at - 1);
  made.kernel = line.substr(0, at).find(" amdgpu_kernel ") != std::string_view::npos;
  int depth = 0;
  for (std::size_t i = open; i < line.size(); ++i) {
    depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
    if (depth != 0) continue;
    made.parameters = line.substr(open + 1, i - open - 1);
    made.end = i + 1;
    return made;
  }
  return std::nullopt;
}

}  // namespace lockstep::r600
