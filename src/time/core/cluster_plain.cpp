// Most of what kernels that compute issue.
#include <algorithm>
#include <bit>

#include "time/core/cluster.h"

namespace lockstep {

// What issue() does of an instruction that concerns nothing but its SIMD, which issues to one vector pipe,
// and behind which its segment goes on.
[[gnu::noinline]] void Cluster::issue_plain(Unit& unit, Simd& simd, Wave& wave, const TimedOp& op) {
  const u32 lanes = static_cast<u32>(std::popcount(active_of(wave))), cycles = op.cycles;
  InstructionFigures& figures = (*context_.per_instruction)[wave.pc];
  u64 since = wave.since;
  if (now_ > since) figures.stalls[static_cast<std::size_t>(wave.reason)] += now_ - since;
  since = std::max(since, now_ + 1);
  if (issue_ring_ != 0) issue_cycles_[wave.handle * issue_ring_ + (wave.issued & (issue_ring_ - 1))] = now_;
  ++wave.issued;
  ++figures.issued;
  figures.lanes_active += lanes;
  figures.issue_cycles += cycles;
  ++simd.issued;
  ++counts_.instructions;
  ++counts_.by_cost[static_cast<std::size_t>(op.cost)];
  ++counts_.by_pipe[static_cast<std::size_t>(op.pipe)];
  counts_.slots += op.slots;
  if (op.pipe == Pipe::vector) {
    ++counts_.active_lanes[lanes];
    counts_.lanes += lanes;
    simd.vector_free = now_ + cycles;
    simd.busy += cycles;
  } else if (op.pipe == Pipe::scalar) {
    ++unit.scalar_busy;
  }
  if ((op.flags & TimedOp::in_clause) != 0) simd.in_clause |= 1u << wave.position;
  if ((op.flags & TimedOp::ends_clause) != 0) leave_clause(simd, wave);
  const u64 base = now_ + std::max({cycles, f_.turn_cycles, u32{op.stall}});
  if (base > since) {
    figures.stalls[static_cast<std::size_t>(Stall::dependency)] += base - since;
    since = base;
  }
  wave.since = since;
  wave.base = base;
  wave.at += op.parts;
  wave.pc += op.parts;
  go_on_in_buffer(wave, base);
  wave.reason = Stall::dependency;
  if ((context_.hints[wave.pc].bits & OpHints::waits) != 0) return evaluate(wave);
  const u64 buffered = buffered_at(wave), time = std::max(base, buffered);
  if (buffered > base) wave.reason = Stall::fetch;
  issues_next(simd, wave, op_of(wave).pipe, time);
  running_next_ = std::min(running_next_, time);
}

}  // namespace lockstep
