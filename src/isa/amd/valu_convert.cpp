#include "isa/amd/table.h"

namespace lockstep::amd {

std::span<const Row> valu_convert_rows() {
  return {};
}

}  // namespace lockstep::amd
