#include "reference.h"

#include "base/assert.h"

namespace lockstep::corpus {

u32 argument_index(const Case& test, std::string_view name) {
  for (u32 i = 0; i < test.arguments.size(); ++i) {
    if (test.arguments[i].name == name) {
      return i;
    }
  }
  LOCKSTEP_ASSERT(false, "a reference names an argument that its case does not have");
}

bool run_reference(const Case& test, Contents& contents) {
  for (const auto family : {math_references, half_references, wave_references}) {
    for (const NamedReference& reference : family()) {
      if (reference.name == test.name) {
        reference.run(test, contents);
        return true;
      }
    }
  }
  return false;
}

}  // namespace lockstep::corpus
