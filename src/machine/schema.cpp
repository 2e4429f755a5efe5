#include "machine/schema.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

constexpr TargetGroups amdgcn = group_gcn | group_cdna | group_rdna | group_gcn5;
constexpr TargetGroups gcn_like = group_gcn | group_cdna | group_gcn5;
constexpr TargetGroups nvidia = group_nvidia_old | group_nvidia;
constexpr TargetGroups none = 0;

using enum ValueKind;
using enum Step;

// Timing keys are required of GCN5 machines and allowed for the other GCN and CDNA ones.
constexpr KeyInfo timing(std::string_view key, std::string_view unit, Step step, std::string_view meaning) {
  return {key, unit, integer, step, amdgcn, group_gcn5, meaning};
}

// Timing keys that only some GPUs have.
constexpr KeyInfo timing_of_some(std::string_view key, std::string_view unit, Step step,
                                 std::string_view meaning) {
  return {key, unit, integer, step, amdgcn, none, meaning};
}

// Levels beyond the compute units, the same keys for each: timing.gl1, timing.l2, timing.mall. Every GCN5
// machine has a second level.
constexpr KeyInfo level(std::string_view key, std::string_view unit, ValueKind kind, Step step,
                        TargetGroups required, std::string_view meaning) {
  return {key, unit, kind, step, amdgcn, required, meaning};
}

// DRAM's constraints, which a memory standard's file states for any target.
constexpr KeyInfo dram(std::string_view key, std::string_view unit, Step step, std::string_view meaning) {
  return {key, unit, integer, step, group_all, group_gcn5, meaning};
}

