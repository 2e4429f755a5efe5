#include "reference.h"

namespace lockstep::corpus {

std::vector<NamedReference> wave_references() {
  return {};
}

}  // namespace lockstep::corpus
