// How often the first level's data is read for a group of lanes that load: each time from so many banks, of
// so many lines.
#pragma once
#include <span>

#include "base/types.h"

namespace lockstep {

// A pass serves `lanes` lanes at most, and of these each bank one word and each of `tag_banks` one line:
// banks lie side by side in `row_bytes`, as wide as what a lane loads (4, 8, 16 bytes), and lines of
// `row_bytes` in turn in the tag banks. Words and lines that several lanes want count once. Measured on an
// MI210 (4 lanes, 64 bytes; all of 61 strides and 12 shapes of rows of BEN's gpu-strides but three) and an RX
// 6900 XT (32 lanes, 128 bytes).
struct LoadPasses {
  u32 lanes = 0, row_bytes = 64, tag_banks = 4;
  u32 cycles = 1;  // of a pass
};

// Passes for a group of lanes evaluated together (a quarter of a GCN wave, 32 lanes on RDNA): `addresses` of
// those that load `bytes` each, in order, by lane; `run`: bit i for lane i.
//   of 4 bytes and less  the whole group is served together where the lanes of each quad lie side by side, or
//   at one address;
//                        else lanes a quarter of the group apart go together
//   of 8 and 16          neighbouring lanes go together
// Where the whole group goes together and is spread over more than two lines, its addresses take two passes.
u32 count_passes(const LoadPasses& rule, std::span<const u64> addresses, u64 run, u32 group_lanes, u32 bytes);

// The same of `count` lanes whose words follow one another in memory.
u32 count_passes_of_run(const LoadPasses& rule, u32 count, u32 bytes);

}  // namespace lockstep
