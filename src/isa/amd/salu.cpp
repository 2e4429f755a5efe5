#include "isa/amd/table.h"

namespace lockstep::amd {

std::span<const Row> salu_rows() {
  return {};
}

}  // namespace lockstep::amd
