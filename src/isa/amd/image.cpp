#include "isa/amd/table.h"

namespace lockstep::amd {

std::span<const Row> image_rows() {
  return {};
}

}  // namespace lockstep::amd
