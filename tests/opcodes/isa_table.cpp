// isa_table SOURCE             prints the table of every AMD meaning by generation
// isa_table SOURCE --summary   prints docs/isa-amd.md, its summary
// isa_table SOURCE --check     compares that with the file: exit code 1 when the file is not current
//
// "Not yet" is what LLVM's lists of mnemonics (tests/opcodes/TARGET.txt) have and the tables lack, where
// there is a list.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "isa/amd/dual.h"
#include "isa/amd/table.h"
#include "opcodes/lists.h"

namespace {

using namespace lockstep;
using namespace lockstep::amd;

struct Column {
  u32 generation;
  const char* title;
  const char* target;  // whose list of mnemonics stands for the generation
};

constexpr std::array<Column, 12> columns{{{gfx6, "gfx6", "gfx600"},
                                          {gfx7, "gfx7", "gfx701"},
                                          {gfx8, "gfx8", "gfx803"},
                                          {gfx900, "gfx900", "gfx900"},
                                          {gfx906, "gfx906", "gfx906"},
                                          {gfx908, "gfx908", "gfx908"},
                                          {gfx90a, "gfx90a", "gfx90a"},
                                          {gfx940, "gfx942", "gfx942"},
                                          {gfx10, "gfx1010", "gfx1010"},
                                          {gfx103, "gfx1030", "gfx1030"},
                                          {gfx11, "gfx1100", "gfx1100"},
                                          {gfx12, "gfx1201", "gfx1201"}}};

struct OpcodeList {
  std::set<std::string> mnemonics, not_needed;
};

std::optional<OpcodeList> read_list(const std::string& source, const std::string& target) {
  const auto listed = opcodes::read_list(source, target);
  const auto not_needed = opcodes::read_not_needed(source);
  if (!listed || !not_needed) return std::nullopt;
  OpcodeList list;
  for (const std::string& mnemonic : listed->mnemonics)
    (not_needed->contains(mnemonic) ? list.not_needed : list.mnemonics).insert(mnemonic);
  return list;
}

struct Meaning {
  std::string_view bound;
  std::set<std::string_view> mnemonics;
  std::map<std::string_view, u32> generations_of;  // by mnemonic
  u32 generations = 0;
};

std::string titles(u32 generations) {
  std::string text;
  for (const Column& column : columns) {
    if (generations & column.generation) text += fmt::format("{}{}", text.empty() ? "" : " ", column.title);
  }
  return text;
}

using Meanings = std::map<std::pair<std::string_view, std::string_view>, Meaning>;  // by name and bound

struct Tables {
  Meanings meanings;
  std::map<u32, std::set<std::string>> known;                 // mnemonics, by generation
  std::map<u32, std::pair<u64, u64>> exact_and_approximated;  // of those
};

Tables read_tables() {
  Tables tables;
  auto& [meanings, known, exact_and_approximated] = tables;
  for (const Row& row : all_rows()) {
    Meaning& meaning = meanings[{row.meaning->name, row.meaning->bound}];
    meaning.bound = row.meaning->bound;
    meaning.mnemonics.insert(row.mnemonic);
    meaning.generations_of[row.mnemonic] |= row.generations;
    meaning.generations |= row.generations;
    for (const Column& column : columns) {
      if ((row.generations & column.generation) == 0) continue;
      if (!known[column.generation].emplace(row.mnemonic).second) continue;
      auto& [exact, approximated] = exact_and_approximated[column.generation];
      ++(row.meaning->bound.empty() ? exact : approximated);
    }
  }
  return tables;
}

std::string summary(const std::string& source) {
  auto [meanings, known, exact_and_approximated] = read_tables();
  std::string out =
      "# AMD's instructions, by generation\n\n"
      "`ninja -C build isa_amd_page` makes this page from the instruction tables, a test compares the two, "
      "and `build/isa-amd.md` with\n"
      "every meaning, its mnemonics and its generations. An instruction is *exact* when its\n"
      "result has the bits that the hardware's has, by the manual's definition. It is *approximated* where "
      "the manual gives a bound and\n"
      "no bits: results lie within the bound. *Not yet* is what LLVM can assemble for the generation and "
      "Lockstep refuses by name, *not\n"
      "needed* what compute programs have no use for (tests/opcodes has LLVM's lists, with the reasons). "
      "Mnemonics are counted without\n"
      "the suffixes of their encodings.\n\n"
      "| generation | exact | approximated | not yet | not needed |\n|---|---|---|---|---|\n";
  std::string missing_text;
  for (const Column& column : columns) {
    const auto list = read_list(source, column.target);
    std::string missing_count = "no list", not_needed = "";
    if (list) {
      std::string names;
      u64 missing = 0;
      for (const std::string& mnemonic : list->mnemonics) {
        const auto& rows = known[column.generation];
        if (rows.contains(single_mnemonic(mnemonic)) || list->not_needed.contains(mnemonic)) continue;
        ++missing;
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", mnemonic);
      }
      missing_count = std::to_string(missing);
      not_needed = std::to_string(list->not_needed.size());
      if (missing > 0) missing_text += fmt::format("- {}: {}\n", column.title, names);
    }
    const auto& [exact, approximated] = exact_and_approximated[column.generation];
    out += fmt::format("| {} | {} | {} | {} | {} |\n", column.title, exact, approximated, missing_count,
                       not_needed);
  }
  out += "\n## Approximated\n\n| meaning | mnemonics | bound |\n|---|---|---|\n";
  for (const auto& [key, meaning] : meanings) {
    if (meaning.bound.empty()) continue;
    std::string names;
    for (const std::string_view mnemonic : meaning.mnemonics)
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", mnemonic);
    out += fmt::format("| {} | {} | {} |\n", key.first, names, meaning.bound);
  }
  if (!missing_text.empty()) out += "\n## Not yet\n\n" + missing_text;
  return out;
}

std::string every_meaning() {
  std::string out =
      "# Every meaning of AMD's instructions\n\n`e` exact, `a` approximated; a mnemonic with fewer "
      "generations than its meaning "
      "has them behind it.\n\n| meaning | mnemonics |";
  for (const Column& column : columns) out += fmt::format(" {} |", column.title);
  out += "\n|---|---|";
  for (std::size_t i = 0; i < columns.size(); ++i) out += "---|";
  out += "\n";
  for (const auto& [key, meaning] : read_tables().meanings) {
    std::string names;
    for (const auto& [mnemonic, generations] : meaning.generations_of) {
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ", mnemonic);
      if (generations != meaning.generations) names += fmt::format(" ({})", titles(generations));
    }
    out += fmt::format("| {} | {} |", key.first, names);
    for (const Column& column : columns) {
      const bool has = (meaning.generations & column.generation) != 0;
      out += fmt::format(" {} |", !has ? "" : meaning.bound.empty() ? "e" : "a");
    }
    out += "\n";
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view option = argc == 3 ? argv[2] : "";
  if (argc < 2 || argc > 3 || (argc == 3 && option != "--summary" && option != "--check")) {
    fmt::print(stderr, "isa_table SOURCE [--summary | --check]\n");
    return 2;
  }
  const std::string source = argv[1], made = option.empty() ? every_meaning() : summary(source);
  if (option != "--check") {
    fmt::print("{}", made);
    return 0;
  }
  std::ifstream file(source + "/docs/isa-amd.md");
  const std::string kept((std::istreambuf_iterator<char>(file)), {});
  if (kept == made) return 0;
  std::istringstream a(kept), b(made);
  std::string old_line, new_line;
  for (u32 line = 1;; ++line) {
    const bool more_old = static_cast<bool>(std::getline(a, old_line));
    const bool more_new = static_cast<bool>(std::getline(b, new_line));
    if (!more_old) old_line = "(end)";
    if (!more_new) new_line = "(end)";
    if (old_line == new_line && more_old && more_new) continue;
    fmt::print(stderr,
               "docs/isa-amd.md:{} is not current:\n  has  {}\n  make {}\nrun: ninja -C build isa_amd_page\n",
               line, old_line, new_line);
    return 1;
  }
}
