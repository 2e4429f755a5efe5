// Coverage against LLVM's own list of a target's mnemonics (tests/opcodes/TARGET.txt): covered, not needed by
// compute (each with its reason), missing.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "isa/amd/table.h"

namespace lockstep::amd {
namespace {

struct OpcodeList {
  std::set<std::string> mnemonics;
  std::map<std::string, std::string> not_needed;
  std::size_t missing_at_most = 0;
};

OpcodeList read_list(const std::string& target) {
  OpcodeList list;
  std::ifstream file(std::string(LOCKSTEP_SOURCE_DIR) + "/tests/opcodes/" + target + ".txt");
  EXPECT_TRUE(file.good()) << target;
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string word, rest;
    if (line.empty() || line[0] == '#') continue;
    words >> word;
    if (word == "missing-at-most") {
      words >> list.missing_at_most;
    } else if (word == "not-needed") {
      words >> word;
      std::getline(words >> std::ws, rest);
      EXPECT_FALSE(rest.empty()) << word << " needs a reason";
      list.not_needed[word] = rest;
    } else {
      list.mnemonics.insert(word);
    }
  }
  return list;
}

TEST(Opcodes, Gfx900IsCovered) {
  const OpcodeList list = read_list("gfx900");
  const Target* target = find_target("gfx900");
  ASSERT_NE(target, nullptr);
  ASSERT_GT(list.mnemonics.size(), 1000u);
  std::size_t covered = 0, not_needed = 0;
  std::vector<std::string> missing;
  for (const std::string& mnemonic : list.mnemonics) {
    if (list.not_needed.contains(mnemonic)) {
      ++not_needed;
    } else if (find_row(mnemonic, generation_of(*target)) != nullptr) {
      ++covered;
    } else {
      missing.push_back(mnemonic);
    }
  }
  for (const auto& [mnemonic, reason] : list.not_needed) {
    EXPECT_TRUE(list.mnemonics.contains(mnemonic)) << mnemonic << " is no mnemonic of gfx900";
  }
  std::string names;
  for (const std::string& mnemonic : missing) names += " " + mnemonic;
  std::printf("gfx900: %zu covered, %zu not needed by compute, %zu missing\n", covered, not_needed,
              missing.size());
  RecordProperty("covered", static_cast<int>(covered));
  RecordProperty("not_needed", static_cast<int>(not_needed));
  RecordProperty("missing", static_cast<int>(missing.size()));
  EXPECT_LE(missing.size(), list.missing_at_most) << "missing:" << names;
}

// A row that is valid for a generation is the only one of its name there.
TEST(Opcodes, RowsDoNotOverlap) {
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
