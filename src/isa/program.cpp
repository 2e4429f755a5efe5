#include "isa/program.h"

#include <algorithm>

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

Expected<std::vector<u8>> Module::image_at(u64 load_address) const {
  ElfImage loaded = image;
  if (!loaded.bytes.empty()) {
    const Status applied =
        apply_relocations(loaded, elf, load_address, programs.empty() ? "" : programs[0].name);
    if (!applied) return applied.error();
  }
  return std::move(loaded.bytes);
}

}  // namespace lockstep
