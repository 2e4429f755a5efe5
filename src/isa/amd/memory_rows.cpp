#include "isa/amd/memory_rows.h"

namespace lockstep::amd {

// Not inline: hundreds of rows are added, and compiling that would take longer than what they mean.
void RowList::add(std::string_view prefix, std::string_view rest, const Semantic* meaning, Cost cost,
                  u32 generations) {
  if (generations == 0) return;
  names_.push_back(std::string(prefix).append(rest));
  rows_.push_back({names_.back(), meaning, cost, generations, 0});
}

}  // namespace lockstep::amd
