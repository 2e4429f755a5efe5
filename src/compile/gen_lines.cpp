#include "compile/gen_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>

namespace lockstep {
namespace {

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(' '); at < line.size(); at = line.find_first_not_of(' ', at)) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

u32 number(std::string_view word, int base = 10) {
  u32 value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value, base);
  return value;
}

// A name in quotes behind the colon.
std::string quoted(std::string_view line) {
  const std::size_t open = line.find('"'), close = line.rfind('"');
  return open == line.npos || close <= open ? std::string()
                                            : std::string(line.substr(open + 1, close - open - 1));
}

// The kernels that the line tables belong to, in the tables' order: each one's first address is relocated.
std::vector<std::string> kernels_of_tables(std::string_view object, const ElfFile& elf) {
  std::vector<std::string> kernels;
  for (const ElfSection& section : elf.sections) {
    if (section.name != ".rela.debug_line" && section.name != ".rel.debug_line") continue;
    if (section.offset > object.size() || section.size_bytes > object.size() - section.offset) continue;
    const std::size_t entry = section.name == ".rela.debug_line" ? 24 : 16;
    for (std::size_t at = 0; at + entry <= section.size_bytes; at += entry) {
      u64 info;
      std::memcpy(&info, object.data() + section.offset + at + 8, 8);
      const u64 symbol = info >> 32;
      if (symbol >= elf.symbols.size()) continue;
      const u32 text = elf.symbols[symbol].section;
      const std::string name = text < elf.sections.size() ? elf.sections[text].name : std::string();
      kernels.push_back(name.starts_with(".text.") ? name.substr(6) : name);
    }
  }
  return kernels;
}

}  // namespace

Expected<GenLines> gen_lines(CompileJob& job, const ScratchDirectory& scratch, const std::string& object,
                             const ElfFile& elf) {
  GenLines made;
  if (elf.find_section(".debug_line") == nullptr) return made;
  const std::vector<std::string> kernels = kernels_of_tables(object, elf);
  const std::string file = scratch.file("program.elf");
  std::ofstream(file, std::ios::binary) << object;
  const std::string log = job.log();
  auto text = job.run(Tool::dwarfdump, {"--debug-line", file});
  if (!text) return made;  // the program runs without lines
  job.log() = log;         // it warns of relocations that it does not know
  // Directories and files of the table at hand, by number.
  std::map<u32, std::string> directories;
  std::map<u32, u32> files;
  std::vector<GenLine> rows;
  std::size_t tables = 0;
  u32 entry = 0;
  std::string entry_name;
  for (std::string_view rest = *text; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) continue;
    if (words[0] == "Line" && words.size() > 1 && words[1] == "table") {
      directories.clear();
      files.clear();
    } else if (words[0].starts_with("include_directories[")) {
      directories[number(words[0].size() > 20 ? words[0].substr(20) : words[1])] = quoted(line);
      if (words[0].size() <= 20) directories[number(words[1].substr(0, words[1].find(']')))] = quoted(line);
    } else if (words[0].starts_with("file_names[")) {
      entry = words[0].size() > 11 ? number(words[0].substr(11)) : number(words[1]);
    } else if (words[0] == "name:") {
      entry_name = quoted(line);
    } else if (words[0] == "dir_index:" && words.size() > 1) {
      const auto directory = directories.find(number(words[1]));
      const std::string name =
          directory == directories.end() || directory->second.empty() || entry_name.starts_with('/')
              ? entry_name
              : directory->second + "/" + entry_name;
      const auto known = std::find(made.files.begin(), made.files.end(), name);
      files[entry] = static_cast<u32>(known - made.files.begin());
      if (known == made.files.end()) made.files.push_back(name);
    } else if (words[0].starts_with("0x") && words.size() >= 4) {
      const u32 address = number(words[0].substr(2), 16);
      const bool ends = words.back() == "end_sequence";
      const auto known = files.find(number(words[3]));
      if (!ends && known != files.end())
        rows.push_back({address, known->second, number(words[1]), number(words[2])});
      if (!ends) continue;
      if (tables < kernels.size()) made.of_kernel[kernels[tables]] = std::move(rows);
      ++tables;
      rows.clear();
    }
  }
  for (auto& [kernel, own] : made.of_kernel)
    std::stable_sort(own.begin(), own.end(),
                     [](const GenLine& a, const GenLine& b) { return a.address < b.address; });
  return made;
}

}  // namespace lockstep
