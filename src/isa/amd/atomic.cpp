#include "isa/amd/table.h"

namespace lockstep::amd {

std::span<const Row> atomic_rows() {
  return {};
}

}  // namespace lockstep::amd
