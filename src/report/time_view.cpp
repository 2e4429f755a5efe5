#include <fmt/format.h>

#include "report/view.h"

namespace lockstep {
namespace {

Json collect_time(const RunData& run) {
  if (!run.timing) return nullptr;
  const TimingResult& timing = *run.timing;
  const f64 seconds = static_cast<f64>(timing.cycles) / static_cast<f64>(run.clock_hz());
  Json data;
  data["cycles"] = timing.cycles;
  data["clock_hz"] = run.clock_hz();
  if (run.machine->chosen_clock_hz != 0) data["own_clock_hz"] = own_clock_hz(*run.machine);
  data["time_ns"] = seconds * 1e9;
  if (const u64 cycles = timing.counter("cycles.write_back"); cycles != 0) data["write_back_cycles"] = cycles;
  data["instructions"] = timing.instructions;
  if (const u64 cycles = timing.counter("cycles.flush"); cycles != 0) data["flush_cycles"] = cycles;
  data["instructions_per_cycle_per_cu"] =
      timing.cycles == 0
          ? 0.0
          : static_cast<f64>(timing.instructions) / static_cast<f64>(timing.cycles) /
                (has(*run.machine, "compute.units") ? number(*run.machine, "compute.units") : 1);
  data["mean_resident_waves"] =
      timing.cycles == 0 ? 0.0 : static_cast<f64>(timing.wave_cycles) / static_cast<f64>(timing.cycles);
  return data;
}

std::string time_view_text(const Json& data) {
  const std::string chosen =
      data.contains("own_clock_hz")
          ? fmt::format(" (chosen; its own is {})", with_unit(data["own_clock_hz"].get<f64>(), "Hz"))
          : "";
  return heading("Time") +
         fmt::format("  {} cycles at {}{}: {}\n", data["cycles"].get<u64>(),
                     with_unit(data["clock_hz"].get<f64>(), "Hz"), chosen,
                     with_unit(data["time_ns"].get<f64>() * 1e-9, "s")) +
         (data.contains("write_back_cycles")
              ? fmt::format("  {} of them at the end, while dirty lines leave the second level\n",
                            data["write_back_cycles"].get<u64>())
              : "") +
         (data.contains("flush_cycles")
              ? fmt::format("  {} of them at the end, until all accesses of memory are seen to be done\n",
                            data["flush_cycles"].get<u64>())
              : "") +
         fmt::format(
             "  {} wave-instructions, {:.3g} a cycle and compute unit; {:.4g} waves resident on average\n",
             data["instructions"].get<u64>(), data["instructions_per_cycle_per_cu"].get<f64>(),
             data["mean_resident_waves"].get<f64>());
}

}  // namespace

View time_view() {
  return {"time", collect_time, time_view_text};
}

}  // namespace lockstep
