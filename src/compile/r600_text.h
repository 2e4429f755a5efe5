// LLVM's IR as text, an instruction a line, for what changes a module before LLVM's r600 back end has it.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/take_line.h"
#include "compile/r600_types.h"

namespace lockstep::r600 {

inline constexpr std::string_view typed_store = "@llvm.r600.rat.store.typed(";

// Takes the text before `end` and `end` itself off the front; nothing where `end` is not there.
inline std::optional<std::string_view> take_until(std::string_view& text, std::string_view end) {
  const std::size_t at = text.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at + end.size());
  return taken;
}

// ", !dbg !7" of an instruction, so that what replaces it stands at its place in the source.
inline std::string_view place_of(std::string_view line) {
  const std::size_t at = line.find(", !dbg !");
  if (at == std::string_view::npos) return {};
  const std::size_t end = line.find_first_not_of("0123456789", at + 8);
  return line.substr(at, end == std::string_view::npos ? end : end - at);
}

// "  %x = what...": the result's name and what follows the sign.
struct Assignment {
  std::string_view name, value;
};
inline std::optional<Assignment> assignment_of(std::string_view line) {
  if (!line.starts_with("  %")) return std::nullopt;
  const std::size_t at = line.find(" = ");
  if (at == std::string_view::npos) return std::nullopt;
  return Assignment{line.substr(2, at - 2), line.substr(at + 3)};
}

// Calls `change` with each line of a function's body, the body and the function's name; outside of functions
// the body is empty. It appends what takes the line's place, and its line end.
template <class F>
std::string with_changed_lines(std::string_view module, F change) {
  std::string made;
  made.reserve(module.size() + module.size() / 8);
  std::string_view body;
  std::string name;
  for (std::string_view rest = module; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (const auto definition = definition_of(line)) {
      name = definition->name;
      body = rest.substr(0, rest.find("\n}"));
      if (body.size() < rest.size()) body = rest.substr(0, body.size() + 1);
    } else if (line == "}") {
      body = {};
    }
    change(line, body, name, made);
  }
  return made;
}

// Adds the declaration of a function ("@llvm.r600.rat.store.typed(") where the module has none.
inline void declare(std::string& module, std::string_view function, std::string_view declaration) {
  for (std::size_t at = module.find(function); at != std::string::npos; at = module.find(function, at + 1)) {
    const std::size_t line = module.rfind('\n', at) + 1;
    if (module.compare(line, 8, "declare ") == 0) return;
  }
  module += declaration;
}

// What a function's parameters or a call's arguments are: between the commas that stand in no brackets.
std::vector<std::string_view> listed_operands(std::string_view text);

// One of them: "ptr addrspace(4) noundef %a" has the type "ptr addrspace(4)" and the value "%a".
struct TypedOperand {
  std::string_view type, value;
  // As another call has it.
  std::string text() const { return std::string(type) + ' ' + std::string(value); }
};
TypedOperand typed_operand(std::string_view text);

// The arguments of the call in the line to the function with this name ("@printf"); nothing where the line
// does not call it.
std::optional<std::vector<TypedOperand>> arguments_of_call(std::string_view line, std::string_view function);

}  // namespace lockstep::r600
