// What Intel's compiler gets wrong of SPIR-V, said in another way before its back end sees it.
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

bool is_spirv(std::string_view bytes);

// Without optimisation Intel's back end negates the first component of a vector of floats and leaves the
// others as they are. Here every negated vector is taken apart, and its components are negated one by one.
// True when there was one; what is no SPIR-V of this host's byte order is left alone.
bool negate_by_component(std::string& spirv);

}  // namespace lockstep
