// Local memory: neighbouring SIMDs share a port that takes their instructions in order and moves their data;
// the ports share the banks, which serve so many 4-byte lanes a cycle. Conflicting lanes take further passes.
// Results come back in order, a fixed time after the last pass. Where local memory has halves, each with its
// banks and beside its own SIMDs, a group's part lies in one of them, and other SIMDs reach it at a cost.
#include <algorithm>
#include <bit>
#include <cmath>

#include "time/core/cluster.h"
#include "time/units/local_memory.h"
#include "time/units/same_address.h"

namespace lockstep {
namespace {

// A sum of floats in shared memory is a loop that loads, adds, compares and exchanges, tests and goes back. A
// round of it is done for one lane of each bank, whatever words the others want: 95 cycles, and two for each
// further pass of its load. Where several waves want a word, it takes one exchange in 45 cycles, or in 17 for
// each pass of their loads, as who has loaded before another's exchange tries again. (An H200's cycles for 1,
// 4 and 16 warps and eleven ways of lanes to lie: add_float of experiments/h200-timing/local_atomics.txt.)
constexpr u32 round_cycles = 95, round_pass_cycles = 2;
constexpr u32 exchange_cycles = 45, exchange_pass_cycles = 17;

// The lanes that the next round is done for: of each bank the first.
u64 first_of_banks(const Access& access, u32 banks) {
  std::array<bool, 64> seen{};
  u64 first = 0;
  for (u64 rest = access.lanes; rest != 0; rest &= rest - 1) {
    bool& bank = seen[access.address[static_cast<u32>(std::countr_zero(rest))] / 4 % banks];
    if (!bank) first |= rest & (~rest + 1);
    bank = true;
  }
  return first;
}

}  // namespace

// When the rounds of a sum of floats that begins at `start` have ended, but for its first one, whose loads
// took `first`. To `later` it adds the passes of the loads that follow.
u64 Cluster::sum_rounds(Unit& unit, const Wave& wave, Access access, u64 start, const BankPasses& first,
                        BankPasses& later) {
  const u32 exchange = std::max(exchange_cycles, (1 + first.extra) * exchange_pass_cycles);
  std::vector<ExchangedWord>& table = unit.exchanged;
  if (table.empty()) table.resize(exchanged_words);
  u64 end = start;
  for (u64 rest = access.lanes; rest != 0; rest &= rest - 1) {
    const u64 word = access.address[static_cast<u32>(std::countr_zero(rest))] / 4;
    ExchangedWord& one = table[(word ^ u64{wave.group} * 0x9E3779B9u) % exchanged_words];
    if (one.word != word || one.group != wave.group) one = {word, wave.group, 0};
    one.free = std::max(one.free, start) + exchange;
    end = std::max(end, one.free);
  }
  // The others' exchanges are waited for in rounds; the first one's cycles are the instruction's own.
  end -= std::min<u64>(end - start, round_cycles);
  u64 own = start;
  u32 rounds = 0;
  access.kind = AccessKind::load;
  while ((access.lanes &= ~first_of_banks(access, f_.local_banks)) != 0) {
    const BankPasses one = bank_passes(access, context_.wave_lanes, f_.local_lanes_per_pass, f_.local_banks);
    own += round_cycles + u64{one.extra} * round_pass_cycles;
    later.groups += one.groups;
    later.extra += one.extra;
    ++rounds;
  }
  // What different words do not ask for is asked by lanes of one.
  later.same += rounds - std::min(rounds, first.extra);
  return std::max(end, own);
}

// Runs the local accesses of an instruction through the banks; gives when its result is there.
u64 Cluster::local_access(Unit& unit, Wave& wave, const TimedOp& op, u64 from) {
  BankPasses passes;
  u32 bytes = 0;
  u64 moved = 0;
  bool atomic = (op.flags & TimedOp::memory_atomic) != 0;
  const bool tries_again = op.argument != 0;
  u64 rounds_cycles = 0;  // behind the first
  BankPasses later;
  for (const SegmentAccess& access : accesses_of(wave)) {
    if (access.space != Space::local) continue;
    expand(*wave.segment, access, expanded_);
    const u8 lane_bytes = op.access_bytes != 0 ? op.access_bytes : access.bytes;
    expanded_.bytes = lane_bytes;
    if (op.flags & TimedOp::one_lane) expanded_.lanes &= ~expanded_.lanes + 1;
    if (op.flags & TimedOp::shares_words) expanded_.kind = AccessKind::store;
    // What compares and exchanges in rounds leaves conflicts to its loads.
    if (tries_again) expanded_.kind = AccessKind::load;
    const BankPasses one =
        bank_passes(expanded_, context_.wave_lanes, f_.local_lanes_per_pass * f_.local_successive_words,
                    f_.local_banks, f_.local_words_of_bank, f_.local_successive_words,
                    trace_ == nullptr ? std::span<u64>() : trace_->bank_turns, f_.local_pairs_share);
    if (trace_ != nullptr) trace_->turns += one.groups + one.extra;
    passes.groups += one.groups;
    passes.apart += one.apart;
    if (tries_again) {
      rounds_cycles = sum_rounds(unit, wave, expanded_, from, one, later) - from;
    } else {
      passes.extra += one.extra;
      passes.same += one.same;
    }
    bytes += lane_bytes;
    const u32 lanes = static_cast<u32>(std::popcount(access.lanes));
    moved += u64{lane_bytes} * lanes;
    const bool changes = access.kind == AccessKind::atomic || access.kind == AccessKind::atomic_return;
    if (changes) figures_of(wave).local_atomic_lanes += lanes;
    atomic |= changes;
  }
  const u32 width = bytes <= 4 ? 0 : bytes <= 8 ? 1 : 2;
  const bool store = (op.flags & TimedOp::memory_store) != 0;
  u32 cycles = atomic  ? f_.local_atomic[std::min<u32>(width, 1)]
               : store ? f_.local_write[width]
                       : f_.local_read[width];
  const u32 port_number = wave.simd * f_.local_ports / f_.simds;
  LocalPort& port = unit.ports[port_number];
  if (op.moved_bytes != 0) {
    // Bytes that do not fill a cycle are added to the next instruction's, unless the port stands idle
    // between.
    if (port.free < from) port.left = 0;
    const u32 all = port.left + (atomic ? op.moved_bytes * cycles / f_.local_read[0] : op.moved_bytes);
    cycles = std::max(1u, all / f_.local_port_bytes);
    port.left = all - std::min(all, cycles * f_.local_port_bytes);
    passes.groups = std::max(1u, op.moved_bytes / (f_.local_banks * 4));
  } else {
    // The figures are those of 64 lanes.
    cycles = std::max(1u, cycles * context_.wave_lanes / 64);
    if (passes.groups < passes.apart) cycles = std::max(1u, cycles * passes.groups / passes.apart);
  }
  const u32 turns = (op.flags & TimedOp::two_turns) != 0 ? 2 : 1;
  const u32 same = passes.same * f_.local_same_word * turns;
  const u32 conflict =
      (passes.extra - passes.same) * (atomic ? f_.local_atomic_conflict : f_.local_conflict) * turns + same;
  cycles = cycles * turns + conflict;

  const bool banks = (op.flags & TimedOp::crossbar) == 0;  // the crossbar works without them
  const u32 near_half = wave.simd * f_.local_halves / f_.simds;
  const u32 half =
      f_.local_halves > 1 && context_.limits->simds_per_group == 0 ? groups_[wave.group].half : near_half;
  const u64 start = std::max(from, port.free);
  u64 end = start + cycles;
  if (banks) {
    u32 held = passes.groups * turns + conflict;
    if (half != near_half)
      held += static_cast<u32>(std::ceil(static_cast<f64>(passes.groups) * f_.local_crossing_cycles));
    end = std::max(end, unit.banks[half].take(now_, start, held));
    // Later rounds take the banks as they come: that is not waited for here.
    const u32 rounds_hold = later.groups + later.extra;
    if (rounds_hold != 0) unit.banks[half].take(now_, start + held, rounds_hold);
    unit.local_busy += held + rounds_hold;
  }
  port.free = end;
  if (f_.local_holds_simd) simd_of(wave).vector_free = std::max(simd_of(wave).vector_free, end);
  port.start[port.issued++ % port.start.size()] = start;
  const u32 conflicts = conflict + later.extra + later.same, same_word = same + later.same;
  counts_.local_conflict_cycles += conflicts;
  counts_.local_same_word_cycles += same_word;
  counts_.local_bytes += moved;
  InstructionFigures& figures = figures_of(wave);
  figures.bank_conflict_cycles += conflicts;
  figures.same_word_cycles += same_word;
  figures.local_bytes += moved;
  const u32 least = std::max(1u, f_.local_read[0] * context_.wave_lanes / 64);
  // The latency as stated is that of a plain 4-byte load from its issue on.
  const u32 latency = !banks && f_.crossbar_latency != 0 ? f_.crossbar_latency : f_.local_latency;
  if (f_.front_queue == 0) return end + latency - std::min(latency, least + f_.local_wait_cycles);
  // What moves in several passes holds its SIMD's own way for longer than the banks.
  const u32 further = cycles > least ? cycles - least : 0;
  const u64 passing = u64{further + 1} * f_.front_pass_cycles;
  // What nobody waits for goes no faster than the banks take it.
  const bool returns = !(store || atomic) || (op.flags & TimedOp::memory_returns) != 0;
  hold_front(simd_of(wave), static_cast<u32>(returns ? passing : std::max(passing, end - from)));
  u64 done = end - cycles - f_.front_latency_cycles + latency + u64{further} * f_.front_pass_cycles;
  // What compares first is as late as its two turns are.
  if (atomic && returns)
    done += f_.local_atomic_latency + (turns == 1 ? u64{passes.extra} * f_.local_atomic_turn_latency : 0);
  return done + rounds_cycles;
}

void Cluster::issue_local(Unit& unit, Wave& wave, const TimedOp& op, u64 start) {
  const u64 done = local_access(unit, wave, op, start);
  const u32 number = new_op();
  raise_counters(wave, op, ops_[number]);
  wave.waits_for_scalar = false;
  complete(number, done);
}

}  // namespace lockstep
