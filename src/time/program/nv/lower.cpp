#include "time/program/nv/lower.h"

#include <algorithm>
#include <functional>
#include <span>

#include "isa/nv/control.h"
#include "isa/nv/register_bounds.h"
#include "isa/nv/wave.h"
#include "isa/semantic.h"
#include "time/program/nv/allocate.h"
#include "time/program/nv/generation.h"
#include "time/program/nv/merge_guarded.h"
#include "time/program/nv/older.h"
#include "time/program/nv/schedule.h"
#include "time/program/nv/spill.h"

namespace lockstep {
namespace {

using namespace lowering;

// The functions that a kernel reaches, itself first, as ranges of instructions.
std::vector<std::pair<u32, u32>> functions_of(const Module& module, const Program& program) {
  const auto& own = static_cast<const nv::PtxProgram&>(*program.isa);
  std::vector<u32> starts;
  for (const Program& kernel : module.programs) starts.push_back(kernel.entry);
  for (const u32 entry : own.tables->entries) {
    if (entry != nv::nowhere) starts.push_back(entry);
  }
  starts.push_back(static_cast<u32>(module.code.instructions.size()));
  std::sort(starts.begin(), starts.end());
  const auto end_of = [&](u32 start) { return *std::upper_bound(starts.begin(), starts.end(), start); };
  std::vector<std::pair<u32, u32>> list{{program.entry, end_of(program.entry)}};
  const auto reach = [&](u32 start) {
    const std::pair<u32, u32> range{start, end_of(start)};
    if (std::find(list.begin(), list.end(), range) == list.end()) list.push_back(range);
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    for (u32 at = list[i].first; at < list[i].second; ++at) {
      const Instruction& in = module.code.instructions[at];
      if (in.meaning == &nv::call()) reach(in.target);
      if (in.meaning != &nv::indirect_call()) continue;
      for (const u32 function : own.tables->registers[in.operand[4].value])
        reach(own.tables->entries[function]);
    }
  }
  return list;
}

struct Lowered {
  Function function;
  Plan plan;
  Selected selected;
  Allocated registers;
  std::vector<LoweredGuarded> guarded;
  u64 cycles = 0;                             // of its regions, loops' several times
  u32 first_spill_word = 0, spill_words = 0;  // of a work-item's local memory: taken by callers, in all
};

// Whether more registers are worth what they save: 2/7 of a warp's cycles (of 2/10 to 6/10, 2/7 to 5/10 did
// as well by ptxas' registers of 64 configurations of experiments/h200-timing/tuned.cu).
bool much_faster(u64 cycles, u64 than) {
  return 7 * cycles < 5 * than;
}

// Fewer registers, as long as more are not worth it.
// (From Volta on, where it is known how many waves registers leave, cycles are shared among them.)
bool preferred(const Lowered& one, const Lowered& than) {
  const auto cost = [](const Lowered& lowered) {
    constexpr u64 most_waves = 64;
    const Residency& residency = lowered.function.residency;
    return lowered.function.capability < 70
               ? lowered.cycles
               : lowered.cycles * most_waves / std::max(1u, residency.waves_of(lowered.registers.registers));
  };
  if (one.registers.registers < than.registers.registers) return !much_faster(cost(than), cost(one));
  return much_faster(cost(one), cost(than));
}

void add_branches(const Lowered& lowered, u32 first_region, LoweredProgram& result) {
  const Function& f = lowered.function;
  for (u32 b = 0; b < f.blocks.size(); ++b) {
    if (!lowered.plan.blocks[b].branch_dropped || f.blocks[b].next.size() != 2) continue;
    LoweredBranch branch;
    branch.branch = f.blocks[b].end - 1;
    const u32 target = f.block_of[f.module->code.instructions[branch.branch].target - f.first];
    for (const u32 next : f.blocks[b].next) {
      if (!lowered.plan.blocks[next].predicated || f.blocks[next].before[0] != b) continue;
      std::vector<u32>& skipped = next == target ? branch.if_not_taken : branch.if_taken;
      const auto skip = [&](u32 block) {
        skipped.push_back(first_region + lowered.plan.region_of[f.blocks[block].first - f.first]);
      };
      skip(next);
      // A jump to the other side.
      const u32 behind = f.blocks[next].next.empty() ? none : f.blocks[next].next[0];
      if (behind != none && lowered.plan.blocks[behind].predicated &&
          f.blocks[behind].before == std::vector<u32>{next})
        skip(behind);
    }
    result.branches.push_back(std::move(branch));
  }
}

// Whether loops go on by tests against what is no constant, and none by one against a constant: then a
// counter takes a register. Those that end at constants ptxas of CUDA 13 has in uniform registers (of 55
// kernels with such loops that need more than full occupancy leaves 44 have the waves that one register fewer
// leaves, 24 those with it; of 33 that have others alone 29 with both).
bool counts_to_values_alone(const Function& f) {
  bool any = false;
  for (const Loop& loop : f.loops) {
    for (const u32 b : loop.blocks) {
      if (std::ranges::find(f.blocks[b].next, loop.header) == f.blocks[b].next.end()) continue;
      for (const u32 number : f.blocks[b].nodes) {
        const Node& branch = f.nodes[number];
        if (branch.op != Op::branch || branch.guard.node == none) continue;
        const Node& test = f.at(branch.guard);
        if (test.op != Op::compare || test.real || test.in.size() < 2) continue;
        u64 end = 0;
        if (constant_of(f, test.in[0], end) || constant_of(f, test.in[1], end)) return false;
        any = true;
      }
    }
  }
  return any;
}

// By latency, in registers enough for full occupancy or as many as it takes. Where that is more, as ptxas of
// CUDA 13 has it: in as many as an order for few holds with four loads on their way, and all that leave as
// many waves as those (docs/lowering.md); before Volta, where nothing says how many there are, up to the next
// granule, and one more where that saves 2/7 of the cycles. Registers rest behind their last use: what memory
// instructions have read for the ten or eleven instructions that ptxas leaves (docs/lowering.md); 1 behind
// others is fitted to the corpus' registers as ptxas has them for sm_90 (0 to 2 were tried).
Selected in_registers(const Lowered& lowered, Allocated& registers, u64& cycles) {
  constexpr u32 unlimited = 255, granule = 8;
  const Residency& residency = lowered.function.residency;
  const u32 capability = lowered.function.capability, full = residency.full_occupancy();
  const bool volta = capability >= 70;
  const Rest rest = volta ? Rest{1, 11} : Rest{3, 3};
  Scheduled scheduled;
  std::vector<OrdersForFew> known_orders;
  u32 chosen = 0;  // limit of what `within` gives
  const auto made = [&](u32 limit, Rest resting, std::span<const u32> limits = {}) {
    Selected result = lowered.selected;
    scheduled = schedule(lowered.function, lowered.plan, result, limit, known_orders, limits);
    registers = allocate(lowered.function, lowered.plan, result, 0, resting, limit < unlimited);
    cycles = scheduled.cycles;
    return result;
  };
  const auto fits = [&](u32 most) { return registers.fits && registers.registers <= most; };
  Selected result = made(unlimited, rest);
  if (fits(full)) return result;
  result = made(unlimited, {});
  if (fits(full)) return result;
  constexpr u32 kept =
      2;  // beside what holds something: R1, and what alignment leaves or the program counter
  u32 enough = std::max(full, (scheduled.fewest + kept + granule - 1) / granule * granule);
  if (volta && residency.said == 0) {
    const u32 counter = counts_to_values_alone(lowered.function) ? 1 : 0;
    enough = std::max(full, residency.level(scheduled.loading + kept + counter));
  }
  // What no order fits goes to memory.
  const u32 most_registers = lowered.function.most_registers;
  if (enough >= most_registers && scheduled.fewest + kept > most_registers) {
    registers.fits = false;
    return result;
  }
  // Limits between one that fits and one above that does not: registers do not fall evenly with them.
  const auto nearer = [&](Selected best, u32 below, u32 above, u32 most) {
    chosen = below;
    Allocated best_registers = registers;
    u64 best_cycles = cycles;
    while (below + 2 < above) {
      const u32 middle = (below + above) / 2;
      Selected one = made(middle, {});
      const bool good = fits(most);
      (good ? below : above) = middle;
      if (!good || cycles >= best_cycles) continue;
      best = std::move(one);
      best_registers = registers;
      best_cycles = cycles;
      chosen = middle;
    }
    registers = best_registers;
    cycles = best_cycles;
    return best;
  };
  const auto within = [&](u32 most) {
    u32 limit = most - beside_allocated(capability), least = ~u32{0}, above = 0;
    for (u32 left = volta ? 8 : 5;; --left) {
      Selected one = made(limit, {});
      if (fits(most)) return volta ? nearer(std::move(one), limit, above, most) : one;
      above = limit;
      if (left == 1 || limit == 1) {
        // Where no order is fewer, it is to be the best of those that as many registers allow.
        const u32 needed = volta && residency.said == 0 ? residency.level(least) : most;
        if (needed <= most || needed > most_registers) return one;
        return made(needed - beside_allocated(capability), {});
      }
      least = std::min(least, registers.registers);
      // Pairs and quads leave holes: what holds something at once has to be fewer, by how much shows.
      const u32 missing = registers.registers > most ? registers.registers - most : 2;
      limit -= volta ? std::min(limit - 1, (missing + 1) / 2) : 1;
    }
  };
  result = within(enough);
  // Pairs and quads of one region leave holes that bind there alone: others may hold more at once.
  const auto loosened = [&](Selected best, u32 most) {
    constexpr std::size_t most_tries = 12;
    const u32 all = most - beside_allocated(capability);
    if (chosen == 0 || chosen >= all) return best;
    Allocated best_registers = registers;
    u64 best_cycles = cycles;
    made(chosen, {});
    const std::vector<u64> bound = scheduled.cycles_of;
    made(all, {});
    std::vector<std::pair<u64, u32>> gains;
    for (u32 r = 0; r < bound.size(); ++r) {
      if (bound[r] > scheduled.cycles_of[r] + best_cycles / 64)
        gains.push_back({bound[r] - scheduled.cycles_of[r], r});
    }
    std::sort(gains.begin(), gains.end(), std::greater<>());
    std::vector<u32> limits(bound.size(), chosen);
    std::size_t tries = 0;
    for (const auto& [gain, region] : gains) {
      // Registers do not fall evenly with the limit.
      for (limits[region] = all; limits[region] > chosen && tries < most_tries; --limits[region]) {
        ++tries;
        Selected one = made(chosen, {}, limits);
        if (!fits(most)) continue;
        if (cycles < best_cycles) {
          best = std::move(one);
          best_registers = registers;
          best_cycles = cycles;
        } else {
          limits[region] = chosen;
        }
        break;
      }
    }
    registers = best_registers;
    cycles = best_cycles;
    return best;
  };
  if (volta && fits(enough)) result = loosened(std::move(result), enough);
  if (volta || enough != full) return result;
  // A granule more where that is much faster.
  const Allocated few = registers;
  const u64 slower = cycles;
  Selected faster = within(enough + granule);
  if (much_faster(cycles, slower)) return faster;
  registers = few;
  cycles = slower;
  return result;
}

// The same, and what does not fit in local memory: each time fewer values at once, since pairs and quads
// leave holes. By latency, too, unless there is so much that it would take seconds.
void give_registers(Lowered& lowered) {
  const Selected all = lowered.selected;
  const Function& f = lowered.function;
  lowered.selected = in_registers(lowered, lowered.registers, lowered.cycles);
  if (lowered.registers.fits) return;
  Selected ordered = all;
  std::vector<OrdersForFew> known_orders;
  lowered.cycles = schedule(f, lowered.plan, ordered, 1, known_orders).cycles;
  constexpr u32 step = 2, tries = 8, kept = 1, most_by_latency = 4096;  // R1
  const u32 most = f.most_registers - beside_allocated(f.capability) - kept;
  for (u32 fewer = 0; !lowered.registers.fits && fewer < step * tries && fewer < most; fewer += step) {
    Selected stored = ordered;
    lowered.spill_words = spill(f, lowered.plan, stored, most - fewer, lowered.first_spill_word);
    std::size_t count = 0;
    for (const auto& region : stored.regions) count += region.size();
    lowered.selected = stored;
    if (count <= most_by_latency) lowered.selected = in_registers(lowered, lowered.registers, lowered.cycles);
    if (count <= most_by_latency && lowered.registers.fits) return;
    lowered.selected = std::move(stored);
    lowered.registers = allocate(f, lowered.plan, lowered.selected, 0, {}, true);
  }
}

Lowered lower_function(Function function, std::span<const u8> cuts, bool entry, u32 first_spill_word) {
  Lowered lowered;
  lowered.first_spill_word = lowered.spill_words = first_spill_word;
  lowered.function = std::move(function);
  const u32 capability = lowered.function.capability;
  lowered.plan = plan(lowered.function, cuts);
  unroll(lowered.function, lowered.plan);
  Selector selector(lowered.function, lowered.plan);
  lowered.selected = selector.run(entry);
  older_instructions(lowered.selected, capability);
  // A wave begins with something to issue.
  if (entry && lowered.selected.regions[0].empty()) {
    LoweredInstruction nothing;
    nothing.from = lowered.function.first;
    lowered.selected.regions[0].push_back(nothing);
  }
  coalesce(lowered.function, lowered.plan, lowered.selected);
  Lowered apart = lowered;
  if (capability >= 70)
    lowered.guarded = merge_guarded(lowered.function, lowered.plan, lowered.selected, cuts);
  give_registers(lowered);
  if (lowered.guarded.empty() || lowered.registers.registers <= lowered.function.residency.full_occupancy())
    return lowered;
  give_registers(apart);
  return preferred(apart, lowered) ? apart : lowered;
}

}  // namespace

Expected<LoweredProgram> lower_kernel(const Module& module, const Program& program,
                                      std::span<const u8> cuts) {
  const u32 capability = module.target->compute_capability();
  LoweredProgram result;
  result.kernel = program.name;
  result.target = module.target->name;
  std::vector<Lowered> list;
  u64 slow = 0;
  u32 spill_words = 0;
  for (const auto& [first, end] : functions_of(module, program)) {
    Function function = build(module, program, first, end, first == program.entry);
    const nv::RegisterBounds& bounds = static_cast<const nv::PtxProgram&>(*program.isa).bounds;
    function.most_registers = nv::most_registers(capability, bounds);
    function.residency = {capability, (bounds.items + 31) / 32, program.needs.local_bytes,
                          nv::registers_said(capability, bounds)};
    simplify(function);
    if (capability >= 50) share_reciprocals(function);
    hoist(function);
    simplify(function);
    if (capability >= 70) sink(function);
    // 1.x, 5.x and 6.x multiply 16 bits at a time.
    if (capability < 20 || (capability >= 50 && capability < 70)) halve_products(function);
    if (capability >= 50) join_accesses(function);
    choose_uniform(function);
    fuse(function);
    Function again = function;
    Lowered lowered = lower_function(std::move(function), cuts, list.empty(), spill_words);
    if (capability >= 70 && lowered.registers.registers > again.residency.full_occupancy() &&
        make_again(again)) {
      Lowered other = lower_function(std::move(again), cuts, list.empty(), spill_words);
      if (preferred(other, lowered)) lowered = std::move(other);
    }
    spill_words = lowered.spill_words;
    finish_control(lowered.function, lowered.plan, lowered.selected);
    const Allocated& registers = lowered.registers;
    // What a called function needs comes on top of its caller's.
    result.registers = list.empty() ? registers.registers : std::max(result.registers, registers.registers);
    result.uniform_registers = std::max(result.uniform_registers, registers.uniform);
    result.predicates = std::max(result.predicates, registers.predicates);
    slow += lowered.selected.slow_paths;
    list.push_back(std::move(lowered));
  }
  std::sort(list.begin(), list.end(),
            [](const Lowered& a, const Lowered& b) { return a.function.first < b.function.first; });
  for (Lowered& lowered : list) {
    const u32 first_region = static_cast<u32>(result.regions.size());
    for (std::size_t r = 0; r < lowered.plan.regions.size(); ++r) {
      LoweredRegion region = lowered.plan.regions[r];
      region.begin = static_cast<u32>(result.instructions.size());
      for (LoweredInstruction& in : lowered.selected.regions[r]) {
        for (LoweredOperand& operand : in.source) {
          if (operand.file == LoweredOperand::File::region) operand.index += first_region;
        }
        in.own_lanes = false;
        result.instructions.push_back(std::move(in));
      }
      region.end = static_cast<u32>(result.instructions.size());
      result.regions.push_back(region);
    }
    add_branches(lowered, first_region, result);
    result.guarded.insert(result.guarded.end(), lowered.guarded.begin(), lowered.guarded.end());
  }
  result.spilled_bytes = 4 * spill_words;
  result.registers = std::max(result.registers, 8u);
  result.code_bytes = code_offset(result.instructions.size() + slow, capability);
  return result;
}

}  // namespace lockstep
