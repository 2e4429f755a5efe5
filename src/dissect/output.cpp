#include "dissect/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "machine/schema.h"

namespace lockstep::dissect {
namespace {

std::string short_number(f64 value) {
  const f64 size = std::fabs(value);
  if (size != 0 && (size >= 1e7 || size < 0.001)) return fmt::format("{:.3e}", value);
  if (size >= 1000) return fmt::format("{:.0f}", value);
  return fmt::format("{:.{}f}", value, size >= 100 ? 1 : size >= 10 ? 2 : 3);
}

std::string clock_text(f64 hertz) {
  return hertz > 0 ? fmt::format("{:.0f} MHz", hertz * 1e-6) : std::string("clock unknown");
}

// A figure's value in JSON: the digits that it is good for.
f64 rounded(f64 value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const f64 unit = std::pow(10.0, 6 - std::ceil(std::log10(std::fabs(value))));
  return std::round(value * unit) / unit;
}

std::string text_of_figure(const Figure& figure, std::optional<f64> published) {
  if (!figure.refused.empty())
    return fmt::format("  {:<34} {:>10} {:<13} refused: {}\n", figure.name, "-", figure.unit, figure.refused);
  std::string line =
      fmt::format("  {:<34} {:>10} {:<13}", figure.name, short_number(figure.value), figure.unit);
  if (figure.stated && figure.stated->value != 0) {
    line += fmt::format(
        " {:>9} {:>6}  {}", short_number(figure.stated->value),
        fmt::format("{:.0f} %", 100 * figure.value / figure.stated->value),
        fmt::format("{} ({}, {})", figure.stated->key, figure.stated->confidence, figure.stated->source));
  }
  if (published)
    line += fmt::format("  device: {} ({:.0f} %)", short_number(*published), 100 * figure.value / *published);
  if (!figure.note.empty()) line += "  " + figure.note;
  while (line.ends_with(' ')) line.pop_back();
  return line + "\n";
}

std::string text_of_curve(const Curve& curve) {
  std::string text = fmt::format("  {}: {} over {}\n", curve.name, curve.y, curve.x);
  for (const Point& point : curve.points) {
    const bool bytes = curve.x_unit == "B";
    const std::string x = !bytes               ? fmt::format("{:g} {}", point.x, curve.x_unit)
                          : point.x >= 1048576 ? fmt::format("{:g} MiB", point.x / 1048576)
                          : point.x >= 1024    ? fmt::format("{:g} KiB", point.x / 1024)
                                               : fmt::format("{:g} B", point.x);
    text += fmt::format("    {:>14} {:>10} {}\n", x, short_number(point.y), curve.y_unit);
  }
  return text;
}

}  // namespace

std::optional<f64> Published::figure(std::string_view benchmark, std::string_view name) const {
  for (const Json& one : data.at("benchmarks")) {
    if (one.at("name") != benchmark) continue;
    for (const Json& entry : one.at("figures")) {
      if (entry.at("name") == name && entry.at("value").is_number()) return entry.at("value").get<f64>();
    }
  }
  return std::nullopt;
}

Expected<std::optional<Published>> read_published(const std::string& experiments, const std::string& gpu) {
  Published published;
  published.where = (std::filesystem::path(experiments) / gpu / "dissect.json").string();
  std::ifstream file(published.where);
  if (!file) return std::optional<Published>();
  published.data = Json::parse(file, nullptr, false);
  const auto bad = [&](std::string message) {
    return Diagnostic{"bad-json",
                      {published.where, 0, 0},
                      std::move(message),
                      "'lockstep dissect --json' writes such files"};
  };
  if (!published.data.is_object() || !published.data.contains("benchmarks") ||
      !published.data["benchmarks"].is_array())
    return bad("this is no result of 'lockstep dissect'");
  for (const Json& one : published.data["benchmarks"]) {
    if (!one.is_object() || !one.contains("name") || !one.contains("figures") || !one["figures"].is_array())
      return bad("a benchmark here has no name or no figures");
    for (const Json& entry : one["figures"]) {
      if (!entry.is_object() || !entry.contains("name") || !entry.contains("value"))
        return bad("a figure here has no name or no value");
    }
  }
  return std::optional<Published>(std::move(published));
}

std::optional<Deviation> deviation(const SuiteResult& result, const Published& published) {
  Deviation found;
  std::vector<f64> errors;
  for (const Outcome& outcome : result.outcomes) {
    for (const Figure& figure : outcome.figures) {
      const std::optional<f64> device = published.figure(outcome.benchmark, figure.name);
      if (!device || *device == 0 || !figure.refused.empty() || !std::isfinite(figure.value)) continue;
      errors.push_back(std::fabs(figure.value / *device - 1));
      if (errors.back() < found.worst_error) continue;
      found.worst_error = errors.back();
      found.worst = outcome.benchmark + ": " + figure.name;
    }
  }
  if (errors.empty()) return std::nullopt;
  std::ranges::sort(errors);
  found.figures = static_cast<u32>(errors.size());
  found.median_error = errors[errors.size() / 2];
  for (const f64 error : errors) found.mean_error += error / static_cast<f64>(errors.size());
  return found;
}

Json to_json(const SuiteResult& result, const Machine* machine, const Published* published) {
  Json data = {{"suite", "lockstep dissect"},
               {"backend", result.traits.backend},
               {"device", result.traits.device},
               {"driver", result.traits.driver},
               {"gpu", machine ? Json(machine->id) : Json()},
               {"clock_hz", std::round(result.clock_hz)},
               {"units", result.traits.units}};
  Json list = Json::array();
  for (const Outcome& outcome : result.outcomes) {
    Json one = {{"name", outcome.benchmark}};
    Json figures = Json::array();
    for (const Figure& figure : outcome.figures) {
      Json entry = {{"name", figure.name},
                    {"value", figure.refused.empty() ? Json(rounded(figure.value)) : Json()},
                    {"unit", figure.unit}};
      if (!figure.refused.empty()) entry["refused"] = figure.refused;
      if (figure.stated) {
        entry["machine_file"] = {{"value", rounded(figure.stated->value)},
                                 {"key", figure.stated->key},
                                 {"confidence", figure.stated->confidence},
                                 {"source", figure.stated->source}};
      }
      if (const auto device = published ? published->figure(outcome.benchmark, figure.name) : std::nullopt)
        entry["device"] = *device;
      if (!figure.note.empty()) entry["note"] = figure.note;
      figures.push_back(std::move(entry));
    }
    one["figures"] = std::move(figures);
    Json curves = Json::array();
    for (const Curve& curve : outcome.curves) {
      Json points = Json::array();
      for (const Point& point : curve.points)
        points.push_back({point.x, std::isfinite(point.y) ? Json(rounded(point.y)) : Json()});
      curves.push_back({{"name", curve.name},
                        {"x", curve.x},
                        {"x_unit", curve.x_unit},
                        {"y", curve.y},
                        {"y_unit", curve.y_unit},
                        {"points", std::move(points)}});
    }
    one["curves"] = std::move(curves);
    if (!outcome.skipped.empty()) one["skipped"] = outcome.skipped;
    if (outcome.failed) one["failed"] = to_string(*outcome.failed);
    list.push_back(std::move(one));
  }
  data["benchmarks"] = std::move(list);
  if (const auto off = published ? deviation(result, *published) : std::nullopt)
    data["against_device"] = {{"figures", off->figures},
                              {"mean_error", rounded(off->mean_error)},
                              {"median_error", rounded(off->median_error)},
                              {"worst_error", rounded(off->worst_error)},
                              {"worst", off->worst}};
  return data;
}

std::string to_text(const SuiteResult& result, const Machine* machine, const Published* published) {
  std::string text = fmt::format("{}, by {}, {}, {} compute units\n", result.traits.device,
                                 result.traits.driver, clock_text(result.clock_hz), result.traits.units);
  for (const Outcome& outcome : result.outcomes) {
    std::string_view meaning;
    for (const Benchmark& benchmark : benchmarks()) {
      if (benchmark.name == outcome.benchmark) meaning = benchmark.meaning;
    }
    text += fmt::format("\n{}: {}\n", outcome.benchmark, meaning);
    if (!outcome.skipped.empty()) text += fmt::format("  not measured: {}\n", outcome.skipped);
    if (outcome.failed) text += fmt::format("  failed: {}\n", to_string(*outcome.failed));
    if (machine && !outcome.figures.empty())
      text += fmt::format("  {:<34} {:>10} {:<13} {:>9} {:>6}\n", "", "measured", "", "file", "of it");
    for (const Figure& figure : outcome.figures) {
      const std::optional<f64> device =
          published ? published->figure(outcome.benchmark, figure.name) : std::nullopt;
      text += text_of_figure(figure, device);
    }
    for (const Curve& curve : outcome.curves) text += text_of_curve(curve);
  }
  if (const auto off = published ? deviation(result, *published) : std::nullopt)
    text += fmt::format(
        "\n{} of these figures were measured on a device: {:.1f} % off on average, {:.1f} % at the median, "
        "{:.0f} % at worst ({})\n",
        off->figures, 100 * off->mean_error, 100 * off->median_error, 100 * off->worst_error, off->worst);
  return text;
}

std::string to_toml(const SuiteResult& result) {
  // Tables in the schema's order, keys in the order of measuring.
  std::vector<std::pair<std::string, std::string>> tables;
  for (const Outcome& outcome : result.outcomes) {
    for (const Figure& figure : outcome.figures) {
      const KeyInfo* const info = figure.writes_key.empty() ? nullptr : find_key(figure.writes_key);
      if (!info || !figure.refused.empty()) continue;
      const std::size_t dot = figure.writes_key.rfind('.');
      const std::string table = figure.writes_key.substr(0, dot);
      const std::string value = info->kind == ValueKind::real ? fmt::format("{:.4g}", figure.writes_value)
                                                              : fmt::format("{:.0f}", figure.writes_value);
      const std::string line = fmt::format(
          "{} = {{value = {}, unit = \"{}\", source = \"DISSECT\", confidence = \"measured\", why = "
          "\"{}\"}}\n",
          figure.writes_key.substr(dot + 1), value, figure.writes_unit,
          fmt::format("{}: {}", outcome.benchmark, figure.name));
      auto at = std::find_if(tables.begin(), tables.end(), [&](const auto& t) { return t.first == table; });
      if (at == tables.end()) at = tables.insert(tables.end(), {table, ""});
      at->second += line;
    }
  }
  std::string text = fmt::format(
      "# Measured by lockstep dissect on {}, {}, at {}.\n# DISSECT is to be a source of sources.toml that "
      "says "
      "where these figures can be found.\n",
      result.traits.device, result.traits.driver, clock_text(result.clock_hz));
  for (const auto& [table, lines] : tables) text += fmt::format("\n[{}]\n{}", table, lines);
  return text;
}

}  // namespace lockstep::dissect
