#include "isa/program.h"

#include <algorithm>
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
