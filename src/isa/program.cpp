#include "isa/program.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "base/assert.h"

namespace lockstep {

std::size_t Program::explicit_parameters() const {
  return static_cast<std::size_t>(std::count_if(parameters.begin(), parameters.end(), [](const Parameter& p) {
    return p.kind != ParameterKind::hidden;
  }));
}

const Program* Module::find(std::string_view kernel) const {
  const auto found =
      std::find_if(programs.begin(), programs.end(), [&](const Program& p) { return p.name == kernel; });
  return found == programs.end() ? nullptr : &*found;
}

const ModuleVariable* Module::variable_at(u64 address) const {
  const auto behind =
      std::upper_bound(variables.begin(), variables.end(), address,
                       [](u64 wanted, const ModuleVariable& variable) { return wanted < variable.address; });
  if (behind == variables.begin()) return nullptr;
  const ModuleVariable& variable = *(behind - 1);
  return address - variable.address < variable.bytes ? &variable : nullptr;
}

static bool names_symbol(std::string_view text, std::string_view symbol) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
  };
  for (std::size_t at = text.find(symbol); at != text.npos; at = text.find(symbol, at + 1)) {
    const std::size_t end = at + symbol.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return true;
  }
  return false;
}

bool Module::may_reach(const Program& kernel, const ModuleVariable& variable) const {
  for (u32 i = 0; i < code.text.size(); ++i) {
    if (!names_symbol(code.text[i], variable.symbol)) continue;
    const bool of_another = std::any_of(programs.begin(), programs.end(), [&](const Program& program) {
      return program.entry != kernel.entry && program.entry <= i && i < program.end;
    });
    if (!of_another) return true;
  }
  return false;
}

Expected<std::vector<u8>> Module::image_at(u64 load_address) const {
  ElfImage loaded = image;
  if (!loaded.bytes.empty()) {
    const Status applied =
        apply_relocations(loaded, elf, load_address, programs.empty() ? "" : programs[0].name);
    if (!applied) return applied.error();
  }
  for (const AddressFixup& fixup : fixups) {
    LOCKSTEP_ASSERT(fixup.bytes <= 8 && fixup.offset + fixup.bytes <= loaded.bytes.size(),
                    "a fixup is an address or a part of one, and lies within the image");
    const u64 address = (load_address + fixup.addend) >> fixup.shift;
    std::memcpy(loaded.bytes.data() + fixup.offset, &address, fixup.bytes);
  }
  return std::move(loaded.bytes);
}

}  // namespace lockstep
