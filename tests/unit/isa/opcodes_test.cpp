// Coverage against LLVM's own list of each target's mnemonics (tests/opcodes/TARGET.txt): covered, not needed
// by compute (tests/opcodes/not-needed.txt, by reason), missing.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "isa/amd/dual.h"
#include "isa/amd/table.h"
#include "opcodes/lists.h"

namespace lockstep::amd {
namespace {

template <class T>
T checked(Expected<T> read) {
  EXPECT_TRUE(read.ok()) << (read ? "" : to_string(read.error()));
  return read ? std::move(*read) : T();
}

opcodes::List list_of(const std::string& target) {
  return checked(opcodes::read_list(LOCKSTEP_SOURCE_DIR, target));
}

class Opcodes : public testing::TestWithParam<const char*> {};

TEST_P(Opcodes, AreCovered) {
  const std::string name = GetParam();
  const opcodes::List list = list_of(name);
  const std::map<std::string, std::string> classes = checked(opcodes::read_not_needed(LOCKSTEP_SOURCE_DIR));
  const Target* target = find_target(name);
  ASSERT_NE(target, nullptr);
  ASSERT_GT(list.mnemonics.size(), 800u);
  std::size_t covered = 0, not_needed = 0, missing = 0;
  std::string names;
  for (const std::string& mnemonic : list.mnemonics) {
    const auto reason = classes.find(mnemonic);
    const bool alias = reason != classes.end() && reason->second == "alias";
    // The halves of a VOPD pair mean what the single instruction means, and have no rows.
    const bool has_row = find_row(single_mnemonic(mnemonic), generation_of(*target)) != nullptr;
    // A row may stand for what is refused by name; only an alias may be a name of its own elsewhere.
    if (reason != classes.end() && !(alias && has_row)) {
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
INSTANTIATE_TEST_SUITE_P(Every, Opcodes, testing::ValuesIn(opcodes::targets),
                         [](const auto& info) { return std::string(info.param); });

// A new line of machines/targets.toml needs a list, or one that stands for it and is read by the same rows.
TEST(OpcodeLists, EveryTargetHasOne) {
  u32 count = 0;
  for (const Target& target : all_targets()) {
    if (target.isa != IsaFamily::amdgcn) continue;
    ++count;
    std::string_view list;
    for (const char* name : opcodes::targets) {
      if (target.name == name) list = name;
    }
    for (const opcodes::SameList& same : opcodes::same_lists) {
      if (target.name == same.target) list = same.list;
    }
    ASSERT_FALSE(list.empty()) << target.name << ": tests/opcodes/update.sh makes its list";
    EXPECT_EQ(generation_of(target), generation_of(*find_target(list))) << target.name;
  }
  EXPECT_EQ(count, std::size(opcodes::targets) + std::size(opcodes::same_lists));
}

TEST(OpcodeLists, NotNeededNamesExist) {
  std::set<std::string> all;
  for (const char* target : opcodes::targets) all.merge(list_of(target).mnemonics);
  for (const auto& [mnemonic, reason] : checked(opcodes::read_not_needed(LOCKSTEP_SOURCE_DIR))) {
    EXPECT_TRUE(all.contains(mnemonic)) << mnemonic << " is no mnemonic of any target";
  }
}

// A row names what some target really has; a row for nobody is a misspelling.
TEST(OpcodeLists, RowsAreOpcodes) {
  std::map<std::string, u32> generations;
  for (const char* name : opcodes::targets) {
    const u32 generation = generation_of(*find_target(name));
    for (const std::string& mnemonic : list_of(name).mnemonics) generations[mnemonic] |= generation;
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
