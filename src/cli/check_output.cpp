#include "cli/check_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "report/view.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

std::string place_words(const Place& place) {
  if (place.file.empty()) return "";
  if (place.line == 0) return place.file;
  return place.column == 0 ? fmt::format("{}:{}", place.file, place.line)
                           : fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

std::string finding_words(const Finding& finding) {
  const std::string place = place_words(finding.place);
  return fmt::format("{}{}{} [{}]", place, place.empty() ? "" : ": ", finding.message, finding.rule);
}

// Text and attributes of XML 1.0; characters that it has no form for become a question mark.
std::string xml(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += static_cast<unsigned char>(letter) < 0x20 ? '?' : letter;
    }
  }
  return out;
}

// RFC 3986: a relative reference for a file below the present folder, as viewers of repositories want it.
std::string uri(const std::string& path) {
  const fs::path absolute = fs::absolute(path).lexically_normal();
  const fs::path here = fs::current_path();
  const fs::path relative = absolute.lexically_relative(here);
  const bool below = !relative.empty() && *relative.begin() != "..";
  std::string out = below ? "" : "file://";
  for (const char letter : below ? relative.string() : absolute.string()) {
    const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
                       std::string_view("-._~/").find(letter) != std::string_view::npos;
    if (plain)
      out += letter;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return out;
}

std::string rule_meaning(const std::string& rule) {
  for (const LimitKind& kind : limit_kinds())
    if (kind.key == rule) return fmt::format("{}, limited by the file of checks", kind.meaning);
  if (rule == "counters_at_most") return "a counter, limited by the file of checks";
  if (rule == "time_within_percent") return "the modelled time, compared with a stored baseline";
  return "what a launch did, or why it could not run";
}

// https://docs.github.com/actions: how workflow commands escape their texts.
std::string github(std::string_view text, bool property) {
  std::string out;
  for (const char letter : text) {
    const bool escaped =
        letter == '%' || letter == '\r' || letter == '\n' || (property && (letter == ':' || letter == ','));
    if (escaped)
      out += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
    else
      out += letter;
  }
  return out;
}

}  // namespace

std::size_t CheckResults::failed() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      results, [](const CheckResult& one) { return !one.findings.empty() && !one.could_not_run; }));
}

std::size_t CheckResults::could_not_run() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [](const CheckResult& one) { return one.could_not_run; }));
}

std::string check_text(const CheckResult& result) {
  const std::string_view verdict = result.could_not_run      ? "ERROR "
                                   : result.findings.empty() ? "ok    "
                                                             : "FAILED";
  std::string text = fmt::format("{}  {}\n", verdict, result.name);
  for (const Finding& finding : result.findings) {
    text += fmt::format("        {}\n", finding_words(finding));
    if (!finding.hint.empty()) text += fmt::format("          {}\n", finding.hint);
  }
  for (const std::string& remark : result.remarks) text += fmt::format("        note: {}\n", remark);
  return text;
}

std::string check_summary(const CheckResults& results) {
  const std::size_t bad = results.failed(), broken = results.could_not_run();
  std::string text =
      fmt::format("{} of {} checks hold", results.results.size() - bad - broken, results.results.size());
  if (bad != 0) text += fmt::format(", {} failed", bad);
  if (broken != 0) text += fmt::format(", {} could not run", broken);
  return text + "\n";
}

