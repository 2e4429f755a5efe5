// lockstep check: kernels and applications held to the limits of a TOML file.
#include <fmt/format.h>
#include <fnmatch.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

#include "base/files.h"
#include "base/scratch.h"
#include "cli/application.h"
#include "cli/check_output.h"
#include "cli/commands.h"
#include "cli/watch.h"
#include "run/application.h"
#include "run/check_file.h"
#include "time/timing.h"

namespace lockstep::cli {
namespace {

struct CheckCommand {
  std::string file, junit, sarif, json, reports;
  std::vector<std::string> only;
  u32 threads = 0;
  bool github = false, store_baselines = false, quiet = false;
};

Finding finding_of(const Diagnostic& diagnostic) {
  return {diagnostic.code, diagnostic.place, diagnostic.message, diagnostic.hint};
}

CheckResult broken(const std::string& name, const Place& at, const Diagnostic& why) {
  CheckResult result;
  result.name = name;
  result.at = at;
  result.could_not_run = true;
  result.findings.push_back(finding_of(why));
  return result;
}

// The time against the stored one, or stores it.
void compare_time(const CheckCommand& options, const CheckLimits& limits, const Json& report,
                  CheckResult& result) {
  if (limits.baseline.empty()) return;
  if (report["time_ns"].is_null()) {
    result.findings.push_back({"time_within_percent", limits.baseline_at, "the run is not timed",
                               "the GPU has no timing model, or the check is 'functional'"});
    return;
  }
  const f64 time_ns = report["time_ns"].get<f64>();
  if (options.store_baselines) {
    const Status written = write_whole_file(limits.baseline, json_text(report));
    if (!written)
      result.findings.push_back(finding_of(written.error()));
    else
      result.remarks.push_back(fmt::format("{} is the new baseline", limits.baseline));
    return;
  }
  const Expected<Json> stored = read_report(limits.baseline);
  if (!stored || (*stored)["time_ns"].is_null()) {
    const std::string why = stored ? "it is the report of a run that was not timed" : stored.error().message;
    result.findings.push_back({"time_within_percent", limits.baseline_at,
                               fmt::format("the baseline {}: {}", limits.baseline, why),
                               "--store-baselines writes it"});
    return;
  }
  const f64 before = (*stored)["time_ns"].get<f64>();
  result.measurements.push_back({"time_ns", "ns", time_ns, before * (1 + limits.within), false});
  TimeJudgement judgement = judge_time(time_ns, before, limits.within, limits.baseline_at);
  if (judgement.finding) result.findings.push_back(std::move(*judgement.finding));
  if (!judgement.remark.empty()) result.remarks.push_back(std::move(judgement.remark));
}

CheckResult check_kernel(const CheckCommand& options, const KernelCheck& check, const Watch& watch) {
  Expected<std::unique_ptr<RequestedLaunch>> launch = RequestedLaunch::prepare(check.request);
  if (!launch) return broken(check.name, check.at, launch.error());
  SimulationOptions simulation;
  simulation.timed = !check.functional && timing_model((*launch)->machine).ok();
  simulation.counted = true;
  simulation.threads =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  simulation.progress = [&](std::string_view, const RunProgress&) { return watch.go_on(); };
  const Expected<RunData> data = (*launch)->run(simulation, [&](u64, u64) { return watch.go_on(); });
  if (!data) return broken(check.name, check.at, data.error());
  const Json report = Json::parse(json_report(*data));
  CheckResult result;
  result.name = check.name;
  result.at = check.at;
  result.findings = violations_of(report);
  if (data->failed) return result;  // what it had counted until then means little
  Judgement judgement = judge_limits(report, check.limits.limits);
  result.measurements = std::move(judgement.measurements);
  result.findings.insert(result.findings.end(), judgement.findings.begin(), judgement.findings.end());
  compare_time(options, check.limits, report, result);
  return result;
}

// A report of an application, and how many of its launches have it.
struct Launched {
  std::string kernel;
  u64 launches = 0;
  Json report;
};
struct Reports {
  std::string folder;
  bool stays = false;
  std::vector<Launched> launched;
};

// An OpenCL program's source is no file of the user's: findings point to the copy beside the reports where
// that stays, else to the check, and quote the line.
void place_in(const std::string& folder, bool stays, const Place& check, const Json& report,
              std::vector<Finding>& findings) {
  const Json& launch = report["views"]["launch"];
  if (!launch.contains("source")) return;
  const std::string path = folder + "/" + launch["source"].get<std::string>();
  const std::vector<std::string> lines = lines_of_file(path);
  for (Finding& finding : findings) {
    Place& place = finding.place;
    if (place.file != opencl_source_name || place.line == 0) continue;
    if (stays) {
      place.file = path;
      continue;
    }
    const std::string line = place.line <= lines.size() ? lines[place.line - 1] : "";
    finding.hint +=
        fmt::format("{}{}:{}: {}", finding.hint.empty() ? "" : "\n", place.file, place.line, line);
    place = check;
  }
}

// Adds what is not there yet; what is the same in several launches is one finding.
void merge(std::vector<Finding>& all, std::vector<Finding> more) {
  for (Finding& one : more) {
    const bool known = std::ranges::any_of(
        all, [&](const Finding& other) { return other.rule == one.rule && other.place == one.place; });
    if (!known) all.push_back(std::move(one));
  }
}

// The worst of each measurement over the launches.
void merge(std::vector<Measurement>& all, const std::vector<Measurement>& more) {
  for (const Measurement& one : more) {
    const auto same = std::ranges::find(all, one.name, &Measurement::name);
    if (same == all.end()) {
      all.push_back(one);
      continue;
    }
    same->value = one.at_least ? std::min(same->value, one.value) : std::max(same->value, one.value);
  }
}

CheckResult check_application_kernel(const CheckCommand& options, const ApplicationCheck& check,
                                     const ApplicationKernel& kernel, const Reports& reports) {
  CheckResult result;
  result.name = fmt::format("{}: {}", check.name, kernel.pattern);
  result.at = kernel.at;
  f64 time_ns = 0;
  u64 launches = 0;
  const Json* any = nullptr;
  for (const Launched& one : reports.launched) {
    if (::fnmatch(kernel.pattern.c_str(), one.kernel.c_str(), 0) != 0) continue;
    any = &one.report;
    launches += one.launches;
    if (!one.report["time_ns"].is_null())
      time_ns += one.report["time_ns"].get<f64>() * static_cast<f64>(one.launches);
    Judgement judgement = judge_limits(one.report, kernel.limits.limits);
    place_in(reports.folder, reports.stays, kernel.at, one.report, judgement.findings);
    merge(result.measurements, judgement.measurements);
    merge(result.findings, std::move(judgement.findings));
  }
  if (any == nullptr) {
    std::vector<std::string> names;
    for (const Launched& one : reports.launched)
      if (std::ranges::find(names, one.kernel) == names.end()) names.push_back(one.kernel);
    result.findings.push_back(
        {"no-such-kernel", kernel.at, "no kernel of this name was launched",
         names.empty() ? "none was" : fmt::format("launched: {}", fmt::join(names, ", "))});
    return result;
  }
  // The baseline of several launches is the mean's: a report with that time.
  Json mean = *any;
  if (!mean["time_ns"].is_null()) mean["time_ns"] = time_ns / static_cast<f64>(launches);
  compare_time(options, kernel.limits, mean, result);
  return result;
}

// The process that launched it.
std::string by_whom(const Json& report, bool alone) {
  const Json& launch = report["views"]["launch"];
  if (!launch.contains("command")) return "";
  return fmt::format("{}launched by: {}", alone ? "" : "\n",
                     fmt::join(launch["command"].get<std::vector<std::string>>(), " "));
}

// What the application did wrong itself, and what its launches did.
CheckResult check_process(const ApplicationCheck& check, const ApplicationEnd& end, const Reports& reports) {
  CheckResult result;
  result.name = check.name;
  result.at = check.at;
  for (const Launched& one : reports.launched) {
    std::vector<Finding> findings = violations_of(one.report);
    place_in(reports.folder, reports.stays, check.at, one.report, findings);
    for (Finding& finding : findings) finding.hint += by_whom(one.report, finding.hint.empty());
    merge(result.findings, std::move(findings));
  }
  if (result.findings.empty() && end.child.exit_code != 0)
    result.findings.push_back(
        {"exit-code", check.at, fmt::format("the application ended with {}", end.child.exit_code), ""});
  return result;
}

std::vector<CheckResult> check_application(const CheckCommand& options, const ApplicationCheck& check,
                                           std::size_t number) {
  const auto scratch = ScratchDirectory::create();
  if (!scratch) return {broken(check.name, check.at, scratch.error())};
  Reports reports;
  reports.stays = !options.reports.empty();
  reports.folder = reports.stays ? fmt::format("{}/{}", options.reports, number) : scratch->file("reports");
  Application application;
  application.command = check.command;
  application.folder = check.folder;
  application.gpu = check.gpu;
  application.check = check.checks;
  application.functional = check.functional;
  application.threads = options.threads;
  application.report = reports.folder;
  application.json = application.quiet = true;
  const Expected<ApplicationEnd> end = run_application(application);
  if (!end) return {broken(check.name, check.at, end.error())};
  for (const KernelSummary& kernel : end->summary.kernels) {
    for (const auto& [name, count] : kernel.reports) {
      Expected<Json> report = read_report(reports.folder + "/" + name + ".json");
      if (!report) return {broken(check.name, check.at, report.error())};
      reports.launched.push_back({kernel.kernel, count, std::move(*report)});
    }
  }
  std::vector<CheckResult> results{check_process(check, *end, reports)};
  for (const ApplicationKernel& kernel : check.kernels)
    results.push_back(check_application_kernel(options, check, kernel, reports));
  return results;
}

bool wanted(const CheckCommand& options, const std::string& name) {
  return options.only.empty() || std::ranges::any_of(options.only, [&](const std::string& pattern) {
           return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
         });
}

int run(const CheckCommand& options) {
  const Expected<CheckFile> file = read_check_file(options.file, default_gpu());
  if (!file) return fail(file.error());
  const std::vector<NamedFile> inputs{{"file of checks", options.file}};
  std::vector<NamedFile> outputs;
  if (!options.junit.empty()) outputs.push_back({"--junit", options.junit});
  if (!options.sarif.empty()) outputs.push_back({"--sarif", options.sarif});
  if (!options.json.empty()) outputs.push_back({"--json", options.json});
  const Status distinct = check_outputs(outputs, inputs);
  if (!distinct) return fail(distinct.error());
  Expected<std::optional<OutputFile>> junit = open_output({"--junit", options.junit}, inputs);
  if (!junit) return fail(junit.error());
  Expected<std::optional<OutputFile>> sarif = open_output({"--sarif", options.sarif}, inputs);
  if (!sarif) return fail(sarif.error());
  Expected<std::optional<OutputFile>> json = open_output({"--json", options.json}, inputs);
  if (!json) return fail(json.error());

  catch_signals();
  Watch watch;
  CheckResults results;
  results.path = options.file;
  // Standard output is somebody else's where a file is to go there.
  std::FILE* const text =
      options.junit == "-" || options.sarif == "-" || options.json == "-" ? stderr : stdout;
  const auto add = [&](CheckResult result) {
    if (!options.quiet || !result.findings.empty()) show(text, "{}", check_text(result));
    results.results.push_back(std::move(result));
  };
  u64 done = 0;
  const u64 all = file->kernels.size() + file->applications.size();
  for (const KernelCheck& check : file->kernels) {
    watch.update(check.name, done++, all, "checks");
    if (!wanted(options, check.name)) continue;
    CheckResult result = check_kernel(options, check, watch);
    if (!watch.go_on()) break;
    add(std::move(result));
  }
  std::size_t number = 0;
  for (const ApplicationCheck& check : file->applications) {
    if (!watch.go_on()) break;
    watch.update(check.name, done++, all, "checks");
    if (!wanted(options, check.name)) continue;
    for (CheckResult& result : check_application(options, check, ++number)) add(std::move(result));
  }
  watch.quiet();
  if (!watch.go_on()) {
    fail(watch.reason());
    return watch.exit_code();
  }
  if (results.results.empty()) {
    std::vector<std::string> names;
    for (const KernelCheck& check : file->kernels) names.push_back(check.name);
    for (const ApplicationCheck& check : file->applications) names.push_back(check.name);
    return misuse({"bad-option",
                   {},
                   "no check has such a name",
                   fmt::format("--only takes names or patterns: {}", fmt::join(names, ", "))});
  }
  show(text, "{}", check_summary(results));
  if (options.github) show(text, "{}", github_annotations(results));
  Status written = write_output(*junit, junit_xml(results));
  if (written) written = write_output(*sarif, sarif_json(results));
  if (written) written = write_output(*json, check_json(results));
  if (!written) return fail(written.error());
  if (results.could_not_run() != 0) return exit_failed;
  return results.failed() != 0 ? exit_differs : exit_good;
}

}  // namespace

void add_check(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "check", "Holds kernels, and the kernels of applications, to the limits of a file: for CI");
  const auto options = std::make_shared<CheckCommand>();
  command->add_option("FILE", options->file, "what to run and its limits (TOML); docs/ci.md has the keys")
      ->required()
      ->check(refuse_empty);
  command->add_option("--junit", options->junit, "write the results as JUnit XML; - for standard output")
      ->type_name("FILE")
      ->check(refuse_empty);
  command->add_option("--sarif", options->sarif, "write what was found as SARIF 2.1.0; - for standard output")
      ->type_name("FILE")
      ->check(refuse_empty);
  add_json_option(*command, options->json, "write the results as JSON");
  command
      ->add_option("--reports", options->reports,
                   "keep the reports of applications' launches, in FOLDER/1, FOLDER/2 and so on")
      ->type_name("FOLDER")
      ->check(refuse_empty);
  command->add_flag("--github", options->github,
                    "print annotations as GitHub's workflow commands (::error file=...)");
  command->add_option("--only", options->only, "run the checks of these names alone: names or patterns")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->check(refuse_empty);
  command->add_flag("--store-baselines", options->store_baselines,
                    "write the baselines that the file names instead of comparing with them");
  command->add_option("--threads", options->threads, "host threads of a launch; 0: one for each core")
      ->check(refuse_negative);
  command->add_flag("--quiet", options->quiet, "say nothing of checks that hold");
  command->footer(
      "Exit codes: 0 all hold; 3 a limit is not held, a launch failed or something was found; 1 something "
      "could not\n            run, or the file is wrong.");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lockstep::cli
