// The keys of the timing models of compute units.
#include "machine/schema_timing.h"

namespace lockstep {
namespace {

using enum ValueKind;
using enum Step;

// Timing keys are required of GCN5 machines and allowed for the other GCN and CDNA ones.
constexpr KeyInfo timing(std::string_view key, std::string_view unit, Step step, std::string_view meaning) {
  return {key, unit, integer, step, group_amdgcn, group_gcn5, meaning};
}

// Timing keys that only some GPUs have.
constexpr KeyInfo timing_of_some(std::string_view key, std::string_view unit, Step step,
                                 std::string_view meaning) {
  return {key, unit, integer, step, group_amdgcn, group_none, meaning};
}

constexpr KeyInfo timing_of_some_real(std::string_view key, std::string_view unit, Step step,
                                      std::string_view meaning) {
  return {key, unit, real, step, group_amdgcn, group_none, meaning};
}

// The same of keys that all machines have whose units are not partitioned.
constexpr KeyInfo of_unpartitioned(std::string_view key, std::string_view unit, Step step,
                                   std::string_view meaning) {
  return {key, unit, integer, step, group_amdgcn | group_vliw | group_intel, group_gcn5, meaning};
}

// And of those that NVIDIA's have as well.
constexpr auto shared = timing_of_all;
constexpr auto partitioned = timing_of_partitioned;
constexpr KeyInfo shared_of_some(std::string_view key, std::string_view unit, Step step,
                                 std::string_view meaning) {
  return {key, unit, integer, step, timed_groups, group_none, meaning};
}
// Of machines with a constant cache.
constexpr KeyInfo constant(std::string_view key, std::string_view unit, Step step, std::string_view meaning) {
  return {key, unit, integer, step, group_nvidia | group_nvidia_old | group_vliw, group_none, meaning};
}
// Of machines whose programs are clauses of packets.
constexpr KeyInfo of_packets(std::string_view key, std::string_view unit, Step step,
                             std::string_view meaning) {
  return {key, unit, integer, step, group_vliw, group_none, meaning};
}
// Of execution units with threads of their own, Intel's.
constexpr KeyInfo of_threads(std::string_view key, std::string_view unit, Step step,
                             std::string_view meaning) {
  return {key, unit, integer, step, group_intel, group_none, meaning};
}

constexpr KeyInfo timing_key_table[] = {
    // The timing model of GCN5. Cycles are of the compute units' clock unless the key says otherwise.
    shared("timing.launch.overhead_cycles", "cycles", scale,
           "from the end of one kernel to the first wave of the next, queued behind it"),
    shared_of_some(
        "timing.launch.flush_cycles", "cycles", scale,
        "at a launch's end, where a quarter of the compute units or more accessed global memory: until all "
        "of it is seen to be done; less for fewer"),
    shared("timing.dispatch.groups_per_cycle", "groups", scale,
           "work-groups that the device's dispatcher starts in a cycle at most"),
    shared_of_some("timing.dispatch.cycles_per_256_groups", "cycles", scale,
                   "for each 256 groups that the dispatcher starts, where they are further apart"),
    shared_of_some("timing.dispatch.by_engine", "flag", fixed,
                   "1: each unit of an engine gets a group before the next engine's; 0: engines take turns"),
    shared_of_some("timing.dispatch.cycles_per_256_ends", "cycles", scale,
                   "for each 256 groups whose ends the dispatcher takes one after the other"),
    shared("timing.dispatch.cycles_per_wave", "cycles", scale,
           "cycles of a shader engine's port for each wave it starts"),
    shared_of_some("timing.dispatch.unit_cycles_per_wave", "cycles", scale,
                   "cycles of a compute unit for each wave that starts there"),
    shared("timing.dispatch.wave_start_cycles", "cycles", scale,
           "from a wave's start to its first instruction fetch: registers are initialised"),
    shared_of_some("timing.dispatch.wave_end_cycles", "cycles", scale,
                   "from a wave's end to its place being given away; wave_start_cycles where not stated"),
    shared("timing.fetch.buffer_bytes", "B", power_of_two, "instruction buffer of a wave"),
    shared("timing.fetch.bytes_per_fetch", "B", power_of_two, "bytes of one instruction fetch"),
    shared("timing.fetch.cycles_per_fetch", "cycles", scale,
           "cycles between two fetches by the same compute unit"),
    shared_of_some("timing.fetch.simds_per_port", "SIMD", fixed,
                   "SIMDs that fetch one after the other; all of a compute unit where not stated"),
    shared("timing.icache.hit_cycles", "cycles", scale, "from a fetch to its bytes in the buffer, hit"),
    shared("timing.icache.miss_extra_cycles", "cycles", scale,
           "more for a line that comes from the second level"),
    shared("timing.icache.misses", "lines", power_of_two, "lines outstanding from an instruction cache"),
    shared_of_some("timing.icache.prefetch_lines", "lines", scale, "lines fetched ahead of one that missed"),
    timing_of_some("timing.issue.units_joined", "CU", fixed,
                   "compute units that share local memory and run a work-group together (RDNA's WGP: 2)"),
    shared("timing.issue.turn_cycles", "cycles", fixed, "a SIMD may issue in one cycle of so many"),
    shared("timing.issue.instructions_per_turn", "instructions", fixed,
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
    timing_of_some(
        "timing.valu.pairs_f32_fma", "flag", fixed,
        "1: an f32 fused multiply-add of a wave of 64 takes one pass for both halves; 0 where not stated"),
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
    shared("timing.branch.not_taken_cycles", "cycles", fixed, "a branch that falls through"),
    shared("timing.branch.taken_cycles", "cycles", scale,
           "a branch that is taken, to the issue of its target when that is in the instruction cache"),
    timing("timing.smem.issue_cycles", "cycles", fixed, "s_load of up to four registers"),
    timing("timing.smem.issue_cycles_x8", "cycles", fixed, "s_load_dwordx8"),
    timing("timing.smem.issue_cycles_x16", "cycles", fixed, "s_load_dwordx16"),
    timing("timing.smem.hit_cycles", "cycles", scale, "load-to-use latency of a scalar cache hit"),
    timing("timing.smem.miss_extra_cycles", "cycles", scale,
           "more for a line that comes from the second level, hit there"),
    timing("timing.smem.misses", "lines", power_of_two, "lines outstanding from a scalar cache"),
    timing("timing.smem.memtime_cycles", "cycles", scale, "latency of s_memtime"),
    of_unpartitioned(
        "timing.lds.issue_cycles", "cycles", scale,
        "from the issue of an LDS instruction to the next one of its compute unit, before bank cycles"),
    of_unpartitioned("timing.lds.simds_per_port", "SIMD", fixed,
                     "SIMDs that share a port to the LDS; the cycles below are of such a port"),
    shared("timing.lds.latency_cycles", "cycles", scale,
           "load-to-use latency of ds_read_b32 without conflicts"),
    shared("timing.lds.lanes_per_cycle", "lanes", fixed,
           "lanes whose addresses the banks serve in a cycle without conflicts"),
    shared("timing.lds.read_b32_cycles", "cycles", fixed,
           "cycles of a port for ds_read_b32 of a wave without conflicts"),
    shared("timing.lds.read_b64_cycles", "cycles", fixed, "ds_read_b64, ds_read2_b32"),
    shared("timing.lds.read_b128_cycles", "cycles", fixed, "ds_read_b128, ds_read2_b64"),
    shared("timing.lds.write_b32_cycles", "cycles", fixed, "ds_write_b32"),
    shared("timing.lds.write_b64_cycles", "cycles", fixed, "ds_write_b64, ds_write2_b32"),
    shared("timing.lds.write_b128_cycles", "cycles", fixed, "ds_write_b128, ds_write2_b64"),
    shared("timing.lds.atomic_b32_cycles", "cycles", fixed, "32-bit LDS atomics"),
    shared("timing.lds.atomic_b64_cycles", "cycles", fixed, "64-bit LDS atomics"),
    shared("timing.lds.atomic_conflict_cycles", "cycles", scale,
           "more for each further lane with the same address or bank"),
    of_unpartitioned("timing.lds.queue", "instructions", power_of_two,
                     "LDS instructions waiting in a compute unit"),
    timing_of_some_real("timing.lds.crossing_cycles", "cycles", scale,
                        "more for a pass that reaches the half of local memory beside other SIMDs"),
    shared_of_some(
        "timing.vmem.stores", "requests", power_of_two,
        "lines of stores and atomics on their way from a vector-memory path; 256 where not stated"),
    shared_of_some("timing.vmem.image_lanes_per_cycle", "lanes", scale,
                   "lanes for which the texture unit delivers a texel a cycle; 16 where not stated"),
    timing_of_some("timing.vmem.returns_in_order", "flag", fixed,
                   "0: a path's loads come back as they are ready; 1 where not stated"),
    timing_of_some("timing.vmem.pass_lanes", "lanes", fixed,
                   "lanes that load in one pass at most; not stated: each line takes a cycle"),
    timing_of_some("timing.vmem.pass_bytes", "B", fixed, "banks side by side, and a line, of a pass"),
    timing_of_some("timing.vmem.pass_lines", "lines", fixed, "lines of a pass, side by side"),
    timing_of_some("timing.vmem.pass_cycles", "cycles", fixed, "of a pass"),
    of_unpartitioned("timing.vmem.issue_cycles", "cycles", fixed,
                     "from the issue of a vector memory instruction to the next one of its compute unit"),
    of_unpartitioned("timing.vmem.lanes_per_address_cycle", "lanes", fixed,
                     "lanes whose addresses are coalesced together in a cycle (quarter wave)"),
    of_unpartitioned("timing.vmem.gather_window_bytes", "B", fixed,
                     "bytes that the address unit serves in a cycle when a quarter wave's lanes leave gaps"),
    shared("timing.vmem.store_bytes_per_cycle", "B/cycle", scale,
           "store data that leaves the registers in a cycle"),
    shared("timing.vmem.queue", "instructions", power_of_two,
           "vector memory instructions waiting in a compute unit"),
    shared("timing.vmem.return_bytes_per_cycle", "B/cycle", scale,
           "load data written to the registers in a cycle"),
    shared("timing.l1.hit_cycles", "cycles", scale,
           "load-to-use latency of global_load_dword, hit in the first level, unloaded"),
    shared("timing.l1.misses", "lines", power_of_two, "lines outstanding from a first-level cache"),
    shared("timing.tlb.l1_entries", "entries", power_of_two, "first-level TLB of a compute unit"),
    shared("timing.tlb.l2_entries", "entries", power_of_two, "second-level TLB of the device"),
    shared("timing.tlb.page_bytes", "B", power_of_two, "memory that one entry covers"),
    shared("timing.tlb.l1_miss_cycles", "cycles", scale,
           "more for a first-level miss that hits in the second level"),
    shared("timing.tlb.walk_cycles", "cycles", scale, "more for a walk of the page tables"),
    shared("timing.tlb.walkers", "walks", power_of_two, "walks of the page tables at the same time"),
    shared("timing.barrier.cycles", "cycles", scale,
           "from the last wave's arrival to the first instruction after the barrier"),
    // Clauses of packets
    of_packets("timing.packet.issue_cycles", "cycles", fixed,
               "cycles of a SIMD for one wave's packet of operations"),
    of_packets("timing.packet.result_cycles", "cycles", scale,
               "from a packet to the next one of its wave, which may use its results"),
    of_packets("timing.clause.waves", "waves", fixed,
               "waves of a SIMD that are in clauses of packets at a time and take turns"),
    of_packets("timing.clause.switch_cycles", "cycles", scale,
               "from a clause's last instruction to the first of its wave's next clause; as long for each "
               "instruction of the control-flow program besides"),
    of_packets("timing.vmem.return_lanes_per_cycle", "lanes", scale,
               "lanes of a fetch that get their data in a cycle"),
    // Execution units with threads of their own
    of_threads(
        "timing.eu.pipes", "pipes", fixed,
        "of an execution unit for arithmetic, each for an instruction of another thread; mathematics and "
        "f64 have the second one alone"),
    of_threads("timing.eu.full_cycles", "cycles", fixed,
               "that an instruction holds its pipe for each register of its widest operand"),
    of_threads("timing.eu.product_cycles", "cycles", fixed, "the same, products of two 32-bit integers"),
    of_threads("timing.eu.wide_cycles", "cycles", fixed, "the same, 64-bit integers"),
    of_threads("timing.eu.f64_cycles", "cycles", fixed, "the same, f64"),
    of_threads("timing.eu.math_cycles", "cycles", fixed, "the same, extended mathematics"),
    of_threads("timing.eu.power_cycles", "cycles", fixed, "the same, powers and quotients of floats"),
    of_threads("timing.eu.quotient_cycles", "cycles", fixed,
               "the same, quotients and remainders of integers"),
    of_threads("timing.eu.full_result_cycles", "cycles", scale,
               "from there to the first instruction that can use the result"),
    of_threads("timing.eu.product_result_cycles", "cycles", scale,
               "the same, products of two 32-bit integers"),
    of_threads("timing.eu.wide_result_cycles", "cycles", scale, "the same, 64-bit integers"),
    of_threads("timing.eu.f64_result_cycles", "cycles", scale, "the same, f64"),
    of_threads("timing.eu.math_result_cycles", "cycles", scale, "the same, extended mathematics"),
    of_threads("timing.eu.power_result_cycles", "cycles", scale, "the same, powers and quotients of floats"),
    of_threads("timing.eu.quotient_result_cycles", "cycles", scale,
               "the same, quotients and remainders of integers"),
    of_threads("timing.eu.accumulator_result_cycles", "cycles", scale, "the same, what goes to accumulators"),
    of_threads("timing.eu.flag_result_cycles", "cycles", scale,
               "the same, flags and other registers of the architecture"),
    of_threads("timing.eu.send_cycles", "cycles", scale,
               "of an execution unit's way out for each register of a message's payload"),
    of_threads("timing.vmem.message_lanes", "lanes", fixed,
               "channels that a memory message serves at most: a thread with more sends several"),
    // Partitioned compute units
    partitioned("icache1.size_bytes", "B", power_of_two, "instruction cache behind those of the partitions"),
    partitioned("icache1.line_bytes", "B", power_of_two, "its line"),
    partitioned("icache1.ways", "ways", power_of_two, "its ways"),
    partitioned("timing.icache1.hit_cycles", "cycles", scale,
                "a miss of a partition's instruction cache that hits there"),
    partitioned("timing.icache1.miss_extra_cycles", "cycles", scale,
                "more for a line that comes from the second level"),
    partitioned("timing.icache1.misses", "lines", power_of_two, "lines outstanding from it"),
    partitioned("timing.icache1.prefetch_lines", "lines", scale, "lines fetched ahead of one that missed"),
    partitioned("timing.icache1.cycles_per_line", "cycles", scale,
                "between two lines that a partition's cache gets from it; 1 where not stated"),
    partitioned("timing.icache1.unit_cycles_per_line", "cycles", scale,
                "between two lines for any of its partitions, but those that ask for the same"),
    partitioned("timing.icache1.launch_bytes", "B", scale, "of a kernel's code that its launch brings there"),
    partitioned("timing.icache1.kept", "flag", fixed, "1: code stays in the caches from launch to launch"),
    constant("timing.constant.bytes_per_cycle", "B/cycle", fixed,
             "bytes of a constant load that the cache delivers in a cycle"),
    constant("timing.constant.hit_cycles", "cycles", scale, "load-to-use latency of a constant load"),
    constant("timing.constant.miss_extra_cycles", "cycles", scale, "more for a miss"),
    constant("timing.constant.misses", "lines", power_of_two, "lines outstanding from a constant cache"),
    partitioned("timing.constant.address_cycles", "cycles", fixed,
                "of the constant cache for each different address of a load"),
    partitioned("timing.constant.next_address_cycles", "cycles", scale,
                "between two different addresses of one load"),
    partitioned("timing.front.queue", "instructions", fixed,
                "memory instructions that a partition holds before its address unit takes them"),
    partitioned("timing.front.cycles", "cycles", scale, "of a partition's address unit for each of them"),
    partitioned("timing.front.stage_cycles", "cycles", scale,
                "of the stage behind, which the partitions share, for each of them"),
    partitioned("timing.front.pass_cycles", "cycles", scale,
                "of a partition's way for each line, or row of banks, that an instruction moves"),
    partitioned("timing.front.latency_cycles", "cycles", scale, "from issue to that stage, unloaded"),
    partitioned("timing.front.sources_cycles", "cycles", scale,
                "from there until a load's sources have been read"),
    partitioned("timing.front.data_cycles", "cycles", scale,
                "from there until a store's or atomic's sources have been read"),
    partitioned("timing.barrier.arrival_cycles", "cycles", scale,
                "of the barrier unit for each wave that arrives"),
    partitioned("timing.lds.conflict_cycles", "cycles", scale,
                "of a further pass because of a bank conflict"),
    partitioned("timing.pipe.alu_cycles", "cycles", fixed,
                "that a wave's instruction holds a partition's integer and logic unit"),
    partitioned("timing.pipe.fma_cycles", "cycles", fixed, "the same, f32 multiply-add"),
    partitioned("timing.pipe.fma_heavy_cycles", "cycles", fixed, "the same, integer multiply-add"),
    partitioned("timing.pipe.wide_product_cycles", "cycles", fixed,
                "the same, 64-bit products and their upper halves (IMAD.WIDE, IMAD.HI); 2 where not stated"),
    partitioned("timing.pipe.redux_cycles", "cycles", fixed,
                "the same, reductions of a warp; none of their own where not stated"),
    partitioned(
        "timing.pipe.match_cycles", "cycles", fixed,
        "that match holds the stage behind the queues for each value of its lanes; as others where not "
        "stated"),
    partitioned("timing.pipe.half_cycles", "cycles", fixed, "the same, pairs of f16"),
    partitioned("timing.pipe.fp64_cycles", "cycles", fixed, "the same, f64"),
    partitioned("timing.pipe.fp64_shared", "flag", fixed,
                "1 where the partitions share one f64 unit; 0 where not stated"),
    partitioned("timing.pipe.xu_cycles", "cycles", fixed, "the same, transcendentals and conversions"),
    partitioned("timing.pipe.uniform_cycles", "cycles", fixed, "the same, the uniform datapath"),
    partitioned("timing.pipe.tensor_multiplies", "results/cycle", scale,
                "f16 multiply-adds of a partition's matrix unit in a cycle"),
    partitioned("timing.result.mufu_cycles", "cycles", scale,
                "from the issue of a transcendental to its result"),
    partitioned("timing.result.convert_cycles", "cycles", scale, "the same, conversions"),
    partitioned("timing.result.popc_cycles", "cycles", scale, "the same, bit counts"),
    partitioned("timing.result.flo_cycles", "cycles", scale, "the same, searches for a bit, reversals"),
    partitioned("timing.result.f64_cycles", "cycles", scale, "the same, f64 arithmetic"),
    partitioned("timing.result.s2r_cycles", "cycles", scale, "the same, reads of special registers"),
    partitioned("timing.result.shuffle_cycles", "cycles", scale, "the same, shuffles"),
    partitioned("timing.result.match_cycles", "cycles", scale, "the same, match"),
    partitioned("timing.result.match_value_cycles", "cycles", scale,
                "the same, more for each further value of match.any's lanes; none where not stated"),
    partitioned("timing.yield.cycles", "cycles", scale,
                "from a YIELD to its warp's next instruction; what the stall count says where not stated"),
    partitioned("timing.yield.interval_cycles", "cycles", scale,
                "that a YIELD keeps others of its SIMD from being issued"),
    partitioned("timing.yield.waiting_cycles", "cycles", scale,
                "both where other lanes of the warp wait: to the next instruction"),
    partitioned("timing.yield.waiting_interval_cycles", "cycles", scale, "and to the SIMD's next YIELD"),
    partitioned("timing.result.redux_cycles", "cycles", scale, "the same, reductions of a warp"),
    partitioned("timing.result.fence_group_cycles", "cycles", scale, "a fence for the work-group"),
    partitioned("timing.result.fence_device_cycles", "cycles", scale, "a fence for the device"),
    partitioned("timing.result.fence_system_cycles", "cycles", scale, "a fence for the device and its host"),
    partitioned("timing.l1.tags_per_cycle", "lines", fixed,
                "lines of an access to memory that the first level looks up in a cycle"),
    partitioned("timing.l1.tag_hash_low", "bits", fixed,
                "of a line's number: their parity is the low bit of its tag bank; 0: banks in turn"),
    partitioned("timing.l1.tag_hash_high", "bits", fixed, "the same, the high bit of one of four tag banks"),
    {"timing.vmem.half_waves", "name", text, fixed, group_nvidia_old, group_none,
     "how half a wave's accesses are divided into segments: by what they touch (\"segments\"), or one if "
     "they are "
     "\"in order\""},
    partitioned(
        "timing.lds.words_of_bank", "words", fixed,
        "words of 4 bytes that a bank delivers at once, one of each of as many neighbouring rows; 1 where "
        "not stated"),
    partitioned("timing.lds.pairs_share", "flag", fixed,
                "1 where a load of 8 or 16 bytes takes half its passes if each lane has the address of its "
                "neighbour, or each that of the lane two further on; 0 or not stated: it does not"),
    partitioned(
        "timing.lds.atomic_latency_cycles", "cycles", scale,
        "until the old value of an atomic of local memory is there, more than until a load's; 0 where not "
        "stated"),
    partitioned("timing.lds.atomic_turn_latency_cycles", "cycles", scale,
                "more for each further pass, beside what the pass takes; 0 where not stated"),
    partitioned("timing.l1.open_store_lines", "lines", fixed,
                "of stores and atomics on their way out, a sector a cycle: what a store writes to sectors of "
                "them goes with them; the next waits while there are so many; 0 where not stated"),
    partitioned("timing.l1.open_store_cycles", "cycles", scale, "from a line's latest store until it leaves"),
    partitioned("timing.branch.parted_cycles", "cycles", scale,
                "more for a branch at which lanes of a wave go different ways; 0 where not stated"),
    partitioned("timing.l1.beside_local", "flag", fixed,
                "1 where the first level has storage of its own; 0 where it shares local memory's"),
    partitioned(
        "timing.issue.round_robin", "flag", fixed,
        "1 where a partition's waves are asked in turn, from the one behind the latest on; 0 or not stated: "
        "first the one that issued last, then the oldest group's, of those the last"),
    partitioned(
        "timing.issue.instructions_of_wave", "instructions", fixed,
        "instructions of one wave that a partition issues in a cycle where they can go together; 1 where "
        "not stated"),
    partitioned(
        "timing.issue.register_banks", "banks", fixed,
        "banks of a partition's registers, of which each delivers one a cycle, before Volta; 0 or not "
        "stated: conflicts are not modelled"),
    partitioned("timing.issue.wide_product_cycles", "cycles", fixed,
                "for which a product of 64 bits keeps other arithmetic from issue; 1 where not stated"),
    partitioned("timing.issue.wide_address_cycles", "cycles", fixed,
                "the same, a memory instruction whose address is a pair of registers"),
    partitioned("timing.pipe.shift_cycles", "cycles", fixed,
                "that a wave's shift holds its unit; as additions where not stated"),
    partitioned("timing.pipe.compare_cycles", "cycles", fixed,
                "the same, comparisons, minima and maxima; as additions where not stated"),
    partitioned(
        "timing.pipe.convert_cycles", "cycles", fixed,
        "the same, conversions, bit counts and searches for a bit; as transcendentals where not stated"),
    partitioned("timing.pipe.second_alu_cycles", "cycles", fixed,
                "the same, integer additions that issue as the second of two"),
    partitioned("timing.pipe.second_fma_cycles", "cycles", fixed, "the same, f32 arithmetic"),
    partitioned("timing.result.product_cycles", "cycles", scale,
                "the same, 32-bit products in one instruction where they take several passes"),
};

}  // namespace

std::span<const KeyInfo> timing_keys() {
  return timing_key_table;
}

}  // namespace lockstep
