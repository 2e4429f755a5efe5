#include "isa/amd/table.h"

namespace lockstep::amd {

std::span<const Row> valu_compare_rows() {
  return {};
}

}  // namespace lockstep::amd
