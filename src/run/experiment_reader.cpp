// experiment.toml: the only place that reads it. docs/experiments.md lists the keys.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>

#include "base/environment.h"
#include "base/installation.h"
#include "base/nearest.h"
#include "run/clock.h"
#include "run/experiment.h"
#include "run/experiment_logs.h"
#include "run/toml_reader.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

using Reader = TomlReader;

// An experiment without a kernel asks for occupancies alone.
void read_kernel(Reader& reader, const toml::table& file, Experiment& experiment) {
  if (file.get("kernel") == nullptr) return;
  const toml::table& kernel = reader.table(file, "kernel");
  reader.only(kernel, "[kernel]", {"file", "function", "options", "defines"});
  experiment.kernel_file = (fs::path(experiment.path).parent_path() / reader.text(kernel, "file")).string();
  experiment.function = reader.text(kernel, "function");
  experiment.options = reader.texts(kernel, "options");
  if (const toml::table* defines = kernel["defines"].as_table()) {
    for (const auto& [macro, node] : toml_in_order(*defines)) {
      if (!node->is_string()) reader.fail(*node, "a define is the name of a value");
      experiment.defines.push_back({macro, node->value_or(std::string())});
    }
  }
}

void read_launch(Reader& reader, const toml::table& file, Experiment& experiment) {
  if (is_listing(experiment)) {
    if (file.get("launch") != nullptr) reader.fail(file, "a listing says its launch itself: no [launch]");
    return;
  }
  const toml::table& launch = reader.table(file, "launch");
  reader.only(launch, "[launch]", {"global", "local", "argument", "repeat", "cold"});
  experiment.global = reader.text(launch, "global");
  experiment.local = reader.text(launch, "local");
  if (const toml::node* repeat = launch.get("repeat")) {
    constexpr i64 most = 1000;
    const i64 value = reader.integer(*repeat, "repeat");
    if (value < 1 || value > most) reader.fail(*repeat, fmt::format("'repeat' is 1 to {} launches", most));
    experiment.repeat = static_cast<u32>(value);
  }
  experiment.cold = reader.truth(launch, "cold", false);
  for (const toml::table* table : reader.tables(launch, "argument")) {
    reader.only(*table, "[[launch.argument]]", {"name", "type", "count", "init", "value"});
    ExperimentArgument argument;
    argument.name = reader.text(*table, "name");
    argument.type = reader.text(*table, "type");
    argument.count = reader.text(*table, "count", false);
    argument.init = reader.text(*table, "init", false);
    argument.value = reader.text(*table, "value", false);
    constexpr std::string_view local = "local ";
    if (argument.type.starts_with(local)) {
      argument.local = true;
      argument.type.erase(0, local.size());
    }
    const bool scalar = !argument.value.empty();
    if (scalar == !argument.count.empty() || (!scalar && !argument.local && argument.init.empty()))
      reader.fail(*table,
                  fmt::format("argument '{}' has either a value, or a count and (unless local) an init",
                              argument.name));
    std::erase(argument.init, ' ');
    experiment.arguments.push_back(std::move(argument));
  }
}

void read_problem(Reader& reader, const toml::table& file, Experiment& experiment) {
  if (is_listing(experiment) && file.get("problem") == nullptr) return;
  const toml::table& problem = reader.table(file, "problem");
  for (const auto& [key, node] : toml_in_order(problem)) {
    if (key == "flop" || key == "bytes") continue;
    if (key.starts_with("also_")) {
      if (!experiment.varied.empty()) reader.fail(*node, "only one value of the problem can vary");
      experiment.varied = key.substr(5);
      experiment.also = reader.integers(*node, key);
    } else {
      experiment.problem[key] = reader.integer(*node, key);
    }
  }
  const bool runs = !experiment.kernel_file.empty() && !is_listing(experiment);
  experiment.flop = reader.text(problem, "flop", runs);
  experiment.bytes = reader.text(problem, "bytes", runs);
  if (!experiment.varied.empty() && !experiment.problem.contains(experiment.varied))
    reader.fail(problem, fmt::format("the problem has no value '{}' to vary", experiment.varied));
}