constexpr KeyInfo keys[] = {
    // Clocks and shape
    {"clock.base_hz", "Hz", integer, scale, group_all, group_all, "guaranteed clock of the compute units"},
    {"clock.boost_hz", "Hz", integer, scale, group_all, group_all, "highest clock that the vendor states"},
    {"clock.sustained_hz", "Hz", integer, scale, group_all, none,
     "clock that a compute load was measured to hold"},
    {"clock.shader_hz", "Hz", integer, scale, group_nvidia_old, group_nvidia_old,
     "clock of the arithmetic units where they have their own (\"hot clock\")"},
    {"compute.units", "CU", integer, fixed, group_all, group_all,
     "compute units: AMD CU (two of RDNA's make a WGP) or SIMD engine, NVIDIA SM, Intel subslice"},
    {"compute.simds_per_unit", "SIMD", integer, fixed, group_all, group_all,
     "SIMDs of a compute unit, each with a scheduler and registers of its own"},
    {"compute.lanes_per_simd", "lanes", integer, fixed, group_all, group_all,
     "lanes for which a SIMD starts a full-rate f32 operation each cycle"},
    {"compute.vliw_slots", "slots", integer, fixed, group_vliw, group_vliw, "operations in a VLIW bundle"},
    {"compute.shader_engines", "SE", integer, fixed, group_all, group_gcn5,
     "groups of compute units with a dispatcher port each"},
    {"compute.dies", "dies", integer, fixed, group_all, none,
     "compute dies that together are this one device"},
    {"compute.issue_per_cycle", "instructions/cycle", integer, fixed, nvidia, none,
     "instructions that a compute unit's schedulers issue in a cycle together"},
    // Arithmetic rates
    {"rate.f16", "results/cycle", integer, scale, group_all, none,
     "f16 results of a compute unit in a cycle, no matrix units"},
    {"rate.f32", "results/cycle", integer, scale, group_all, group_all,
     "f32 multiply-adds of a compute unit in a cycle by plain instructions: one result a lane (VLIW: a "
     "slot)"},
    {"rate.f32_packed", "results/cycle", integer, scale, group_cdna | group_rdna, none,
     "f32 multiply-adds of a compute unit in a cycle by packed (CDNA 2, 3) or dual-issued (RDNA 3, 4) ones"},
    {"rate.f64", "results/cycle", real, scale, group_all, none,
     "f64 multiply-adds of a compute unit in a cycle"},
    {"rate.special", "results/cycle", integer, scale, group_all, none,
     "reciprocals, roots, logarithms, sines of a compute unit in a cycle"},
    {"rate.int_mul", "results/cycle", integer, scale, group_all, none,
     "32-bit integer multiplications of a compute unit in a cycle"},
    {"peak.f32_flops", "FLOP/s", integer, fixed, group_all, none,
     "published f32 peak, packed or dual-issued where there is such a rate"},
    {"peak.f64_flops", "FLOP/s", integer, fixed, group_all, none, "published f64 peak"},
    // Occupancy
    {"occupancy.waves_per_simd", "waves", integer, fixed, amdgcn, amdgcn, "wave slots of a SIMD"},
    {"occupancy.waves_per_unit", "waves", integer, fixed, group_vliw | nvidia | group_intel,
     group_vliw | nvidia | group_intel, "wave slots of a compute unit"},
    {"occupancy.groups_per_unit", "groups", integer, fixed, group_all, group_all,
     "work-groups that a compute unit tracks (AMD: those of more than one wave)"},
    {"occupancy.max_group_items", "items", integer, fixed, group_all, group_all, "largest work-group"},
    {"occupancy.vgprs_per_simd_lane", "registers", integer, fixed, amdgcn | group_vliw, amdgcn | group_vliw,
     "vector registers of a SIMD for each lane of its narrowest wave, shared by its waves (VLIW: 128-bit "
     "ones)"},
    {"occupancy.vgpr_granule", "registers", integer, fixed, amdgcn | group_vliw, amdgcn | group_vliw,
     "vector registers are allocated in multiples of this, for the narrowest wave"},
    {"occupancy.vgprs_per_item_max", "registers", integer, fixed, amdgcn | group_vliw, amdgcn | group_vliw,
     "vector registers that one work-item can have"},
    {"occupancy.vgprs_reserved", "registers", integer, fixed, group_vliw, group_vliw,
     "vector registers per lane that are kept back (clause temporaries)"},
    {"occupancy.accumulators_unified", "flag", integer, fixed, group_cdna, group_cdna,
     "1 when accumulator registers are taken from the vector register file"},
    {"occupancy.sgprs_per_simd", "registers", integer, fixed, gcn_like, gcn_like,
     "scalar registers of a SIMD"},
    {"occupancy.sgpr_granule", "registers", integer, fixed, gcn_like, gcn_like,
     "scalar registers are allocated in multiples of this"},
    {"occupancy.sgprs_per_wave_max", "registers", integer, fixed, gcn_like, gcn_like,
     "scalar registers that a wave can have, VCC and the other special ones included"},
    {"occupancy.sgprs_trap_handler", "registers", integer, fixed, gcn_like, gcn_like,
     "scalar registers more per wave when a trap handler is installed"},
    {"occupancy.sgpr_steps", "registers", integers, fixed, gcn_like, gcn_like,
     "largest scalar register counts, ascending, for which occupancy.sgpr_step_waves lists the waves of a "
     "SIMD"},
    {"occupancy.sgpr_step_waves", "waves", integers, fixed, gcn_like, gcn_like,
     "waves of a SIMD up to each of occupancy.sgpr_steps, and beyond the last"},
    {"occupancy.registers_per_unit", "registers", integer, fixed, nvidia, nvidia,
     "32-bit registers of a compute unit"},
    {"occupancy.registers_per_group", "registers", integer, fixed, nvidia, nvidia,
     "32-bit registers that a work-group can have"},
    {"occupancy.registers_per_item_max", "registers", integer, fixed, nvidia, nvidia,
     "registers that one work-item can have"},
    {"occupancy.register_granule", "registers", integer, fixed, nvidia, nvidia,
     "registers are allocated in multiples of this"},
    {"occupancy.register_scope", "name", text, fixed, nvidia, nvidia,
     "who is allocated a multiple of the granule: \"wave\" or \"group\""},
    {"occupancy.register_wave_granule", "waves", integer, fixed, nvidia, nvidia,
     "a group's waves are rounded up to this when its registers are allocated"},
    {"occupancy.register_partitions", "partitions", integer, fixed, nvidia, nvidia,
     "separate register files of a compute unit"},
    {"occupancy.register_check_partitions", "partitions", integer, fixed, nvidia, none,
     "a group must also fit a compute unit whose registers are split so (GP100 refuses what GP10x would)"},
    {"occupancy.coarse_register_counts", "registers", integers, fixed, group_nvidia_old, none,
     "register counts for which the granule is doubled"},
    {"occupancy.partitioned_caching", "flag", integer, fixed, nvidia, nvidia,
     "1 when caching global loads confines a group to half a compute unit"},
    {"occupancy.barriers_per_unit", "barriers", integer, fixed, nvidia | group_intel, none,
     "barriers of a compute unit where they limit occupancy"},
    {"occupancy.threads_per_eu", "waves", integer, fixed, group_intel, group_intel,
     "hardware threads of an execution unit"},
    {"occupancy.grf_registers", "registers", integer, fixed, group_intel, group_intel,
     "general registers of a hardware thread"},
    {"occupancy.grf_bytes", "B", integer, fixed, group_intel, group_intel, "size of a general register"},
    // Local memory
    {"local.bytes_per_unit", "B", integer, power_of_two, group_all, group_all,
     "local memory of a compute unit (RDNA: of a WGP)"},
    {"local.bytes_per_group_max", "B", integer, power_of_two, group_all, group_all,
     "local memory that a work-group can have without asking for more"},
    {"local.bytes_per_group_optin", "B", integer, fixed, group_nvidia, group_nvidia,
     "local memory that a work-group can have when its kernel asks"},
    {"local.reserved_bytes_per_group", "B", integer, fixed, nvidia, nvidia,
     "local memory that the driver adds to every work-group"},
    {"local.granule_bytes", "B", integer, fixed, group_all, group_all,
     "local memory is allocated in multiples of this"},
    {"local.carveouts_bytes", "B", integers, fixed, nvidia, none,
     "sizes of local memory to which a compute unit can be set, ascending; the rest is cache"},
    {"local.power_of_two", "flag", integer, fixed, group_intel, group_intel,
     "1 when allocations are rounded up to a power of two"},
    {"local.banks", "banks", integer, fixed, group_all, group_gcn5, "banks of a compute unit's local memory"},
    {"local.bank_bytes", "B", integer, fixed, group_all, group_gcn5, "width of a bank"},
    {"local.bytes_per_cycle", "B/cycle", integer, scale, group_all, group_gcn5,
     "most that local memory delivers to a compute unit in a cycle"},
    {"local.latency_cycles", "cycles", integer, scale, group_all, none,
     "load-to-use latency of local memory, unloaded"},
    // Caches
    {"l1.size_bytes", "B", integer, power_of_two, group_all, group_gcn5,
     "first-level vector cache of a compute unit"},
    {"l1.line_bytes", "B", integer, power_of_two, group_all, group_gcn5, "its line"},
    {"l1.sector_bytes", "B", integer, power_of_two, group_all, none,
     "the part of a line that is fetched alone"},
    {"l1.ways", "ways", integer, power_of_two, group_all, group_gcn5, "its associativity"},
    {"l1.bytes_per_cycle", "B/cycle", integer, scale, group_all, group_gcn5,
     "most that it delivers in a cycle"},
    {"l1.latency_cycles", "cycles", integer, scale, group_all, none,
     "load-to-use latency of a hit, unloaded"},
    {"l1.global_loads", "flag", integer, fixed, nvidia, none, "1 when plain global loads are cached in it"},
    {"texture.size_bytes", "B", integer, power_of_two, group_all, none,
     "texture cache of a compute unit where it is not the first-level cache"},
    {"texture.line_bytes", "B", integer, power_of_two, group_all, none, "its line"},
    {"texture.bytes_per_cycle", "B/cycle", integer, scale, group_all, none,
     "most that it delivers in a cycle"},
    {"texture.latency_cycles", "cycles", integer, scale, group_all, none,
     "load-to-use latency of a hit, unloaded"},
    {"scalar.size_bytes", "B", integer, power_of_two, amdgcn, group_gcn5, "scalar (constant) data cache"},
    {"scalar.line_bytes", "B", integer, power_of_two, amdgcn, group_gcn5, "its line"},
    {"scalar.ways", "ways", integer, power_of_two, amdgcn, group_gcn5, "its associativity"},
    {"scalar.bytes_per_cycle", "B/cycle", integer, scale, amdgcn, group_gcn5,
     "most that it delivers to a compute unit in a cycle"},
    {"scalar.units_sharing", "CU", integer, fixed, amdgcn, group_gcn5, "compute units that share one"},
    {"constant.size_bytes", "B", integer, power_of_two, nvidia, none,
     "first-level constant cache of a compute unit"},
    {"constant.line_bytes", "B", integer, power_of_two, nvidia, none, "its line"},
    {"constant.ways", "ways", integer, power_of_two, nvidia, none, "its associativity"},
    {"icache.size_bytes", "B", integer, power_of_two, group_all, group_gcn5, "instruction cache"},
    {"icache.line_bytes", "B", integer, power_of_two, group_all, group_gcn5, "its line"},
    {"icache.ways", "ways", integer, power_of_two, group_all, group_gcn5, "its associativity"},
    {"icache.bytes_per_cycle", "B/cycle", integer, scale, group_all, group_gcn5,
     "most that it delivers to a compute unit in a cycle"},
    {"icache.units_sharing", "CU", integer, fixed, group_all, group_gcn5, "compute units that share one"},
    {"mid.size_bytes", "B", integer, power_of_two, group_rdna, none,
     "cache between the first and the second level (RDNA's GL1), each"},
    {"mid.line_bytes", "B", integer, power_of_two, group_rdna, none, "its line"},
    {"mid.ways", "ways", integer, power_of_two, group_rdna, none, "its associativity"},
    {"mid.slices", "slices", integer, power_of_two, group_rdna, none, "slices of all of them together"},
    {"mid.bytes_per_cycle_per_slice", "B/cycle", integer, scale, group_rdna, none,
     "most that a slice delivers in a cycle"},
    {"mid.interleave_bytes", "B", integer, power_of_two, group_rdna, none,
     "consecutive bytes that one slice holds"},
    {"mid.latency_cycles", "cycles", integer, scale, group_rdna, none,
     "load-to-use latency of a hit, unloaded"},
    {"l2.size_bytes", "B", integer, power_of_two, group_all, group_gcn5, "second-level cache of the device"},
    {"l2.line_bytes", "B", integer, power_of_two, group_all, group_gcn5, "its line"},
    {"l2.sector_bytes", "B", integer, power_of_two, group_all, none,
     "the part of a line that is fetched alone"},
    {"l2.ways", "ways", integer, power_of_two, group_all, group_gcn5, "its associativity"},
    {"l2.slices", "slices", integer, power_of_two, group_all, group_gcn5,
     "slices that serve requests side by side"},
    {"l2.bytes_per_cycle_per_slice", "B/cycle", integer, scale, group_all, group_gcn5,
     "most that a slice delivers in a cycle"},
    {"l2.interleave_bytes", "B", integer, power_of_two, group_all, group_gcn5,
     "consecutive bytes that one slice holds"},
    {"l2.latency_cycles", "cycles", integer, scale, group_all, none,
     "load-to-use latency of a hit, unloaded"},
    {"l2.bytes_per_second", "B/s", integer, scale, group_all, none,
     "measured read bandwidth of the whole cache"},
    {"last_level.size_bytes", "B", integer, power_of_two, group_all, none,
     "cache behind the second level (AMD Infinity Cache, Intel's L3 banks)"},
    {"last_level.line_bytes", "B", integer, power_of_two, group_all, none, "its line"},
    {"last_level.ways", "ways", integer, power_of_two, group_all, none, "its associativity"},
    {"last_level.slices", "slices", integer, power_of_two, group_all, none,
     "slices that serve requests side by side"},
    {"last_level.bytes_per_cycle_per_slice", "B/cycle", integer, scale, group_all, none,
     "most that a slice delivers in a cycle"},
    {"last_level.interleave_bytes", "B", integer, power_of_two, group_all, none,
     "consecutive bytes that one slice holds"},
    {"last_level.latency_cycles", "cycles", integer, scale, group_all, none,
     "load-to-use latency of a hit, unloaded"},
    {"last_level.bytes_per_second", "B/s", integer, scale, group_all, none, "its measured read bandwidth"},
    // Memory
    {"memory.type", "name", text, fixed, group_all, none, "kind of DRAM"},
    {"memory.standard", "name", text, fixed, group_all, none,
     "the file of machines/memory that states the DRAM's timing where this one does not"},
    {"memory.size_bytes", "B", integer, fixed, group_all, group_all, "memory of the device"},
    {"memory.bus_bits", "bits", integer, fixed, group_all, none, "width of the memory bus"},
    {"memory.clock_hz", "Hz", integer, scale, group_all, group_gcn5,
     "clock of the memory, to which its type's transfers per clock refer (see Memory)"},
    {"memory.transfers_per_second", "T/s", integer, scale, group_all, none,
     "transfers on each data line in a second"},
    {"memory.bytes_per_second", "B/s", integer, scale, group_all, group_gcn5, "peak bandwidth"},
    {"memory.sustained_bytes_per_second", "B/s", integer, scale, group_all, none,
     "bandwidth that a streaming kernel was measured to reach"},
    {"memory.latency_cycles", "cycles", integer, scale, group_all, none,
     "load-to-use latency of an access that misses every cache, unloaded"},
    {"host.bytes_per_second", "B/s", integer, scale, group_all, group_gcn5,
     "link to the host, each way, after the line code"},
    {"launch.overhead_ns", "ns", integer, scale, group_all, none,
     "time of an empty kernel among many launched back to back"},
    // The timing model of GCN5. Cycles are of the compute units' clock unless the key says otherwise.
    timing("timing.launch.overhead_cycles", "cycles", scale,
           "from the end of one kernel to the first wave of the next, queued behind it"),
    timing("timing.dispatch.groups_per_cycle", "groups", scale,
           "work-groups that the device's dispatcher starts in a cycle at most"),
    timing("timing.dispatch.cycles_per_wave", "cycles", scale,
           "cycles of a shader engine's port for each wave it starts"),
    timing("timing.dispatch.wave_start_cycles", "cycles", scale,
           "from a wave's start to its first instruction fetch: registers are initialised"),
    timing_of_some("timing.dispatch.wave_end_cycles", "cycles", scale,
                   "from a wave's end to its place being given away; wave_start_cycles where not stated"),
    timing("timing.fetch.buffer_bytes", "B", power_of_two, "instruction buffer of a wave"),
    timing("timing.fetch.bytes_per_fetch", "B", power_of_two, "bytes of one instruction fetch"),
    timing("timing.fetch.cycles_per_fetch", "cycles", scale,
           "cycles between two fetches by the same compute unit"),
    timing_of_some("timing.fetch.simds_per_port", "SIMD", fixed,
                   "SIMDs that fetch one after the other; all of a compute unit where not stated"),
    timing("timing.icache.hit_cycles", "cycles", scale, "from a fetch to its bytes in the buffer, hit"),
    timing("timing.icache.miss_extra_cycles", "cycles", scale,
           "more for a line that comes from the second level"),
    timing("timing.icache.misses", "lines", power_of_two, "lines outstanding from an instruction cache"),
    timing_of_some("timing.icache.prefetch_lines", "lines", scale, "lines fetched ahead of one that missed"),
    timing_of_some("timing.issue.units_joined", "CU", fixed,
                   "compute units that share local memory and run a work-group together (RDNA's WGP: 2)"),
    timing("timing.issue.turn_cycles", "cycles", fixed, "a SIMD may issue in one cycle of so many"),
    timing("timing.issue.instructions_per_turn", "instructions", fixed,
           "instructions that a SIMD issues in its turn, each of another wave and category"),
    timing("timing.valu.issue_cycles.convert", "cycles", fixed,
           "conversions of f32 from and to integers, f16"),
    timing("timing.valu.issue_cycles.division", "cycles", fixed, "steps of an f32 division"),
    timing("timing.valu.issue_cycles.f16", "cycles", fixed, "16-bit arithmetic, packed or not"),
    timing("timing.valu.issue_cycles.cross_lane", "cycles", fixed, "v_readlane and the like"),
    timing_of_some("timing.valu.issue_cycles.dot", "cycles", fixed, "dot products of small elements"),
    timing_of_some("timing.valu.issue_cycles.packed_f32", "cycles", fixed, "two f32 operations a lane"),
    timing_of_some("timing.valu.transcendental_unit_cycles", "cycles", fixed,
                   "cycles that a transcendental holds a unit beside the ALU, for the lanes of a SIMD"),
    timing_of_some(
        "timing.valu.result_cycles.full", "cycles", scale,
        "from the issue to that of an instruction that needs the result, full rate; where the wave "
        "goes on before results are there"),
    timing_of_some("timing.valu.result_cycles.f32_fma", "cycles", scale, "the same, f32 fused multiply-add"),
    timing_of_some("timing.valu.result_cycles.quarter", "cycles", scale, "the same, 32-bit multiplication"),
    timing_of_some("timing.valu.result_cycles.transcendental", "cycles", scale, "the same, transcendentals"),
    timing_of_some("timing.valu.result_cycles.convert", "cycles", scale, "the same, conversions"),
    timing_of_some("timing.valu.result_cycles.division", "cycles", scale, "the same, division steps"),
    timing_of_some("timing.valu.result_cycles.f16", "cycles", scale, "the same, 16-bit arithmetic"),
    timing_of_some("timing.valu.result_cycles.dot", "cycles", scale, "the same, dot products"),
    timing_of_some("timing.valu.result_cycles.cross_lane", "cycles", scale,
                   "the same, v_readlane and the like"),
    timing_of_some("timing.valu.result_cycles.i64_mad", "cycles", scale, "the same, v_mad_u64_u32"),
    timing_of_some("timing.valu.result_cycles.i64_shift", "cycles", scale, "the same, 64-bit shifts"),
    timing_of_some("timing.valu.result_cycles.swap", "cycles", scale, "the same, v_swap_b32"),
    timing_of_some("timing.valu.result_cycles.f64_add", "cycles", scale, "the same, f64 addition"),
    timing_of_some("timing.valu.result_cycles.f64_fma", "cycles", scale, "the same, f64 multiply-add"),
    timing_of_some("timing.valu.result_cycles.f64_convert", "cycles", scale, "the same, f64 conversions"),
    timing_of_some("timing.valu.result_cycles.f64_transcendental", "cycles", scale,
                   "the same, f64 reciprocal and roots"),
    timing("timing.valu.issue_cycles.full", "cycles", fixed,
           "cycles of a SIMD for one wave: full-rate f32, f16, integer add, logic, compare, move"),
    timing("timing.valu.issue_cycles.f32_fma", "cycles", fixed, "f32 fused multiply-add"),
    timing("timing.valu.issue_cycles.quarter", "cycles", fixed,
           "32-bit integer multiply, f32 division steps, sums of absolute differences"),
    timing("timing.valu.issue_cycles.transcendental", "cycles", fixed,
           "f32 and f16 reciprocal, root, exponential, logarithm, sine, cosine"),
    timing_of_some("timing.valu.issue_cycles.i64_mad", "cycles", fixed, "v_mad_u64_u32 and its signed form"),
    timing("timing.valu.issue_cycles.i64_shift", "cycles", fixed, "64-bit shifts"),
    timing("timing.valu.issue_cycles.f64_add", "cycles", fixed,
           "f64 add, minimum, maximum, compare, rounding and scaling"),
    timing("timing.valu.issue_cycles.f64_fma", "cycles", fixed, "f64 multiply, multiply-add, division step"),
    timing("timing.valu.issue_cycles.f64_convert", "cycles", fixed, "conversions from and to f64"),
    timing("timing.valu.issue_cycles.f64_transcendental", "cycles", fixed, "f64 reciprocal and roots"),
    timing_of_some("timing.valu.issue_cycles.swap", "cycles", fixed, "v_swap_b32"),
    timing_of_some("timing.valu.co_issues_f32_fma", "flag", fixed,
                   "1: a SIMD issues f32 fused multiply-adds of two waves in one turn; 0 where not stated"),
    timing_of_some("timing.matrix.cycles.mfma_32x32", "cycles", fixed,
                   "cycles of a SIMD's matrix unit: MFMA with a result of 32 by 32, any number of blocks"),
    timing_of_some("timing.matrix.cycles.mfma_16x16", "cycles", fixed, "the same, 16 by 16"),
    timing_of_some("timing.matrix.cycles.mfma_4x4", "cycles", fixed, "the same, 4 by 4"),
    timing_of_some("timing.matrix.cycles.mfma_short_32x32", "cycles", fixed,
                   "the same, one block of elements of at most 16 bits, or xf32, 32 by 32; as mfma_32x32 "
                   "where not stated"),
    timing_of_some("timing.matrix.cycles.mfma_short_16x16", "cycles", fixed, "the same, 16 by 16"),
    timing_of_some("timing.matrix.cycles.mfma_f64_16x16", "cycles", fixed, "the same, f64, 16 by 16"),
    timing_of_some("timing.matrix.cycles.mfma_f64_4x4", "cycles", fixed, "the same, f64, 4 by 4"),
    timing_of_some("timing.matrix.cycles.smfmac_32x32", "cycles", fixed, "sparse MFMA, 32 by 32"),
    timing_of_some("timing.matrix.cycles.smfmac_16x16", "cycles", fixed, "sparse MFMA, 16 by 16"),
    timing_of_some("timing.matrix.cycles.wmma_16bit", "cycles", fixed, "WMMA of 16-bit elements"),
    timing_of_some("timing.matrix.cycles.wmma_8bit", "cycles", fixed, "WMMA of 8-bit elements"),
    timing_of_some("timing.matrix.cycles.wmma_4bit", "cycles", fixed, "WMMA of 4-bit elements"),
    timing_of_some("timing.matrix.cycles.swmmac_16bit", "cycles", fixed, "sparse WMMA of 16-bit elements"),
    timing_of_some("timing.matrix.cycles.swmmac_8bit", "cycles", fixed, "sparse WMMA of 8-bit elements"),
    timing_of_some("timing.matrix.cycles.swmmac_4bit", "cycles", fixed, "sparse WMMA of 4-bit elements"),
    timing_of_some("timing.matrix.valu_cycles", "cycles", fixed,
                   "cycles after which the vector ALU is free again behind a matrix instruction; all of its "
                   "cycles where not stated"),
    timing_of_some("timing.matrix.beside_valu_f32", "flag", fixed,
                   "0: the vector ALU waits for f32 matrix instructions; 1 where not stated"),
    timing_of_some("timing.matrix.beside_valu_f64", "flag", fixed, "the same for f64 ones"),
    timing_of_some("timing.matrix.result_cycles", "cycles", scale,
                   "from a matrix instruction's last cycle to a reader other than one that adds to the same "
                   "sum; 0 where not stated"),
    timing("timing.valu.to_scalar_cycles", "cycles", scale,
           "from a VALU instruction that writes scalar registers to a scalar one that reads them"),
    timing("timing.salu.issue_cycles", "cycles", fixed, "cycles of the wave for a scalar instruction"),
    timing("timing.salu.saveexec_cycles", "cycles", fixed, "the s_*_saveexec instructions and s_setreg"),
    timing("timing.salu.latency_cycles", "cycles", fixed,
           "from the end of issue to a result that the same wave can use"),
    timing("timing.branch.not_taken_cycles", "cycles", fixed, "a branch that falls through"),
    timing("timing.branch.taken_cycles", "cycles", scale,
           "a branch that is taken, to the issue of its target when that is in the instruction cache"),
    timing("timing.smem.issue_cycles", "cycles", fixed, "s_load of up to four registers"),
    timing("timing.smem.issue_cycles_x8", "cycles", fixed, "s_load_dwordx8"),
    timing("timing.smem.issue_cycles_x16", "cycles", fixed, "s_load_dwordx16"),
    timing("timing.smem.hit_cycles", "cycles", scale, "load-to-use latency of a scalar cache hit"),
    timing("timing.smem.miss_extra_cycles", "cycles", scale,
           "more for a line that comes from the second level, hit there"),
    timing("timing.smem.misses", "lines", power_of_two, "lines outstanding from a scalar cache"),
    timing("timing.smem.memtime_cycles", "cycles", scale, "latency of s_memtime"),
    timing("timing.lds.issue_cycles", "cycles", scale,
           "from the issue of an LDS instruction to the next one of its compute unit, before bank cycles"),
    timing("timing.lds.simds_per_port", "SIMD", fixed,
           "SIMDs that share a port to the LDS; the cycles below are of such a port"),
    timing("timing.lds.latency_cycles", "cycles", scale,
           "load-to-use latency of ds_read_b32 without conflicts"),
    timing("timing.lds.lanes_per_cycle", "lanes", fixed,
           "lanes whose addresses the banks serve in a cycle without conflicts"),
    timing("timing.lds.read_b32_cycles", "cycles", fixed,
           "cycles of a port for ds_read_b32 of a wave without conflicts"),
    timing("timing.lds.read_b64_cycles", "cycles", fixed, "ds_read_b64, ds_read2_b32"),
    timing("timing.lds.read_b128_cycles", "cycles", fixed, "ds_read_b128, ds_read2_b64"),
    timing("timing.lds.write_b32_cycles", "cycles", fixed, "ds_write_b32"),
    timing("timing.lds.write_b64_cycles", "cycles", fixed, "ds_write_b64, ds_write2_b32"),
    timing("timing.lds.write_b128_cycles", "cycles", fixed, "ds_write_b128, ds_write2_b64"),
    timing("timing.lds.atomic_b32_cycles", "cycles", fixed, "32-bit LDS atomics"),
    timing("timing.lds.atomic_b64_cycles", "cycles", fixed, "64-bit LDS atomics"),
    timing("timing.lds.atomic_conflict_cycles", "cycles", scale,
           "more for each further lane with the same address or bank"),
    timing("timing.lds.queue", "instructions", power_of_two, "LDS instructions waiting in a compute unit"),
    timing_of_some("timing.lds.crossing_cycles", "cycles", scale,
                   "more for a pass that reaches the half of local memory beside other SIMDs"),
    timing_of_some(
        "timing.vmem.stores", "requests", power_of_two,
        "lines of stores and atomics on their way from a vector-memory path; 256 where not stated"),
    timing_of_some("timing.vmem.image_lanes_per_cycle", "lanes", scale,
                   "lanes for which the texture unit delivers a texel a cycle; 16 where not stated"),
    timing_of_some("timing.vmem.returns_in_order", "flag", fixed,
                   "0: a path's loads come back as they are ready; 1 where not stated"),
    timing("timing.vmem.issue_cycles", "cycles", fixed,
           "from the issue of a vector memory instruction to the next one of its compute unit"),
    timing("timing.vmem.lanes_per_address_cycle", "lanes", fixed,
           "lanes whose addresses are coalesced together in a cycle (quarter wave)"),
    timing("timing.vmem.gather_window_bytes", "B", fixed,
           "bytes that the address unit serves in a cycle when a quarter wave's lanes leave gaps"),
    timing("timing.vmem.store_bytes_per_cycle", "B/cycle", scale,
           "store data that leaves the registers in a cycle"),
    timing("timing.vmem.queue", "instructions", power_of_two,
           "vector memory instructions waiting in a compute unit"),
    timing("timing.vmem.return_bytes_per_cycle", "B/cycle", scale,
           "load data written to the registers in a cycle"),
    timing("timing.l1.hit_cycles", "cycles", scale,
           "load-to-use latency of global_load_dword, hit in the first level, unloaded"),
    timing("timing.l1.misses", "lines", power_of_two, "lines outstanding from a first-level cache"),
    level("timing.l1.next", "name", text, fixed, group_gcn5,
          "where the compute unit's misses go: the name of a level"),
    level("timing.gl1.hit_cycles", "cycles", integer, scale, none,
          "load-to-use latency of global_load_dword, hit in the cache of a shader array, unloaded"),
    level("timing.gl1.next", "name", text, fixed, none,
          "where its misses go: the name of a level, or \"memory\""),
    level("timing.gl1.groups", "copies", integer, fixed, none,
          "copies of it, each for its share of the compute units (shader arrays, dies); 1 where not stated"),
    level("timing.gl1.hash", "name", text, fixed, none,
          "how blocks are dealt out to slices: by their low address bits (\"none\"), or with higher ones "
          "mixed in (\"mix\")"),
    level("timing.gl1.store", "name", text, fixed, none,
          "a store stays in the cache (\"back\") or goes on at once (\"through\")"),
    level("timing.gl1.write_bytes_per_cycle", "B/cycle", integer, scale, none,
          "store data that a slice takes in a cycle"),
    level("timing.gl1.misses", "lines", integer, power_of_two, none,
          "lines outstanding from a slice, and dirty ones on their way"),
    level(
        "timing.gl1.write_back_bytes", "B", integer, power_of_two, none,
        "dirty lines of an aligned block of so many bytes of a slice go to memory together; a line where not "
        "stated"),
    level("timing.gl1.cleaned_after_launch", "flag", integer, fixed, none,
          "1 when its dirty lines leave at the end of a launch; 0 where not stated"),
    level("timing.gl1.atomic_cycles", "cycles", integer, scale, none,
          "between two atomics on the same address; stated where atomics are performed"),
    level("timing.gl1.atomic_lanes_per_cycle", "lanes", integer, scale, none,
          "atomics on different words of one line that a slice does in a cycle"),
    level("timing.l2.hit_cycles", "cycles", integer, scale, group_gcn5,
          "load-to-use latency of global_load_dword, hit in the second level, unloaded"),
    level("timing.l2.next", "name", text, fixed, group_gcn5,
          "where its misses go: the name of a level, or \"memory\""),
    level("timing.l2.groups", "copies", integer, fixed, none,
          "copies of it, each for its share of the compute units (shader arrays, dies); 1 where not stated"),
    level("timing.l2.hash", "name", text, fixed, group_gcn5,
          "how blocks are dealt out to slices: by their low address bits (\"none\"), or with higher ones "
          "mixed in (\"mix\")"),
    level("timing.l2.store", "name", text, fixed, group_gcn5,
          "a store stays in the cache (\"back\") or goes on at once (\"through\")"),
    level("timing.l2.write_bytes_per_cycle", "B/cycle", integer, scale, group_gcn5,
          "store data that a slice takes in a cycle"),
    level("timing.l2.misses", "lines", integer, power_of_two, group_gcn5,
          "lines outstanding from a slice, and dirty ones on their way"),
    level(
        "timing.l2.write_back_bytes", "B", integer, power_of_two, none,
        "dirty lines of an aligned block of so many bytes of a slice go to memory together; a line where not "
        "stated"),
    level("timing.l2.cleaned_after_launch", "flag", integer, fixed, none,
          "1 when its dirty lines leave at the end of a launch; 0 where not stated"),
    level("timing.l2.atomic_cycles", "cycles", integer, scale, group_gcn5,
          "between two atomics on the same address; stated where atomics are performed"),
    level("timing.l2.atomic_lanes_per_cycle", "lanes", integer, scale, group_gcn5,
          "atomics on different words of one line that a slice does in a cycle"),
    timing("timing.l2.request_bytes_per_cycle", "B/cycle", scale,
           "what a compute unit sends to the second level in a cycle"),
    timing("timing.l2.response_bytes_per_cycle", "B/cycle", scale,
           "what a compute unit receives from the second level in a cycle"),
    level("timing.mall.hit_cycles", "cycles", integer, scale, none,
          "load-to-use latency of global_load_dword, hit in the cache in front of memory, unloaded"),
    level("timing.mall.next", "name", text, fixed, none,
          "where its misses go: the name of a level, or \"memory\""),
    level("timing.mall.groups", "copies", integer, fixed, none,
          "copies of it, each for its share of the compute units (shader arrays, dies); 1 where not stated"),
    level("timing.mall.hash", "name", text, fixed, none,
          "how blocks are dealt out to slices: by their low address bits (\"none\"), or with higher ones "
          "mixed in (\"mix\")"),
    level("timing.mall.store", "name", text, fixed, none,
          "a store stays in the cache (\"back\") or goes on at once (\"through\")"),
    level("timing.mall.write_bytes_per_cycle", "B/cycle", integer, scale, none,
          "store data that a slice takes in a cycle"),
    level("timing.mall.misses", "lines", integer, power_of_two, none,
          "lines outstanding from a slice, and dirty ones on their way"),
    level(
        "timing.mall.write_back_bytes", "B", integer, power_of_two, none,
        "dirty lines of an aligned block of so many bytes of a slice go to memory together; a line where not "
        "stated"),
    level("timing.mall.cleaned_after_launch", "flag", integer, fixed, none,
          "1 when its dirty lines leave at the end of a launch; 0 where not stated"),
    level("timing.mall.atomic_cycles", "cycles", integer, scale, none,
          "between two atomics on the same address; stated where atomics are performed"),
    level("timing.mall.atomic_lanes_per_cycle", "lanes", integer, scale, none,
          "atomics on different words of one line that a slice does in a cycle"),
    timing("timing.dram.latency_cycles", "cycles", scale,
           "load-to-use latency of global_load_dword, closed row, unloaded"),
    timing("timing.dram.channels", "channels", power_of_two, "independent channels"),
    dram("timing.dram.banks", "banks", power_of_two, "banks of a channel"),
    dram("timing.dram.bank_groups", "groups", power_of_two, "bank groups of a channel; 1: none"),
    dram("timing.dram.row_bytes", "B", power_of_two, "bytes of a bank's open row"),
    dram("timing.dram.burst_bytes", "B", power_of_two, "bytes of one burst"),
    dram("timing.dram.burst_clocks", "memory clocks", fixed,
         "memory clocks for which a burst holds a channel's data bus"),
    dram("timing.dram.tcl_clocks", "memory clocks", scale, "read command to its first data (tCL)"),
    dram("timing.dram.tcwl_clocks", "memory clocks", scale, "write command to its first data (tCWL)"),
    dram("timing.dram.trcd_clocks", "memory clocks", scale, "row open to column access (tRCD)"),
    dram("timing.dram.trp_clocks", "memory clocks", scale, "row close (tRP)"),
    dram("timing.dram.tras_clocks", "memory clocks", scale, "row open at least (tRAS)"),
    dram("timing.dram.trrd_clocks", "memory clocks", scale, "between two activations in a channel (tRRD)"),
    dram("timing.dram.tfaw_clocks", "memory clocks", scale,
         "time in which a channel has at most four activations (tFAW)"),
    dram("timing.dram.tccd_clocks", "memory clocks", scale,
         "between two column commands of different bank groups (tCCD_S)"),
    dram("timing.dram.tccd_long_clocks", "memory clocks", scale,
         "between two column commands of one bank group (tCCD_L)"),
    dram("timing.dram.trtp_clocks", "memory clocks", scale, "read command to the closing of its row (tRTP)"),
    dram("timing.dram.twr_clocks", "memory clocks", scale,
         "last data of a write to the closing of its row (tWR)"),
    dram("timing.dram.twtr_clocks", "memory clocks", scale,
         "last data of a write to the next read command (tWTR)"),
    dram("timing.dram.turnaround_clocks", "memory clocks", scale,
         "data bus idle between a read and a write that follows"),
    dram("timing.dram.refresh_interval_clocks", "memory clocks", scale,
         "between two refreshes of a channel (tREFI)"),
    dram("timing.dram.refresh_clocks", "memory clocks", scale, "a refresh (tRFC)"),
    dram("timing.dram.queue", "requests", power_of_two, "reads, and writes, among which a channel chooses"),
    timing("timing.tlb.l1_entries", "entries", power_of_two, "first-level TLB of a compute unit"),
    timing("timing.tlb.l2_entries", "entries", power_of_two, "second-level TLB of the device"),
    timing("timing.tlb.page_bytes", "B", power_of_two, "memory that one entry covers"),
    timing("timing.tlb.l1_miss_cycles", "cycles", scale,
           "more for a first-level miss that hits in the second level"),
    timing("timing.tlb.walk_cycles", "cycles", scale, "more for a walk of the page tables"),
    timing("timing.tlb.walkers", "walks", power_of_two, "walks of the page tables at the same time"),
    timing("timing.barrier.cycles", "cycles", scale,
           "from the last wave's arrival to the first instruction after the barrier"),
};

