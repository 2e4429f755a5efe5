#include "compile/r600_text.h"

namespace lockstep::r600 {
namespace {

// Where the bracket at the text's front closes, one behind it.
std::size_t end_of_brackets(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' || c == '<' || c == '[' || c == '{' ? 1 : 0;
    depth -= c == ')' || c == '>' || c == ']' || c == '}' ? 1 : 0;
    if (depth == 0) return i + 1;
  }
  return text.size();
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Takes the attribute of a parameter off the front: "noundef", "align 4", "range(i32 0, 64)".
bool take_attribute(std::string_view& text) {
  static constexpr std::string_view words[] = {
      "noundef",  "nonnull",  "nocapture",      "readonly",        "writeonly",
      "readnone", "zeroext",  "signext",        "inreg",           "noalias",
      "returned", "nofree",   "align",          "range",           "nofpclass",
      "captures", "writable", "dead_on_unwind", "dereferenceable", "dereferenceable_or_null"};
  const std::size_t end = std::min(text.find_first_of(" ("), text.size());
  const std::string_view word = text.substr(0, end);
  if (std::find(std::begin(words), std::end(words), word) == std::end(words)) return false;
  text = trimmed(text.substr(end));
  if (text.starts_with('(')) text = trimmed(text.substr(end_of_brackets(text)));
  if (word == "align") text = trimmed(text.substr(std::min(text.find(' '), text.size())));
  return true;
}

}  // namespace

std::vector<std::string_view> listed_operands(std::string_view text) {
  std::vector<std::string_view> made;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i == text.size() ? ',' : text[i];
    depth += c == '(' || c == '<' || c == '[' || c == '{' ? 1 : 0;
    depth -= c == ')' || c == '>' || c == ']' || c == '}' ? 1 : 0;
    if (c != ',' || depth != 0) continue;
    if (const std::string_view one = trimmed(text.substr(begin, i - begin)); !one.empty())
      made.push_back(one);
    begin = i + 1;
  }
  return made;
}

TypedOperand typed_operand(std::string_view text) {
  text = trimmed(text);
  std::size_t end = 0;
  if (text.starts_with('<') || text.starts_with('[') || text.starts_with('{')) {
    end = end_of_brackets(text);
  } else {
    end = std::min(text.find(' '), text.size());
    constexpr std::string_view space = " addrspace(";
    if (text.substr(end).starts_with(space)) end = std::min(text.find(')', end) + 1, text.size());
  }
  TypedOperand made{text.substr(0, end), trimmed(text.substr(end))};
  while (take_attribute(made.value)) {
  }
  return made;
}

std::optional<std::vector<TypedOperand>> arguments_of_call(std::string_view line, std::string_view function) {
  const std::size_t at = line.find(std::string(function) + '(');
  if (at == std::string_view::npos || line.substr(0, at).find("call ") == std::string_view::npos)
    return std::nullopt;
  const std::string_view list = line.substr(at + function.size());
  const std::size_t end = end_of_brackets(list);
  std::vector<TypedOperand> made;
  for (const std::string_view one : listed_operands(list.substr(1, std::max<std::size_t>(end, 2) - 2)))
    made.push_back(typed_operand(one));
  return made;
}

}  // namespace lockstep::r600
