// Where a machine's own instructions stand for regions of the code that executes: which op a wave issues
// next. Of a region those ops are issued whose instructions lie in the wave's segment, in the region's order;
// so a segment that is cut anywhere gives each op once. Loops that the machine's code has unrolled issue what
// is left of their counting at every n-th execution only. Regions that a branch would have skipped are issued
// with no lanes where guards replace the branch.
#include <algorithm>
#include <utility>

#include "time/core/cluster.h"

namespace lockstep {
namespace {

bool accesses(const Segment& segment, u32 instruction) {
  return std::ranges::any_of(segment.accesses, [&](const SegmentAccess& one) {
    return segment.first + one.instruction == instruction;
  });
}

// Whether an op is issued that is not at each execution.
bool has_turn(const Segment& segment, const TimedOp& op) {
  if (op.every == 0) return accesses(segment, op.instruction);
  return (slow_lanes_of(segment, op.instruction) != 0) == (op.every == TimedOp::when_slow);
}

}  // namespace

// Finds the first op from `op` of `region` on that the wave's segment has: next_op and next_region.
void Cluster::seek(Wave& wave, u32 region, u32 op) {
  const TimedProgram& program = *context_.program;
  const u32 first = wave.segment->first, end = first + wave.count;
  wave.next_op = no_index;
  while (region != TimedProgram::none) {
    const TimedRegion& r = program.regions[region];
    for (; op < r.end; ++op) {
      const TimedOp& candidate = program.ops[op];
      if (candidate.instruction < first || candidate.instruction >= end) continue;
      if (candidate.every != 1) {
        const bool counted = candidate.every != 0 && candidate.every != TimedOp::when_slow &&
                             candidate.every != TimedOp::unless_slow;
        const bool issues =
            counted ? counts_turn(executions(wave, r), candidate.every) : has_turn(*wave.segment, candidate);
        if (!issues) continue;
      }
      wave.next_op = op;
      wave.next_region = region;
      return;
    }
    region = enter_region(wave, r.first + r.count, end);
    if (region != TimedProgram::none) op = program.regions[region].begin;
  }
}

// The first region that the wave comes to in [instruction, end); counts its execution where it begins there.
u32 Cluster::enter_region(Wave& wave, u32 instruction, u32 end) {
  const TimedProgram& program = *context_.program;
  for (; instruction < end; ++instruction) {
    const u32 region = program.region_of[instruction];
    if (region == TimedProgram::none) continue;
    const TimedRegion& r = program.regions[region];
    if (r.counter != TimedRegion::no_op && instruction == r.first) {
      u16& turns = executions(wave, r);
      if (wave.region != region) turns = 0;
      ++turns;
    }
    return region;
  }
  return TimedProgram::none;
}

// Takes the next op within what the wave has begun; false where its segment is done.
bool Cluster::step_in_regions(Wave& wave) {
  const TimedProgram& program = *context_.program;
  wave.was_unrolled = wave.pc < program.ops.size() && program.ops[wave.pc].waits_every > 1;
  if (wave.in_bypass) {
    ++wave.pc;
    while (wave.pc == program.regions[wave.region].end) {
      if (wave.bypassed_count == 0) {
        wave.in_bypass = false;
        break;
      }
      wave.region = *wave.bypassed++;
      --wave.bypassed_count;
      wave.pc = program.regions[wave.region].begin;
    }
    if (wave.in_bypass) return true;
  }
  if (wave.next_op == no_index) return false;
  wave.pc = wave.next_op;
  wave.region = wave.next_region;
  seek(wave, wave.region, wave.pc + 1);
  return true;
}

// What each issue asks of the segment is kept in the wave, as the segment has just been written and is near.
void Cluster::begin_segment(Wave& wave, const Segment& segment) {
  wave.segment = &segment;
  wave.at = 0;
  wave.count = segment.count;
  wave.access = segment.accesses.empty() ? no_index : 0;
  wave.at_issue = segment.at_issue;
  wave.lanes = wave.lanes_count = 0;
  if (!segment.active.empty()) find_lanes(wave, 0);
  groups_wait_ = groups_wait_ || segment.waits_for_group;
  // What happens at issue depends on others: it is no repeat.
  if (segment.at_issue || segment.count == 0) return;
  if (segment.accesses.empty() && segment.end != Event::barrier) return;
  repeats_.see(wave.handle, segment, [&](std::size_t at, std::size_t, bool repeats) {
    const u32 instruction = segment.first + segment.accesses[at].instruction;
    if (repeats) ++(*context_.per_instruction)[instruction].repeated_accesses;
  });
}

// The lanes of an instruction of its segment, and how many behind it have the same.
void Cluster::find_lanes(Wave& wave, u32 at) {
  const std::vector<u64>& active = wave.segment->active;
  wave.lanes = active[at];
  constexpr u32 most_from = 0xFFFF, most_count = 0xFF;
  wave.lanes_count = 0;
  if (at > most_from) return;
  const u32 most = std::min(static_cast<u32>(active.size()), at + most_count);
  u32 end = at + 1;
  while (end < most && active[end] == wave.lanes) ++end;
  wave.lanes_from = static_cast<u16>(at);
  wave.lanes_count = static_cast<u8>(end - at);
}

// The wave's next segment, with those behind it as long as guards replace the branches between them: the
// machine has them as one straight line. Lanes that a branch sends past a body wait behind it; where
// something else comes first, the line is cut there.
const Segment& Cluster::straight_line(u32 handle) {
  const std::vector<u32>& goes_on_at = context_.program->goes_on_at;
  if (goes_on_at.empty()) return source_->next(handle);
  const Segment* const ahead = std::exchange(taken_ahead_[handle], nullptr);
  const Segment& first = ahead != nullptr ? *ahead : source_->next(handle);
  const auto behind = [&](const Segment& segment) {
    if (segment.count == 0 || segment.at_issue || segment.end != Event::none) return TimedProgram::none;
    return goes_on_at[segment.first + segment.count - 1];
  };
  u32 join = behind(first);
  if (join == TimedProgram::none) return first;
  Segment& line = lines_[handle];
  line = first;
  u32 branch = first.first + first.count - 1;
  u64 lanes = line.active.back();
  while (join != TimedProgram::none) {
    const Segment& next = source_->next(handle);
    if (next.count == 0) break;
    const bool guarded = next.first > branch && next.first < join;
    if (next.at_issue || next.end == Event::fault ||
        !(guarded || (next.first == join && next.active.front() == lanes))) {
      taken_ahead_[handle] = &next;
      break;
    }
    put(line, next);
    // A body that all lanes take may fall through to what lies behind it, and to the wave's end.
    const u32 last = next.first + next.count - 1;
    if (last < join && next.end == Event::none) continue;
    join = behind(next);
    branch = last;
    lanes = next.active.back();
  }
  return line;
}

// Gets the wave's next segment of which something is issued.
Cluster::Step Cluster::next_segment(Wave& wave) {
  const TimedProgram& program = *context_.program;
  while (true) {
    begin_segment(wave, straight_line(wave.handle));
    wave.executed = false;
    if (wave.count == 0) {
      wave.without_segment = wave.blocked = true;
      return Step::waits;
    }
    const Segment& segment = *wave.segment;
    wave.bypassed_count = 0;
    const u32 bypass = wave.left_at == no_index ? TimedProgram::none : program.bypass_of[wave.left_at];
    if (bypass != TimedProgram::none && segment.active[0] == wave.left_lanes) {
      // All lanes went one way.
      const bool taken = segment.first != wave.left_at + 1;
      const TimedBypass& b = program.bypasses[bypass];
      const std::vector<u32>& regions = taken ? b.if_taken : b.if_not_taken;
      wave.bypassed = regions.data();
      wave.bypassed_count = static_cast<u16>(regions.size());
    }
    leave_at_end(wave);
    const u32 region = enter_region(wave, segment.first, segment.first + segment.count);
    wave.next_op = no_index;
    if (region != TimedProgram::none) seek(wave, region, program.regions[region].begin);
    wave.in_bypass = false;
    while (wave.bypassed_count > 0 && !wave.in_bypass) {
      wave.region = *wave.bypassed++;
      --wave.bypassed_count;
      const TimedRegion& r = program.regions[wave.region];
      wave.pc = r.begin;
      wave.in_bypass = r.begin < r.end;
    }
    if (wave.in_bypass || step_in_regions(wave)) return Step::found;
    // Nothing is issued for it.
    if (segment.at_issue) {
      const IssuePlace place{now_, device_unit(wave.unit), wave.simd};
      if (segment.ordered) {
        const Segment* captured = nullptr;
        const u32 token = source_->capture(wave.handle, place, captured);
        LOCKSTEP_ASSERT(token == no_index, "an ordered access has an op");
        begin_segment(wave, *captured);
      } else {
        begin_segment(wave, source_->execute(wave.handle, place));
      }
      leave_at_end(wave);
    }
    if (wave.segment->end == Event::none) continue;
    end_segment(wave);
    return Step::left;
  }
}

void Cluster::leave_at_end(Wave& wave) {
  const Segment& segment = *wave.segment;
  wave.left_at = segment.first + segment.count - 1;
  wave.left_lanes = segment.active.back();
}

// What a segment ended with, where no op of its own does it.
void Cluster::end_segment(Wave& wave) {
  switch (wave.segment->end) {
    case Event::end:
      settle(wave, now_ + 1);
      return end_wave(wave);
    case Event::barrier:
      settle(wave, now_);
      return arrive_at_barrier(wave);
    case Event::fault:
      return fail(source_->fault(wave.handle));
    default:
      return;
  }
}

}  // namespace lockstep
