// A launch's sizes as a user writes them: X[,Y[,Z]].
#pragma once
#include <array>
#include <string>

#include "base/diagnostic.h"
#include "isa/launch.h"
#include "isa/program.h"

namespace lockstep {

struct RangeText {
  std::string global;  // work-items in all, as OpenCL counts; or
  std::string grid;    // work-groups, as CUDA and HIP count
  std::string local;   // of a group; empty: chosen
  std::string offset;  // empty: zero
};

// Errors: "bad-size" for what is no one to three positive numbers, for dimensions that differ, products
// beyond 64 bits, both or none of `global` and `grid`. Whether the kernel takes the range is check_launch's
// question. A group's size that is left out is 0: choose_group's question, once the kernel is known.
Expected<NdRange> parse_range(const RangeText& text);

// Work-items that a chosen group has at most: as many as most kernels are written for.
inline constexpr u64 usual_group_items = 256;

// A group for who leaves its size open: what the kernel requires, else as many work-items as the launch's
// size can be divided into, whole waves along x where there are such. `most_items`: most_group_items().
std::array<u32, 3> choose_group(const NdRange& range, const Program& program, u64 most_items);

}  // namespace lockstep
