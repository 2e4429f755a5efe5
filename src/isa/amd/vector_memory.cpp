#include "isa/amd/table.h"

namespace lockstep::amd {

std::span<const Row> vector_memory_rows() {
  return {};
}

}  // namespace lockstep::amd
