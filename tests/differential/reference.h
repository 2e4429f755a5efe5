// Scalar references, in C++ on the host, for cases whose results an OpenCL platform cannot witness (halves,
// sub-groups, the target's own builtins) or where the mathematical definition is the better witness (math
// builtins).
#pragma once
#include <vector>

#include "corpus/case.h"

namespace lockstep::corpus {

using Contents = std::vector<std::vector<u8>>;  // one entry per argument of the case

// Does what the case's launches do to the contents. False when there is no reference for this case's name.
bool run_reference(const Case& test, Contents& contents);

// One file per family registers its references here; see reference.cpp.
using Reference = void (*)(const Case& test, Contents& contents);

struct NamedReference {
  std::string_view name;
  Reference run;
};

std::vector<NamedReference> math_references();
std::vector<NamedReference> half_references();
std::vector<NamedReference> wave_references();

// A buffer's contents as an array of T, by the argument's name; the size is checked by assertion.
u32 argument_index(const Case& test, std::string_view name);

template <class T>
T* elements(const Case& test, Contents& contents, std::string_view name) {
  return reinterpret_cast<T*>(contents[argument_index(test, name)].data());
}

}  // namespace lockstep::corpus
