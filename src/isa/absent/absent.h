// What stands for the rooms of ISAs that a build leaves out (LOCKSTEP_FAMILIES): the same functions, each of
// which says so.
#pragma once
#include <fmt/format.h>

#include "base/diagnostic.h"

namespace lockstep {

inline Diagnostic not_built(std::string_view gpus) {
  return {
      "not-built", {}, fmt::format("this build of Lockstep has no {} GPUs", gpus), "`make` builds it whole"};
}

}  // namespace lockstep
