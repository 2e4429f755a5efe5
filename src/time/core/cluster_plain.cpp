// Most of what kernels that compute issue.
#include <algorithm>
#include <bit>

#include "time/core/cluster.h"

namespace lockstep {

// What issue() does of an instruction that concerns nothing but its SIMD, which issues to one vector pipe,
// and behind which its segment goes on.
[[gnu::noinline]] void Cluster::issue_plain(Unit& unit, Simd& simd, Wave& wave, const TimedOp& op) {
  const u32 lanes = static_cast<u32>(std::popcount(active_of(wave))), cycles = op.cycles;
  InstructionFigures& figures = count_issue(simd, wave, op, lanes);
  figures.issue_cycles += cycles;
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
  wave.reason = Stall::dependency;
  if (base > wave.since) charge_to(figures, wave, base);
  wave.base = base;
  wave.at += op.parts;
  wave.pc += op.parts;
  go_on_in_buffer(wave, base);
  if ((context_.hints[wave.pc].bits & OpHints::waits) != 0) return evaluate(wave);
  const u64 buffered = buffered_at(wave), time = std::max(base, buffered);
  if (buffered > base) wave.reason = Stall::fetch;
  issues_next(simd, wave, op_of(wave).pipe, time);
  running_next_ = std::min(running_next_, time);
}

}  // namespace lockstep
