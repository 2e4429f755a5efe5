#include "cli/experiment_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/view.h"

namespace lockstep::cli {
namespace {

// Relative error of a judged number; rows that give a direction, or 0, have none.
std::optional<f64> error_of(const ExperimentRow& row) {
  if (!row.ratio || !row.ok) return std::nullopt;
  return std::fabs(*row.ratio - 1);
}

std::string percent(f64 share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string published_text(const ExperimentRow& row) {
  if (row.published) return fmt::format("{:.5g}", *row.published);
  std::string text;
  if (row.at_least) text = fmt::format("at least {:.3g}", *row.at_least);
  if (row.at_most) text += fmt::format("{}at most {:.3g}", text.empty() ? "" : ", ", *row.at_most);
  return text;
}

std::string verdict_text(const ExperimentRow& row) {
  if (!row.ok) return "shown";
  return *row.ok ? "yes" : "**no**";
}

std::string result_table(const ExperimentResult& result) {
  std::string text = fmt::format("\n## {}\n{} ({}).\n\n", result.experiment->name, result.experiment->title,
                                 result.experiment->source);
  text += "| GPU | clock | figure | unit | published | modelled | error | tolerance | within |\n";
  text += "|---|---|---|---|---|---|---|---|---|\n";
  for (const ExperimentRow& row : result.rows) {
    if (!row.has_claim()) continue;
    text += fmt::format("| {} | {} | {} | {} | {} | {:.5g} | {} | {} | {} |\n", row.gpu,
                        with_unit(static_cast<f64>(row.clock_hz), "Hz"), row.figure, row.unit,
                        published_text(row), row.modelled, row.ratio ? percent(*row.ratio - 1) : "",
                        row.tolerance ? percent(*row.tolerance) : "", verdict_text(row));
  }
  std::string notes;
  for (const ExperimentFigure& figure : result.experiment->figures) {
    if (!figure.why.empty()) notes += fmt::format("- {}: {}\n", figure.name, figure.why);
  }
  return notes.empty() ? text : text + "\n" + notes;
}

struct Totals {
  std::vector<f64> errors;
  u32 judged = 0, within = 0;

  void add(const ExperimentResult& result) {
    for (const ExperimentRow& row : result.rows) {
      if (const std::optional<f64> error = error_of(row)) errors.push_back(*error);
      if (row.ok) ++judged;
      if (row.ok && *row.ok) ++within;
    }
  }

  std::string row(const std::string& name) {
    std::string text = fmt::format("| {} | {} | {} |", name, judged, within);
    if (errors.empty()) return text + " | | |\n";
    std::sort(errors.begin(), errors.end());
    // The smallest error that at least 90 % of the figures do not pass.
    const std::size_t most = static_cast<std::size_t>(std::ceil(0.9 * static_cast<f64>(errors.size()))) - 1;
    const f64 mean = std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<f64>(errors.size());
    return text +
           fmt::format(" {} | {} | {} |\n", percent(mean), percent(errors[most]), percent(errors.back()));
  }
};

}  // namespace

std::string experiment_page(const std::vector<ExperimentResult>& results) {
  std::string text =
      "# How far the model is from published measurements\n\n"
      "Made by `lockstep experiment all --markdown`; [experiments](experiments.md) explains the columns and "
      "what is "
      "known of figures that miss. A figure that a source gives as a direction alone is asserted with a "
      "margin of "
      "10 % and has no error.\n\n"
      "| experiment | judged | within | mean error | 90th percentile | worst |\n|---|---|---|---|---|---|\n";
  Totals all;
  for (const ExperimentResult& result : results) {
    Totals totals;
    totals.add(result);
    all.add(result);
    text += totals.row(result.experiment->name);
  }
  text += all.row("all");
  for (const ExperimentResult& result : results) text += result_table(result);
  return text;
}

}  // namespace lockstep::cli
