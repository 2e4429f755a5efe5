#include "machine/schema.h"

#include <iterator>
#include <vector>

#include "machine/schema_timing.h"

namespace lockstep {
namespace {

constexpr TargetGroups gcn_like = group_gcn | group_cdna | group_gcn5;
constexpr TargetGroups nvidia = group_nvidia_old | group_nvidia;

using enum ValueKind;
using enum Step;

constexpr KeyInfo keys[] = {
    // Clocks and shape
    {"clock.base_hz", "Hz", integer, scale, group_all, group_all, "guaranteed clock of the compute units"},
    {"clock.boost_hz", "Hz", integer, scale, group_all, group_all, "highest clock that the vendor states"},
    {"clock.sustained_hz", "Hz", integer, scale, group_all, group_none,
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
    {"compute.dies", "dies", integer, fixed, group_all, group_none,
     "compute dies that together are this one device"},
    {"compute.issue_per_cycle", "instructions/cycle", integer, fixed, nvidia, group_none,
     "instructions that a compute unit's schedulers issue in a cycle together"},
    // Arithmetic rates
    {"rate.f16", "results/cycle", integer, scale, group_all, group_none,
     "f16 results of a compute unit in a cycle, no matrix units"},
    {"rate.f32", "results/cycle", integer, scale, group_all, group_all,
     "f32 multiply-adds of a compute unit in a cycle by plain instructions: one result a lane (VLIW: a "
     "slot)"},
    {"rate.f32_packed", "results/cycle", integer, scale, group_cdna | group_rdna, group_none,
     "f32 multiply-adds of a compute unit in a cycle by packed (CDNA 2, 3) or dual-issued (RDNA 3, 4) ones"},
    {"rate.f64", "results/cycle", real, scale, group_all, group_none,
     "f64 multiply-adds of a compute unit in a cycle"},
    {"rate.special", "results/cycle", integer, scale, group_all, group_none,
     "reciprocals, roots, logarithms, sines of a compute unit in a cycle"},
    {"rate.int_mul", "results/cycle", integer, scale, group_all, group_none,
     "32-bit integer multiplications of a compute unit in a cycle"},
    {"peak.f32_flops", "FLOP/s", integer, fixed, group_all, group_none,
     "published f32 peak, packed or dual-issued where there is such a rate"},
    {"peak.f64_flops", "FLOP/s", integer, fixed, group_all, group_none, "published f64 peak"},
    // Occupancy
    {"occupancy.waves_per_simd", "waves", integer, fixed, group_amdgcn, group_amdgcn, "wave slots of a SIMD"},
    {"occupancy.waves_per_unit", "waves", integer, fixed, group_vliw | nvidia | group_intel,
     group_vliw | nvidia | group_intel, "wave slots of a compute unit"},
    {"occupancy.groups_per_unit", "groups", integer, fixed, group_all, group_all,
     "work-groups that a compute unit tracks (AMD: those of more than one wave)"},
    {"occupancy.max_group_items", "items", integer, fixed, group_all, group_all, "largest work-group"},
    {"occupancy.vgprs_per_simd_lane", "registers", integer, fixed, group_amdgcn | group_vliw,
     group_amdgcn | group_vliw,
     "vector registers of a SIMD for each lane of its narrowest wave, shared by its waves (VLIW: 128-bit "
     "ones)"},
    {"occupancy.vgpr_granule", "registers", integer, fixed, group_amdgcn | group_vliw,
     group_amdgcn | group_vliw,
     "vector registers are allocated in multiples of this, for the narrowest wave"},
    {"occupancy.vgprs_per_item_max", "registers", integer, fixed, group_amdgcn | group_vliw,
     group_amdgcn | group_vliw, "vector registers that one work-item can have"},
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
    {"occupancy.register_check_partitions", "partitions", integer, fixed, nvidia, group_none,
     "a group must also fit a compute unit whose registers are split so (GP100 refuses what GP10x would)"},
    {"occupancy.coarse_register_counts", "registers", integers, fixed, group_nvidia_old, group_none,
     "register counts for which the granule is doubled"},
    {"occupancy.partitioned_caching", "flag", integer, fixed, nvidia, nvidia,
     "1 when caching global loads confines a group to half a compute unit"},
    {"occupancy.barriers_per_unit", "barriers", integer, fixed, nvidia | group_intel, group_none,
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
    {"local.carveouts_bytes", "B", integers, fixed, nvidia, group_none,
     "sizes of local memory to which a compute unit can be set, ascending; the rest is cache"},
    {"local.spare_groups", "groups", integer, fixed, nvidia, group_none,
     "for so many more of each group that a compute unit holds the driver sets local memory aside, as far as "
     "'local.spare_bytes' goes; 0 where not stated"},
    {"local.spare_bytes", "B", integer, power_of_two, nvidia, group_none,
     "the largest of its sizes that local memory gets for the sake of such groups"},
    {"local.power_of_two", "flag", integer, fixed, group_intel, group_intel,
     "1 when allocations are rounded up to a power of two"},
    {"local.banks", "banks", integer, fixed, group_all, group_gcn5, "banks of a compute unit's local memory"},
    {"local.bank_bytes", "B", integer, fixed, group_all, group_gcn5,
     "width of a bank: successive bytes in one; the driver's choice where it has one"},
    {"local.bank_choices_bytes", "B", integers, fixed, nvidia, group_none,
     "widths of banks of which a driver has the choice ('--bank-bytes')"},
    {"local.bytes_per_cycle", "B/cycle", integer, scale, group_all, group_gcn5,
     "most that local memory delivers to a compute unit in a cycle"},
    {"local.latency_cycles", "cycles", integer, scale, group_all, group_none,
     "load-to-use latency of local memory, unloaded"},
    // Caches
    {"l1.size_bytes", "B", integer, power_of_two, group_all, group_gcn5,
     "first-level vector cache of a compute unit"},
    {"l1.line_bytes", "B", integer, power_of_two, group_all, group_gcn5, "its line"},
    {"l1.sector_bytes", "B", integer, power_of_two, group_all, group_none,
     "the part of a line that is fetched alone"},
    {"l1.ways", "ways", integer, power_of_two, group_all, group_gcn5, "its associativity"},
    {"l1.sets", "sets", integer, fixed, nvidia, group_none,
     "where it shares storage with local memory: its sets, whatever its share is, which limits how many "
     "lines all of them have together"},
    {"l1.joins_sectors", "flag", integer, fixed, nvidia, group_none,
     "1: what a load lacks of a line is one request, whichever its sectors are; 0, or not stated: sectors "
     "side by side are"},
    {"l1.protected_ways", "ways", integer, fixed, nvidia, group_none,
     "lines of a set, those used again last, that stay where new ones come and go; 0 where not stated"},
    {"l1.keeps_stores", "flag", integer, fixed, nvidia, group_none,
     "1 where stores leave their bytes in it, of lines that it does not have, too; 0 or not stated: they "
     "do not"},
    {"l1.set_hash", "bits", integers, fixed, nvidia, group_none,
     "which bits of a set's number each bit of a line's number turns, from the first one on behind those "
     "that count the sets"},
    {"l1.reserved_bytes", "B", integer, power_of_two, nvidia, group_none,
     "of the storage that it shares with local memory, what neither has; 0 where not stated"},
    {"l1.bytes_per_cycle", "B/cycle", integer, scale, group_all, group_gcn5,
     "most that it delivers in a cycle"},
    {"l1.latency_cycles", "cycles", integer, scale, group_all, group_none,
     "load-to-use latency of a hit, unloaded"},
    {"l1.global_loads", "flag", integer, fixed, nvidia, group_none,
     "1 when plain global loads are cached in it"},
    {"texture.size_bytes", "B", integer, power_of_two, group_all, group_none,
     "texture cache of a compute unit where it is not the first-level cache"},
    {"texture.line_bytes", "B", integer, power_of_two, group_all, group_none, "its line"},
    {"texture.bytes_per_cycle", "B/cycle", integer, scale, group_all, group_none,
     "most that it delivers in a cycle"},
    {"texture.latency_cycles", "cycles", integer, scale, group_all, group_none,
     "load-to-use latency of a hit, unloaded"},
    {"scalar.size_bytes", "B", integer, power_of_two, group_amdgcn, group_gcn5,
     "scalar (constant) data cache"},
    {"scalar.line_bytes", "B", integer, power_of_two, group_amdgcn, group_gcn5, "its line"},
    {"scalar.ways", "ways", integer, power_of_two, group_amdgcn, group_gcn5, "its associativity"},
    {"scalar.bytes_per_cycle", "B/cycle", integer, scale, group_amdgcn, group_gcn5,
     "most that it delivers to a compute unit in a cycle"},
    {"scalar.units_sharing", "CU", integer, fixed, group_amdgcn, group_gcn5, "compute units that share one"},
    {"constant.size_bytes", "B", integer, power_of_two, nvidia | group_vliw, group_none,
     "first-level constant cache of a compute unit"},
    {"constant.line_bytes", "B", integer, power_of_two, nvidia | group_vliw, group_none, "its line"},
    {"constant.ways", "ways", integer, power_of_two, nvidia | group_vliw, group_none, "its associativity"},
    {"icache.size_bytes", "B", integer, power_of_two, group_all, group_gcn5, "instruction cache"},
    {"icache.line_bytes", "B", integer, power_of_two, group_all, group_gcn5, "its line"},
    {"icache.ways", "ways", integer, power_of_two, group_all, group_gcn5, "its associativity"},
    {"icache.bytes_per_cycle", "B/cycle", integer, scale, group_all, group_gcn5,
     "most that it delivers to a compute unit in a cycle"},
    {"icache.units_sharing", "CU", integer, fixed, group_all, group_gcn5, "compute units that share one"},
    {"mid.size_bytes", "B", integer, power_of_two, group_rdna, group_none,
     "cache between the first and the second level (RDNA's GL1), each"},
    {"mid.line_bytes", "B", integer, power_of_two, group_rdna, group_none, "its line"},
    {"mid.ways", "ways", integer, power_of_two, group_rdna, group_none, "its associativity"},
    {"mid.slices", "slices", integer, power_of_two, group_rdna, group_none, "slices of all of them together"},
    {"mid.bytes_per_cycle_per_slice", "B/cycle", integer, scale, group_rdna, group_none,
     "most that a slice delivers in a cycle"},
    {"mid.interleave_bytes", "B", integer, power_of_two, group_rdna, group_none,
     "consecutive bytes that one slice holds"},
    {"mid.latency_cycles", "cycles", integer, scale, group_rdna, group_none,
     "load-to-use latency of a hit, unloaded"},
    {"l2.size_bytes", "B", integer, power_of_two, group_all, group_gcn5,
     "second-level cache of the device (Intel: the L3)"},
    {"l2.line_bytes", "B", integer, power_of_two, group_all, group_gcn5, "its line"},
    {"l2.sector_bytes", "B", integer, power_of_two, group_all, group_none,
     "the part of a line that is fetched alone"},
    {"l2.ways", "ways", integer, power_of_two, group_all, group_gcn5, "its associativity"},
    {"l2.slices", "slices", integer, power_of_two, group_all, group_gcn5,
     "slices that serve requests side by side"},
    {"l2.bytes_per_cycle_per_slice", "B/cycle", integer, scale, group_all, group_gcn5,
     "most that a slice delivers in a cycle"},
    {"l2.interleave_bytes", "B", integer, power_of_two, group_all, group_gcn5,
     "consecutive bytes that one slice holds"},
    {"l2.latency_cycles", "cycles", integer, scale, group_all, group_none,
     "load-to-use latency of a hit, unloaded"},
    {"l2.bytes_per_second", "B/s", integer, scale, group_all, group_none,
     "measured read bandwidth of the whole cache"},
    {"last_level.size_bytes", "B", integer, power_of_two, group_all, group_none,
     "cache behind the second level (AMD Infinity Cache, the last level of a processor with an Intel GPU)"},
    {"last_level.line_bytes", "B", integer, power_of_two, group_all, group_none, "its line"},
    {"last_level.ways", "ways", integer, power_of_two, group_all, group_none, "its associativity"},
    {"last_level.slices", "slices", integer, power_of_two, group_all, group_none,
     "slices that serve requests side by side"},
    {"last_level.bytes_per_cycle_per_slice", "B/cycle", integer, scale, group_all, group_none,
     "most that a slice delivers in a cycle"},
    {"last_level.interleave_bytes", "B", integer, power_of_two, group_all, group_none,
     "consecutive bytes that one slice holds"},
    {"last_level.latency_cycles", "cycles", integer, scale, group_all, group_none,
     "load-to-use latency of a hit, unloaded"},
    {"last_level.bytes_per_second", "B/s", integer, scale, group_all, group_none,
     "its measured read bandwidth"},
    // Memory
    {"memory.type", "name", text, fixed, group_all, group_none, "kind of DRAM"},
    {"memory.standard", "name", text, fixed, group_all, group_none,
     "the file of machines/memory that states the DRAM's timing where this one does not"},
    {"memory.size_bytes", "B", integer, fixed, group_all, group_all, "memory of the device"},
    {"memory.bus_bits", "bits", integer, fixed, group_all, group_none, "width of the memory bus"},
    {"memory.clock_hz", "Hz", integer, scale, group_all, group_gcn5,
     "clock of the memory, to which its type's transfers per clock refer (see Memory)"},
    {"memory.compute_clock_hz", "Hz", integer, scale, group_all, group_none,
     "the same while kernels of OpenCL and CUDA run, where the driver holds it lower"},
    {"memory.transfers_per_second", "T/s", integer, scale, group_all, group_none,
     "transfers on each data line in a second"},
    {"memory.bytes_per_second", "B/s", integer, scale, group_all, group_gcn5, "peak bandwidth"},
    {"memory.sustained_bytes_per_second", "B/s", integer, scale, group_all, group_none,
     "bandwidth that a streaming kernel was measured to reach"},
    {"memory.latency_cycles", "cycles", integer, scale, group_all, group_none,
     "load-to-use latency of an access that misses every cache, unloaded"},
    {"host.bytes_per_second", "B/s", integer, scale, group_all, group_gcn5,
     "link to the host, each way, after the line code"},
    {"host.concurrent_kernels", "kernels", integer, fixed, group_all, group_none,
     "kernels of several queues that run at once; without it, one"},
    {"host.copy_engines", "engines", integer, fixed, group_all, group_none,
     "copies over the link that run at once, beside kernels; without it, two: one each way"},
    {"host.launch_ns", "ns", integer, scale, group_all, group_none,
     "from the enqueueing of a kernel to its start where nothing runs before it, as OpenCL's profiling "
     "tells; 0 where not stated"},
    {"launch.overhead_ns", "ns", integer, scale, group_all, group_none,
     "time of an empty kernel among many launched back to back"},
};

}  // namespace

std::span<const KeyInfo> schema() {
  static const auto all = [] {
    std::vector<KeyInfo> every(std::begin(keys), std::end(keys));
    for (const auto of_timing : {timing_keys(), memory_keys()})
      every.insert(every.end(), of_timing.begin(), of_timing.end());
    return every;
  }();
  return all;
}

const KeyInfo* find_key(std::string_view key) {
  for (const KeyInfo& info : schema()) {
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

}  // namespace lockstep
