#include "run/experiment_logs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/nearest.h"

namespace lockstep {
namespace {

struct Measure {
  ExperimentFigure figure;              // without what one log states
  ExperimentConfiguration whole, less;  // without the machine
  bool has_less = false;
  std::string other;  // another function that does the same work
};

// The integers of a table but for the keys that mean something else.
void read_values(TomlReader& reader, const toml::table& table, std::initializer_list<std::string_view> others,
                 ExperimentValues& values) {
  for (const auto& [key, node] : toml_in_order(table)) {
    if (std::find(others.begin(), others.end(), key) == others.end())
      values[key] = reader.integer(*node, key);
  }
}

Measure read_measure(TomlReader& reader, const toml::table& table) {
  Measure measure;
  measure.figure.name = reader.text(table, "name");
  measure.figure.kind = read_figure_kind(reader, table, "kind");
  if (measure.figure.kind != FigureKind::flop_rate && measure.figure.kind != FigureKind::byte_rate &&
      measure.figure.kind != FigureKind::time)
    reader.fail(table, "a measure is a flop_rate, a byte_rate or a time");
  measure.figure.unit = reader.text(table, "unit");
  if (const toml::node* tolerance = table.get("tolerance")) {
    measure.figure.tolerance = reader.real(*tolerance, "tolerance");
  } else {
    reader.fail(table, fmt::format("the measure '{}' has no tolerance", measure.figure.name));
  }
  measure.whole.function = reader.text(table, "function", false);
  measure.other = reader.text(table, "or_function", false);
  if (!measure.other.empty() && measure.figure.kind == FigureKind::time)
    reader.fail(table, "'or_function' is a rate's: the faster one counts");
  read_values(reader, table, {"name", "kind", "unit", "tolerance", "function", "or_function", "fewer"},
              measure.whole.values);
  measure.less = measure.whole;
  if (const toml::table* fewer = table["fewer"].as_table()) {
    measure.has_less = true;
    read_values(reader, *fewer, {}, measure.less.values);
  } else if (const toml::node* node = table.get("fewer")) {
    reader.fail(*node, "'fewer' is a table of integers");
  }
  return measure;
}

const toml::table& table_or_none(TomlReader& reader, const toml::table& parent, std::string_view key) {
  static const toml::table none;
  return parent.get(key) == nullptr ? none : reader.table(parent, key);
}

void read_log(TomlReader& reader, const toml::table& table, const std::vector<Measure>& measures,
              Experiment& experiment) {
  const std::string machine = reader.text(table, "machine");
  const std::string source = reader.text(table, "source");
  const u64 clock_hz = read_clock(reader, table);
  ExperimentValues values;
  read_values(reader, table, {"machine", "source", "clock", "figures", "shown", "why"}, values);
  const std::vector<std::string> shown = reader.texts(table, "shown");
  const toml::table& figures = reader.table(table, "figures");
  const toml::table& reasons = table_or_none(reader, table, "why");
  if (figures.empty()) reader.fail(table, "a log states figures");
  for (const auto& [name, node] : toml_in_order(figures)) {
    const auto found = std::find_if(measures.begin(), measures.end(),
                                    [&](const Measure& one) { return one.figure.name == name; });
    if (found == measures.end()) {
      std::vector<std::string> names;
      for (const Measure& one : measures) names.push_back(one.figure.name);
      reader.fail(*node, fmt::format("there is no measure '{}'", name),
                  fmt::format("measures: {}", fmt::join(names, ", ")));
      return;
    }
    const auto add = [&](ExperimentConfiguration configuration, std::string_view what) {
      configuration.name = fmt::format("{}: {}{}", machine, name, what);
      configuration.machine = machine;
      configuration.clock_hz = clock_hz;
      configuration.values.insert(values.begin(), values.end());
      experiment.configurations.push_back(configuration);
      return configuration.name;
    };
    ExperimentFigure figure = found->figure;
    figure.configuration = add(found->whole, "");
    if (found->has_less) figure.beyond = add(found->less, ", fewer");
    if (!found->other.empty()) {
      ExperimentConfiguration whole = found->whole, less = found->less;
      whole.function = less.function = found->other;
      figure.other = add(std::move(whole), ", other");
      if (found->has_less) figure.other_beyond = add(std::move(less), ", other, fewer");
    }
    figure.published = reader.real(*node, name);
    figure.source = source;
    figure.judged = std::find(shown.begin(), shown.end(), name) == shown.end();
    figure.why = reader.text(reasons, name, false);
    experiment.figures.push_back(std::move(figure));
  }
  const auto stated = [&](const std::string& name) { return figures.get(name) != nullptr; };
  for (const std::string& name : shown) {
    if (!stated(name)) reader.fail(table, fmt::format("the log has no figure '{}' to show", name));
  }
  for (const auto& [name, node] : toml_in_order(reasons)) {
    if (!stated(name)) reader.fail(*node, fmt::format("the log has no figure '{}' to explain", name));
  }
}

}  // namespace

void read_logs(TomlReader& reader, const toml::table& file, Experiment& experiment) {
  std::vector<Measure> measures;
  for (const toml::table* table : reader.tables(file, "measure"))
    measures.push_back(read_measure(reader, *table));
  for (const toml::table* table : reader.tables(file, "log")) read_log(reader, *table, measures, experiment);
}

}  // namespace lockstep