void read_configurations(Reader& reader, const toml::table& file, Experiment& experiment) {
  for (const toml::table* table : reader.tables(file, "configuration")) {
    ExperimentConfiguration configuration;
    configuration.name = reader.text(*table, "name");
    configuration.machine = reader.text(*table, "machine", false);
    configuration.function = reader.text(*table, "function", false);
    configuration.clock_hz = read_clock(reader, *table);
    configuration.options = reader.texts(*table, "options");
    if (const toml::node* bytes = table->get("bank_bytes"))
      configuration.bank_bytes = static_cast<u64>(std::max<i64>(0, reader.integer(*bytes, "bank_bytes")));
    constexpr std::array<std::string_view, 6> own{"name",  "machine", "function",
                                                  "clock", "options", "bank_bytes"};
    for (const auto& [key, node] : toml_in_order(*table)) {
      if (std::find(own.begin(), own.end(), key) == own.end())
        configuration.values[key] = reader.integer(*node, key);
    }
    experiment.configurations.push_back(std::move(configuration));
  }
  read_logs(reader, file, experiment);
  if (experiment.configurations.empty()) reader.fail(file, "there is no [[configuration]]");
  const toml::table* table = file["search"].as_table();
  if (table == nullptr) return;
  ExperimentSearch search;
  search.name = reader.text(*table, "name");
  if (const std::string best = reader.text(*table, "best"); best != "flop_rate")
    reader.fail(*table, fmt::format("a search takes the best flop_rate, not '{}'", best));
  for (const auto& [key, node] : toml_in_order(*table)) {
    if (key != "name" && key != "best") search.axes.push_back({key, reader.integers(*node, key)});
  }
  if (search.axes.empty()) reader.fail(*table, "a search has lists of values to try");
  experiment.search = std::move(search);
}

void read_figures(Reader& reader, const toml::table& file, Experiment& experiment) {
  std::vector<std::string> names;
  for (const ExperimentConfiguration& configuration : experiment.configurations)
    names.push_back(configuration.name);
  if (experiment.search) names.push_back(experiment.search->name);
  const auto known = [&](const toml::table& table, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      reader.fail(table, fmt::format("there is no configuration '{}'", name),
                  fmt::format("configurations: {}", fmt::join(names, ", ")));
  };
  for (const toml::table* table : reader.tables(file, "figure")) {
    reader.only(*table, "[[figure]]",
                {"name",    "kind",      "configuration", "beyond",    "to",        "to_beyond", "of",
                 "counter", "per",       "given",         "in_groups", "published", "at_least",  "at_most",
                 "unit",    "tolerance", "limiter",       "source",    "judged",    "why"});
    ExperimentFigure figure;
    figure.name = reader.text(*table, "name");
    figure.kind = read_figure_kind(reader, *table, "kind");
    figure.configuration = reader.text(*table, "configuration");
    known(*table, figure.configuration);
    const bool ratio = figure.kind == FigureKind::ratio;
    if (ratio) {
      figure.to = reader.text(*table, "to");
      known(*table, figure.to);
      if (table->get("of") != nullptr) figure.of = read_figure_kind(reader, *table, "of");
      if (figure.of == FigureKind::ratio || figure.of == FigureKind::occupancy)
        reader.fail(*table, "a ratio is of rates, times, utilisations or counters");
    }
    for (auto [key, name] : {std::pair("beyond", &figure.beyond), {"to_beyond", &figure.to_beyond}}) {
      if (table->get(key) == nullptr) continue;
      *name = reader.text(*table, key);
      known(*table, *name);
      if (figure.kind == FigureKind::occupancy) reader.fail(*table, fmt::format("no occupancy is '{}'", key));
    }
    const bool counts = figure.kind == FigureKind::counter || (ratio && figure.of == FigureKind::counter);
    figure.counter = reader.text(*table, "counter", counts);
    figure.counter_per = reader.text(*table, "per", false);
    figure.in_groups = reader.truth(*table, "in_groups", false);
    figure.why = reader.text(*table, "why", false);
    for (auto [key, bound] : {std::pair("at_least", &figure.at_least), {"at_most", &figure.at_most}}) {
      if (const toml::node* node = table->get(key)) *bound = reader.real(*node, key);
    }
    if (const toml::node* published = table->get("published"))
      figure.published = reader.real(*published, "published");
    figure.unit = reader.text(*table, "unit");
    figure.limiter = reader.text(*table, "limiter", false);
    figure.source = reader.text(*table, "source");
    const bool directed = figure.at_least || figure.at_most;
    if (directed && figure.published)
      reader.fail(*table, fmt::format("figure '{}' has a number or a direction, not both", figure.name));
    figure.judged = reader.truth(*table, "judged", figure.published.has_value() || directed);
    if (const toml::node* tolerance = table->get("tolerance")) {
      figure.tolerance = reader.real(*tolerance, "tolerance");
    } else if (figure.judged && !directed) {
      reader.fail(*table, fmt::format("figure '{}' is judged and has no tolerance", figure.name));
    }
    if (figure.judged && !figure.published && !directed)
      reader.fail(*table, fmt::format("figure '{}' is judged and has no published value", figure.name));
    if (const toml::table* given = (*table)["given"].as_table()) {
      reader.only(*given, "given", {"vgprs"});
      if (const toml::node* vgprs = given->get("vgprs"))
        figure.given_vgprs = static_cast<u32>(reader.integer(*vgprs, "vgprs"));
    }
    experiment.figures.push_back(std::move(figure));
  }
}

}  // namespace

