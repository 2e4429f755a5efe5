#include "time/what_if/repeats.h"

#include <algorithm>
#include <array>

#include "time/source/repeats.h"
#include "time/what_if/wave_writer.h"

namespace lockstep {
namespace {

// Of the wave's instructions that load or store, in their order: which ones something is left to do for.
std::vector<bool> needed(const std::vector<u8>& wave, const std::vector<bool>& repeating) {
  std::vector<bool> stays;
  std::vector<std::size_t> last_store(repeating.size());
  RepeatTable table;
  table.begin_wave(0);
  PieceReader reader(wave);
  for (Segment piece; reader.read(piece);) {
    table.see(0, piece, [&](std::size_t at, std::size_t, bool repeats) {
      const SegmentAccess& access = piece.accesses[at];
      const u32 instruction = piece.first + access.instruction;
      const bool gone = repeats && repeating[instruction];
      if (access.kind == AccessKind::load) {
        stays.push_back(!gone);
        return;
      }
      if (gone) stays[last_store[instruction]] = false;
      last_store[instruction] = stays.size();
      stays.push_back(true);
    });
  }
  return stays;
}

}  // namespace

Recording without_repeats(const Recording& from, const std::vector<bool>& repeating, bool waits,
                          const std::vector<bool>& stays) {
  Recording made = empty_copy(from);
  for (std::size_t i = 0; i < from.waves.size(); ++i) {
    const std::vector<bool> need = needed(from.waves[i], repeating);
    PieceReader reader(from.waves[i]);
    WaveWriter writer(made.waves[i]);
    RepeatTable table;
    table.begin_wave(0);
    std::size_t number = 0;
    std::vector<bool> gone;  // by access of the piece
    for (Segment piece; reader.read(piece);) {
      gone.assign(piece.accesses.size(), false);
      table.see(0, piece, [&](std::size_t at, std::size_t end, bool) {
        if (!need[number++])
          std::fill(gone.begin() + static_cast<i64>(at), gone.begin() + static_cast<i64>(end), true);
      });
      std::size_t access = 0;
      for (u32 at = 0; at < piece.count; ++at) {
        const std::size_t first = access;
        while (access < piece.accesses.size() && piece.accesses[access].instruction == at) ++access;
        const bool leaves = at + 1 == piece.count && piece.end != Event::none;
        const bool none_left = first != access && gone[first];
        const bool of_itself = waits || piece.accesses[first].kind == AccessKind::load;
        if (none_left && of_itself && !leaves && !stays[piece.first + at]) continue;
        writer.add(piece, at, piece.active[at]);
        for (std::size_t a = first; a < access && !none_left; ++a)
          writer.add_access(piece, piece.accesses[a], piece.accesses[a].lanes);
      }
      writer.end(piece);
    }
    writer.finish();
    made.bytes += made.waves[i].size();
  }
  return made;
}

namespace {

// Puts the ops that `first` says in front of the others, from the first of them on; what an op depends on
// stays what it was.
void put_first(std::vector<TimedOp>& ops, u32 begin, u32 end, const std::vector<bool>& first) {
  std::vector<u32> order;  // places before, from the first of these ops on
  u32 from = begin;
  while (from < end && !first[from - begin]) ++from;
  for (u32 i = from; i < end; ++i) order.push_back(i);
  std::ranges::stable_partition(order, [&](u32 i) { return first[i - begin]; });
  std::vector<u32> place(end - begin);
  for (u32 i = begin; i < end; ++i) place[i - begin] = i;
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k] - begin] = from + static_cast<u32>(k);
  const std::vector<TimedOp> before(ops.begin() + begin, ops.begin() + end);
  for (u32 i = begin; i < end; ++i) {
    TimedOp op = before[i - begin];
    const u32 at = place[i - begin];
    u8 kept = 0;
    for (u8 d = 0; d < op.dependences; ++d) {
      const TimedOp::Dependence one = op.dependence[d];
      if (one.distance > i - begin) continue;
      const u32 on = place[i - one.distance - begin];
      if (on >= at || at - on > TimedOp::most_distance) continue;
      op.dependence[kept++] = {static_cast<u8>(at - on), one.cycles};
    }
    op.dependences = kept;
    ops[at] = op;
  }
}

// What a store waits for is what the value's next use waits for when it is in a register.
void only_waits(TimedOp& op) {
  op.pipe = Pipe::internal;
  op.cost = Cost::nop;
  op.flags = 0;
  op.counters = 0;
  op.argument = 0;
  op.cycles = op.unit_cycles = op.result_cycles = 0;
  op.unit = op.stall = 0;
  op.write_barrier = op.read_barrier = TimedOp::no_barrier;
}

}  // namespace

void drop_repeats(TimedProgram& program, const std::vector<bool>& gone) {
  for (std::size_t i = 0; program.regions.empty() && i < program.ops.size(); ++i) {
    if (gone[i] && (program.ops[i].flags & TimedOp::memory_store) != 0) only_waits(program.ops[i]);
  }
  for (const TimedRegion& region : program.regions) {
    bool any = false, ordered = false;  // a store that stays: what stands behind stays there
    std::vector<bool> first(region.end - region.begin);
    std::array<bool, TimedOp::barriers> raised{};  // by ops that stay
    for (u32 i = region.begin; i < region.end; ++i) {
      TimedOp& op = program.ops[i];
      const bool accesses = op.pipe == Pipe::vector_memory || op.pipe == Pipe::local_memory;
      const bool leaves = accesses && op.instruction < gone.size() && gone[op.instruction];
      bool waits = false;
      for (u32 b = 0; b < TimedOp::barriers; ++b)
        waits = waits || ((op.wait_mask >> b & 1) != 0 && raised[b]);
      const bool load = accesses && (op.flags & TimedOp::memory_returns) != 0 && !waits;
      first[i - region.begin] = load && !ordered;
      const bool changes = (op.flags & (TimedOp::memory_store | TimedOp::memory_atomic)) != 0;
      ordered = ordered || (accesses && changes && !leaves);
      if (leaves) {
        any = true;
        if ((op.flags & TimedOp::memory_store) != 0)
          only_waits(op);
        else
          op.every = 0;
      } else if (op.write_barrier != TimedOp::no_barrier) {
        raised[op.write_barrier] = true;
      }
    }
    if (any) put_first(program.ops, region.begin, region.end, first);
  }
}

}  // namespace lockstep
