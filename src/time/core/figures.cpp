#include "time/core/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "isa/program.h"
#include "machine/machine.h"
#include "machine/occupancy.h"
#include "time/core/core_figures.h"
#include "time/units/cache_tags.h"

namespace lockstep {
namespace {

// Reads keys one after the other and keeps the first that is missing.
struct Reader {
  const Machine& machine;
  std::string missing;

  u32 operator()(std::string_view key) {
    if (!has(machine, key)) {
      if (missing.empty()) missing = key;
      return 1;
    }
    return static_cast<u32>(integer(machine, key));
  }
  u32 or_else(std::string_view key, u32 otherwise) {
    return static_cast<u32>(integer_or(machine, key, otherwise));
  }
  CacheShape shape(std::string_view cache) {
    return {(*this)(fmt::format("{}.size_bytes", cache)), (*this)(fmt::format("{}.line_bytes", cache)),
            (*this)(fmt::format("{}.ways", cache))};
  }
};

Diagnostic contradiction(const Machine& machine, std::string message, std::string hint) {
  return {"machine-figures", {machine.path, 0, 0}, std::move(message), std::move(hint)};
}

// How many of what the device has, where a unit's waves are stated.
void read_shape(Reader& get, CoreFigures& f, u64 clock_hz) {
  f.clock_hz = clock_hz;
  f.units = get("compute.units");
  f.simds = get("compute.simds_per_unit");
  f.lanes_per_simd = get("compute.lanes_per_simd");
  f.slots_per_simd = get("occupancy.waves_per_unit") / std::max(1u, f.simds);
  f.engines = get("compute.shader_engines");
}

void read_dispatch(Reader& get, CoreFigures& f) {
  f.launch_cycles = get("timing.launch.overhead_cycles");
  f.flush_cycles = get.or_else("timing.launch.flush_cycles", 0);
  f.groups_per_cycle = get("timing.dispatch.groups_per_cycle");
  f.cycles_per_256_groups = get.or_else("timing.dispatch.cycles_per_256_groups", 0);
  f.by_engine = get.or_else("timing.dispatch.by_engine", 0) != 0;
  f.cycles_per_256_ends = get.or_else("timing.dispatch.cycles_per_256_ends", 0);
  f.cycles_per_wave = get("timing.dispatch.cycles_per_wave");
  f.unit_cycles_per_wave = get.or_else("timing.dispatch.unit_cycles_per_wave", 0);
  f.wave_start_cycles = get("timing.dispatch.wave_start_cycles");
  f.wave_end_cycles = get.or_else("timing.dispatch.wave_end_cycles", f.wave_start_cycles);
}

void read_issue(Reader& get, CoreFigures& f) {
  f.turn_cycles = get("timing.issue.turn_cycles");
  f.issues_per_turn = get("timing.issue.instructions_per_turn");
  f.branch_not_taken_cycles = get("timing.branch.not_taken_cycles");
  f.branch_taken_cycles = get("timing.branch.taken_cycles");
  f.barrier_cycles = get("timing.barrier.cycles");
}

// Instructions come straight from the cluster's cache.
void read_fetch(Reader& get, CoreFigures& f) {
  f.fetch_block_bytes = get("timing.fetch.bytes_per_fetch");
  f.fetch_buffer_blocks = get("timing.fetch.buffer_bytes") / std::max(1u, f.fetch_block_bytes);
  f.cycles_per_fetch = get("timing.fetch.cycles_per_fetch");
  f.simds_per_fetch = std::max(1u, get.or_else("timing.fetch.simds_per_port", f.simds));
  f.instruction_cache = get.shape("icache");
  f.instruction_hit_cycles = get("timing.icache.hit_cycles");
  f.instruction_miss_cycles = get("timing.icache.miss_extra_cycles");
  f.instruction_misses = get("timing.icache.misses");
  f.instruction_prefetch_lines = get.or_else("timing.icache.prefetch_lines", 0);
}

void read_local(Reader& get, CoreFigures& f, u32 joined) {
  f.local_halves = joined;
  f.local_banks = get("local.banks") / joined;
  f.local_lanes_per_pass = get("timing.lds.lanes_per_cycle");
  f.local_ports = std::max(1u, f.simds / get("timing.lds.simds_per_port"));
  f.local_issue_cycles = get("timing.lds.issue_cycles");
  f.local_latency = get("timing.lds.latency_cycles");
  f.local_queue = get("timing.lds.queue");
  f.local_read = {get("timing.lds.read_b32_cycles"), get("timing.lds.read_b64_cycles"),
                  get("timing.lds.read_b128_cycles")};
  f.local_write = {get("timing.lds.write_b32_cycles"), get("timing.lds.write_b64_cycles"),
                   get("timing.lds.write_b128_cycles")};
  f.local_atomic = {get("timing.lds.atomic_b32_cycles"), get("timing.lds.atomic_b64_cycles")};
  f.local_atomic_conflict = f.local_same_word = get("timing.lds.atomic_conflict_cycles");
}

void read_vector(Reader& get, CoreFigures& f) {
  f.vector_issue_cycles = get("timing.vmem.issue_cycles");
  f.lanes_per_address_cycle = get("timing.vmem.lanes_per_address_cycle");
  f.gather_window_bytes = get("timing.vmem.gather_window_bytes");
  f.load_passes.lanes = get.or_else("timing.vmem.pass_lanes", 0);
  if (f.load_passes.lanes != 0) {
    f.load_passes.row_bytes = get("timing.vmem.pass_bytes");
    f.load_passes.tag_banks = get("timing.vmem.pass_lines");
    f.load_passes.cycles = get("timing.vmem.pass_cycles");
  }
  f.store_bytes_per_cycle = get("timing.vmem.store_bytes_per_cycle");
  f.return_bytes_per_cycle = get("timing.vmem.return_bytes_per_cycle");
  f.vector_queue = get("timing.vmem.queue");
  f.stores_outstanding = get.or_else("timing.vmem.stores", 256);
  f.l1 = get.shape("l1");
  f.l1_sector_bytes = f.l1.line_bytes;
  f.l1_hit_cycles = get("timing.l1.hit_cycles");
  f.l1_misses = get("timing.l1.misses");
  f.request_bytes = get("timing.l2.request_bytes_per_cycle");
  f.response_bytes = get("timing.l2.response_bytes_per_cycle");
}

Diagnostic missing_figure(const Reader& get) {
  return {"missing-figure",
          {get.machine.path, 0, 0},
          fmt::format("the machine {} lacks {}, which its timing needs", get.machine.id, get.missing),
          "state it in the machine's file or in one that it is based on"};
}

Status check(const CoreFigures& f) {
  const auto fail = [](std::string message, std::string hint) -> Status {
    return Diagnostic{"machine-figures", {}, std::move(message), std::move(hint)};
  };
  if (f.slots_per_simd == 0 || f.slots_per_simd > most_slots_per_simd)
    return fail(fmt::format("the model takes 1 to {} waves per SIMD", most_slots_per_simd),
                "occupancy.waves_per_simd, occupancy.waves_per_unit");
  if (f.units == 0 || f.engines == 0 || f.engines > f.units)
    return fail(
        fmt::format("{} compute units in {} shader engines: every one has at least one", f.units, f.engines),
        "compute.units, compute.shader_engines");
  if (f.dies == 0 || f.engines % f.dies != 0)
    return fail("every die has as many shader engines as the others", "compute.shader_engines, compute.dies");
  for (const CacheShape* shape : {&f.l1, &f.scalar_cache, &f.instruction_cache}) {
    if (shape->line_bytes < 32 || shape->line_bytes > 128 || !std::has_single_bit(shape->line_bytes) ||
        shape->ways == 0 || shape->sets() == 0)
      return fail("a near cache has lines of 32 to 128 bytes and at least one set",
                  "l1.line_bytes, scalar.line_bytes, icache.line_bytes");
  }
  if (f.fetch_block_bytes == 0 || f.fetch_buffer_blocks < 2 || f.fetch_buffer_blocks > 8)
    return fail("an instruction buffer holds 2 to 8 fetches", "timing.fetch.buffer_bytes");
  if (f.fetch_block_bytes > f.instruction_cache.line_bytes)
    return fail("a fetch is part of one line", "timing.fetch.bytes_per_fetch");
  if (f.turn_cycles == 0 || f.groups_per_cycle == 0 || f.barrier_cycles == 0 || f.clock_hz == 0)
    return fail("turns, dispatch, barriers and clocks cannot be zero", "timing.issue.turn_cycles");
  if (f.scalar_misses < 2) return fail("a scalar load may miss two lines", "timing.smem.misses");
  if (f.instruction_misses == 0 || f.l1_misses == 0 || f.vector_queue == 0 || f.local_queue == 0 ||
      f.stores_outstanding == 0)
    return fail("queues and misses cannot be zero", "timing.l1.misses, timing.vmem.queue");
  if (f.l1_misses > 65535) return fail("a first level has at most 65535 misses", "timing.l1.misses");
  if (f.local_banks == 0 || f.local_banks > 64 || f.local_ports == 0 || f.local_latency < f.local_read[0])
    return fail("local memory has up to 64 banks and a latency of at least one read",
                "timing.lds.latency_cycles");
  if (f.l1_hit_cycles <= f.near_work())
    return fail("a hit in the first level takes longer than its addresses", "timing.l1.hit_cycles");
  return Success{};
}

// The figures, once all of them are there and go together.
Expected<CoreFigures> whole(const Reader& get, const CoreFigures& f) {
  if (!get.missing.empty()) return missing_figure(get);
  const Status status = check(f);
  if (status) return f;
  Diagnostic wrong = status.error();
  wrong.place = {get.machine.path, 0, 0};
  return wrong;
}

}  // namespace

u32 LaunchLimits::waves_per_simd() const {
  return std::min({waves_per_simd_slots, waves_per_simd_vector, waves_per_simd_scalar});
}

Expected<CoreFigures> core_figures(const Machine& machine, u64 clock_hz) {
  Reader get{machine, {}};
  CoreFigures f;
  f.clock_hz = clock_hz;
  // Compute units that run a work-group together count as one unit.
  const u32 joined = get.or_else("timing.issue.units_joined", 1);
  f.units = get("compute.units") / joined;
  f.simds = get("compute.simds_per_unit") * joined;
  f.lanes_per_simd = get("compute.lanes_per_simd");
  f.slots_per_simd = get("occupancy.waves_per_simd");
  f.engines = get("compute.shader_engines");
  f.dies = get.or_else("compute.dies", 1);
  f.paths = joined;
  f.units_per_cluster =
      std::max(1u, std::max(get("icache.units_sharing"), get("scalar.units_sharing")) / joined);
  read_dispatch(get, f);
  read_issue(get, f);
  f.wait_cycles = f.local_wait_cycles = f.turn_cycles;
  read_fetch(get, f);

  f.scalar_cache = get.shape("scalar");
  f.scalar_bytes_per_cycle = get("scalar.bytes_per_cycle");
  f.scalar_hit_cycles = get("timing.smem.hit_cycles");
  f.scalar_miss_cycles = get("timing.smem.miss_extra_cycles");
  f.scalar_misses = get("timing.smem.misses");
  f.clock_read_cycles = get("timing.smem.memtime_cycles");

  read_local(get, f, joined);
  if (has(machine, "timing.lds.crossing_cycles"))
    f.local_crossing_cycles = number(machine, "timing.lds.crossing_cycles");
  read_vector(get, f);
  f.image_lanes_per_cycle = get.or_else("timing.vmem.image_lanes_per_cycle", 16);
  f.returns_in_order = get.or_else("timing.vmem.returns_in_order", 1) != 0;

  const u32 major = machine.target->major;
  const auto counter = [&f](WaitCounter which, bool there) {
    f.has_counter[static_cast<std::size_t>(which)] = there;
  };
  counter(WaitCounter::load, true);
  counter(WaitCounter::local, true);
  counter(WaitCounter::store, major >= 10);
  counter(WaitCounter::scalar, major >= 12);
  counter(WaitCounter::sample, major >= 12);

  return whole(get, f);
}

Expected<CoreFigures> core_figures_in_clauses(const Machine& machine, u64 clock_hz) {
  Reader get{machine, {}};
  CoreFigures f;
  read_shape(get, f, clock_hz);
  f.units_per_cluster = std::max(1u, get("icache.units_sharing"));
  read_dispatch(get, f);
  read_issue(get, f);
  read_fetch(get, f);
  f.vector_clauses = get("timing.clause.waves");
  // A clause waits for the data of those before it, then begins; what local memory brings is waited for by
  // the instruction that uses it.
  f.wait_cycles = get("timing.clause.switch_cycles") - get("timing.packet.result_cycles");
  f.local_wait_cycles = 0;

  f.scalar_cache = get.shape("constant");
  f.scalar_bytes_per_cycle = get("timing.constant.bytes_per_cycle");
  f.scalar_hit_cycles = get("timing.constant.hit_cycles");
  f.scalar_miss_cycles = get("timing.constant.miss_extra_cycles");
  f.scalar_misses = get("timing.constant.misses");

  read_local(get, f, 1);
  f.local_holds_simd = true;
  read_vector(get, f);
  f.return_lanes_per_cycle = get("timing.vmem.return_lanes_per_cycle");
  f.has_counter[static_cast<std::size_t>(WaitCounter::load)] = true;
  f.has_counter[static_cast<std::size_t>(WaitCounter::local)] = true;

  return whole(get, f);
}

Expected<CoreFigures> core_figures_of_threads(const Machine& machine, u64 clock_hz) {
  Reader get{machine, {}};
  CoreFigures f;
  read_shape(get, f, clock_hz);
  f.units_per_cluster = std::max(1u, get("icache.units_sharing"));
  const auto& widths = machine.target->widths;
  f.most_lanes = *std::max_element(widths.begin(), widths.end());
  read_dispatch(get, f);
  read_issue(get, f);
  f.round_robin = true;
  f.vector_pipes = get("timing.eu.pipes");
  f.wait_cycles = f.local_wait_cycles = 0;
  read_fetch(get, f);
  // There is no cache for scalars; what programs have of such is in their registers when they begin.
  f.scalar_cache = f.instruction_cache;
  f.scalar_miss_cycles = f.instruction_miss_cycles;

  read_local(get, f, 1);
  f.local_port_bytes = get("local.bytes_per_cycle");
  read_vector(get, f);
  // Only samplers read through the first level.
  f.image_bytes_per_cycle = get("l1.bytes_per_cycle");
  f.returns_in_order = false;
  for (const WaitCounter counter :
       {WaitCounter::load, WaitCounter::store, WaitCounter::local, WaitCounter::sample})
    f.has_counter[static_cast<std::size_t>(counter)] = true;

  if (!get.missing.empty()) return missing_figure(get);
  if (f.vector_pipes == 0 || f.vector_pipes > 2)
    return contradiction(machine, "an execution unit has one or two pipes for arithmetic", "timing.eu.pipes");
  return whole(get, f);
}

Expected<CoreFigures> core_figures_partitioned(const Machine& machine, u64 clock_hz) {
  Reader get{machine, {}};
  CoreFigures f;
  read_shape(get, f, clock_hz);
  f.most_lanes = machine.target->widths[0];

  read_dispatch(get, f);
  read_issue(get, f);
  f.wait_cycles = f.local_wait_cycles = 0;
  f.issues_of_wave = get.or_else("timing.issue.instructions_of_wave", 1);
  f.round_robin = get.or_else("timing.issue.round_robin", 0) != 0;
  f.greedy = !f.round_robin;
  f.barrier_arrival_cycles = get("timing.barrier.arrival_cycles");

  f.fetch_block_bytes = get("timing.fetch.bytes_per_fetch");
  f.fetch_buffer_blocks = get("timing.fetch.buffer_bytes") / std::max(1u, f.fetch_block_bytes);
  f.cycles_per_fetch = get("timing.fetch.cycles_per_fetch");
  // Each SIMD may have an instruction cache of its own in front of the unit's.
  const bool own = has(machine, "icache1.size_bytes");
  if (own) {
    f.near_instruction_cache = get.shape("icache");
    f.near_instruction_hit_cycles = get("timing.icache.hit_cycles");
    f.near_instruction_prefetch_lines = get("timing.icache.prefetch_lines");
    f.near_instruction_line_cycles = get.or_else("timing.icache1.cycles_per_line", 1);
    f.unit_instruction_line_cycles = get.or_else("timing.icache1.unit_cycles_per_line", 0);
    f.launch_code_bytes = get.or_else("timing.icache1.launch_bytes", 0);
    f.keeps_code = get.or_else("timing.icache1.kept", 0) != 0;
  }
  const std::string_view code = own ? "icache1" : "icache";
  f.instruction_cache = get.shape(code);
  f.instruction_hit_cycles = get(fmt::format("timing.{}.hit_cycles", code));
  f.instruction_miss_cycles = get(fmt::format("timing.{}.miss_extra_cycles", code));
  f.instruction_misses = get(fmt::format("timing.{}.misses", code));
  f.instruction_prefetch_lines = get(fmt::format("timing.{}.prefetch_lines", code));

  f.scalar_cache = get.shape("constant");
  f.scalar_bytes_per_cycle = get("timing.constant.bytes_per_cycle");
  f.scalar_hit_cycles = get("timing.constant.hit_cycles");
  f.scalar_miss_cycles = get("timing.constant.miss_extra_cycles");
  f.scalar_misses = get("timing.constant.misses");
  f.scalar_address_cycles = get("timing.constant.address_cycles");
  f.scalar_next_address_cycles = get("timing.constant.next_address_cycles");

  f.front_queue = get("timing.front.queue");
  f.front_cycles = get("timing.front.cycles");
  f.front_stage_cycles = get("timing.front.stage_cycles");
  f.front_latency_cycles = get("timing.front.latency_cycles");
  f.front_pass_cycles = get("timing.front.pass_cycles");
  f.front_sources_cycles = get("timing.front.sources_cycles");
  f.front_data_cycles = get("timing.front.data_cycles");

  f.local_banks = get("local.banks");
  f.local_lanes_per_pass = get("timing.lds.lanes_per_cycle");
  f.local_ports = 1;
  f.local_latency = get("timing.lds.latency_cycles");
  f.local_queue = 1024;  // the SIMDs' own queues are in front
  f.local_read = {get("timing.lds.read_b32_cycles"), get("timing.lds.read_b64_cycles"),
                  get("timing.lds.read_b128_cycles")};
  f.local_write = {get("timing.lds.write_b32_cycles"), get("timing.lds.write_b64_cycles"),
                   get("timing.lds.write_b128_cycles")};
  f.local_atomic = {get("timing.lds.atomic_b32_cycles"), get("timing.lds.atomic_b64_cycles")};
  f.local_atomic_conflict = f.local_same_word = get("timing.lds.atomic_conflict_cycles");
  f.local_atomic_latency = get.or_else("timing.lds.atomic_latency_cycles", 0);
  f.local_atomic_turn_latency = get.or_else("timing.lds.atomic_turn_latency_cycles", 0);
  f.local_conflict = get("timing.lds.conflict_cycles");
  f.local_words_of_bank = get.or_else("timing.lds.words_of_bank", 1);
  f.local_pairs_share = get.or_else("timing.lds.pairs_share", 0) != 0;
  f.local_successive_words = get.or_else("local.bank_bytes", 4) / 4;
  if (f.local_successive_words > 1) {
    // Wider words go at the full width of the banks.
    for (std::array<u32, 3>* cycles : {&f.local_read, &f.local_write}) {
      for (u32 i = 1; i < cycles->size(); ++i)
        (*cycles)[i] = std::max((*cycles)[0], (*cycles)[i] / f.local_successive_words);
    }
  }
  f.crossbar_latency = get("timing.result.shuffle_cycles");
  f.match_stage_cycles = get.or_else("timing.pipe.match_cycles", 0);
  f.match_value_cycles = get.or_else("timing.result.match_value_cycles", 0);

  // Each SIMD issues on its own; what they share is behind their queues.
  f.vector_issue_cycles = f.local_issue_cycles = 0;
  f.lanes_per_address_cycle = f.most_lanes;
  f.gather_window_bytes = 0;
  f.store_bytes_per_cycle = get("timing.vmem.store_bytes_per_cycle");
  f.return_bytes_per_cycle = get("timing.vmem.return_bytes_per_cycle");
  f.vector_queue = get("timing.vmem.queue");
  f.stores_outstanding = get("timing.vmem.stores");
  f.image_lanes_per_cycle = get("timing.vmem.image_lanes_per_cycle");
  f.returns_in_order = false;
  f.l1 = get.shape("l1");
  f.l1_tags_per_cycle = get("timing.l1.tags_per_cycle");
  f.l1_tag_hash = {get.or_else("timing.l1.tag_hash_low", 0), get.or_else("timing.l1.tag_hash_high", 0)};
  f.l1_joins_sectors = get.or_else("l1.joins_sectors", 0) != 0;
  f.l1_protected_ways = get.or_else("l1.protected_ways", 0);
  if (f.l1_protected_ways != 0 &&
      (f.l1_protected_ways >= f.l1.ways || f.l1.ways > CacheTags::most_protecting_ways))
    return contradiction(machine,
                         fmt::format("l1.protected_ways cannot be {} of {}", f.l1_protected_ways, f.l1.ways),
                         fmt::format("it is less than l1.ways, of which there are up to {} then",
                                     CacheTags::most_protecting_ways));
  f.l1_keeps_stores = get.or_else("l1.keeps_stores", 0) != 0;
  if (has(machine, "l1.set_hash")) {
    const std::vector<u64>& turns = integers(machine, "l1.set_hash");
    const u32 sets = get("l1.sets");
    if (!std::has_single_bit(sets) || sets > 1 << 16 || turns.empty() || turns.size() > SetHash::most_turns ||
        std::ranges::any_of(turns, [&](u64 turn) { return turn >= sets; }))
      return contradiction(
          machine, "l1.set_hash does not fit l1.sets",
          fmt::format("l1.sets is a power of two, and l1.set_hash has one to {} numbers below it",
                      SetHash::most_turns));
    f.l1_set_hash = SetHash(sets, turns);
  }
  if (has(machine, "timing.vmem.half_waves")) {
    const std::string_view rule = text(machine, "timing.vmem.half_waves");
    if (rule != "segments" && rule != "in order")
      return contradiction(machine, fmt::format("timing.vmem.half_waves cannot be \"{}\"", rule),
                           "it is \"segments\" or \"in order\"");
    f.half_waves = rule == "segments" ? HalfWaves::segments : HalfWaves::in_order;
  }
  f.branch_parted_cycles = get.or_else("timing.branch.parted_cycles", 0);
  f.open_store_lines = get.or_else("timing.l1.open_store_lines", 0);
  f.open_store_cycles = get.or_else("timing.l1.open_store_cycles", 0);
  f.l1_beside_local = get.or_else("timing.l1.beside_local", 0) != 0;
  f.l1_sector_bytes = get("l1.sector_bytes");
  f.l1_hit_cycles = get("timing.l1.hit_cycles");
  f.l1_misses = get("timing.l1.misses");
  f.request_bytes = get("timing.l2.request_bytes_per_cycle");
  f.response_bytes = get("timing.l2.response_bytes_per_cycle");
  if (!get.missing.empty()) return missing_figure(get);
  if (f.front_queue == 0 || f.front_queue > 8)
    return contradiction(machine, "a SIMD's queue of memory instructions holds 1 to 8", "timing.front.queue");
  return whole(get, f);
}

namespace {

// What of a compute unit's storage local memory has: the smallest of its sizes that holds what the resident
// groups need, or more where the driver sets some aside for groups of kernels to come. An H200's does so for
// as many groups again, but those of the most items; where a kernel has no local memory for four times the
// groups that waves leave room for (experiments/h200-timing/near.txt).
u64 local_share(const Machine& machine, const OccupancyRules& rules, const Occupancy& occupancy,
                u32 group_items, bool has_local) {
  const auto share = [&](u64 groups) {
    const u64 bytes = groups * occupancy.local_bytes_allocated;
    const auto fits = std::ranges::find_if(rules.carveouts, [&](u64 size) { return size >= bytes; });
    return fits != rules.carveouts.end() ? *fits : rules.local_bytes_per_unit;
  };
  const u64 needed = share(occupancy.groups_per_cu);
  const u64 spare = integer_or(machine, "local.spare_groups", 0);
  if (spare == 0) return needed;
  const u64 waves = (group_items + occupancy.wave_width - 1) / occupancy.wave_width;
  u64 wished = occupancy.groups_per_cu * (group_items == rules.max_group_items ? 1 : 1 + spare);
  if (!has_local) wished = rules.waves_per_unit / waves * 2 * (1 + spare);
  wished = std::min<u64>(wished, rules.groups_per_unit);
  return std::max(needed, std::min(share(wished), integer_or(machine, "local.spare_bytes", 0)));
}

// Groups come and go as a whole, and share what the first level leaves of their storage.
LaunchLimits limits_of_partitioned(const Machine& machine, const OccupancyRules& rules,
                                   const Occupancy& occupancy, u32 group_items, bool has_local) {
  LaunchLimits limits;
  const u32 simds = rules.simds_per_unit;
  limits.waves_per_simd_slots = limits.waves_per_simd_scalar = rules.waves_per_unit / simds;
  const u32 per_wave = occupancy.vector_registers_allocated * occupancy.wave_width;
  limits.waves_per_simd_vector =
      per_wave == 0 ? limits.waves_per_simd_slots : rules.registers_per_unit / simds / per_wave;
  limits.groups_any = limits.groups_barriers = rules.groups_per_unit;
  if (rules.registers_by_group) {
    // Registers are a group's, not its waves'.
    limits.waves_per_simd_vector = limits.waves_per_simd_slots;
    limits.groups_any = std::min<u32>(limits.groups_any, occupancy.groups_per_cu);
  }
  const u64 local = occupancy.local_bytes_allocated;
  limits.groups_local = local == 0 ? ~0u : static_cast<u32>(occupancy.local_bytes_available / local);
  limits.whole_groups = true;
  if (integer_or(machine, "timing.l1.beside_local", 0) != 0) return limits;
  const u64 storage = integer(machine, "l1.size_bytes");
  const u64 taken = local_share(machine, rules, occupancy, group_items, has_local) +
                    integer_or(machine, "l1.reserved_bytes", 0);
  limits.l1_bytes = static_cast<u32>(std::max<u64>(storage > taken ? storage - taken : 0, 16 * 1024));
  return limits;
}

}  // namespace

Expected<LaunchLimits> launch_limits(const Machine& machine, const KernelNeeds& needs, u32 group_items,
                                     u32 local_bytes, bool within_one_unit) {
  const OccupancyRules rules = occupancy_rules(machine);
  OccupancyInput input;
  input.work_group_size = group_items;
  input.vector_registers = needs.architectural_registers();
  input.accumulator_registers = needs.accumulation_registers;
  input.scalar_registers = needs.scalar_registers;
  input.local_bytes = local_bytes;
  input.barriers = needs.barriers;
  input.wave_width = needs.wave_lanes;
  const Expected<Occupancy> occupancy = evaluate_occupancy(rules, input);
  if (!occupancy.ok()) return occupancy.error();
  if (rules.registers_per_unit != 0)
    return limits_of_partitioned(machine, rules, *occupancy, group_items, local_bytes != 0);
  const u32 joined = static_cast<u32>(integer_or(machine, "timing.issue.units_joined", 1));
  LaunchLimits limits;
  // Where a unit's waves are stated and not a SIMD's, every group takes one of its slots, of a single wave
  // too.
  const bool by_unit = rules.waves_per_simd == 0;
  limits.waves_per_simd_slots = by_unit ? rules.waves_per_unit / rules.simds_per_unit : rules.waves_per_simd;
  // The file states the narrowest wave; one twice as wide has half as many registers.
  const u32 ratio = needs.wave_lanes / machine.target->widths[0];
  const u32 file = rules.vgprs_per_simd_lane / std::max(1u, ratio) - rules.vgprs_reserved;
  limits.waves_per_simd_vector = occupancy->vector_registers_allocated == 0
                                     ? limits.waves_per_simd_slots
                                     : file / occupancy->vector_registers_allocated;
  // Scalar registers by the steps that the occupancy rules have: a wave's own limit, the same in each SIMD.
  OccupancyInput single = input;
  single.work_group_size = needs.wave_lanes;
  single.vector_registers = 0;
  single.accumulator_registers = 0;
  single.local_bytes = 0;
  const Expected<Occupancy> scalar = evaluate_occupancy(rules, single);
  if (!scalar.ok()) return scalar.error();
  limits.waves_per_simd_scalar = by_unit
                                     ? limits.waves_per_simd_slots
                                     : std::max(1u, scalar->waves_per_cu / (rules.simds_per_unit * joined));
  const u64 local = occupancy->local_bytes_allocated;
  limits.groups_local = local == 0 ? ~0u : static_cast<u32>(rules.local_bytes_per_unit / local);
  limits.groups_barriers = rules.groups_per_unit * joined;
  if (by_unit) limits.groups_any = rules.groups_per_unit;
  if (joined > 1 && within_one_unit) {
    limits.simds_per_group = rules.simds_per_unit;
    limits.groups_local = local == 0 ? ~0u : static_cast<u32>(rules.local_bytes_per_unit / joined / local);
    limits.groups_barriers = rules.groups_per_unit;
  }
  return limits;
}

bool fits(const LaunchLimits& limits, u64 waves_of_group, u32 simds) {
  const u32 of_group = limits.simds_per_group == 0 ? simds : limits.simds_per_group;
  return waves_of_group <= u64{limits.waves_per_simd()} * of_group && limits.groups_local != 0 &&
         limits.groups_barriers != 0;
}

}  // namespace lockstep
