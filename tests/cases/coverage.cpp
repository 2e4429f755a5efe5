#include "cases/coverage.h"

#include "isa/amd/dual.h"
#include "isa/amd/table.h"
#include "isa/amd/text.h"
#include "isa/nv/opcodes.h"
#include "opcodes/lists.h"

namespace lockstep::cases {
namespace {

std::string ptx_opcode(std::string_view text) {
  if (text.starts_with("@")) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  return std::string(text.substr(0, text.find_first_of(" ;\t")));
}

}  // namespace

void Coverage::add(const std::string& target, const Code& code, const std::vector<bool>& executed) {
  const bool ptx = code.target->isa == IsaFamily::ptx;
  std::set<std::string>& names = executed_[ptx ? "ptx" : target];
  for (std::size_t i = 0; i < executed.size(); ++i) {
    if (!executed[i]) continue;
    const std::string_view text = code.text[i];
    if (ptx) {
      names.insert(ptx_opcode(text));
      continue;
    }
    names.insert(std::string(amd::split(text).mnemonic));
    const std::size_t second = text.find(":: ");
    if (second != std::string_view::npos)
      names.insert(std::string(amd::split(text.substr(second + 3)).mnemonic));
  }
}

std::map<std::string, std::vector<std::string>> Coverage::missing(const std::string& source) const {
  std::map<std::string, std::vector<std::string>> result;
  const auto classes = opcodes::read_not_needed(source);
  LOCKSTEP_ASSERT(classes.ok(), "the list of what compute does not need can be read");
  const auto executed = [&](const std::string& target, const std::string& name) {
    const auto found = executed_.find(target);
    return found != executed_.end() && found->second.contains(name);
  };
  for (const std::string target : opcodes::targets) {
    const u32 generation = amd::generation_of(*find_target(target));
    const auto list = opcodes::read_list(source, target);
    LOCKSTEP_ASSERT(list.ok(), "the list of the target's mnemonics can be read");
    for (const std::string& mnemonic : list->mnemonics) {
      const auto reason = classes->find(mnemonic);
      const bool has_row = amd::find_row(amd::single_mnemonic(mnemonic), generation) != nullptr;
      if (reason != classes->end() && !(reason->second == "alias" && has_row)) continue;
      // What is not there at all is counted by the test of the opcode lists.
      if (has_row && !executed(target, mnemonic)) result[target].push_back(mnemonic);
    }
  }
  // A row's name is the opcode, with a note behind it where an opcode has several rows.
  std::set<std::string> opcodes;
  for (const auto& [name, opcode] : nv::opcodes().rows())
    opcodes.insert(name.substr(0, name.find_first_of("@ ")));
  for (const std::string& name : opcodes) {
    if (!executed("ptx", name)) result["ptx"].push_back(name);
  }
  return result;
}

}  // namespace lockstep::cases
