// LLVM's own lists of each AMD target's mnemonics (TARGET.txt), and what compute does not need of them
// (not-needed.txt).
#pragma once
#include <cstddef>
#include <map>
#include <set>
#include <string>

#include "base/diagnostic.h"

namespace lockstep::opcodes {

// The targets that have a list.
inline constexpr const char* targets[] = {"gfx600",  "gfx601",  "gfx701",  "gfx802", "gfx803",
                                          "gfx900",  "gfx906",  "gfx908",  "gfx90a", "gfx942",
                                          "gfx1010", "gfx1030", "gfx1100", "gfx1201"};

// Targets whose list update.sh makes the same, name by name, as another's: that one stands for both.
struct SameList {
  const char *target, *list;
};
inline constexpr SameList same_lists[] = {
    {"gfx1101", "gfx1100"}, {"gfx1102", "gfx1100"}, {"gfx1200", "gfx1201"}};

struct List {
  std::set<std::string> mnemonics;
  std::size_t missing_at_most = 0;  // that the tables may lack
};

// `source` is the repository's folder. Errors of both: "no-such-file", "bad-list" with the line.
Expected<List> read_list(const std::string& source, const std::string& target);
// Mnemonic to the class of reasons for which compute does not need it: "alias", "graphics". An alias is
// needed where the tables have a row of its name.
Expected<std::map<std::string, std::string>> read_not_needed(const std::string& source);

}  // namespace lockstep::opcodes
