// Where undefined bits came from.
#pragma once
#include "isa/outcome.h"

namespace lockstep::check {

// Where undefined bits came from: the load that brought them, or no instruction for a register that nothing
// wrote.
struct Origin {
  static constexpr u32 unwritten = ~u32{0};
  u32 instruction = unwritten;
  Space space = Space::global;
  u64 address = 0;  // of the lane's first byte; in local memory the offset
};

}  // namespace lockstep::check
