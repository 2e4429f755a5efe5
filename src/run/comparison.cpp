#include "run/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "run/limits.h"
#include "time/timing.h"

namespace lockstep {
namespace {

constexpr std::size_t most_lines = 15;     // in the text
constexpr std::size_t most_counters = 12;  // likewise

Json measure(const Json& report, std::string_view limit) {
  for (const LimitKind& kind : limit_kinds()) {
    if (kind.key != limit) continue;
    const std::optional<f64> value = kind.measure(report);
    return value ? Json(*value) : Json(nullptr);
  }
  return nullptr;
}

Json counter(const Json& report, const char* name) {
  const Json& counters = report["counters"];
  return counters.contains(name) ? counters[name] : Json(nullptr);
}

Json row_of(const ComparedLaunch& launch) {
  Json row = {{"gpu", launch.gpu}};
  const Json& report = launch.report;
  if (report.is_null()) {
    for (const char* key : {"gpu_name", "target"}) row[key] = nullptr;
    row["status"] = "failed";
    for (const char* key : {"time_ns", "cycles", "clock_hz", "bound", "occupancy", "limiter", "instructions",
                            "transactions", "transactions_times_ideal", "bank_conflicts"})
      row[key] = nullptr;
    row["error"] = launch.error;
    return row;
  }
  const Json& views = report["views"];
  row["gpu_name"] = views["launch"]["gpu"];
  row["target"] = views["launch"]["target"];
  row["status"] = report["status"];
  row["time_ns"] = report["time_ns"];
  row["cycles"] = report["cycles"];
  row["clock_hz"] = report["clock_hz"];
  row["bound"] = report["bound"];
  row["occupancy"] = measure(report, "occupancy_at_least");
  row["limiter"] = report["occupancy"]["limiter"];
  row["instructions"] = counter(report, "instructions");
  row["transactions"] = counter(report, "vector.transactions");
  row["transactions_times_ideal"] = measure(report, "transactions_times_ideal_at_most");
  row["bank_conflicts"] = measure(report, "bank_conflicts_at_most");
  std::string error;
  if (views.contains("failure")) error = views["failure"]["text"].get<std::string>();
  if (views.contains("violations")) error = views["violations"]["kept"][0]["text"].get<std::string>();
  row["error"] = error.empty() ? Json(nullptr) : Json(error);
  return row;
}

std::string cell(const Json& value, const auto& text) {
  return value.is_null() ? "-" : text(value);
}
std::string time_cell(const Json& value) {
  return cell(value, [](const Json& v) { return with_unit(v.get<f64>() * 1e-9, "s"); });
}
std::string share_cell(const Json& value) {
  return cell(value, [](const Json& v) { return percent(v.get<f64>(), 1); });
}
std::string number_cell(const Json& value) {
  return cell(value, [](const Json& v) {
    return v.is_number_float() ? fmt::format("{:.2f}", v.get<f64>()) : std::to_string(v.get<u64>());
  });
}
std::string word_cell(const Json& value) {
  return cell(value, [](const Json& v) { return v.get<std::string>(); });
}

// Columns as wide as what is in them, the first and the last to the left.
std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> wide;
  for (const auto& row : rows) {
    wide.resize(std::max(wide.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) wide[i] = std::max(wide[i], row[i].size());
  }
  std::string out;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool left = i == 0 || i + 1 == wide.size();
      line += left ? fmt::format(" {:<{}} ", row[i], wide[i]) : fmt::format(" {:>{}} ", row[i], wide[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string csv_cell(const Json& value) {
  if (value.is_null()) return "";
  if (!value.is_string()) return value.dump();
  const std::string text = value.get<std::string>();
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

// A line of a report that something was executed at.
struct Line {
  std::string file, text;
  u32 number = 0;
  f64 cost = 0;  // wave-cycles of a timed run, work of another one
  const Json* row = nullptr;
};

std::vector<Line> lines_of(const Json& report) {
  std::vector<Line> lines;
  const Json::json_pointer pointer("/views/lines/lines");
  if (!report.contains(pointer)) return lines;
  for (const Json& row : report[pointer]) {
    Line line;
    line.file = row["file"].get<std::string>();
    line.number = row["line"].get<u32>();
    line.text = row["text"].get<std::string>();
    const std::size_t begin = std::min(line.text.find_first_not_of(" \t"), line.text.size());
    line.text.erase(0, begin);
    line.cost = row.contains("wave_cycles") ? row["wave_cycles"].get<f64>() : row["work"].get<f64>();
    line.row = &row;
    lines.push_back(std::move(line));
  }
  std::ranges::sort(lines, {}, [](const Line& line) { return std::tie(line.file, line.number); });
  return lines;
}

// Pairs of lines that belong together, as indices; the longest common subsequence of their texts.
std::vector<std::pair<std::size_t, std::size_t>> common_lines(const std::vector<Line>& a,
                                                              const std::vector<Line>& b) {
  std::vector<std::vector<u32>> longest(a.size() + 1, std::vector<u32>(b.size() + 1));
  for (std::size_t i = a.size(); i-- > 0;) {
    for (std::size_t j = b.size(); j-- > 0;)
      longest[i][j] =
          a[i].text == b[j].text ? longest[i + 1][j + 1] + 1 : std::max(longest[i + 1][j], longest[i][j + 1]);
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].text == b[j].text)
      pairs.emplace_back(i++, j++);
    else if (longest[i + 1][j] >= longest[i][j + 1])
      ++i;
    else
      ++j;
  }
  return pairs;
}

Json line_change(const Line* before, const Line* after) {
  const Line& any = after != nullptr ? *after : *before;
  const auto number = [](const Line* line) { return line != nullptr ? Json(line->number) : Json(nullptr); };
  Json change = {{"file", any.file},
                 {"line_before", number(before)},
                 {"line_after", number(after)},
                 {"text", any.text},
                 {"cost_before", before != nullptr ? before->cost : 0},
                 {"cost_after", after != nullptr ? after->cost : 0}};
  for (const char* column : {"instructions", "transactions", "bank_conflict_cycles", "local_passes"}) {
    if (!any.row->contains(column)) continue;
    const auto value = [&](const Line* line) {
      return line != nullptr ? line->row->value(column, Json(0)) : Json(0);
    };
    change[fmt::format("{}_before", column)] = value(before);
    change[fmt::format("{}_after", column)] = value(after);
  }
  return change;
}

}  // namespace

ComparedLaunch measure_launch(RequestedLaunch& launch, const MeasureOptions& options) {
  ComparedLaunch measured{launch.machine.id, nullptr, ""};
  SimulationOptions simulation;
  simulation.timed = !options.functional && timing_model(launch.machine).ok();
  simulation.counted = true;
  simulation.threads = options.threads;
  if (options.go_on)
    simulation.progress = [&](std::string_view, const RunProgress&) { return options.go_on(); };
  const Expected<RunData> data =
      launch.run(simulation, [&](u64, u64) { return !options.go_on || options.go_on(); });
  if (data)
    measured.report = Json::parse(json_report(*data));
  else
    measured.error = to_string(data.error());
  return measured;
}

ComparedLaunch measure_launch(const LaunchRequest& request, const MeasureOptions& options) {
  const Expected<std::unique_ptr<RequestedLaunch>> launch = RequestedLaunch::prepare(request);
  if (!launch) return {request.gpu, nullptr, to_string(launch.error())};
  return measure_launch(**launch, options);
}

Json comparison_rows(const std::vector<ComparedLaunch>& launches) {
  Json rows = Json::array();
  for (const ComparedLaunch& launch : launches) rows.push_back(row_of(launch));
  return rows;
}

std::string comparison_text(const Json& rows) {
  std::vector<std::vector<std::string>> cells{{"GPU", "time", "times the best", "clock", "occupancy",
                                               "instructions", "x ideal", "conflicts", "bound by"}};
  f64 best = 0;
  for (const Json& row : rows) {
    if (row["time_ns"].is_null() || row["status"] != "done") continue;
    if (best == 0 || row["time_ns"].get<f64>() < best) best = row["time_ns"].get<f64>();
  }
  std::string errors;
  for (const Json& row : rows) {
    if (!row["error"].is_null())
      errors += fmt::format("{}: {}\n", row["gpu"].get<std::string>(), row["error"].get<std::string>());
    cells.push_back(
        {row["gpu"].get<std::string>(), time_cell(row["time_ns"]),
         cell(row["time_ns"], [&](const Json& v) { return fmt::format("{:.2f}", v.get<f64>() / best); }),
         cell(row["clock_hz"], [](const Json& v) { return with_unit(v.get<f64>(), "Hz"); }),
         share_cell(row["occupancy"]), number_cell(row["instructions"]),
         number_cell(row["transactions_times_ideal"]), share_cell(row["bank_conflicts"]),
         row["status"] != "done"    ? "failed"
         : row["time_ns"].is_null() ? "not timed"
                                    : word_cell(row["bound"])});
  }
  return table_text(cells) + errors;
}

std::string rows_csv(const Json& rows) {
  std::string out;
  for (const Json& row : rows) {
    if (out.empty()) {
      std::vector<std::string> names;
      for (const auto& [name, value] : row.items()) names.push_back(csv_cell(name));
      out = fmt::format("{}\r\n", fmt::join(names, ","));
    }
    std::vector<std::string> values;
    for (const auto& [name, value] : row.items()) values.push_back(csv_cell(value));
    out += fmt::format("{}\r\n", fmt::join(values, ","));
  }
  return out;
}

Expected<Json> compare_reports(const Json& before, const Json& after) {
  if (before["time_ns"].is_null() != after["time_ns"].is_null())
    return Diagnostic{"not-comparable",
                      {},
                      "one of the reports is of a timed run, the other one is not",
                      "make both with or both without --functional"};
  Json change;
  change["before"] = row_of({before["gpu"].get<std::string>(), before, ""});
  change["after"] = row_of({after["gpu"].get<std::string>(), after, ""});
  const bool timed = !before["time_ns"].is_null() && before["time_ns"].get<f64>() > 0;
  change["time_ratio"] =
      timed ? Json(after["time_ns"].get<f64>() / before["time_ns"].get<f64>()) : Json(nullptr);
  change["counters"] = Json::array();
  for (const auto& [name, value] : before["counters"].items()) {
    const Json now = counter(after, name.c_str());
    if (now != value) change["counters"].push_back({{"name", name}, {"before", value}, {"after", now}});
  }
  for (const auto& [name, value] : after["counters"].items()) {
    if (!before["counters"].contains(name))
      change["counters"].push_back({{"name", name}, {"before", nullptr}, {"after", value}});
  }
  const std::vector<Line> a = lines_of(before), b = lines_of(after);
  std::vector<Json> lines;
  std::size_t i = 0, j = 0;
  const auto alone = [&](std::size_t to_a, std::size_t to_b) {
    while (i < to_a) lines.push_back(line_change(&a[i++], nullptr));
    while (j < to_b) lines.push_back(line_change(nullptr, &b[j++]));
  };
  for (const auto& [in_a, in_b] : common_lines(a, b)) {
    alone(in_a, in_b);
    lines.push_back(line_change(&a[i++], &b[j++]));
  }
  alone(a.size(), b.size());
  std::ranges::stable_sort(lines, std::greater(), [](const Json& line) {
    return std::fabs(line["cost_after"].get<f64>() - line["cost_before"].get<f64>());
  });
  change["lines"] = lines;
  return change;
}

std::string change_text(const Json& change) {
  const Json &a = change["before"], &b = change["after"];
  std::vector<std::vector<std::string>> cells{{"", "before", "after", ""}};
  cells.push_back({"GPU", a["gpu"].get<std::string>(), b["gpu"].get<std::string>(), ""});
  const Json& ratio = change["time_ratio"];
  cells.push_back({"time", time_cell(a["time_ns"]), time_cell(b["time_ns"]),
                   ratio.is_null() ? "" : fmt::format("{:+.1f} %", 100 * (ratio.get<f64>() - 1))});
  cells.push_back({"bound by", word_cell(a["bound"]), word_cell(b["bound"]), ""});
  cells.push_back({"occupancy", share_cell(a["occupancy"]), share_cell(b["occupancy"]), ""});
  cells.push_back({"transactions, times the fewest", number_cell(a["transactions_times_ideal"]),
                   number_cell(b["transactions_times_ideal"]), ""});
  cells.push_back({"bank conflicts", share_cell(a["bank_conflicts"]), share_cell(b["bank_conflicts"]), ""});
  std::string out = table_text(cells);
  std::vector<Json> counters = change["counters"];
  const auto growth = [](const Json& one) {
    if (one["before"].is_null() || one["after"].is_null()) return 0.0;
    return std::fabs(std::log1p(one["after"].get<f64>()) - std::log1p(one["before"].get<f64>()));
  };
  std::ranges::stable_sort(counters, std::greater(), growth);
  if (!counters.empty()) {
    cells = {{"counter", "before", "after", ""}};
    for (std::size_t i = 0; i < std::min(counters.size(), most_counters); ++i)
      cells.push_back({counters[i]["name"].get<std::string>(), number_cell(counters[i]["before"]),
                       number_cell(counters[i]["after"]), ""});
    out += heading("Counters that changed most") + table_text(cells);
    if (counters.size() > most_counters)
      out += fmt::format("  and {} others: --json has all\n", counters.size() - most_counters);
  }
  const Json& lines = change["lines"];
  cells = {{"line", "cost before", "cost after", "source"}};
  for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i) {
    const Json& line = lines[i];
    const std::string where =
        fmt::format("{} -> {}", number_cell(line["line_before"]), number_cell(line["line_after"]));
    cells.push_back({where, fmt::format("{:.0f}", line["cost_before"].get<f64>()),
                     fmt::format("{:.0f}", line["cost_after"].get<f64>()), line["text"].get<std::string>()});
  }
  if (!lines.empty())
    out += heading(a["time_ns"].is_null() ? "Lines by change (work: instructions, transactions, passes)"
                                          : "Lines by change (cycles of waves)") +
           table_text(cells);
  if (lines.size() > most_lines)
    out += fmt::format("  and {} others: --json has all\n", lines.size() - most_lines);
  return out;
}

}  // namespace lockstep
