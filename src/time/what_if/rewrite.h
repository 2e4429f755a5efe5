// Recordings in which waves do the same with one thing changed: what they would do if their source did not
// have one flaw. docs/what-if.md has each as a formula.
#pragma once
#include <vector>

#include "isa/program.h"
#include "time/source/recording.h"

namespace lockstep {

// How a machine turns a wave's addresses into requests.
struct RequestRule {
  u32 line_bytes = 64;
  u32 wave_lanes = 64;
  u32 lanes_together = 16;  // whose lines are looked up at once
};

// Each load and store of global memory touches as many of its lines as hold its bytes, lane after lane.
Recording perfectly_coalesced(const Recording& from, const RequestRule& rule);

// The work-items of each group, of eight neighbouring ones where groups have no barriers and no local memory,
// are dealt out to their waves anew, those that execute the same side by side.
Recording regrouped(const Recording& from, u32 wave_lanes);

// How groups are put together.
struct JoinedGroups {
  u32 together = 1;     // groups that become one
  u32 group_items = 0;  // of a recorded group
  u32 wave_lanes = 64;
  u32 local_bytes = 0;  // of a recorded group
};

// Groups of `together` recorded ones each, whose work-items fill their waves.
Recording joined(const Recording& from, const JoinedGroups& how);

// No instruction touches private memory: loads of it alone are gone; stores, too, where what waits for loads
// is instructions of their own (`waits`), else they move nothing.
Recording without_private_memory(const Recording& from, bool waits);

// Instructions of these numbers are not executed; those that end a line are none of them. Of these, `once`
// (may be empty) are executed where they would not follow themselves: waits, which do nothing the second
// time.
Recording without_instructions(const Recording& from, const std::vector<bool>& gone,
                               const std::vector<bool>& once = {});

// Accesses of global memory spread evenly over slices and channels, which are dealt blocks of so many bytes
// (a power of two): within each aligned row of 128 blocks, blocks change places by the row's number.
Recording spread_over_slices(const Recording& from, u32 block_bytes);

// Blocks of 256 bytes of global memory that anything touches lie side by side, in the order of their
// addresses.
Recording side_by_side(const Recording& from);

// Nobody waits at barriers.
Recording without_barriers(const Recording& from);

// Each work-item's atomics on global memory go to a word of its own.
Recording with_atomics_apart(const Recording& from, u32 wave_lanes);

// Each group changes each word of global memory at most once: its last atomics change, lane after lane, what
// all of them did; the others move nothing.
Recording with_atomics_gathered(const Recording& from, u32 wave_lanes);

}  // namespace lockstep
