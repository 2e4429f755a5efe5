#include "run/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <initializer_list>

namespace lockstep {
namespace {

using Pointer = Json::json_pointer;

std::optional<f64> number(const Json& report, const char* path) {
  const Pointer pointer(path);
  if (!report.contains(pointer) || !report[pointer].is_number()) return std::nullopt;
  return report[pointer].get<f64>();
}

std::optional<f64> counter(const Json& report, const std::string& name) {
  const Json& counters = report["counters"];
  if (!counters.contains(name)) return std::nullopt;
  return counters[name].get<f64>();
}

std::optional<f64> share(std::optional<f64> part, std::optional<f64> whole) {
  if (!part || !whole) return std::nullopt;
  return *whole > 0 ? *part / *whole : 0;
}

std::optional<f64> occupancy(const Json& report) {
  return number(report, "/views/occupancy/occupancy");
}

std::optional<f64> achieved_occupancy(const Json& report) {
  return share(number(report, "/views/residency/achieved_waves"),
               number(report, "/views/residency/wave_slots"));
}

// Timed runs count cycles of the banks, others their passes: one pass takes one cycle.
std::optional<f64> bank_conflicts(const Json& report) {
  if (const auto busy = number(report, "/views/memory/local/busy_cycles"))
    return share(number(report, "/views/memory/local/conflict_cycles"), busy);
  const auto passes = number(report, "/views/memory/local/passes");
  const auto ideal = number(report, "/views/memory/local/ideal_passes");
  if (!passes || !ideal) return std::nullopt;
  return share(*passes - *ideal, passes);
}

std::optional<f64> transactions_per_request(const Json& report) {
  f64 requests = 0;
  for (const char* kind : {"vmem_load", "vmem_store", "vmem_atomic", "vmem_image"}) {
    const auto made = counter(report, std::string("instructions.class.") + kind);
    if (!made) return std::nullopt;
    requests += *made;
  }
  return share(counter(report, "vector.transactions"), requests);
}

std::optional<f64> times_ideal(const Json& report) {
  const auto made = number(report, "/views/memory/transactions/made");
  const auto ideal = number(report, "/views/memory/transactions/ideal");
  if (!made || !ideal) return std::nullopt;
  return *ideal > 0 ? *made / *ideal : 1;
}

std::optional<f64> private_bytes(const Json& report) {
  return number(report, "/views/occupancy/private_bytes");
}

std::optional<f64> vector_registers(const Json& report) {
  return number(report, "/views/occupancy/vector_registers");
}

std::optional<f64> time_ns(const Json& report) {
  return number(report, "/time_ns");
}

// A line's worth in a column; counted lines have passes of the banks where timed ones have cycles.
f64 worth(const Json& line, const std::string& column) {
  if (line.contains(column)) return line[column].get<f64>();
  if (column == "bank_conflict_cycles" && line.contains("local_passes"))
    return line["local_passes"].get<f64>() - line["ideal_local_passes"].get<f64>();
  return 0;
}

// The source line with most of a column's worth.
std::optional<Place> worst_line(const Json& report, std::string_view column) {
  const Pointer pointer("/views/lines/lines");
  if (column.empty() || !report.contains(pointer)) return std::nullopt;
  const std::string key(column);
  std::optional<Place> worst;
  f64 most = 0;
  for (const Json& line : report[pointer]) {
    if (line["line"].get<u32>() == 0 || worth(line, key) <= most) continue;
    most = worth(line, key);
    worst = Place{line["file"].get<std::string>(), line["line"].get<u32>(), 0};
  }
  return worst;
}

const LimitKind* kind_of(const std::string& key) {
  for (const LimitKind& kind : limit_kinds())
    if (kind.key == key) return &kind;
  return nullptr;
}

// Figures as people compare them.
std::string shown(f64 value, std::string_view unit) {
  if (unit == "share") return percent(value, 1);
  if (unit == "ns") return with_unit(value * 1e-9, "s");
  return fmt::format("{:.6g} {}", value, unit);
}

}  // namespace

std::span<const LimitKind> limit_kinds() {
  static constexpr LimitKind kinds[] = {
      {"occupancy_at_least", "share", "the wave slots that the kernel's needs let it fill", true, 1,
       occupancy, ""},
      {"achieved_occupancy_at_least", "share", "the wave slots that were full on average", true, 1,
       achieved_occupancy, ""},
      {"bank_conflicts_at_most", "share", "the local-memory banks' passes that conflicts made", false, 1,
       bank_conflicts, "bank_conflict_cycles"},
      {"transactions_per_request_at_most", "transactions", "the transactions of a vector memory instruction",
       false, 0, transactions_per_request, "transactions"},
      {"transactions_times_ideal_at_most", "times", "the transactions over the fewest that would do", false,
       0, times_ideal, "transactions"},
      {"private_bytes_at_most", "bytes", "a work-item's private memory", false, 0, private_bytes, ""},
      {"vector_registers_at_most", "registers", "a lane's vector registers", false, 0, vector_registers, ""},
      {"time_ns_at_most", "ns", "the launch's modelled time", false, 0, time_ns, "wave_cycles"},
  };
  return kinds;
}

Judgement judge_limits(const Json& report, std::span<const Limit> limits) {
  Judgement judgement;
  for (const Limit& limit : limits) {
    const LimitKind* kind = kind_of(limit.key);
    const std::optional<f64> value = kind != nullptr ? kind->measure(report) : counter(report, limit.counter);
    const std::string name = kind != nullptr ? limit.key : limit.counter;
    if (!value) {
      judgement.findings.push_back({limit.key, limit.at, fmt::format("the run does not say '{}'", name),
                                    report["time_ns"].is_null()
                                        ? "the run is not timed: a timed one has more figures"
                                        : "views.counters of the JSON report names the counters"});
      continue;
    }
    const std::string unit = kind != nullptr ? std::string(kind->unit) : "";
    const bool at_least = kind != nullptr && kind->at_least;
    const std::string_view ending = at_least ? "_at_least" : "_at_most";
    const std::string measured = kind != nullptr ? name.substr(0, name.size() - ending.size()) : name;
    judgement.measurements.push_back({measured, unit, *value, limit.value, at_least});
    if (at_least ? *value >= limit.value : *value <= limit.value) continue;
    const std::optional<Place> line = worst_line(report, kind != nullptr ? kind->column : std::string_view());
    std::string message =
        kind != nullptr
            ? fmt::format("{}: {}, {} {}", kind->meaning, shown(*value, unit),
                          at_least ? "less than" : "more than", shown(limit.value, unit))
            : fmt::format("the counter {}: {:.10g}, more than {:.10g}", name, *value, limit.value);
    judgement.findings.push_back(
        {limit.key, line.value_or(limit.at), std::move(message),
         line ? fmt::format("the limit is at {}:{}", limit.at.file, limit.at.line) : ""});
  }
  return judgement;
}

std::vector<Finding> violations_of(const Json& report) {
  std::vector<Finding> found;
  const auto add = [&](const Json& one) {
    found.push_back({one["code"].get<std::string>(),
                     {one["file"].get<std::string>(), one["line"].get<u32>(), one["column"].get<u32>()},
                     one["message"].get<std::string>(),
                     one["hint"].get<std::string>()});
  };
  const Json& views = report["views"];
  if (views.contains("failure")) add(views["failure"]);
  if (views.contains("violations"))
    for (const Json& one : views["violations"]["kept"]) add(one);
  return found;
}

TimeJudgement judge_time(f64 time_ns, f64 baseline_ns, f64 within, const Place& at) {
  TimeJudgement judgement;
  const f64 change = baseline_ns > 0 ? time_ns / baseline_ns - 1 : 0;
  const std::string text =
      fmt::format("{} after {} in the baseline: {:+.1f} %", with_unit(time_ns * 1e-9, "s"),
                  with_unit(baseline_ns * 1e-9, "s"), 100 * change);
  if (change > within)
    judgement.finding =
        Finding{"time_within_percent", at, fmt::format("{}, and {:.6g} % are allowed", text, 100 * within),
                "lockstep compare BASELINE.json NEW.json says by line where it went"};
  else if (change < -within)
    judgement.remark = text + ": --store-baselines makes it the new baseline";
  return judgement;
}

namespace {

// Whether an object has all of these, of this kind.
bool has_all(const Json& data, bool (*is)(const Json&), std::initializer_list<const char*> keys) {
  return data.is_object() &&
         std::ranges::all_of(keys, [&](const char* key) { return data.contains(key) && is(data[key]); });
}
bool is_text(const Json& data) {
  return data.is_string();
}
bool is_number(const Json& data) {
  return data.is_number();
}
bool is_count(const Json& data) {
  return data.is_number_unsigned();
}
bool is_number_or_nothing(const Json& data) {
  return data.is_number() || data.is_null();
}
bool is_text_or_nothing(const Json& data) {
  return data.is_string() || data.is_null();
}

bool is_diagnostic(const Json& data) {
  return has_all(data, is_text, {"code", "file", "message", "hint", "text"}) &&
         has_all(data, is_count, {"line", "column"});
}

bool are_lines(const Json& data) {
  return data.is_object() && data.contains("lines") && data["lines"].is_array() &&
         std::ranges::all_of(data["lines"], [](const Json& line) {
           if (!has_all(line, is_text, {"file", "text"}) || !has_all(line, is_count, {"line"})) return false;
           if (!line.contains("wave_cycles") && !line.contains("work")) return false;
           return std::ranges::all_of(
               std::initializer_list<const char*>{"wave_cycles", "work", "instructions", "transactions",
                                                  "bank_conflict_cycles", "local_passes",
                                                  "ideal_local_passes"},
               [&](const char* key) { return !line.contains(key) || line[key].is_number(); });
         });
}

bool are_views(const Json& views) {
  if (!views.is_object() || !views.contains("launch")) return false;
  if (!has_all(views["launch"], is_text, {"gpu", "target"})) return false;
  if (views.contains("lines") && !are_lines(views["lines"])) return false;
  if (views.contains("failure") && !is_diagnostic(views["failure"])) return false;
  if (!views.contains("violations")) return true;
  const Json& found = views["violations"];
  return found.is_object() && found.contains("kept") && found["kept"].is_array() && !found["kept"].empty() &&
         std::ranges::all_of(found["kept"], is_diagnostic);
}

}  // namespace

bool is_report(const Json& data) {
  return data.is_object() && data.value("version", Json()) == report_version &&
         has_all(data, is_text, {"gpu", "kernel", "status"}) &&
         has_all(data, is_number_or_nothing, {"time_ns", "cycles"}) &&
         has_all(data, is_number, {"clock_hz"}) && has_all(data, is_text_or_nothing, {"bound"}) &&
         data.contains("occupancy") && has_all(data["occupancy"], is_text, {"limiter"}) &&
         data.contains("counters") && data["counters"].is_object() &&
         std::ranges::all_of(data["counters"], is_number) && data.contains("views") &&
         are_views(data["views"]);
}

Expected<Json> read_report(const std::string& path) {
  std::ifstream in(path);
  if (!in) return Diagnostic{"cannot-read", {path, 0, 0}, "the file cannot be read", ""};
  Json report = Json::parse(in, nullptr, false);
  if (!is_report(report))
    return Diagnostic{"bad-report",
                      {path, 0, 0},
                      fmt::format("this is no report of version {}", report_version),
                      "lockstep run --json FILE and lockstep exec --report FOLDER --json write them"};
  return report;
}

}  // namespace lockstep