u64 read_clock(TomlReader& reader, const toml::table& table) {
  const toml::node* node = table.get("clock");
  if (node == nullptr) return 0;
  const Expected<u64> clock = parse_clock(reader.text(table, "clock"));
  if (!clock) reader.fail(*node, clock.error().message, clock.error().hint);
  return clock ? *clock : 0;
}

FigureKind read_figure_kind(TomlReader& reader, const toml::table& table, std::string_view key) {
  constexpr std::array<std::pair<std::string_view, FigureKind>, 7> kinds{
      {{"occupancy", FigureKind::occupancy},
       {"flop_rate", FigureKind::flop_rate},
       {"byte_rate", FigureKind::byte_rate},
       {"time", FigureKind::time},
       {"valu_utilisation", FigureKind::valu_utilisation},
       {"counter", FigureKind::counter},
       {"ratio", FigureKind::ratio}}};
  const std::string kind = reader.text(table, key);
  std::vector<std::string_view> names;
  for (const auto& [name, value] : kinds) {
    if (kind == name) return value;
    names.push_back(name);
  }
  reader.fail(table, fmt::format("no figure is of the kind '{}'", kind),
              fmt::format("kinds: {}", fmt::join(names, ", ")));
  return FigureKind::ratio;
}

std::string experiment_directory() {
  if (const char* chosen = environment("LOCKSTEP_EXPERIMENTS")) return chosen;
  if (auto installed = installed_folder("experiments", "")) return *installed;
  return LOCKSTEP_SOURCE_DIR "/experiments";
}

Expected<std::vector<std::string>> list_experiments(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    if (fs::exists(entry.path() / "experiment.toml")) names.push_back(entry.path().filename().string());
  }
  if (error) {
    return Diagnostic{"no-experiments",
                      {directory, 0, 0},
                      fmt::format("the experiments cannot be read: {}", error.message()),
                      "LOCKSTEP_EXPERIMENTS names their directory"};
  }
  std::sort(names.begin(), names.end());
  return names;
}

Expected<Experiment> load_experiment(const std::string& directory, const std::string& name) {
  const Expected<std::vector<std::string>> names = list_experiments(directory);
  if (!names) return names.error();
  if (std::find(names->begin(), names->end(), name) == names->end()) {
    const std::vector<std::string> near = nearest_names(name, *names);
    return Diagnostic{"no-such-experiment",
                      {directory, 0, 0},
                      fmt::format("there is no experiment '{}'", name),
                      fmt::format("{}: {}", near.empty() ? "experiments" : "did you mean",
                                  fmt::join(near.empty() ? *names : near, ", "))};
  }
  Experiment experiment;
  experiment.path = (fs::path(directory) / name / "experiment.toml").string();
  Reader reader(experiment.path, "bad-experiment");
  toml::table file;
  try {
    file = toml::parse_file(experiment.path);
  } catch (const toml::parse_error& error) {
    return Diagnostic{"bad-experiment",
                      {experiment.path, error.source().begin.line, error.source().begin.column},
                      std::string(error.description()),
                      ""};
  }
  reader.only(
      file, "an experiment",
      {"experiment", "kernel", "launch", "problem", "configuration", "search", "figure", "measure", "log"});
  const toml::table& head = reader.table(file, "experiment");
  reader.only(head, "[experiment]", {"name", "title", "source", "machine", "clock"});
  experiment.name = reader.text(head, "name");
  experiment.title = reader.text(head, "title");
  experiment.source = reader.text(head, "source");
  experiment.machine = reader.text(head, "machine");
  experiment.clock_hz = read_clock(reader, head);
  if (experiment.name != name)
    reader.fail(head, fmt::format("the experiment '{}' lies in a folder named '{}'", experiment.name, name));
  read_kernel(reader, file, experiment);
  read_launch(reader, file, experiment);
  read_problem(reader, file, experiment);
  read_configurations(reader, file, experiment);
  read_figures(reader, file, experiment);
  for (const ExperimentFigure& figure : experiment.figures) {
    if (experiment.kernel_file.empty() && figure.kind != FigureKind::occupancy)
      reader.fail(file, fmt::format("figure '{}' needs a [kernel]", figure.name));
  }
  if (reader.error()) return *reader.error();
  return experiment;
}

bool is_listing(const Experiment& experiment) {
  return experiment.kernel_file.ends_with(".timing");
}

}  // namespace lockstep
