// Which instructions the cases execute, against LLVM's lists of each AMD target's mnemonics (tests/opcodes)
// and the table of PTX's opcodes.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "isa/program.h"

namespace lockstep::cases {

class Coverage {
 public:
  // What a passing case executed; `executed` is by instruction and may be empty.
  void add(const std::string& target, const Code& code, const std::vector<bool>& executed);
  // By target ("ptx" for all of NVIDIA's): mnemonics that the target has, that compute needs, and that no
  // case executed.
  std::map<std::string, std::vector<std::string>> missing(const std::string& source) const;

 private:
  std::map<std::string, std::set<std::string>> executed_;  // mnemonics by target
};

}  // namespace lockstep::cases
