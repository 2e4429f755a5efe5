// How a launch ended: what ended it early, and what checks found.
#include <fmt/format.h>

#include "report/view.h"

namespace lockstep {
namespace {

Json diagnostic_json(const Diagnostic& diagnostic) {
  return {{"code", diagnostic.code},       {"file", diagnostic.place.file},
          {"line", diagnostic.place.line}, {"column", diagnostic.place.column},
          {"message", diagnostic.message}, {"hint", diagnostic.hint},
          {"text", to_string(diagnostic)}};
}

Json collect_failure(const RunData& run) {
  return run.failed && !run.stopped ? diagnostic_json(*run.failed) : Json(nullptr);
}

std::string failure_text(const Json& data) {
  return heading("The launch failed") + fmt::format("  {}\n", data["text"].get<std::string>());
}

Json collect_violations(const RunData& run) {
  if (run.violations.count() == 0) return nullptr;
  Json data{{"count", run.violations.count()}, {"kept", Json::array()}};
  for (const Diagnostic& one : run.violations.kept()) data["kept"].push_back(diagnostic_json(one));
  return data;
}

std::string violations_text(const Json& data) {
  std::string out = heading(fmt::format("Violations: {}", data["count"].get<u64>()));
  for (const Json& one : data["kept"]) out += fmt::format("  {}\n", one["text"].get<std::string>());
  return out;
}

}  // namespace

std::string_view status_of(const RunData& run) {
  return !run.failed ? "done" : run.stopped ? "stopped" : "failed";
}

View failure_view() {
  return {"failure", collect_failure, failure_text};
}

View violations_view() {
  return {"violations", collect_violations, violations_text};
}

}  // namespace lockstep
