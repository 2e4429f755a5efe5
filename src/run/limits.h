// Limits on what the report of a launch says (docs/report.md), and what goes beyond them.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "report/view.h"

namespace lockstep {

struct Limit {
  std::string key;      // of a LimitKind, or "counters_at_most"
  std::string counter;  // the counter's name with that one
  f64 value = 0;
  Place at;  // where the user wrote it
};

struct LimitKind {
  std::string_view key, unit, meaning;
  bool at_least = false;
  f64 most = 0;  // sensible value; 0: any
  // Nothing where the report does not say it.
  std::optional<f64> (*measure)(const Json& report) = nullptr;
  // The column of the report's lines that says which line it comes from; may be empty.
  std::string_view column;
};
std::span<const LimitKind> limit_kinds();

// Something that makes a check fail.
struct Finding {
  std::string rule;  // stable: a limit's key, or a diagnostic's code
  Place place;
  std::string message;
  std::string hint;
};

// What was measured for a limit.
struct Measurement {
  std::string name, unit;  // "occupancy", "time_ns", or the counter's name
  f64 value = 0, limit = 0;
  bool at_least = false;
};

// How one launch stands to limits. `files` are not looked at: lines have the report's names for them.
struct Judgement {
  std::vector<Measurement> measurements;
  std::vector<Finding> findings;
};
Judgement judge_limits(const Json& report, std::span<const Limit> limits);

// What ended the launch, and what checks found in it.
std::vector<Finding> violations_of(const Json& report);

// The limit of a time, in nanoseconds, that has a baseline: `within` is relative. Faster by more than that is
// no finding but a remark, which says that the baseline is no longer true.
struct TimeJudgement {
  std::optional<Finding> finding;
  std::string remark;
};
TimeJudgement judge_time(f64 time_ns, f64 baseline_ns, f64 within, const Place& at);

// Whether it is a report of this version.
bool is_report(const Json& data);
// The report in a file. Errors: "cannot-read", "bad-report" where it is none.
Expected<Json> read_report(const std::string& path);

}  // namespace lockstep
