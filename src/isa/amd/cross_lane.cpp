#include "isa/amd/table.h"

namespace lockstep::amd {

std::span<const Row> cross_lane_rows() {
  return {};
}

}  // namespace lockstep::amd
