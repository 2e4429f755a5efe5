#include "report/timed_lines.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "report/code_marks.h"

namespace lockstep {

u64 wave_cycles(const InstructionFigures& figures) {
  return std::accumulate(figures.stalls.begin(), figures.stalls.end(), figures.issued - figures.paired);
}

u64 units_used(const TimingResult& timing) {
  return static_cast<u64>(
      std::ranges::count_if(timing.unit_wave_cycles, [](u64 cycles) { return cycles != 0; }));
}

f64 active_clocks(const TimingResult& timing, const Resource& resource) {
  const f64 cycles = static_cast<f64>(std::max<u64>(1, timing.cycles));
  const f64 active = cycles - static_cast<f64>(timing.launch_cycles);
  return resource.clocks * std::max(1.0, active) / cycles;
}

bool took_part(const InstructionFigures& figures) {
  return figures.issued != 0 || wave_cycles(figures) != 0;
}

bool executed_by_few(u64 lanes, u64 instructions, u32 wave_lanes) {
  constexpr f64 serial_lanes = 0.125;  // of a wave; docs/advice.md
  return static_cast<f64>(lanes) <= serial_lanes * wave_lanes * static_cast<f64>(instructions);
}

f64 serial_cycles(const TimedLine& line, u32 wave_lanes) {
  if (line.barrier || line.lane_instructions == 0) return 0;
  if (!executed_by_few(line.lanes, line.lane_instructions, wave_lanes)) return 0;
  return static_cast<f64>(wave_cycles(line.figures) -
                          line.figures.stalls[static_cast<std::size_t>(Stall::barrier)]);
}

bool serial_work(const RunData& run, const std::vector<TimedLine>& lines) {
  constexpr f64 divisible = 8;      // instructions between two barriers; docs/advice.md
  constexpr f64 one_of_them = 1.5;  // lanes: one work-item of the group, as a rule
  const f64 waves = static_cast<f64>(std::max<u64>(1, run.timing->waves));
  f64 few = 0, alone = 0, barriers = 0;
  for (const TimedLine& line : lines) {
    if (serial_cycles(line, run.program->needs.wave_lanes) == 0) continue;
    const f64 instructions = static_cast<f64>(line.lane_instructions);
    few += instructions;
    if (static_cast<f64>(line.lanes) <= one_of_them * instructions) alone += instructions;
  }
  for (const u32 i : run.timing->per_instruction.present()) {
    if (run.module->code.instructions[i].cost == Cost::barrier)
      barriers += static_cast<f64>(run.timing->per_instruction[i].issued);
  }
  return std::max(few, alone * run.occupancy.waves_per_group) >= divisible * (waves + barriers);
}

namespace {

constexpr f64 waste_factor = 2;  // transactions against the fewest; docs/advice.md

f64 least_transactions(const RunData& run, const InstructionFigures& figures) {
  const u64 plain = figures.transactions - figures.private_transactions;
  if (plain == 0) return 0;
  const u64 together =
      integer_or(*run.machine, "timing.vmem.lanes_per_address_cycle", run.program->needs.wave_lanes);
  const u64 lanes = (figures.lanes_active + figures.issued - 1) / figures.issued;
  const u64 looked_up = figures.issued * ((lanes + together - 1) / together);
  return static_cast<f64>(std::max(figures.ideal_transactions, std::min(plain, looked_up)));
}

}  // namespace

TimedLine timed_instruction(const RunData& run, std::size_t instruction) {
  const Code& code = run.module->code;
  TimedLine line;
  line.at = source_line(code, instruction);
  line.figures = run.timing->per_instruction[instruction];
  const Cost cost = code.instructions[instruction].cost;
  line.least_transactions = least_transactions(run, line.figures);
  line.barrier = cost == Cost::barrier && line.at.line != 0;
  if (!counts_lanes(cost)) return line;
  line.lane_instructions = line.figures.issued;
  line.lanes = line.figures.lanes_active;
  if (!is_vector_arithmetic(cost) || line.figures.issued == 0) return line;
  const f64 all = static_cast<f64>(line.figures.issued) * run.program->needs.wave_lanes;
  line.vector_cycles = static_cast<f64>(line.figures.issue_cycles);
  line.idle_cycles = line.vector_cycles * (1 - static_cast<f64>(line.lanes) / all);
  return line;
}

std::vector<TimedLine> timed_lines(const RunData& run) {
  std::map<SourceLine, TimedLine> lines;
  const CodeMarks& marks = code_marks(*run.module);
  for (const u32 i : run.timing->per_instruction.present()) {
    if (!took_part(run.timing->per_instruction[i])) continue;
    const TimedLine one = timed_instruction(run, i);
    TimedLine& line = lines[one.at];
    line.at = one.at;
    line.figures += one.figures;
    line.vector_cycles += one.vector_cycles;
    line.idle_cycles += one.idle_cycles;
    line.lane_instructions += one.lane_instructions;
    line.lanes += one.lanes;
    line.barrier |= one.barrier;
    if (marks.divides[i]) line.division_cycles += one.vector_cycles;
    if (marks.doubles[i]) {
      line.double_cycles += one.vector_cycles;
      line.doubles += one.figures.issued;
      if (marks.converts[i]) line.conversions += one.figures.issued;
    }
    line.least_transactions += one.least_transactions;
    const f64 touched = static_cast<f64>(one.figures.transactions - one.figures.private_transactions);
    // Atomics have advice of their own.
    if (one.figures.atomic_lanes == 0 && touched > one.least_transactions &&
        touched >= waste_factor * one.least_transactions) {
      line.wasteful_transactions += touched;
      line.wasteful_least += one.least_transactions;
    }
  }
  std::vector<TimedLine> ranked;
  for (auto& [at, line] : lines) {
    // Where the line also accesses memory, a macro's for instance, its waits are those accesses'.
    const InstructionFigures& all = line.figures;
    line.barrier &= all.load_bytes + all.store_bytes + all.local_bytes + all.atomic_lanes == 0;
    ranked.push_back(line);
  }
  std::ranges::stable_sort(ranked, [](const TimedLine& a, const TimedLine& b) {
    return wave_cycles(a.figures) > wave_cycles(b.figures);
  });
  return ranked;
}

}  // namespace lockstep
