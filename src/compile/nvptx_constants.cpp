#include "compile/nvptx_constants.h"

#include <map>

#include "base/take_line.h"
#include "base/types.h"
#include "compile/listing_builder.h"

namespace lockstep {
namespace {

using TypeBodies = std::map<std::string_view, std::string_view>;  // "%struct.s": "{ i8, <3 x i8> }"

// The end of the identifier that begins at `at` with a percent sign: %name or %"name".
std::size_t identifier_end(std::string_view text, std::size_t at) {
  if (text.substr(at + 1).starts_with('"')) {
    const std::size_t close = text.find('"', at + 2);
    return close == std::string_view::npos ? text.size() : close + 1;
  }
  constexpr std::string_view letters = "$-._0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return std::min(text.find_first_not_of(letters, at + 1), text.size());
}

TypeBodies named_types(std::string_view module) {
  TypeBodies bodies;
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (!line.starts_with('%')) continue;
    const std::size_t end = identifier_end(line, 0);
    constexpr std::string_view between = " = type ";
    if (line.substr(end).starts_with(between))
      bodies.emplace(line.substr(0, end), line.substr(end + between.size()));
  }
  return bodies;
}

// Appends what stands at `at` up to the end of a string in quotes; false when none begins there.
bool copy_string(std::string_view text, std::size_t& at, std::string& out) {
  if (text[at] != '"') return false;
  const std::size_t close = std::min(text.find('"', at + 1), text.size() - 1);  // a quote inside is \22
  out += text.substr(at, close + 1 - at);
  at = close + 1;
  return true;
}

// Types by name as what they are: a variable's own vectors can be widened, those of a type that functions
// share can not. Structures by value do not contain themselves.
std::string with_literal_types(std::string_view text, const TypeBodies& bodies) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (copy_string(text, at, out)) continue;
    if (text[at] == '%') {
      const std::size_t end = identifier_end(text, at);
      const std::string_view name = text.substr(at, end - at);
      const auto found = bodies.find(name);
      out += found == bodies.end() ? std::string(name) : with_literal_types(found->second, bodies);
      at = end;
      continue;
    }
    out += text[at++];
  }
  return out;
}

constexpr std::string_view three = "<3 x ";

// The '>' that closes the '<' at `at`.
std::size_t closing(std::string_view text, std::size_t at) {
  u32 depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '<') ++depth;
    if (text[at] == '>' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

std::string with_four_elements(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (copy_string(text, at, out)) continue;
    const std::size_t close = text.substr(at).starts_with(three) ? closing(text, at) : std::string_view::npos;
    if (close == std::string_view::npos) {
      out += text[at++];
      continue;
    }
    const std::string_view element = text.substr(at + three.size(), close - at - three.size());
    out += "<4 x ";
    out += element;
    out += '>';
    at = close + 1;
    if (!text.substr(at).starts_with(" <")) continue;  // zeroinitializer, undef, or only the type
    const std::size_t last = closing(text, at + 1);
    if (last == std::string_view::npos) continue;
    out += text.substr(at, last - at);
    out += ", ";
    out += element;
    out += " zeroinitializer>";
    at = last + 1;
  }
  return out;
}

}  // namespace

std::string with_padded_constants(std::string_view module) {
  if (module.find(three) == std::string_view::npos) return std::string(module);
  const TypeBodies bodies = named_types(module);
  std::string out;
  out.reserve(module.size() + module.size() / 16);
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (line.starts_with('@')) {
      const std::string literal = with_literal_types(line, bodies);
      out += literal.find(three) == std::string::npos ? std::string(line) : with_four_elements(literal);
    } else {
      out += line;
    }
    out += '\n';
  }
  return out;
}

}  // namespace lockstep
