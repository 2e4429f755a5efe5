// A launch's sizes as a user writes them: X[,Y[,Z]].
#pragma once
#include <string>

#include "base/diagnostic.h"
#include "isa/launch.h"

namespace lockstep {

struct RangeText {
  std::string global;  // work-items in all, as OpenCL counts; or
  std::string grid;    // work-groups, as CUDA and HIP count
  std::string local;   // of a group; empty: chosen
  std::string offset;  // empty: zero
};

// Errors: "bad-size" for what is no one to three positive numbers, for dimensions that differ, products
// beyond 64 bits, both or none of `global` and `grid`. Whether the kernel takes the range is check_launch's
// question.
Expected<NdRange> parse_range(const RangeText& text);

}  // namespace lockstep
