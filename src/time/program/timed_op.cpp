#include "time/program/timed_op.h"

namespace lockstep {

std::string_view name(Pipe pipe) {
  constexpr std::array<std::string_view, pipe_count> names = {
      "vector", "scalar", "scalar_memory", "vector_memory", "local_memory", "branch", "internal"};
  return names[static_cast<std::size_t>(pipe)];
}

}  // namespace lockstep
