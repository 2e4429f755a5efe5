#include "time/what_if/changed.h"

#include <algorithm>

namespace lockstep {
namespace {

bool is_double(const TimedOp& op) {
  return op.cost == Cost::valu_f64_add || op.cost == Cost::valu_f64_mul ||
         op.cost == Cost::valu_f64_transcendental || op.cost == Cost::valu_f64_convert;
}

}  // namespace

Expected<TimingResult> time_changed(const Machine& machine, const TimedLaunch& launch, SourceFactory& sources,
                                    const TimingOptions& options, const ModelChange& change) {
  Expected<DeviceFigures> figures = device_figures(machine);
  if (!figures) return figures.error();
  Expected<LaunchModel> model = launch_model(machine, launch);
  if (!model) return model.error();
  if (change.device) change.device(*figures);
  if (change.launch) change.launch(*model);
  Device device(&machine, figures->core, figures->hierarchy);
  return device.run(*model, launch, launch.program->needs.wave_lanes, sources, options);
}

void floats_for_doubles(LaunchModel& model) {
  std::vector<TimedOp>& ops = model.program.ops;
  const TimedOp* like = nullptr;
  const auto held = [](const TimedOp& op) { return std::max(op.cycles, op.unit_cycles); };
  for (const TimedOp& op : ops) {
    const bool plain = op.cost == Cost::valu_full || op.cost == Cost::valu_f32_fma;
    if (plain && op.pipe == Pipe::vector && (like == nullptr || held(op) < held(*like))) like = &op;
  }
  if (like == nullptr) return;
  const TimedOp plain = *like;
  u16 result = 0;  // what waits for such an operation waits so long
  const auto each_dependence = [&](auto&& see) {
    for (std::size_t i = 0; i < ops.size(); ++i) {
      for (u32 d = 0; d < ops[i].dependences; ++d) {
        TimedOp::Dependence& one = ops[i].dependence[d];
        if (one.distance != 0 && one.distance <= i) see(ops[i - one.distance], one);
      }
    }
  };
  each_dependence([&](const TimedOp& from, const TimedOp::Dependence& one) {
    if (from.cost == plain.cost) result = std::max(result, one.cycles);
  });
  each_dependence([&](const TimedOp& from, TimedOp::Dependence& one) {
    if (is_double(from) && result != 0) one.cycles = std::min(one.cycles, result);
  });
  for (TimedOp& op : ops) {
    if (!is_double(op)) continue;
    op.cycles = std::min(op.cycles, plain.cycles);
    op.unit = plain.unit;
    op.unit_cycles = plain.unit_cycles;
    op.second_unit = plain.second_unit;
    op.second_unit_cycles = plain.second_unit_cycles;
    op.result_cycles = std::min(op.result_cycles, std::max<u16>(plain.result_cycles, 1));
    op.flags &= ~(TimedOp::second_pipe | TimedOp::transcendental | TimedOp::unit_shared);
    op.flags |= plain.flags & TimedOp::unit_shared;
  }
}

}  // namespace lockstep
