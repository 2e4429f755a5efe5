// What a wave does in a straight line of instructions: the unit in which timing gets its work. A segment says
// which instructions, which lanes took part in each, and what memory they touched; it is machine-independent,
// so that it can be recorded and timed again with other figures.
#pragma once
#include <span>
#include <vector>

#include "isa/outcome.h"

namespace lockstep {

enum class Pattern : u8 {
  uniform,  // all lanes the same address
  strided,  // lane i accesses base + i * stride, for all lanes of `lanes`
  list,     // any: addresses in the segment's list, one for each lane of the mask, in order of lanes
};

// One memory that one instruction touched.
struct SegmentAccess {
  u32 instruction = 0;  // of the segment: 0 is its first one
  Space space = Space::global;
  AccessKind kind = AccessKind::load;
  u8 bytes = 0;  // per lane
  Pattern pattern = Pattern::uniform;
  u64 lanes = 0;
  u64 base = 0;  // address (of lane 0 for `strided`, whether or not lane 0 takes part)
  i64 stride = 0;
  u32 list = 0;  // index of the first address in Segment::addresses
};

// Lanes whose operands sent one instruction a slow way (isa/slow_way.h).
struct SegmentSlowWay {
  u32 instruction = 0;  // of the segment
  u64 lanes = 0;
};

struct Segment {
  u32 first = 0;  // instruction index; the segment's i-th instruction is first + i
  // 0: the wave's next instruction needs the result of an ordered access that has not been committed yet. The
  // further slots of a packet (Instruction::slots) count, too: they took part with the first one.
  u32 count = 0;
  u32 next_pc = 0;          // where the wave goes on after the last one
  Event end = Event::none;  // what the last one did
  // The first (and only) instruction has not been executed yet: it depends on when, or on the order among
  // waves. WaveSource::execute or capture does that when it issues.
  bool at_issue = false;
  bool ordered = false;                 // at_issue, by capture
  bool waits_for_group = false;         // count is 0: other waves' accesses have to be committed, too
  std::vector<u64> active;              // lanes that took part, by instruction
  std::vector<SegmentAccess> accesses;  // ordered by instruction
  std::vector<u64> addresses;
  std::vector<SegmentSlowWay> slow_ways;  // ordered by instruction

  void clear() {
    count = 0;
    end = Event::none;
    at_issue = ordered = waits_for_group = false;
    active.clear();
    accesses.clear();
    addresses.clear();
    slow_ways.clear();
  }
};

// Appends the access in its simplest pattern; nothing where no lane reaches memory.
void add_access(Segment& segment, u32 instruction, const Access& access);

// Adds what another segment has of instructions behind the first one's first, of which it has none yet. What
// neither has was passed by.
void put(Segment& segment, const Segment& more);

// Lanes that went the slow way of the code's instruction, which is one of the segment's.
u64 slow_lanes_of(const Segment& segment, u32 instruction);

// The access as it was added: addresses of lanes outside of its mask are undefined.
void expand(const Segment& segment, const SegmentAccess& access, Access& out);

}  // namespace lockstep
