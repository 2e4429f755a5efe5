#include "compile/library_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fstream>
#include <set>

#include "compile/clang_options.h"
#include "compile/prebuilt.h"
#include "compile/sha256.h"

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 14> core = {
    "get_work_dim",      "get_global_", "get_local_", "get_enqueued_", "get_num_", "get_group_id",
    "barrier",           "mem_fence",   "read_mem_f", "write_mem_",    "atom_",    "work_group_barrier",
    "sub_group_barrier", "atomic_"};
constexpr std::array<std::string_view, 6> memory = {"vload",    "vstore",           "shuffle",
                                                    "prefetch", "async_work_group", "wait_group_events"};

template <std::size_t n>
bool begins_with(std::string_view name, const std::array<std::string_view, n>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

bool part_of_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// What the source calls a symbol: "_Z3sinDv4_f" is sin. Empty for names that no source has.
std::string_view name_in_source(std::string_view symbol) {
  if (!symbol.starts_with("_Z")) return {};
  symbol.remove_prefix(2);
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(symbol.data(), symbol.data() + symbol.size(), length);
  if (error != std::errc{}) return {};
  symbol.remove_prefix(static_cast<std::size_t>(end - symbol.data()));
  return symbol.substr(0, length);
}

// The symbols that a module of LLVM IR as text defines: functions, variables and aliases that have a name.
std::vector<std::string> defined_symbols(std::string_view module) {
  std::vector<std::string> symbols;
  while (!module.empty()) {
    const std::size_t end = std::min(module.find('\n'), module.size() - 1);
    std::string_view line = module.substr(0, end);
    module.remove_prefix(end + 1);
    if (!line.starts_with("define ") && !line.starts_with('@')) continue;
    if (line.starts_with('@') && line.find(" = external ") != std::string_view::npos) continue;
    line.remove_prefix(line.find('@') + 1);
    std::size_t size = 0;
    while (size < line.size() && (part_of_identifier(line[size]) || line[size] == '.')) ++size;
    if (size != 0 && std::isdigit(static_cast<unsigned char>(line[0])) == 0)
      symbols.emplace_back(line.substr(0, size));
  }
  return symbols;
}

std::string digest_of(const std::string& library) {
  Sha256 hasher;
  hasher.field("OpenCL library in parts 1");
  hasher.field(file_version(library));
  return hasher.finish();
}

std::string list_name(const std::string& library) {
  return prebuilt_name("opencl_names", digest_of(library), "txt");
}

std::string part_name(const std::string& library, std::string_view part) {
  return prebuilt_name(fmt::format("opencl_{}", part), digest_of(library), "bc");
}

}  // namespace

std::string_view library_part_of(std::string_view function) {
  if (function.empty() || begins_with(function, core)) return "core";
  if (function.starts_with("convert_")) return "convert";
  return begins_with(function, memory) ? "memory" : "other";
}

std::vector<std::string> library_part_files(const std::string& library) {
  std::vector<std::string> files = {list_name(library)};
  for (const std::string_view part : library_part_names) files.push_back(part_name(library, part));
  return files;
}

Status make_library_parts(const std::string& library, CompileJob& job, const ScratchDirectory& scratch) {
  auto whole = job.run(Tool::opt, {"-S", "-passes=verify", library, "-o", "-"});
  if (!whole) return whole.error();
  // What may be dropped when nothing in the module uses it must stay: programs use it.
  constexpr std::string_view droppable = " linkonce_odr ";
  for (std::size_t at = 0; (at = whole->find(droppable, at)) != whole->npos;)
    whole->replace(at, droppable.size(), " weak_odr ");
  const std::string text = scratch.file("library.ll"), module = scratch.file("library.bc");
  std::ofstream(text, std::ios::binary) << *whole;
  if (auto made = job.run(Tool::opt, {"-passes=verify", text, "-o", module}); !made) return made.error();
  // Kept as they are: what a list names. The rest becomes private, and goes when nothing reaches it.
  const auto keep = [&](const std::vector<std::string>& symbols, std::vector<std::string> arguments) {
    const std::string list = scratch.file("symbols.txt");
    std::ofstream(list) << fmt::format("{}\n", fmt::join(symbols, "\n"));
    arguments.insert(arguments.end(),
                     {"-passes=internalize,globaldce", "-internalize-public-api-file=" + list, module});
    return job.run(Tool::opt, arguments);
  };
  std::map<std::string_view, std::vector<std::string>> symbols;
  std::set<std::string> names;
  for (const std::string& symbol : defined_symbols(*whole)) {
    const std::string_view name = name_in_source(symbol);
    symbols[library_part_of(name)].push_back(symbol);
    if (!name.empty()) names.insert(fmt::format("{} {}\n", name, library_part_of(name)));
  }
  for (const std::string_view part : library_part_names) {
    const auto reached = keep(symbols[part], {"-S", "-o", "-"});
    if (!reached) return reached.error();
    const auto made = keep(defined_symbols(*reached), {"-o", scratch.file(part_name(library, part))});
    if (!made) return made.error();
  }
  std::ofstream(scratch.file(list_name(library))) << fmt::format("{}", fmt::join(names, ""));
  return Success{};
}

std::optional<std::vector<std::string_view>> parts_needed(std::string_view text,
                                                          const std::map<std::string, std::string>& names) {
  const std::string spliced = without_continuations(text);
  if (mentions(spliced, {"include", "import", "embed", "##", "%:", "??", "\\u", "\\U", "asm", "_Z"}))
    return std::nullopt;
  std::set<std::string_view> found = {"core"};
  for (std::size_t at = 0; at < spliced.size();) {
    std::size_t end = at;
    while (end < spliced.size() && part_of_identifier(spliced[end])) ++end;
    if (const auto known = names.find(spliced.substr(at, end - at)); known != names.end())
      found.insert(known->second);
    at = end + 1;
  }
  // Our own saturating conversions round before they convert.
  if (found.contains("convert")) found.insert("other");
  std::vector<std::string_view> needed;
  for (const std::string_view part : library_part_names)
    if (found.contains(part)) needed.push_back(part);
  return needed;
}

std::vector<std::string> library_files(const std::string& library, const std::string& source,
                                       const std::vector<std::string>& words) {
  const auto list = find_prebuilt(list_name(library));
  if (!list) return {library};
  std::ifstream in(*list);
  std::map<std::string, std::string> names;
  for (std::string name, part; in >> name >> part;) names[name] = part;
  std::string text = source;
  for (const std::string& word : words)
    if (!word.starts_with("-cl-")) text += "\n" + word;  // -cl-mad-enable calls no mad()
  const auto needed = parts_needed(text, names);
  if (!needed) return {library};
  std::vector<std::string> files;
  for (const std::string_view part : *needed) {
    const auto file = find_prebuilt(part_name(library, part));
    if (!file) return {library};
    files.push_back(*file);
  }
  return files;
}

}  // namespace lockstep
