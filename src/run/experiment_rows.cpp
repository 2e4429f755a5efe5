// What a finished experiment says: published figures beside modelled ones, then what no source gives a number
// for.
#include <fmt/format.h>

#include <cmath>

#include "run/experiment.h"
#include "run/simulation.h"

namespace lockstep {
namespace {

class Rows {
 public:
  Rows(const ExperimentResult& result, const Machine& machine)
      : result_(result), experiment_(*result.experiment), machine_(machine) {}

  Expected<std::vector<ExperimentRow>> all() {
    for (const ExperimentFigure& figure : experiment_.figures) {
      const Status done = published(figure);
      if (!done) return done.error();
    }
    for (const ExperimentConfiguration& configuration : experiment_.configurations)
      compiled(*find_run(result_, configuration.name));
    if (const ExperimentRun* best = best_run()) compiled(*best);
    for (const ExperimentRun& run : result_.runs) rates(run);
    ratios_at_other_sizes();
    return std::move(rows_);
  }

 private:
  const ExperimentRun* best_run() const {
    return experiment_.search ? find_run(result_, experiment_.search->name) : nullptr;
  }

  ExperimentRow& add(std::string figure, std::string unit, f64 modelled, std::string note = "") {
    ExperimentRow row;
    row.experiment = experiment_.name;
    row.gpu = result_.gpu;
    row.figure = std::move(figure);
    row.unit = std::move(unit);
    row.modelled = modelled;
    row.source = experiment_.source;
    row.note = std::move(note);
    rows_.push_back(std::move(row));
    return rows_.back();
  }

  void judge(ExperimentRow& row, const ExperimentFigure& figure) {
    row.source = figure.source;
    row.published = figure.published;
    if (figure.published && *figure.published != 0) row.ratio = row.modelled / *figure.published;
    if (!figure.judged) return;
    row.tolerance = figure.tolerance;
    // The published decimal and the quotient of two integers are the nearest doubles of the same number at
    // best: a tolerance of 0 means equal to 12 digits.
    const f64 slack = std::max(figure.tolerance, 1e-12);
    row.ok = std::fabs(row.modelled - *figure.published) <= slack * std::fabs(*figure.published);
  }

  Status published(const ExperimentFigure& figure) {
    const ExperimentRun* run = find_run(result_, figure.configuration);
    LOCKSTEP_ASSERT(run != nullptr, "the reader checks that a figure's configuration exists");
    switch (figure.kind) {
      case FigureKind::occupancy:
        return stated_occupancy(figure, *run);
      case FigureKind::flop_rate:
        judge(add(figure.name, figure.unit, run->flop_rate * 1e-9, run->configuration), figure);
        break;
      case FigureKind::valu_utilisation:
        judge(add(figure.name, figure.unit, run->valu_utilisation), figure);
        break;
      case FigureKind::ratio: {
        const ExperimentRun* to = find_run(result_, figure.to);
        LOCKSTEP_ASSERT(to != nullptr, "the reader checks that a figure's configuration exists");
        judge(add(figure.name, figure.unit, run->flop_rate / to->flop_rate), figure);
        break;
      }
    }
    return Success{};
  }

  // From what the source states alone: the group, its local memory, and registers where it gives them.
  Status stated_occupancy(const ExperimentFigure& figure, const ExperimentRun& run) {
    OccupancyInput input =
        occupancy_input(run.needs, run.occupancy.waves_per_group * run.occupancy.wave_width, run.local_bytes);
    input.vector_registers = figure.given_vgprs.value_or(0);
    input.scalar_registers = 0;
    input.accumulator_registers = 0;
    const Expected<Occupancy> stated = evaluate_occupancy(occupancy_rules(machine_), input);
    if (!stated) return stated.error();
    ExperimentRow& row =
        add(figure.name, figure.unit, stated->occupancy, fmt::format("limited by {}", stated->limiter));
    judge(row, figure);
    if (row.ok && !figure.limiter.empty() && stated->limiter != figure.limiter) {
      row.ok = false;
      row.note = fmt::format("limited by {}, published: {}", stated->limiter, figure.limiter);
    }
    for (const OccupancyLimit& limit : stated->limits) {
      add(fmt::format("{}, {} alone, uncapped", figure.name, limit.name), figure.unit, limit.uncapped,
          fmt::format("{} groups a compute unit", limit.groups_per_cu));
    }
    return Success{};
  }

  void compiled(const ExperimentRun& run) {
    const std::string& name = run.configuration;
    add(name + " VGPRs, compiled", "registers", run.needs.vector_registers);
    add(name + " SGPRs, compiled", "registers", run.needs.scalar_registers);
    add(name + " occupancy, compiled", "1", run.occupancy.occupancy,
        fmt::format("limited by {}", run.occupancy.limiter));
    add(name + " VALU utilisation, modelled", "1", run.valu_utilisation, fmt::format("bound: {}", run.bound));
  }

  void rates(const ExperimentRun& run) {
    add(fmt::format("{} rate{}", run.configuration, size_text(run)), "GFLOP/s", run.flop_rate * 1e-9,
        fmt::format("{:.1f} us, {:.0f} GB/s, bound: {}", run.seconds * 1e6, run.byte_rate * 1e-9, run.bound));
  }

  std::string size_text(const ExperimentRun& run) const {
    if (experiment_.varied.empty()) return "";
    return fmt::format(" at {}={}", experiment_.varied, run.values.at(experiment_.varied));
  }

  void ratios_at_other_sizes() {
    for (const i64 size : experiment_.also) {
      for (const ExperimentFigure& figure : experiment_.figures) {
        if (figure.kind != FigureKind::ratio) continue;
        const ExperimentRun* run = at_size(figure.configuration, size);
        const ExperimentRun* to = at_size(figure.to, size);
        if (run == nullptr || to == nullptr) continue;
        add(fmt::format("{} at {}={}", figure.name, experiment_.varied, size), figure.unit,
            run->flop_rate / to->flop_rate);
      }
    }
  }

  const ExperimentRun* at_size(const std::string& configuration, i64 size) const {
    const ExperimentRun* own = find_run(result_, configuration);
    for (const ExperimentRun& run : result_.runs) {
      if (own != nullptr && run.configuration == own->configuration &&
          run.values.at(experiment_.varied) == size)
        return &run;
    }
    return nullptr;
  }

  const ExperimentResult& result_;
  const Experiment& experiment_;
  const Machine& machine_;
  std::vector<ExperimentRow> rows_;
};

}  // namespace

Expected<std::vector<ExperimentRow>> experiment_rows(const ExperimentResult& result, const Machine& machine) {
  return Rows(result, machine).all();
}

}  // namespace lockstep
