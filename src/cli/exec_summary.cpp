#include "cli/exec_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "report/view.h"

namespace lockstep::cli {
namespace {

KernelSummary& summary_of(Summary& summary, const std::string& kernel, const std::string& gpu) {
  for (KernelSummary& each : summary.kernels)
    if (each.kernel == kernel && each.gpu == gpu) return each;
  KernelSummary made;
  made.kernel = kernel;
  made.gpu = gpu;
  summary.kernels.push_back(std::move(made));
  return summary.kernels.back();
}

void add_bound(KernelSummary& kernel, const std::string& name) {
  for (auto& [bound, count] : kernel.bounds) {
    if (bound != name) continue;
    ++count;
    return;
  }
  kernel.bounds.emplace_back(name, 1);
}

void add_report(KernelSummary& kernel, const std::string& name) {
  for (auto& [report, count] : kernel.reports) {
    if (report != name) continue;
    ++count;
    return;
  }
  kernel.reports.emplace_back(name, 1);
}

void add_guilty(Summary& summary, const Json& line) {
  const u64 process = line.value("process", u64{0});
  for (const auto& [number, command] : summary.guilty)
    if (number == process) return;
  std::string command;
  for (const Json& word : line.value("command", Json::array()))
    command += (command.empty() ? "" : " ") + word.get<std::string>();
  summary.guilty.emplace_back(process, std::move(command));
}

void add_launch(Summary& summary, const Json& line) {
  KernelSummary& kernel =
      summary_of(summary, line.at("kernel").get<std::string>(), line.at("gpu").get<std::string>());
  ++kernel.launches;
  ++summary.launches;
  kernel.instructions += line.value("instructions", u64{0});
  kernel.host_ns += line.value("host_ns", u64{0});
  if (line.contains("time_ns")) {
    ++kernel.timed;
    kernel.time_ns += line["time_ns"].get<f64>();
    summary.time_ns += line["time_ns"].get<f64>();
    if (const u64 which = line.value("kernel_launch", u64{0}); which != 0)
      (which == 1 ? kernel.first_ns : kernel.repeated_ns).push_back(line["time_ns"].get<f64>());
  }
  if (kernel.stands_out.empty()) kernel.stands_out = line.value("stands_out", "");
  if (line.contains("bound")) add_bound(kernel, line["bound"].get<std::string>());
  if (const std::string report = line.value("report", ""); !report.empty()) add_report(kernel, report);
  const bool done = line.at("status").get<std::string>() == "done";
  if (!done || line.value("violations", u64{0}) != 0) add_guilty(summary, line);
  summary.violations += line.value("violations", u64{0});
  if (const std::string found = line.value("violation", "");
      !found.empty() && std::find(summary.found.begin(), summary.found.end(), found) == summary.found.end())
    summary.found.push_back(found);
  if (done) return;
  ++kernel.failed;
  ++summary.failed;
  const std::string message = line.value("message", "");
  if (std::find(summary.failures.begin(), summary.failures.end(), message) == summary.failures.end())
    summary.failures.push_back(message);
}

std::string bounds_text(const KernelSummary& kernel) {
  std::string text;
  for (const auto& [name, count] : kernel.bounds) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", name);
    if (kernel.bounds.size() > 1) text += fmt::format(" ({})", count);
  }
  return text;
}

// Of an even number the shorter of the two in the middle; 0 of none.
f64 median(std::vector<f64> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Json median_json(const std::vector<f64>& values) {
  return values.empty() ? Json(nullptr) : Json(median(values));
}

// What the first launches of kernels took, and the others.
std::string repeats_text(const Summary& summary, std::size_t wide) {
  std::string text;
  for (const KernelSummary& kernel : summary.kernels) {
    if (kernel.repeated_ns.empty()) continue;
    if (text.empty())
      text = fmt::format(
          "Launched more than once (caches keep what launches before left)\n  {:<{}} {:<10} {:>12} {:>18}\n",
          "kernel", wide, "GPU", "first", "median of others");
    text += fmt::format("  {:<{}} {:<10} {:>12} {:>18}\n", kernel.kernel, wide, kernel.gpu,
                        with_unit(median(kernel.first_ns) * 1e-9, "s"),
                        with_unit(median(kernel.repeated_ns) * 1e-9, "s"));
  }
  return text;
}

constexpr u64 most_shared = 10;

// Reports that several launches share.
std::string shared_text(const Summary& summary) {
  std::string text;
  u64 shown = 0;
  for (const KernelSummary& kernel : summary.kernels) {
    for (const auto& [report, count] : kernel.reports) {
      if (count == 1 || ++shown > most_shared) continue;
      if (text.empty()) text = "Launches that were the same share a report\n";
      text += fmt::format("  {:<48} {:>8} launches\n", report, count);
    }
  }
  if (shown > most_shared) text += fmt::format("  and {} others\n", shown - most_shared);
  return text;
}

constexpr std::size_t most_failures = 10;

}  // namespace

Expected<Summary> read_summary(const std::string& log) {
  Summary summary;
  std::ifstream in(log);
  u32 number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    const Json line = Json::parse(text, nullptr, false);
    const bool good = line.is_object() && line.contains("kernel") && line.contains("gpu") &&
                      line.contains("status") && line["kernel"].is_string() && line["gpu"].is_string() &&
                      line["status"].is_string();
    if (!good) return Diagnostic{"bad-log", {log, number, 0}, "the line describes no launch", ""};
    add_launch(summary, line);
  }
  for (KernelSummary& kernel : summary.kernels) {
    std::stable_sort(kernel.bounds.begin(), kernel.bounds.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
  }
  std::stable_sort(summary.kernels.begin(), summary.kernels.end(), [](const auto& a, const auto& b) {
    return a.time_ns != b.time_ns ? a.time_ns > b.time_ns : a.instructions > b.instructions;
  });
  return summary;
}

std::string summary_text(const Summary& summary) {
  if (summary.launches == 0) return "No kernel was launched.\n";
  const bool timed = summary.time_ns > 0;
  std::size_t wide = 8;
  for (const KernelSummary& kernel : summary.kernels)
    wide = std::max(wide, std::min<std::size_t>(kernel.kernel.size(), 48));
  std::string text =
      fmt::format("{} {} of {} {}", summary.launches, summary.launches == 1 ? "launch" : "launches",
                  summary.kernels.size(), summary.kernels.size() == 1 ? "kernel" : "kernels");
  text +=
      timed ? fmt::format(", {} on the modelled GPU", with_unit(summary.time_ns * 1e-9, "s")) : ", not timed";
  text +=
      fmt::format("\n  {:<{}} {:<10} {:>8} {:>18}", "kernel", wide, "GPU", "launches", "wave-instructions");
  text += timed ? fmt::format(" {:>12} {:>8}  {}\n", "time", "share", "bound by")
                : fmt::format(" {:>12}\n", "host time");
  for (const KernelSummary& kernel : summary.kernels) {
    text += fmt::format("  {:<{}} {:<10} {:>8} {:>18}", kernel.kernel, wide, kernel.gpu, kernel.launches,
                        kernel.instructions);
    if (timed) {
      text += fmt::format(" {:>12} {:>8}  {}",
                          kernel.timed == 0 ? "not timed" : with_unit(kernel.time_ns * 1e-9, "s"),
                          percent(kernel.time_ns, summary.time_ns), bounds_text(kernel));
    } else {
      text += fmt::format(" {:>12}", with_unit(static_cast<f64>(kernel.host_ns) * 1e-9, "s"));
      if (!kernel.stands_out.empty()) text += "  " + kernel.stands_out;
    }
    if (kernel.failed != 0) text += fmt::format("  ({} failed)", kernel.failed);
    text += "\n";
  }
  text += repeats_text(summary, wide);
  text += shared_text(summary);
  for (std::size_t i = 0; i < summary.failures.size() && i < most_failures; ++i)
    text += fmt::format("{}{}\n", i == 0 ? "Failed launches\n  " : "  ", summary.failures[i]);
  if (summary.failures.size() > most_failures)
    text += fmt::format("  and {} other messages\n", summary.failures.size() - most_failures);
  for (std::size_t i = 0; i < summary.found.size() && i < most_failures; ++i)
    text += fmt::format("{}{}\n",
                        i == 0 ? fmt::format("Violations: {}, among them\n  ", summary.violations) : "  ",
                        summary.found[i]);
  for (std::size_t i = 0; i < summary.guilty.size() && i < most_failures; ++i)
    text += fmt::format("{}process {}: {}\n", i == 0 ? "In\n  " : "  ", summary.guilty[i].first,
                        summary.guilty[i].second);
  return text;
}

std::string summary_json(const Summary& summary) {
  Json data;
  data["version"] = 1;
  data["launches"] = summary.launches;
  data["failed"] = summary.failed;
  data["violations"] = summary.violations;
  data["time_ns"] = summary.time_ns;
  data["kernels"] = Json::array();
  for (const KernelSummary& kernel : summary.kernels) {
    Json bounds = Json::object(), reports = Json::array();
    for (const auto& [name, count] : kernel.reports)
      reports.push_back({{"report", name}, {"launches", count}});
    for (const auto& [name, count] : kernel.bounds) bounds[name] = count;
    data["kernels"].push_back({{"kernel", kernel.kernel},
                               {"gpu", kernel.gpu},
                               {"launches", kernel.launches},
                               {"failed", kernel.failed},
                               {"instructions", kernel.instructions},
                               {"time_ns", kernel.timed == 0 ? Json(nullptr) : Json(kernel.time_ns)},
                               {"first_ns", median_json(kernel.first_ns)},
                               {"repeated_ns", median_json(kernel.repeated_ns)},
                               {"host_ns", kernel.host_ns},
                               {"bound", bounds},
                               {"reports", reports}});
  }
  data["guilty"] = Json::array();
  for (const auto& [process, command] : summary.guilty)
    data["guilty"].push_back({{"process", process}, {"command", command}});
  data["failures"] = summary.failures;
  return json_text(data);
}

}  // namespace lockstep::cli
