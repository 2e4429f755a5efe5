// Occupancy over a range of group sizes, registers or local memory: rows for a table, and an SVG curve.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "machine/occupancy.h"

namespace lockstep {

enum class SweepAxis : u8 { group_size, vector_registers, scalar_registers, local_bytes };

// One launch of a sweep. A launch that cannot run has ok = false, zeros, and the reason.
struct SweepRow {
  u64 value = 0;  // of the swept quantity, in its unit
  bool ok = false;
  u32 groups_per_cu = 0, waves_per_cu = 0;
  f64 occupancy = 0;
  std::string_view limiter;
  std::string reason;  // why it cannot run
};

struct Sweep {
  std::string gpu;  // the machine's name
  SweepAxis axis = SweepAxis::group_size;
  std::string_view unit;  // what a "cu" is: "CU", "SM", ...
  u64 current = 0;        // the input's own value of the swept quantity; 0: it had none
  std::vector<SweepRow> rows;
};

// Varies one quantity of `input` over all that the machine can take: group sizes in steps of a wave,
// registers one by one, local memory granule by granule.
// Errors: the machine has no such quantity (scalar registers outside GCN and CDNA, vector registers on
// Intel), or no group size is stated while another axis is swept.
Expected<Sweep> sweep(const Machine& machine, const OccupancyInput& input, SweepAxis axis);

// "group_size", "vector_registers", "scalar_registers", "local_bytes"; find_sweep_axis is the inverse and
// accepts the command line's short forms "local", "vgprs", "sgprs", "lds" too.
std::string_view to_string(SweepAxis axis);
Expected<SweepAxis> find_sweep_axis(std::string_view name);

// For people: "vector registers of a work-item".
std::string_view axis_label(SweepAxis axis);

// The sweep as an aligned table: value, groups, waves, occupancy, limiter. Runs of equal results are one line
// with their first and last value.
std::string sweep_table(const Sweep& sweep);

// The sweep as a self-contained SVG picture, 720 x 400: occupancy (0 to 1, left) and waves (right) as steps
// over the swept quantity, coloured by limiter, with a legend and, where the input has a value, a mark at it.
std::string sweep_svg(const Sweep& sweep);

}  // namespace lockstep
