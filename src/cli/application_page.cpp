#include "cli/application_page.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "report/html.h"

namespace lockstep::cli {
namespace {

constexpr std::size_t most_reports = 20, most_launches = 2000, most_instructions = 400;

struct Cost {
  std::string report;
  f64 each = 0, all = 0;  // ns of modelled time, of the longest launch and of all that share the report
  u64 launches = 0;
};

// The ten launches that cost most, then the reports whose launches cost most together.
std::vector<Cost> on_the_page(std::vector<Cost> costs) {
  constexpr std::size_t most_single = 10;
  std::ranges::stable_sort(costs, [](const Cost& a, const Cost& b) { return a.each > b.each; });
  const auto rest = costs.begin() + static_cast<std::ptrdiff_t>(std::min(most_single, costs.size()));
  std::stable_sort(rest, costs.end(), [](const Cost& a, const Cost& b) { return a.all > b.all; });
  if (costs.size() > most_reports) costs.resize(most_reports);
  return costs;
}

// What the page shows of a report, without what would only make it large.
Json slim(Json report) {
  if (!report.contains("views")) return report;
  Json& views = report["views"];
  views.erase("counters");
  if (views.contains("lines")) {
    Json& lines = views["lines"];
    lines.erase("columns");
    if (lines.contains("instructions") && lines["instructions"].size() > most_instructions)
      lines.erase("instructions");
  }
  return report;
}

}  // namespace

std::string application_page(const std::vector<std::string>& command, const Summary& summary,
                             const std::string& log, const std::string& reports,
                             const std::string& pictures) {
  Json application = Json::parse(summary_json(summary));
  application["command"] = command;
  // In the order of the log: kernel's index, modelled time, report.
  application["timeline"] = Json::array();
  std::map<std::string, Cost> costs;
  std::ifstream in(log);
  u64 left_out = 0;
  for (std::string text; std::getline(in, text);) {
    const Json line = Json::parse(text, nullptr, false);
    if (!line.is_object()) continue;
    const std::string report = line.value("report", ""), kernel = line.value("kernel", ""),
                      gpu = line.value("gpu", "");
    const f64 time = line.value("time_ns", 0.0);
    if (!report.empty()) {
      Cost& cost = costs[report];
      cost.report = report;
      cost.each = std::max(cost.each, time);
      cost.all += time;
      ++cost.launches;
    }
    const auto found = std::ranges::find_if(
        summary.kernels, [&](const KernelSummary& one) { return one.kernel == kernel && one.gpu == gpu; });
    if (found == summary.kernels.end()) continue;
    if (application["timeline"].size() == most_launches)
      ++left_out;
    else
      application["timeline"].push_back({found - summary.kernels.begin(), time, report});
  }
  if (left_out != 0) application["left_out"] = left_out;
  std::vector<Cost> list;
  for (auto& [name, cost] : costs) list.push_back(cost);
  Json shown = Json::object(), drawn = Json::object();
  application["shown"] = Json::array();
  for (const Cost& cost : on_the_page(std::move(list))) {
    std::ifstream file(reports + "/" + cost.report + ".json");
    const Json report = Json::parse(file, nullptr, false);
    if (!report.is_object()) continue;
    shown[cost.report] = slim(report);
    std::ifstream picture_file(pictures + "/" + cost.report + ".json");
    Json picture = Json::parse(picture_file, nullptr, false);
    if (picture.is_object()) drawn[cost.report] = std::move(picture);
    application["shown"].push_back({{"report", cost.report},
                                    {"kernel", report.value("kernel", "")},
                                    {"launches", cost.launches},
                                    {"time_ns", cost.each},
                                    {"all_ns", cost.all}});
  }
  return application_html(application, shown, drawn);
}

}  // namespace lockstep::cli