std::string junit_xml(const CheckResults& results) {
  const std::string counts =
      fmt::format("name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\"", xml(results.path),
                  results.results.size(), results.failed(), results.could_not_run());
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  out += fmt::format("<testsuites {}>\n  <testsuite {}>\n", counts, counts);
  for (const CheckResult& one : results.results) {
    out += fmt::format("    <testcase classname=\"lockstep\" name=\"{}\" file=\"{}\" line=\"{}\">\n",
                       xml(one.name), xml(one.at.file), one.at.line);
    if (!one.measurements.empty()) {
      out += "      <properties>\n";
      for (const Measurement& measurement : one.measurements)
        out += fmt::format("        <property name=\"{}\" value=\"{:.10g}\"/>\n", xml(measurement.name),
                           measurement.value);
      out += "      </properties>\n";
    }
    if (!one.findings.empty()) {
      const std::string_view element = one.could_not_run ? "error" : "failure";
      const Finding& first = one.findings.front();
      std::string all;
      for (const Finding& finding : one.findings) {
        all += finding_words(finding) + "\n";
        if (!finding.hint.empty()) all += "  " + finding.hint + "\n";
      }
      out += fmt::format("      <{0} message=\"{1}\" type=\"{2}\">{3}</{0}>\n", element, xml(first.message),
                         xml(first.rule), xml(all));
    }
    if (!one.remarks.empty())
      out += fmt::format("      <system-out>{}</system-out>\n",
                         xml(fmt::format("{}", fmt::join(one.remarks, "\n"))));
    out += "    </testcase>\n";
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

std::string check_json(const CheckResults& results) {
  const auto placed = [](Json row, const Place& place) {
    row["file"] = place.file;
    row["line"] = place.line;
    row["column"] = place.column;
    return row;
  };
  Json checks = Json::array();
  for (const CheckResult& one : results.results) {
    const std::string_view status = one.could_not_run      ? "could not run"
                                    : one.findings.empty() ? "holds"
                                                           : "failed";
    Json row = placed({{"name", one.name}, {"status", status}}, one.at);
    row["measurements"] = Json::object();
    for (const Measurement& measurement : one.measurements)
      row["measurements"][measurement.name] = measurement.value;
    row["findings"] = Json::array();
    for (const Finding& finding : one.findings)
      row["findings"].push_back(placed(
          {{"rule", finding.rule}, {"message", finding.message}, {"hint", finding.hint}}, finding.place));
    row["remarks"] = one.remarks;
    checks.push_back(std::move(row));
  }
  return json_text({{"version", 1},
                    {"failed", results.failed()},
                    {"could_not_run", results.could_not_run()},
                    {"checks", std::move(checks)}});
}

std::string sarif_json(const CheckResults& results) {
  std::map<std::string, std::size_t> rules;
  Json descriptors = Json::array(), found = Json::array();
  for (const CheckResult& one : results.results) {
    for (const Finding& finding : one.findings) {
      const auto [rule, fresh] = rules.try_emplace(finding.rule, rules.size());
      if (fresh)
        descriptors.push_back(
            {{"id", finding.rule}, {"shortDescription", {{"text", rule_meaning(finding.rule)}}}});
      const Place& place = finding.place.file.empty() ? one.at : finding.place;
      Json location = {{"artifactLocation", {{"uri", uri(place.file)}}}};
      if (place.line != 0) location["region"]["startLine"] = place.line;
      if (place.line != 0 && place.column != 0) location["region"]["startColumn"] = place.column;
      std::string text = fmt::format("{}: {}", one.name, finding.message);
      if (!finding.hint.empty()) text += ". " + finding.hint;
      found.push_back({{"ruleId", finding.rule},
                       {"ruleIndex", rule->second},
                       {"level", "error"},
                       {"message", {{"text", text}}},
                       {"locations", Json::array({{{"physicalLocation", location}}})}});
    }
  }
  const Json driver = {{"name", "Lockstep"}, {"version", LOCKSTEP_VERSION}, {"rules", descriptors}};
  const Json report = {
      {"$schema",
       "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       Json::array(
           {{{"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", found}}})}};
  return json_text(report);
}

std::string github_annotations(const CheckResults& results) {
  std::string out;
  for (const CheckResult& one : results.results) {
    for (const Finding& finding : one.findings) {
      const Place& place = finding.place.file.empty() ? one.at : finding.place;
      out += fmt::format("::error file={}", github(place.file, true));
      if (place.line != 0) out += fmt::format(",line={}", place.line);
      if (place.column != 0) out += fmt::format(",col={}", place.column);
      std::string text = finding.message;
      if (!finding.hint.empty()) text += "\n" + finding.hint;
      out += fmt::format(",title={}::{}\n", github(fmt::format("{}: {}", one.name, finding.rule), true),
                         github(text, false));
    }
    for (const std::string& remark : one.remarks)
      out += fmt::format("::notice file={},line={},title={}::{}\n", github(one.at.file, true), one.at.line,
                         github(one.name, true), github(remark, false));
  }
  return out;
}

}  // namespace lockstep::cli
