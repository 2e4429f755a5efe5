// docs/instructions.md is made from the instruction tables themselves: LOCKSTEP_WRITE_DOCS=1 writes it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "isa/amd/table.h"

namespace lockstep::amd {
namespace {

constexpr std::string_view generations[] = {"gfx6",   "gfx7",   "gfx8",  "gfx900", "gfx906", "gfx908",
                                            "gfx90a", "gfx940", "gfx10", "gfx103", "gfx11",  "gfx12"};

struct Meaning {
  std::set<std::string> names;
  u32 generations = 0;
  std::string bound;
};

std::string table_text() {
  std::map<std::string, Meaning> meanings;
  for (const Row& row : all_rows()) {
    Meaning& meaning = meanings[std::string(row.meaning->name)];
    meaning.names.insert(std::string(row.mnemonic));
    meaning.generations |= row.generations;
    meaning.bound = row.meaning->bound;
  }
  std::string text =
      "# Instructions of AMD GPUs\n\n"
      "Made from the instruction tables by a test; do not edit. One line for each meaning: the mnemonics "
      "that "
      "share it, and\nthe generations that have it, where = is exact and ~ approximated within the bound "
      "below the "
      "table. An instruction\nthat is in no line stops a program by its name. What LLVM's assembler has "
      "beyond "
      "these, and why, is in `tests/opcodes`.\n\n| meaning | mnemonics |";
  for (const std::string_view name : generations) text += fmt::format(" {} |", name);
  text += "\n|---|---|";
  for (std::size_t i = 0; i < std::size(generations); ++i) text += "---|";
  text += "\n";
  std::map<std::string, std::string> bounds;
  for (const auto& [name, meaning] : meanings) {
    std::string names;
    for (const std::string& mnemonic : meaning.names) names += (names.empty() ? "" : ", ") + mnemonic;
    text += fmt::format("| {} | {} |", name, names);
    for (std::size_t i = 0; i < std::size(generations); ++i) {
      const bool has = ((meaning.generations >> i) & 1) != 0;
      text += !has ? " |" : meaning.bound.empty() ? " = |" : " ~ |";
    }
    text += "\n";
    if (!meaning.bound.empty()) bounds[name] = meaning.bound;
  }
  text += "\n## Bounds\n\n| meaning | bound |\n|---|---|\n";
  for (const auto& [name, bound] : bounds) text += fmt::format("| {} | {} |\n", name, bound);
  return text;
}

TEST(InstructionTable, NamesEveryMeaning) {
  const std::string text = table_text();
  if (std::getenv("LOCKSTEP_WRITE_DOCS") != nullptr) {
    std::ofstream(std::string(LOCKSTEP_SOURCE_DIR) + "/docs/instructions.md") << text;
  }
  for (const Row& row : all_rows()) {
    EXPECT_FALSE(row.meaning->name.empty()) << row.mnemonic;
    EXPECT_NE(text.find(fmt::format("\n| {} |", row.meaning->name)), std::string::npos) << row.mnemonic;
  }
}

}  // namespace
}  // namespace lockstep::amd
