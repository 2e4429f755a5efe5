// Reading the figures of compute units from a machine's file.
#pragma once
#include "time/core/figures.h"

namespace lockstep {

struct KernelNeeds;

// `clock_hz`: that the run is timed at. Errors: "missing-figure", "machine-figures".
Expected<CoreFigures> core_figures(const Machine& machine, u64 clock_hz);

// The same of machines whose units are partitioned: each SIMD a scheduler with control words, a queue of
// memory instructions and an instruction cache of its own, in front of memory units that all share.
Expected<CoreFigures> core_figures_partitioned(const Machine& machine, u64 clock_hz);

// The same of machines whose programs are clauses of packets: a unit is one SIMD, of whose waves a few are in
// clauses of arithmetic at a time.
Expected<CoreFigures> core_figures_in_clauses(const Machine& machine, u64 clock_hz);

// The same of machines whose SIMDs are execution units with a few threads each: pipes of their own for
// arithmetic, and messages to what their unit shares.
Expected<CoreFigures> core_figures_of_threads(const Machine& machine, u64 clock_hz);

// What a unit holds of a kernel. `within_one_unit`: where compute units are joined (RDNA's WGP), a group's
// waves stay in one of them (CU mode). Errors: those of the occupancy calculation.
Expected<LaunchLimits> launch_limits(const Machine& machine, const KernelNeeds& needs, u32 group_items,
                                     u32 local_bytes, bool within_one_unit = false);

// Whether a unit of so many SIMDs ever has room for a group of so many waves.
bool fits(const LaunchLimits& limits, u64 waves_of_group, u32 simds);

}  // namespace lockstep
