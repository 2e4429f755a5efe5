#include "compile/unset_constants.h"

#include <algorithm>
#include <cctype>

#include "base/elf.h"
#include "base/take_line.h"
#include "compile/clang_options.h"
#include "compile/gpu_cxx.h"
#include "compile/job.h"
#include "compile/nvptx.h"

namespace lockstep {
namespace {

constexpr std::string_view attribute = "__attribute__((";

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string without_attributes(std::string_view line) {
  std::string plain;
  while (!line.empty()) {
    const std::size_t at = std::min(line.find(attribute), line.size());
    plain += line.substr(0, at);
    line.remove_prefix(at);
    u32 depth = 0;
    std::size_t end = line.find('(');
    for (; end < line.size(); ++end) {
      if (line[end] == '(') ++depth;
      if (line[end] == ')' && --depth == 0) break;
    }
    line.remove_prefix(std::min(end == line.npos ? line.size() : end + 1, line.size()));
  }
  return plain;
}

}  // namespace

bool may_have_unset_constants(const CompiledObject& object) {
  const Expected<ElfFile> elf = read_elf(object.elf, object.target);
  if (!elf) return false;
  return std::any_of(elf->symbols.begin(), elf->symbols.end(), [&](const ElfSymbol& symbol) {
    if (symbol.type != 1 || symbol.section == 0 || symbol.size_bytes == 0 || symbol.name.ends_with(".kd"))
      return false;
    // What no part of the file covers is zeros as well.
    const std::span<const u8> bytes = bytes_at(object.elf, *elf, symbol.value, symbol.size_bytes);
    return std::all_of(bytes.begin(), bytes.end(), [](u8 byte) { return byte == 0; });
  });
}

bool may_have_unset_constants(const PtxText& ptx) {
  for (std::string_view rest = ptx.ptx; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (line.find(".const ") != line.npos && line.find('=') == line.npos) return true;
  }
  return false;
}

std::vector<std::string> unset_constants_in(std::string_view printed) {
  std::vector<std::string> names;
  while (!printed.empty()) {
    const std::string_view line = take_line(printed);
    if (line.find("__attribute__((constant))") == line.npos) continue;
    std::string plain = without_attributes(line);
    while (!plain.empty() && (plain.back() == ';' || plain.back() == ' ')) plain.pop_back();
    // A declaration alone, or one with a value: "= ...", "{...}", "(...)".
    if (plain.find("extern ") != plain.npos || plain.find_first_of("={(") != plain.npos) continue;
    std::size_t end = plain.size();
    while (end > 0 && plain[end - 1] == ']') {
      end = plain.rfind('[', end - 1);
      if (end == plain.npos) end = 0;
    }
    std::size_t begin = end;
    while (begin > 0 && is_word(plain[begin - 1])) --begin;
    if (begin != end) names.push_back(plain.substr(begin, end - begin));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Expected<std::vector<std::string>> unset_constants(const CompileRequest& request, SourceLanguage language,
                                                   const std::string& source) {
  auto options = clang_options(request, language);
  if (!options) return options.error();
  auto arguments = gpu_cxx_arguments(request, language);
  if (!arguments) return arguments.error();
  const ClangInput input = clang_input(request, source);
  arguments->insert(arguments->end(), options->arguments.begin(), options->arguments.end());
  arguments->insert(arguments->end(), input.arguments.begin(), input.arguments.end());
  arguments->insert(arguments->end(), {"-w", "-fsyntax-only", "-Xclang", "-ast-print", input.name});
  CompileJob job(request);
  auto printed = job.run(Tool::clang, *arguments, input.text);
  if (!printed) return printed.error();
  return unset_constants_in(*printed);
}

}  // namespace lockstep