constexpr UnitFactor hertz_units[] = {{"Hz", 1}, {"kHz", 1000}, {"MHz", 1'000'000}, {"GHz", 1'000'000'000}};
constexpr UnitFactor byte_units[] = {{"B", 1}, {"KiB", 1u << 10}, {"MiB", 1u << 20}, {"GiB", 1u << 30}};
constexpr UnitFactor rate_units[] = {
    {"B/s", 1}, {"MB/s", 1'000'000}, {"GB/s", 1'000'000'000}, {"TB/s", 1'000'000'000'000}};
constexpr UnitFactor flop_units[] = {
    {"FLOP/s", 1}, {"GFLOP/s", 1'000'000'000}, {"TFLOP/s", 1'000'000'000'000}};
constexpr UnitFactor transfer_units[] = {{"T/s", 1}, {"MT/s", 1'000'000}, {"GT/s", 1'000'000'000}};
constexpr UnitFactor time_units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1'000'000}};

}  // namespace

std::span<const KeyInfo> schema() {
  return keys;
}

const KeyInfo* find_key(std::string_view key) {
  for (const KeyInfo& info : keys) {
    if (info.key == key) return &info;
  }
  return nullptr;
}

TargetGroups groups_of(const Target& target) {
  switch (target.architecture) {
    case Architecture::gcn:
      return target.major == 9 ? group_gcn | group_gcn5 : group_gcn;
    case Architecture::cdna:
      return group_cdna;
    case Architecture::rdna:
      return group_rdna;
    case Architecture::vliw4:
    case Architecture::vliw5:
      return group_vliw;
    case Architecture::tesla:
    case Architecture::fermi:
      return group_nvidia_old;
    case Architecture::gen9:
      return group_intel;
    default:
      return group_nvidia;
  }
}

std::span<const UnitFactor> units_of(std::string_view unit) {
  for (const std::span<const UnitFactor> units :
       {std::span<const UnitFactor>(hertz_units), std::span<const UnitFactor>(byte_units),
        std::span<const UnitFactor>(rate_units), std::span<const UnitFactor>(flop_units),
        std::span<const UnitFactor>(transfer_units), std::span<const UnitFactor>(time_units)}) {
    if (units[0].unit == unit) return units;
  }
  // Units without multiples: one entry, found in the table so that it outlives the call.
  static const auto singles = [] {
    std::array<UnitFactor, std::size(keys)> all{};
    for (std::size_t i = 0; i < std::size(keys); ++i) all[i] = {keys[i].unit, 1};
    return all;
  }();
  for (const UnitFactor& single : singles) {
    if (single.unit == unit) return {&single, 1};
  }
  return {};
}

std::string_view to_string(ValueKind kind) {
  switch (kind) {
    case integer:
      return "an integer";
    case real:
      return "a number";
    case integers:
      return "a list of integers";
    case text:
      return "a string";
  }
  return "";
}

std::string schema_reference() {
  constexpr std::pair<TargetGroups, std::string_view> names[] = {
      {group_gcn, "GCN"},           {group_cdna, "CDNA"},    {group_rdna, "RDNA"},   {group_vliw, "VLIW"},
      {group_nvidia_old, "CC 1-2"}, {group_nvidia, "CC 3+"}, {group_intel, "Intel"}, {group_gcn5, "GCN5"}};
  const auto list = [&](TargetGroups groups) {
    if ((groups & group_all) == group_all) return std::string("all");
    std::string text;
    for (const auto& [group, name] : names) {
      // GCN5 is a part of GCN: name it only where the rest of GCN is not meant.
      if (group == group_gcn5 && (groups & group_gcn) != 0) continue;
      if ((groups & group) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
    }
    return text.empty() ? std::string("-") : text;
  };
  std::string text = "| key | unit | value | may have | must have | meaning |\n|---|---|---|---|---|---|\n";
  for (const KeyInfo& info : keys) {
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", info.key, info.unit, to_string(info.kind),
                        list(info.allowed), list(info.required), info.meaning);
  }
  return text;
}

}  // namespace lockstep
