#include "isa/amd/table.h"

namespace lockstep::amd {

std::span<const Row> valu_half_rows() {
  return {};
}

}  // namespace lockstep::amd
