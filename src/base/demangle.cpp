#include "base/demangle.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/types.h"

namespace lockstep {
namespace {

std::string trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return std::string(text);
}

bool opens(char c) {
  return c == '(' || c == '<' || c == '[' || c == '{';
}

bool closes(char c) {
  return c == ')' || c == '>' || c == ']' || c == '}';
}

std::string demangled_by_library(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status != 0 || text == nullptr ? std::string() : std::string(text.get());
}

// Empty for what is no mangled name.
std::string demangled(std::string symbol) {
  if (!symbol.starts_with("_Z")) return {};
  if (std::string text = demangled_by_library(symbol); !text.empty()) return text;
  // Libraries before GCC 13's know neither _Float16 nor __bf16 (Itanium C++ ABI, 5.1.5.2); they do know the
  // half of IEEE 754r, which no compiler makes of a source's types.
  constexpr std::string_view known = "Dh";
  for (const std::string_view unknown : {"DF16_", "DF16b"}) {
    for (std::size_t at = 0; (at = symbol.find(unknown, at)) != symbol.npos; at += known.size())
      symbol.replace(at, unknown.size(), known);
  }
  return demangled_by_library(symbol);
}

}  // namespace

std::string demangle_variable(const std::string& symbol) {
  std::string own = symbol;
  for (const char* mark : {".static.", "__static__", ".intern.", "__intern__"})
    own.resize(std::min(own.find(mark, 1), own.size()));
  const std::string name = demangled(own);
  return name.empty() ? own : name;
}

DemangledFunction demangle_function(const std::string& symbol) {
  DemangledFunction result;
  const std::string text = demangled(symbol);
  const std::string_view whole(text);
  if (!whole.ends_with(')')) return result;
  // The parameters' parenthesis is the one that the last character closes; what stands before it is the name,
  // behind the last blank that is not within brackets. "(anonymous namespace)::" is part of a name.
  std::size_t open = whole.size();
  u32 depth = 0;
  do {
    --open;
    if (closes(whole[open])) ++depth;
    if (opens(whole[open])) --depth;
  } while (depth != 0 && open != 0);
  std::size_t begin = open;
  while (begin > 0 && !(depth == 0 && whole[begin - 1] == ' ')) {
    --begin;
    if (closes(whole[begin])) ++depth;
    if (opens(whole[begin])) --depth;
  }
  result.whole = whole;
  result.name = whole.substr(begin, open - begin);
  result.plain_name = result.name.substr(0, result.name.find('<'));
  std::size_t at = open + 1;
  for (std::size_t i = at; i < whole.size(); ++i) {
    const bool last = i + 1 == whole.size();
    if (last || (whole[i] == ',' && depth == 0)) {
      const std::string parameter = trimmed(whole.substr(at, i - at));
      if (!parameter.empty()) result.parameters.push_back(parameter);
      at = i + 1;
    } else if (opens(whole[i])) {
      ++depth;
    } else if (closes(whole[i])) {
      --depth;
    }
  }
  return result;
}

}  // namespace lockstep
