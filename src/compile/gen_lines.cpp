#include "compile/gen_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>

#include "base/take_line.h"

namespace lockstep {
namespace {

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
      // The symbol bears the section's name; the section that it names is another.
      const std::string& name = elf.symbols[symbol].name;
      kernels.push_back(name.starts_with(".text.") ? name.substr(6) : name);
    }
  }
  return kernels;
}

// One sequence of addresses, from the code's begin.
struct Table {
  std::vector<GenLine> rows;
  u32 end = 0;  // behind the last instruction
};

// What llvm-dwarfdump --debug-line prints; new files are added to the list.
std::vector<Table> parse_tables(std::string_view text, std::vector<std::string>& names) {
  std::vector<Table> tables;
  // Directories and files of the table at hand, by number.
  std::map<u32, std::string> directories;
  std::map<u32, u32> files;
  Table table;
  u32 entry = 0;
  std::string entry_name;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) continue;
    const auto bracketed = [&] {
      const std::size_t open = line.find('[');
      std::string_view inside = line.substr(open + 1);
      while (inside.starts_with(' ')) inside.remove_prefix(1);
      return number(inside);
    };
    if (words[0] == "Line" && words.size() > 1 && words[1] == "table") {
      directories.clear();
      files.clear();
    } else if (words[0].starts_with("include_directories[")) {
      directories[bracketed()] = quoted(line);
    } else if (words[0].starts_with("file_names[")) {
      entry = bracketed();
    } else if (words[0] == "name:") {
      entry_name = quoted(line);
    } else if (words[0] == "dir_index:" && words.size() > 1) {
      const auto directory = directories.find(number(words[1]));
      const bool whole =
          directory == directories.end() || directory->second.empty() || entry_name.starts_with('/');
      const std::string name = whole ? entry_name : directory->second + "/" + entry_name;
      const auto known = std::find(names.begin(), names.end(), name);
      files[entry] = static_cast<u32>(known - names.begin());
      if (known == names.end()) names.push_back(name);
    } else if (words[0].starts_with("0x") && words.size() >= 4) {
      const u32 address = number(words[0].substr(2), 16);
      const auto known = files.find(number(words[3]));
      if (words.back() == "end_sequence") {
        table.end = address;
        std::stable_sort(table.rows.begin(), table.rows.end(),
                         [](const GenLine& x, const GenLine& y) { return x.address < y.address; });
        tables.push_back(std::move(table));
        table = {};
      } else if (known != files.end()) {
        table.rows.push_back({address, known->second, number(words[1]), number(words[2])});
      }
    }
  }
  return tables;
}

std::vector<Table> tables_of(CompileJob& job, const ScratchDirectory& scratch, std::string_view elf,
                             std::vector<std::string>& names) {
  const std::string file = scratch.file("lines.elf");
  std::ofstream(file, std::ios::binary) << elf;
  const std::string log = job.log();
  auto text = job.run(Tool::dwarfdump, {"--debug-line", file});
  if (!text) return {};  // the program runs without lines
  job.log() = log;       // it warns of relocations that it does not know
  return parse_tables(*text, names);
}

}  // namespace

GenLines gen_lines(CompileJob& job, const ScratchDirectory& scratch, const std::string& object,
                   const ElfFile& elf) {
  GenLines made;
  if (elf.find_section(".debug_line") == nullptr) return made;
  const std::vector<std::string> kernels = kernels_of_tables(object, elf);
  std::vector<Table> tables = tables_of(job, scratch, object, made.files);
  for (std::size_t i = 0; i < tables.size() && i < kernels.size(); ++i)
    made.of_kernel[kernels[i]] = std::move(tables[i].rows);
  return made;
}

GenLines gen_lines_apart(CompileJob& job, const ScratchDirectory& scratch, std::string_view debug,
                         const ElfFile& elf) {
  GenLines made;
  const auto word = [&](std::size_t at) {
    u32 value = 0;
    if (at + 4 <= debug.size()) std::memcpy(&value, debug.data() + at, 4);
    return value;
  };
  constexpr u32 magic = 0x494E5443;
  constexpr std::size_t header = 28, kernel_header = 12;
  if (word(0) != magic) return made;
  const u32 count = word(24);
  std::size_t at = header;
  for (u32 i = 0; i < count && at + kernel_header <= debug.size(); ++i) {
    const std::size_t name_bytes = word(at), elf_bytes = word(at + 4), other_bytes = word(at + 8);
    at += kernel_header;
    if (name_bytes > debug.size() - at || elf_bytes > debug.size() - at - name_bytes) break;
    const std::string_view padded = debug.substr(at, name_bytes);
    const std::string name(padded.substr(0, padded.find('\0')));
    std::vector<Table> tables = tables_of(job, scratch, debug.substr(at + name_bytes, elf_bytes), made.files);
    at += name_bytes + elf_bytes + other_bytes;
    // Lines of other code than that of the program would mislead.
    const ElfSymbol* kernel = elf.find_symbol(name);
    if (kernel != nullptr && tables.size() == 1 && tables[0].end == kernel->size_bytes)
      made.of_kernel[name] = std::move(tables[0].rows);
  }
  return made;
}

}  // namespace lockstep
