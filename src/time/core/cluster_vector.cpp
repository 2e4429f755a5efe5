// Vector memory of a unit's path: a queue of instructions, an address unit that turns some lanes a cycle into
// cache lines and looks lines up, the first-level cache, and the way back to the registers.
//
// The cache is write-through. A store that misses takes no line (a line of which only some bytes were written
// could not serve loads), one that hits keeps it. Loads that a cache shared by more must serve, and all
// atomics, pass the cache by and drop the line.
//
// The address unit works ahead: what happens to a line in its cycle is decided when the instruction is
// issued, as far as that can be known. Only a missing free miss, or too many stores on their way, stops it,
// and then it goes on when that ends.
#include <algorithm>
#include <bit>

#include "time/core/cluster.h"
#include "time/memory/granules.h"
#include "time/units/local_memory.h"

namespace lockstep {
namespace {

// What its first-level cache counts as transactions: lines, or those sectors of them that are touched.
u32 units_of(std::span<const LineAccess> lines, u32 line_bytes, u32 sector_bytes) {
  if (sector_bytes == line_bytes) return static_cast<u32>(lines.size());
  u32 sectors = 0;
  for (const LineAccess& line : lines) sectors += sectors_of(line.bytes, line_bytes, sector_bytes);
  return sectors;
}

// Where the cache lies in local memory's banks, an instruction takes the passes that they need, or those in
// which its lines are looked up: all of them together, whatever line a pass belongs to.
void spread(std::span<LineAccess> lines, u32 passes) {
  const u32 count = static_cast<u32>(lines.size());
  for (u32 i = 0; i < count; ++i)
    lines[i].cycles = static_cast<u8>((i + 1) * passes / count - i * passes / count);
}

}  // namespace

void Cluster::issue_vector(Unit& unit, Wave& wave, const TimedOp& op, u32 token, u64 start) {
  const u32 number = path_number(wave);
  Path& path = path_of(number);
  path.waiting_simds &= ~(1u << wave.simd);
  path.any_simd_from = never;
  path.latest_simd = wave.simd;
  const u32 o = new_op();
  MemoryOp& memory = ops_[o];
  raise_counters(wave, op, memory);
  memory.remaining = 1;
  memory.token = token;

  PipeEntry& entry = scratch_;
  entry.op = o;
  entry.kind = AccessKind::load;
  entry.done = 0;
  entry.not_before = 0;
  entry.data_cycles = 0;
  entry.ordered = token != no_index;
  if (entry.ordered) {
    entry.order = first_order_ + static_cast<u32>(ordered_.size());
    ordered_.push_back({token});
  }
  entry.earliest = start;
  entry.idle_after = f_.front_queue == 0 ? address_cycles_ : 1;
  const auto mark = [&op](u32 flags, u16 bit) { return (op.flags & flags) != 0 ? bit : u16{0}; };
  entry.marks = mark(TimedOp::streaming, Mail::streaming_bit) |
                mark(TimedOp::device_wide, Mail::device_wide_bit) |
                mark(TimedOp::uncached | TimedOp::by_words, Mail::marked_bit);
  entry.in_runs =
      run_lines_ > 1 && token == no_index && (entry.marks & (Mail::device_wide_bit | Mail::marked_bit)) == 0;
  if (op.flags & TimedOp::cache_control) {
    path.l1.invalidate_all();
    entry.idle_after = 0;
  } else if (op.flags & TimedOp::memory_store) {
    entry.kind = AccessKind::store;
  } else if (op.flags & TimedOp::memory_atomic) {
    entry.kind = (op.flags & TimedOp::memory_returns) ? AccessKind::atomic_return : AccessKind::atomic;
  }
  u32 lane_bytes = 4, images = 0, texel_bytes = 0, passes = 0;
  InstructionFigures& figures = figures_of(wave);
  bool local = false;
  std::size_t lines = 0;
  for (const SegmentAccess& access : accesses_of(wave)) {
    if (access.space == Space::local) {
      local = true;
      continue;
    }
    entry.kind = access.kind;
    // What executes has an old value that nobody reads; the machine's instruction does without.
    if (entry.kind == AccessKind::atomic_return && (op.flags & TimedOp::memory_returns) == 0)
      entry.kind = AccessKind::atomic;
    images += access.space == Space::image;
    lane_bytes = std::max<u32>(lane_bytes, access.bytes);
    const u32 lanes = static_cast<u32>(std::popcount(access.lanes));
    // A filter's other texels lie in lines that are there already.
    if (access.space == Space::image) texel_bytes = std::max(texel_bytes, lanes * access.bytes);
    const Coalesced coalesced =
        coalesce_access(access, *wave.segment, std::span(line_buffer_).subspan(lines));
    const std::span<LineAccess> touched = std::span(line_buffer_).subspan(lines, coalesced.lines);
    lines += coalesced.lines;
    if (trace_ != nullptr) [[unlikely]]
      trace_->touch(now_, device_unit(wave.unit), touched);
    entry.idle_after = coalesced.idle_after;
    if (f_.l1_tags_per_cycle != 0) {
      const u32 look_ups = look_ups_of(touched);
      BankPasses banks{.groups = std::max(1u, context_.wave_lanes * access.bytes / 4 / f_.local_banks)};
      const bool in_line =
          lanes == context_.wave_lanes && access.pattern == Pattern::strided && access.stride == access.bytes;
      if (access.kind != AccessKind::load && access.kind != AccessKind::store) {
        banks.groups = coalesced.lines;
      } else if (!in_line && f_.half_waves == HalfWaves::none) {
        expand(*wave.segment, access, expanded_);
        banks = bank_passes(expanded_, context_.wave_lanes, f_.local_lanes_per_pass, f_.local_banks,
                            f_.local_words_of_bank);
      }
      passes += std::max(look_ups, banks.groups + banks.extra);
    }
    if (op.flags & TimedOp::one_lane) {
      for (LineAccess& line : touched) line.lanes = line.most_same = 1;
    }
    const auto [made, ideal] = transactions_of(access, *wave.segment, touched);
    counts_.vector_lines += made;
    counts_.vector_ideal_lines += ideal;
    counts_.vector_look_ups += coalesced.lines;
    figures.transactions += made;
    figures.ideal_transactions += ideal;
    if (access.space == Space::private_memory) figures.private_transactions += made;
    if (access.kind != AccessKind::load && access.kind != AccessKind::store) figures.atomic_lanes += lanes;
    const u64 moved = u64{lanes} * access.bytes;
    (access.kind == AccessKind::load ? counts_.load_bytes : counts_.write_bytes) += moved;
    (access.kind == AccessKind::load ? figures.load_bytes : figures.store_bytes) += moved;
  }
  entry.lines = std::span(line_buffer_).first(lines);
  if (local) {
    // A flat access whose addresses lie in local memory.
    const u64 done = local_access(unit, wave, op, start);
    memory.first_ready = std::min(memory.first_ready, done);
    memory.last_ready = std::max(memory.last_ready, done);
  }
  entry.bypass = entry.kind == AccessKind::load && (op.flags & TimedOp::bypasses_near) != 0;
  memory.returns = entry.kind == AccessKind::load || entry.kind == AccessKind::atomic_return;
  if (memory.returns && !entry.lines.empty()) {
    memory.issued = now_;
    ++figures.memory_accesses;
  }
  const u32 moved = op.moved_bytes != 0 ? op.moved_bytes : context_.wave_lanes * ((lane_bytes + 3) / 4 * 4);
  u32 return_cycles = std::max<u32>(1, moved / f_.return_bytes_per_cycle);
  return_cycles = std::max(return_cycles, context_.wave_lanes / f_.return_lanes_per_cycle);
  if (images > 0) return_cycles = std::max(return_cycles, context_.wave_lanes / f_.image_lanes_per_cycle);
  if (f_.image_bytes_per_cycle != 0 && (op.flags & TimedOp::image) != 0) {
    const u32 rate = f_.image_bytes_per_cycle;
    return_cycles = std::max(return_cycles, (texel_bytes + rate / 2) / rate);
  }
  if (op.flags & TimedOp::cache_control) return_cycles = 1;
  if (passes != 0) {
    // The way to the registers is as wide as the banks.
    if (memory.returns) passes = std::max(passes, return_cycles);
    spread(entry.lines, passes);
    entry.earliest = unit.banks[f_.l1_beside_local ? 1 : 0].take(now_, start, passes) - passes;
    hold_front(simd_of(wave), f_.front_cycles + (passes - 1) * f_.front_pass_cycles);
  }
  memory.return_cycles = static_cast<u16>(return_cycles);
  if (!memory.returns) {
    // Data leaves the registers at its own rate.
    entry.data_cycles =
        (op.moved_bytes != 0 ? moved : context_.wave_lanes * lane_bytes) / f_.store_bytes_per_cycle;
  } else if (f_.returns_in_order) {
    if (path.return_last == no_index) {
      path.return_first = o;
    } else {
      ops_[path.return_last].next = o;
    }
    path.return_last = o;
  }
  ++path.issued;
  counts_.most_vector_queue = std::max(counts_.most_vector_queue, path.issued - path.finished);

  // Straight through when nothing is stuck in front of it.
  if (path.pipe_count == 0 && send_lines(path, number, entry)) return;
  LOCKSTEP_ASSERT(path.pipe_count < path.pipe.size(), "the queue has room for what is issued");
  PipeEntry& stuck = path.pipe[(path.pipe_first + path.pipe_count++) % path.pipe.size()];
  std::vector<LineAccess> kept = std::move(stuck.kept);
  kept.assign(entry.lines.begin(), entry.lines.end());
  stuck = entry;
  stuck.kept = std::move(kept);
  stuck.lines = stuck.kept;
}

// What it counts as, by the rule that machines without a timing model are counted by, too.
Transactions Cluster::transactions_of(const SegmentAccess& access, const Segment& segment,
                                      std::span<const LineAccess> touched) {
  if (f_.half_waves != HalfWaves::none) {
    expand(segment, access, expanded_);
    return count_segments(expanded_, context_.wave_lanes, f_.half_waves);
  }
  const u32 made = units_of(touched, f_.l1.line_bytes, sector_bytes_);
  const u64 bytes = u64{static_cast<u32>(std::popcount(access.lanes))} * access.bytes;
  const u64 ideal = (bytes + sector_bytes_ - 1) >> std::countr_zero(sector_bytes_);
  return {made, static_cast<u32>(std::min<u64>(made, ideal))};
}

// Cycles in which the first level looks the lines up: each tag bank has one of them a cycle.
u32 Cluster::look_ups_of(std::span<const LineAccess> touched) const {
  const u32 lines = static_cast<u32>(touched.size());
  const auto [low, high] = f_.l1_tag_hash;
  if ((low | high) == 0 || lines <= 1) return (lines + f_.l1_tags_per_cycle - 1) / f_.l1_tags_per_cycle;
  std::array<u32, 4> of_bank{};
  for (const LineAccess& line : touched) {
    const u32 number = static_cast<u32>(line.address >> line_shift_);
    ++of_bank[(std::popcount(number & low) & 1) | (std::popcount(number & high) & 1) << 1];
  }
  return std::ranges::max(of_bank);
}

// The lines that the access touches.
Coalesced Cluster::coalesce_access(const SegmentAccess& access, const Segment& segment,
                                   std::span<LineAccess> out) {
  const u32 line_bytes = f_.l1.line_bytes;
  const bool plain = access.kind == AccessKind::load || access.kind == AccessKind::store;
  if (plain && f_.half_waves != HalfWaves::none && access.space != Space::image) {
    expand(segment, access, expanded_);
    Coalesced result;
    for (u32 first = 0; first < context_.wave_lanes; first += half_wave) {
      const u64 lanes = expanded_.lanes & u64{0xFFFF} << first;
      if (lanes != 0)
        result.lines += coalesce_half(expanded_, lanes, first, f_.half_waves, out.subspan(result.lines));
    }
    return result;
  }
  const LoadPasses* passes =
      f_.load_passes.lanes != 0 && access.kind == AccessKind::load && access.space != Space::image
          ? &f_.load_passes
          : nullptr;
  if (plain && access.pattern != Pattern::list && access.stride >= 0)
    return coalesce_strided({access.base, static_cast<u64>(access.stride), access.bytes, access.lanes},
                            context_.wave_lanes, f_.lanes_per_address_cycle, line_bytes,
                            f_.gather_window_bytes, out, passes);
  expand(segment, access, expanded_);
  return coalesce(expanded_, context_.wave_lanes, f_.lanes_per_address_cycle, line_bytes,
                  f_.gather_window_bytes, out, passes);
}

}  // namespace lockstep
