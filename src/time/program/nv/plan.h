// How the hardware's control flow differs from PTX's: what becomes guards, where lanes meet, which lines of
// code are one region.
#pragma once
#include "time/program/nv/ir.h"
#include "time/program/nv/lower.h"

namespace lockstep::lowering {

struct BlockPlan {
  bool predicated = false;  // its instructions carry `guard`
  Ref guard;
  bool branch_dropped = false;  // its branch is no instruction: guards, or falls through
  bool branch_exits = false;    // its branch is a guarded exit
  bool branch_divergent = false;
  // The block to which its branch goes where PTX's does not, which goes to what follows.
  u32 turned_to = none;
  u32 parts_before = 0;  // BSSY in front of its branch
  u32 parts_at_end = 0;  // BSSY at its end, for a loop behind it
  u32 meets = 0;         // BSYNC at its beginning
  u8 every = 1;          // of its loop's counting and branching, once it is unrolled; 0: none of it is left
};

struct Plan {
  std::vector<BlockPlan> blocks;
  std::vector<LoweredRegion> regions;  // of the function
  std::vector<u32> region_of;          // by instruction, from the function's first on
  std::vector<bool> divergent;         // by node
};

Plan plan(Function& function, std::span<const u8> cuts);
// Which loops the hardware's code has several turns of in a row.
void unroll(Function& function, Plan& plan);

}  // namespace lockstep::lowering
