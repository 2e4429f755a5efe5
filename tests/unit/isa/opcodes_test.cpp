// Coverage against LLVM's own list of each target's mnemonics (tests/opcodes/TARGET.txt): covered, not needed
// by compute (tests/opcodes/not-needed.txt, by reason), missing.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "isa/amd/dual.h"
#include "isa/amd/table.h"

namespace lockstep::amd {
namespace {

constexpr const char* targets[] = {"gfx600", "gfx601", "gfx701", "gfx802",  "gfx803",  "gfx900",  "gfx906",
                                   "gfx908", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1201"};

std::ifstream open_list(const std::string& name) {
  std::ifstream file(std::string(LOCKSTEP_SOURCE_DIR) + "/tests/opcodes/" + name + ".txt");
  EXPECT_TRUE(file.good()) << name;
  return file;
}

struct OpcodeList {
  std::set<std::string> mnemonics;
  std::size_t missing_at_most = 0;
};

OpcodeList read_list(const std::string& target) {
  OpcodeList list;
  std::ifstream file = open_list(target);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    if (line.empty() || line[0] == '#') continue;
    words >> word;
    if (word == "missing-at-most") {
      words >> list.missing_at_most;
    } else {
      list.mnemonics.insert(word);
    }
  }
  return list;
}

// Mnemonic to reason. "class: reason" opens a class, the lines below name its mnemonics.
std::map<std::string, std::string> read_not_needed() {
  std::map<std::string, std::string> reasons;
  std::string reason;
  std::ifstream file = open_list("not-needed");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line.find(": ") != std::string::npos) {
      reason = line;
      continue;
    }
    EXPECT_FALSE(reason.empty()) << line << " needs a reason";
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      EXPECT_FALSE(reasons.contains(word)) << word << " is there twice";
      reasons[word] = reason;
    }
  }
  return reasons;
}

class Opcodes : public testing::TestWithParam<const char*> {};

TEST_P(Opcodes, AreCovered) {
  const std::string name = GetParam();
  const OpcodeList list = read_list(name);
  const std::map<std::string, std::string> reasons = read_not_needed();
  const Target* target = find_target(name);
  ASSERT_NE(target, nullptr);
  ASSERT_GT(list.mnemonics.size(), 800u);
  std::size_t covered = 0, not_needed = 0, missing = 0;
  std::string names;
  for (const std::string& mnemonic : list.mnemonics) {
    const auto reason = reasons.find(mnemonic);
    const bool alias = reason != reasons.end() && reason->second.starts_with("alias");
    // The halves of a VOPD pair mean what the single instruction means, and have no rows.
    const bool has_row = find_row(single_mnemonic(mnemonic), generation_of(*target)) != nullptr;
    // A row may stand for what is refused by name; only an alias may be a name of its own elsewhere.
    if (reason != reasons.end() && !(alias && has_row)) {
      ++not_needed;
    } else if (has_row) {
      ++covered;
    } else {
      ++missing;
      names += " " + mnemonic;
    }
  }
  std::printf("%s: %zu covered, %zu not needed by compute, %zu missing\n", name.c_str(), covered, not_needed,
              missing);
  RecordProperty("covered", static_cast<int>(covered));
  RecordProperty("not_needed", static_cast<int>(not_needed));
  RecordProperty("missing", static_cast<int>(missing));
  EXPECT_LE(missing, list.missing_at_most) << "missing:" << names;
}
INSTANTIATE_TEST_SUITE_P(Every, Opcodes, testing::ValuesIn(targets),
                         [](const auto& info) { return std::string(info.param); });

TEST(OpcodeLists, NotNeededNamesExist) {
  std::set<std::string> all;
  for (const char* target : targets) all.merge(read_list(target).mnemonics);
  for (const auto& [mnemonic, reason] : read_not_needed()) {
    EXPECT_TRUE(all.contains(mnemonic)) << mnemonic << " is no mnemonic of any target";
  }
}

// A row names what some target really has; a row for nobody is a misspelling.
TEST(OpcodeLists, RowsAreOpcodes) {
  std::map<std::string, u32> generations;
  for (const char* name : targets) {
    const u32 generation = generation_of(*find_target(name));
    for (const std::string& mnemonic : read_list(name).mnemonics) generations[mnemonic] |= generation;
  }
  for (const Row& row : all_rows()) {
    const auto found = generations.find(std::string(row.mnemonic));
    const u32 real = found == generations.end() ? 0 : found->second;
    EXPECT_NE(real & row.generations, 0u) << row.mnemonic << " is in no list";
  }
}

// A row that is valid for a generation is the only one of its name there.
TEST(OpcodeLists, RowsDoNotOverlap) {
  std::map<std::string_view, u32> seen;
  for (const Row& row : all_rows()) {
    EXPECT_EQ(seen[row.mnemonic] & row.generations, 0u) << row.mnemonic;
    seen[row.mnemonic] |= row.generations;
    if (row.generations == 0) continue;
    ASSERT_NE(row.meaning, nullptr) << row.mnemonic;
    EXPECT_NE(row.meaning->run64, nullptr) << row.mnemonic;
    EXPECT_NE(row.meaning->run32, nullptr) << row.mnemonic;
  }
}

}  // namespace
}  // namespace lockstep::amd
