#include "time/gcn5_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "machine/occupancy.h"
#include "time/units/clock_ratio.h"

namespace lockstep {
namespace {

// Reads keys one after the other and keeps the first complaint.
struct Reader {
  const Machine& machine;
  std::string missing;

  u64 wide(std::string_view key) {
    if (!has(machine, key)) {
      if (missing.empty()) missing = key;
      return 1;
    }
    return integer(machine, key);
  }
  u32 operator()(std::string_view key) { return static_cast<u32>(wide(key)); }
  CacheShape shape(std::string_view cache) {
    return {(*this)(fmt::format("{}.size_bytes", cache)), (*this)(fmt::format("{}.line_bytes", cache)),
            (*this)(fmt::format("{}.ways", cache))};
  }
};

Diagnostic contradiction(const std::string& message, const std::string& hint) {
  return {"machine-figures", {}, message, hint};
}

}  // namespace

u32 LaunchLimits::waves_per_simd() const {
  return std::min({waves_per_simd_slots, waves_per_simd_vector, waves_per_simd_scalar});
}

Expected<Gcn5Parameters> gcn5_parameters(const Machine& machine) {
  if (machine.target == nullptr || machine.target->architecture != Architecture::gcn ||
      machine.target->major != 9) {
    return Diagnostic{"not-timed",
                      {machine.path, 0, 0},
                      fmt::format("{} is not a GCN5 machine: its timing is not modelled", machine.id),
                      "machines of gfx900 and gfx906 are; others run without timing"};
  }
  Reader get{machine, {}};
  Gcn5Parameters p;
  p.clock_hertz = run_clock_hz(machine);
  p.compute_units = get("compute.units");
  p.simds = get("compute.simds_per_unit");
  p.shader_engines = get("compute.shader_engines");
  p.waves_per_simd = get("occupancy.waves_per_simd");

  p.launch_cycles = get("timing.launch.overhead_cycles");
  p.groups_per_cycle = get("timing.dispatch.groups_per_cycle");
  p.cycles_per_wave = get("timing.dispatch.cycles_per_wave");
  p.wave_start_cycles = get("timing.dispatch.wave_start_cycles");

  p.buffer_bytes = get("timing.fetch.buffer_bytes");
  p.bytes_per_fetch = get("timing.fetch.bytes_per_fetch");
  p.cycles_per_fetch = get("timing.fetch.cycles_per_fetch");
  p.instruction_cache = get.shape("icache");
  p.instruction_units_sharing = get("icache.units_sharing");
  p.instruction_hit_cycles = get("timing.icache.hit_cycles");
  p.instruction_miss_cycles = get("timing.icache.miss_extra_cycles");
  p.instruction_misses = get("timing.icache.misses");

  p.turn_cycles = get("timing.issue.turn_cycles");
  p.instructions_per_turn = get("timing.issue.instructions_per_turn");
  const auto valu = [&p, &get](Cost cost, std::string_view key) {
    p.valu_cycles[static_cast<std::size_t>(cost)] =
        static_cast<u16>(get(fmt::format("timing.valu.issue_cycles.{}", key)));
  };
  valu(Cost::valu_full, "full");
  valu(Cost::valu_half, "i64_shift");  // the one thing between full and quarter rate that GCN5 has
  valu(Cost::valu_quarter, "quarter");
  valu(Cost::valu_transcendental, "transcendental");
  valu(Cost::valu_f64_add, "f64_add");
  valu(Cost::valu_f64_mul, "f64_fma");
  valu(Cost::valu_f64_transcendental, "f64_transcendental");
  valu(Cost::valu_f16, "full");
  valu(Cost::valu_dot, "full");
  valu(Cost::valu_cross_lane, "full");
  p.valu_latency = get("timing.valu.latency_cycles");
  p.valu_to_scalar = get("timing.valu.to_scalar_cycles");
  p.salu_cycles = get("timing.salu.issue_cycles");
  p.salu_latency = get("timing.salu.latency_cycles");
  p.branch_not_taken = get("timing.branch.not_taken_cycles");
  p.branch_taken = get("timing.branch.taken_cycles");
  p.barrier_cycles = get("timing.barrier.cycles");

  p.scalar_cache = get.shape("scalar");
  p.scalar_units_sharing = get("scalar.units_sharing");
  p.scalar_bytes_per_cycle = get("scalar.bytes_per_cycle");
  p.smem_cycles = get("timing.smem.issue_cycles");
  p.smem_cycles_x8 = get("timing.smem.issue_cycles_x8");
  p.smem_cycles_x16 = get("timing.smem.issue_cycles_x16");
  p.smem_hit_cycles = get("timing.smem.hit_cycles");
  p.smem_miss_cycles = get("timing.smem.miss_extra_cycles");
  p.smem_misses = get("timing.smem.misses");
  p.memtime_cycles = get("timing.smem.memtime_cycles");

  p.local_banks = get("local.banks");
  p.local_lanes_per_pass = get("timing.lds.lanes_per_cycle");
  p.local_simds_per_port = get("timing.lds.simds_per_port");
  p.local_issue_cycles = get("timing.lds.issue_cycles");
  p.local_latency = get("timing.lds.latency_cycles");
  p.local_queue = get("timing.lds.queue");
  p.local_read = {get("timing.lds.read_b32_cycles"), get("timing.lds.read_b64_cycles"),
                  get("timing.lds.read_b128_cycles")};
  p.local_write = {get("timing.lds.write_b32_cycles"), get("timing.lds.write_b64_cycles"),
                   get("timing.lds.write_b128_cycles")};
  p.local_atomic = {get("timing.lds.atomic_b32_cycles"), get("timing.lds.atomic_b64_cycles")};
  p.local_atomic_conflict = get("timing.lds.atomic_conflict_cycles");

  p.vmem_issue_cycles = get("timing.vmem.issue_cycles");
  p.lanes_per_address_cycle = get("timing.vmem.lanes_per_address_cycle");
  p.gather_window_bytes = get("timing.vmem.gather_window_bytes");
  p.store_bytes_per_cycle = get("timing.vmem.store_bytes_per_cycle");
  p.return_bytes_per_cycle = get("timing.vmem.return_bytes_per_cycle");
  p.vmem_queue = get("timing.vmem.queue");
  p.l1 = get.shape("l1");
  p.l1_hit_cycles = get("timing.l1.hit_cycles");
  p.l1_tags_per_cycle = get("timing.l1.tags_per_cycle");
  p.l1_misses = get("timing.l1.misses");

  p.tlb_entries = get("timing.tlb.l1_entries");
  p.tlb2_entries = get("timing.tlb.l2_entries");
  p.page_bytes = get("timing.tlb.page_bytes");
  p.tlb_miss_cycles = get("timing.tlb.l1_miss_cycles");
  p.tlb_walk_cycles = get("timing.tlb.walk_cycles");

  p.l2 = get.shape("l2");
  p.l2_slices = get("l2.slices");
  p.l2_interleave_bytes = get("l2.interleave_bytes");
  p.l2_bytes_per_cycle = get("l2.bytes_per_cycle_per_slice");
  p.l2_hit_cycles = get("timing.l2.hit_cycles");
  p.l2_request_bytes = get("timing.l2.request_bytes_per_cycle");
  p.l2_response_bytes = get("timing.l2.response_bytes_per_cycle");
  p.l2_misses = get("timing.l2.misses");
  p.l2_queue = get("timing.l2.queue");
  p.l2_atomic_cycles = get("timing.l2.atomic_cycles");
  p.l2_atomic_lanes = get("timing.l2.atomic_lanes_per_cycle");

  p.fabric_cycles = get("timing.fabric.latency_cycles");
  p.dram_latency_cycles = get("timing.dram.latency_cycles");
  p.dram_channels = get("timing.dram.channels");
  p.dram_clock_hertz = get.wide("memory.clock_hz");
  p.dram.banks = get("timing.dram.banks");
  p.dram.row_bytes = get("timing.dram.row_bytes");
  p.dram.burst_bytes = get("timing.dram.burst_bytes");
  p.dram.burst_clocks = get("timing.dram.burst_clocks");
  p.dram.tcl = get("timing.dram.tcl_clocks");
  p.dram.trcd = get("timing.dram.trcd_clocks");
  p.dram.trp = get("timing.dram.trp_clocks");
  p.dram.tras = get("timing.dram.tras_clocks");
  p.dram.turnaround = get("timing.dram.turnaround_clocks");
  p.dram.refresh_interval = get("timing.dram.refresh_interval_clocks");
  p.dram.refresh = get("timing.dram.refresh_clocks");
  p.dram.queue = get("timing.dram.queue");
  if (!get.missing.empty()) {
    return Diagnostic{"missing-figure",
                      {machine.path, 0, 0},
                      fmt::format("the machine {} lacks {}, which its timing needs", machine.id, get.missing),
                      "state it in the machine's file or in one that it is based on"};
  }
  p.dram.bursts_per_request = std::max<u32>(1, p.l2.line_bytes / p.dram.burst_bytes);
  const Status status = check_parameters(p);
  if (!status.ok()) return status.error();
  // The fabric is a part of the memory latency, which is what the model uses; a copy of the machine in which
  // one figure was moved on purpose need not add up.
  const ClockRatio ratio(p.clock_hertz, p.dram_clock_hertz);
  const u64 dram =
      ratio.to_core(p.dram.trcd + p.dram.tcl + u64{p.dram.burst_clocks} * p.dram.bursts_per_request);
  if (machine.changes.empty() && p.dram_latency_cycles < p.l2_hit_cycles + p.fabric_cycles + dram) {
    return contradiction(
        fmt::format("the memory latency of {} cycles is below the sum of its parts: {} to the "
                    "second level and back, {} of fabric, {} of DRAM",
                    p.dram_latency_cycles, p.l2_hit_cycles, p.fabric_cycles, dram),
        "timing.dram.latency_cycles, timing.fabric.latency_cycles");
  }
  return p;
}

Status check_parameters(const Gcn5Parameters& p) {
  const auto fail = [](std::string message, std::string hint) -> Status {
    return contradiction(message, hint);
  };
  if (p.waves_per_simd == 0 || p.waves_per_simd > 16)
    return fail("the model takes 1 to 16 waves per SIMD", "occupancy.waves_per_simd");
  if (p.compute_units == 0 || p.shader_engines == 0 || p.compute_units % p.shader_engines != 0)
    return fail("compute units must divide evenly among shader engines",
                "compute.units, compute.shader_engines");
  if (p.l1.line_bytes != p.l2.line_bytes || p.l1.line_bytes != p.scalar_cache.line_bytes ||
      p.l1.line_bytes != p.instruction_cache.line_bytes || p.l1.line_bytes > 64 ||
      !std::has_single_bit(p.l1.line_bytes))
    return fail("all caches must have the same line, a power of two up to 64 bytes",
                "l1.line_bytes, l2.line_bytes");
  if (p.l1_tags_per_cycle != 1)
    return fail("the model looks up one line a cycle in the first level", "timing.l1.tags_per_cycle");
  if (p.bytes_per_fetch == 0 || p.buffer_bytes / p.bytes_per_fetch < 2 ||
      p.buffer_bytes / p.bytes_per_fetch > 8)
    return fail("an instruction buffer holds 2 to 8 fetches", "timing.fetch.buffer_bytes");
  if (p.bytes_per_fetch > p.l1.line_bytes)
    return fail("a fetch is part of one line", "timing.fetch.bytes_per_fetch");
  if (p.turn_cycles == 0 || p.groups_per_cycle == 0 || p.barrier_cycles == 0 || p.clock_hertz == 0 ||
      p.dram_clock_hertz == 0)
    return fail("turns, dispatch, barriers and clocks cannot be zero", "timing.issue.turn_cycles");
  if (p.smem_misses < 2) return fail("a scalar load may miss two lines", "timing.smem.misses");
  if (p.instruction_misses == 0 || p.l1_misses == 0 || p.l2_misses == 0 || p.l2_misses > 65536 ||
      p.l2_slices == 0 || p.l2_slices > 65536 || p.dram_channels == 0 || p.dram.queue == 0 ||
      p.vmem_queue == 0 || p.local_queue == 0 || p.tlb_entries == 0 || p.tlb2_entries < 16)
    return fail("queues, misses, slices, channels and translations cannot be zero", "timing.l2.misses");
  if (p.l2.sets() % p.l2_slices != 0 || p.l2.sets() == 0)
    return fail("the second level must divide evenly among its slices", "l2.size_bytes, l2.slices");
  if (p.local_banks == 0 || p.local_banks > 64 || p.local_simds_per_port == 0 ||
      p.local_latency < p.local_read[0])
    return fail("local memory has up to 64 banks and a latency of at least one read",
                "timing.lds.latency_cycles");
  if (p.l1_hit_cycles <= 64 / p.lanes_per_address_cycle || p.l2_hit_cycles < p.l1_hit_cycles)
    return fail("a hit in the second level takes longer than one in the first", "timing.l2.hit_cycles");
  if (p.smem_miss_cycles < 4 || p.instruction_miss_cycles < 4)
    return fail("a miss takes at least 4 cycles more than a hit", "timing.smem.miss_extra_cycles");
  const ClockRatio ratio(p.clock_hertz, p.dram_clock_hertz);
  const u64 dram =
      ratio.to_core(p.dram.trcd + p.dram.tcl + u64{p.dram.burst_clocks} * p.dram.bursts_per_request);
  if (p.dram_latency_cycles < p.l2_hit_cycles + dram + 2)
    return fail(fmt::format("the memory latency of {} cycles is below the sum of its parts: {} to the second "
                            "level and back, {} of DRAM",
                            p.dram_latency_cycles, p.l2_hit_cycles, dram),
                "timing.dram.latency_cycles, timing.l2.hit_cycles");
  return Success{};
}

Expected<LaunchLimits> launch_limits(const Machine& machine, const KernelNeeds& needs, u32 group_items,
                                     u32 local_bytes) {
  const OccupancyRules rules = occupancy_rules(machine);
  OccupancyInput input;
  input.work_group_size = group_items;
  input.vector_registers = needs.vector_registers;
  input.accumulator_registers = needs.accumulation_registers;
  input.scalar_registers = needs.scalar_registers;
  input.local_bytes = local_bytes;
  input.barriers = needs.barriers;
  const Expected<Occupancy> occupancy = evaluate_occupancy(rules, input);
  if (!occupancy.ok()) return occupancy.error();
  LaunchLimits limits;
  limits.waves_per_simd_slots = rules.waves_per_simd;
  limits.waves_per_simd_vector = occupancy->vector_registers_allocated == 0
                                     ? rules.waves_per_simd
                                     : rules.vgprs_per_simd_lane / occupancy->vector_registers_allocated;
  // Scalar registers by the steps that the occupancy rules have: a wave's own limit, the same in each SIMD.
  OccupancyInput single = input;
  single.work_group_size = 64;
  single.vector_registers = 0;
  single.local_bytes = 0;
  const Expected<Occupancy> scalar = evaluate_occupancy(rules, single);
  if (!scalar.ok()) return scalar.error();
  limits.waves_per_simd_scalar = scalar->waves_per_cu / rules.simds_per_unit;
  const u64 local = occupancy->local_bytes_allocated;
  limits.groups_local = local == 0 ? ~0u : static_cast<u32>(rules.local_bytes_per_unit / local);
  limits.groups_barriers = rules.groups_per_unit;
  return limits;
}

}  // namespace lockstep
