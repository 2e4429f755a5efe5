#include "isa/amd/table.h"

namespace lockstep::amd {

std::span<const Row> control_rows() {
  return {};
}

}  // namespace lockstep::amd
