// What a finished experiment says: published figures beside modelled ones, then what no source gives a number
// for.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run/experiment.h"
#include "run/simulation.h"

namespace lockstep {
namespace {

class Rows {
 public:
  explicit Rows(const ExperimentResult& result) : result_(result), experiment_(*result.experiment) {}

  Expected<std::vector<ExperimentRow>> all() {
    for (const ExperimentFigure& figure : experiment_.figures) {
      const Status done = published(figure);
      if (!done) return done.error();
    }
    if (experiment_.kernel_file.empty()) return std::move(rows_);
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

  ExperimentRow& add(const ExperimentRun& run, std::string figure, std::string unit, f64 modelled,
                     std::string note = "") {
    ExperimentRow row;
    row.experiment = experiment_.name;
    row.gpu = run.gpu;
    row.clock_hz = run.clock_hz;
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
    row.at_least = figure.at_least;
    row.at_most = figure.at_most;
    if (!figure.why.empty()) row.note += row.note.empty() ? figure.why : "; " + figure.why;
    if (figure.published && *figure.published != 0) row.ratio = row.modelled / *figure.published;
    if (!figure.judged) return;
    if (!figure.published) {
      row.ok = row.modelled >= figure.at_least.value_or(row.modelled) &&
               row.modelled <= figure.at_most.value_or(row.modelled);
      return;
    }
    row.tolerance = figure.tolerance;
    // The published decimal and the quotient of two integers are the nearest doubles of the same number at
    // best: a tolerance of 0 means equal to 12 digits.
    const f64 slack = std::max(figure.tolerance, 1e-12);
    row.ok = std::fabs(row.modelled - *figure.published) <= slack * std::fabs(*figure.published);
  }

  Status published(const ExperimentFigure& figure) {
    const ExperimentRun* run = find_run(result_, figure.configuration);
    LOCKSTEP_ASSERT(run != nullptr, "the reader checks that a figure's configuration exists");
    if (figure.kind == FigureKind::occupancy) return stated_occupancy(figure, *run);
    for (const std::string& name : {figure.counter, figure.counter_per}) {
      if (!name.empty() && find_counter(*run, name) == nullptr)
        return Diagnostic{"bad-experiment",
                          {experiment_.path, 0, 0},
                          fmt::format("figure '{}': {} has no counter '{}'", figure.name, run->gpu, name),
                          "lockstep run --json lists a launch's counters"};
    }
    if (figure.kind == FigureKind::ratio) {
      const ExperimentRun* to = find_run(result_, figure.to);
      LOCKSTEP_ASSERT(to != nullptr, "the reader checks that a figure's configuration exists");
      judge(add(*run, figure.name, figure.unit, ratio(figure, *run, *to)), figure);
      return Success{};
    }
    f64 found = value(figure, figure.kind, *run, figure.beyond);
    if (!figure.other.empty()) {
      const ExperimentRun* other = find_run(result_, figure.other);
      LOCKSTEP_ASSERT(other != nullptr, "the reader makes the other configuration");
      found = std::max(found, value(figure, figure.kind, *other, figure.other_beyond));
    }
    judge(add(*run, figure.name, figure.unit, found * scale(figure.kind),
              experiment_.search ? run->configuration : ""),
          figure);
    return Success{};
  }

  // To the unit that figures of this kind are printed in.
  static f64 scale(FigureKind kind) {
    switch (kind) {
      case FigureKind::flop_rate:
      case FigureKind::byte_rate:
        return 1e-9;
      case FigureKind::time:
        return 1e6;
      default:
        return 1;
    }
  }

  // In FLOP/s, B/s, seconds, or a counter's own unit.
  f64 value(const ExperimentFigure& figure, FigureKind kind, const ExperimentRun& run,
            const std::string& beyond_name) const {
    const ExperimentRun none;
    const ExperimentRun* beyond = beyond_name.empty() ? &none : find_run(result_, beyond_name);
    LOCKSTEP_ASSERT(beyond != nullptr, "the reader checks that a figure's configuration exists");
    const f64 seconds = run.seconds - beyond->seconds;
    switch (kind) {
      case FigureKind::flop_rate:
        return (run.flop - beyond->flop) / seconds;
      case FigureKind::byte_rate:
        return (run.bytes - beyond->bytes) / seconds;
      case FigureKind::time:
        return seconds;
      case FigureKind::valu_utilisation:
        return run.valu_utilisation - beyond->valu_utilisation;
      case FigureKind::counter: {
        const auto more = [&](const std::string& name) {
          return counter(run, name) - counter(*beyond, name);
        };
        return more(figure.counter) / (figure.counter_per.empty() ? 1 : more(figure.counter_per));
      }
      case FigureKind::occupancy:
      case FigureKind::ratio:
        break;
    }
    LOCKSTEP_ASSERT(false, "not a figure of one run");
    return 0;
  }

  static const Counter* find_counter(const ExperimentRun& run, const std::string& name) {
    const auto found = std::find_if(run.counters.begin(), run.counters.end(),
                                    [&](const Counter& counter) { return counter.name == name; });
    return found == run.counters.end() ? nullptr : &*found;
  }
  static f64 counter(const ExperimentRun& run, const std::string& name) {
    const Counter* found = find_counter(run, name);
    return found == nullptr ? 0 : static_cast<f64>(found->value);
  }

  f64 ratio(const ExperimentFigure& figure, const ExperimentRun& run, const ExperimentRun& to) const {
    return value(figure, figure.of, run, figure.beyond) / value(figure, figure.of, to, figure.to_beyond);
  }

  // From what the source states alone: the group, its local memory, and registers where it gives them.
  Status stated_occupancy(const ExperimentFigure& figure, const ExperimentRun& run) {
    OccupancyInput input =
        occupancy_input(run.needs, run.occupancy.waves_per_group * run.occupancy.wave_width, run.local_bytes);
    input.vector_registers = figure.given_vgprs.value_or(0);
    input.scalar_registers = 0;
    input.accumulator_registers = 0;
    const Expected<Occupancy> stated =
        evaluate_occupancy(occupancy_rules(result_.machines.at(run.gpu)), input);
    // A group that fits no compute unit is an answer where groups are asked.
    const std::string code = stated ? std::string() : stated.error().code;
    const bool fits_none = code == "group-does-not-fit" || code == "group-too-large";
    if (!stated && !(figure.in_groups && fits_none)) return stated.error();
    if (!stated) {
      judge(add(run, figure.name, figure.unit, 0, stated.error().message), figure);
      return Success{};
    }
    ExperimentRow& row = add(run, figure.name, figure.unit,
                             figure.in_groups ? static_cast<f64>(stated->groups_per_cu) : stated->occupancy,
                             fmt::format("limited by {}", stated->limiter));
    judge(row, figure);
    if (row.ok && !figure.limiter.empty() && stated->limiter != figure.limiter) {
      row.ok = false;
      row.note = fmt::format("limited by {}, published: {}", stated->limiter, figure.limiter);
    }
    if (figure.in_groups) return Success{};
    for (const OccupancyLimit& limit : stated->limits) {
      add(run, fmt::format("{}, {} alone, uncapped", figure.name, limit.name), figure.unit, limit.uncapped,
          fmt::format("{} groups a compute unit", limit.groups_per_cu));
    }
    return Success{};
  }

  void compiled(const ExperimentRun& run) {
    const std::string& name = run.configuration;
    add(run, name + " VGPRs, compiled", "registers", run.needs.vector_registers);
    add(run, name + " SGPRs, compiled", "registers", run.needs.scalar_registers);
    add(run, name + " occupancy, compiled", "1", run.occupancy.occupancy,
        fmt::format("limited by {}", run.occupancy.limiter));
    add(run, name + " VALU utilisation, modelled", "1", run.valu_utilisation,
        fmt::format("bound: {}", run.bound));
  }

  void rates(const ExperimentRun& run) {
    const std::string name = fmt::format("{} rate{}", run.configuration, size_text(run));
    if (run.flop == 0) {
      add(run, name, "GB/s", run.byte_rate() * 1e-9,
          fmt::format("{:.1f} us, bound: {}", run.seconds * 1e6, run.bound));
      return;
    }
    add(run, name, "GFLOP/s", run.flop_rate() * 1e-9,
        fmt::format("{:.1f} us, {:.0f} GB/s, bound: {}", run.seconds * 1e6, run.byte_rate() * 1e-9,
                    run.bound));
  }

  std::string size_text(const ExperimentRun& run) const {
    if (experiment_.varied.empty()) return "";
    return fmt::format(" at {}={}", experiment_.varied, run.values.at(experiment_.varied));
  }

  void ratios_at_other_sizes() {
    for (const i64 size : experiment_.also) {
      for (const ExperimentFigure& figure : experiment_.figures) {
        if (figure.kind != FigureKind::ratio || !figure.beyond.empty()) continue;
        const ExperimentRun* run = at_size(figure.configuration, size);
        const ExperimentRun* to = at_size(figure.to, size);
        if (run == nullptr || to == nullptr) continue;
        add(*run, fmt::format("{} at {}={}", figure.name, experiment_.varied, size), figure.unit,
            ratio(figure, *run, *to));
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
  std::vector<ExperimentRow> rows_;
};

}  // namespace

Expected<std::vector<ExperimentRow>> experiment_rows(const ExperimentResult& result) {
  return Rows(result).all();
}

}  // namespace lockstep
