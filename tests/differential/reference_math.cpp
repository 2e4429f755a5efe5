#include "reference.h"

namespace lockstep::corpus {

std::vector<NamedReference> math_references() {
  return {};
}

}  // namespace lockstep::corpus
