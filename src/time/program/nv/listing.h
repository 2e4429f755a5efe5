// Timing code that is written by hand, as an experiment that publishes its inner loop gives it: the machine's
// instructions as the vendor's listings have them, and what a listing does not say, as annotations: how often
// loops run, which lanes do, what memory they reach. Nothing is computed. docs/lowering.md describes the
// form.
#pragma once
#include "isa/outcome.h"
#include "time/program/nv/lowered.h"

namespace lockstep {

struct ListingLoop {
  u32 begin = 0, end = 0;  // instructions, half-open; loops nest
  u64 times = 1;
  bool operator==(const ListingLoop&) const = default;
};

struct ListingAccess {
  u32 instruction = 0;
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  u32 bytes = 4;      // per lane
  u64 base = 0;       // of lane 0
  i64 stride = 0;     // between lanes, bytes
  i64 each_turn = 0;  // added in each turn of the innermost loop
  u32 together = 1;   // so many neighbouring lanes have one address
  bool operator==(const ListingAccess&) const = default;
};

struct TimingListing {
  // One region for each straight line; `from` counts instructions. Ends in EXIT, said or not.
  LoweredProgram program;
  u32 groups = 0, group_items = 0;
  u64 local_bytes = 0;
  std::vector<u32> lanes;  // by instruction
  std::vector<ListingLoop> loops;
  std::vector<ListingAccess> accesses;  // by instruction
};

// Error: "bad-listing" with the line; a listing without what timing has to know says which annotation is
// missing.
Expected<TimingListing> read_listing(std::string_view text, const std::string& name);

}  // namespace lockstep
