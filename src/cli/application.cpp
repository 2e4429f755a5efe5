#include "cli/application.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/environment.h"
#include "base/files.h"
#include "base/installation.h"
#include "base/scratch.h"
#include "cli/application_page.h"
#include "cli/application_trace.h"
#include "cli/commands.h"
#include "cli/exec_progress.h"
#include "exec/check/selection.h"
#include "machine/chosen.h"
#include "machine/machine.h"
#include "time/timing.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* driver_name = "liblockstep_opencl.so";
constexpr const char* pictures_name = "pictures";  // a folder
constexpr const char* timeline_name = "timeline.jsonl";
constexpr u32 most_what_ifs = 10;  // launches of which what-ifs are asked
constexpr const char* clock_name = "liblockstep_clock.so";

// A library of ours: beside the program in a build tree, else in lib/lockstep/ or
// lib/<architecture>/lockstep/ of the prefix in which the program is installed.
Expected<std::string> find_library(const char* name) {
  const fs::path own = own_folder();
  std::error_code error;
  std::vector<fs::path> folders{own};
  const fs::path lib = own.parent_path() / "lib";
  folders.push_back(lib / "lockstep");
  for (const fs::directory_entry& entry : fs::directory_iterator(lib, error))
    folders.push_back(entry.path() / "lockstep");
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / name, error)) return (folder / name).string();
  }
  return Diagnostic{"driver-missing",
                    {(own / name).string(), 0, 0},
                    "the library is neither beside the program nor in the prefix where that is installed",
                    "build the target lockstep_opencl (it needs the package opencl-headers)"};
}

// Says that a folder's reports are exec's, so that a later run may replace them.
constexpr const char* mark_name = ".lockstep-reports";
constexpr const char* mark_text =
    "lockstep exec wrote this folder's reports; its next run into this folder replaces them.\n";

// Whether a launch's report, or the source that it refers to, may have this name: 0001-KERNEL.txt,
// source-0123456789abcdef.cl.
bool names_a_report(const std::string& name) {
  if (name.starts_with("source-"))
    return name.size() == 26 && name.ends_with(".cl") && name.find_first_not_of("0123456789abcdef", 7) == 23;
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  return digits >= 4 && name.compare(digits, 1, "-") == 0 &&
         (name.ends_with(".txt") || name.ends_with(".json"));
}

// The files that the log of an earlier run says are its reports.
std::set<std::string> reports_of_log(const fs::path& log) {
  std::set<std::string> names;
  std::ifstream in(log);
  for (std::string text; std::getline(in, text);) {
    const auto line = nlohmann::json::parse(text, nullptr, false);
    if (!line.is_object()) continue;
    const auto source = line.find("source");
    if (source != line.end() && source->is_string() && names_a_report(source->get<std::string>()))
      names.insert(source->get<std::string>());
    if (!line.contains("report") || !line["report"].is_string()) continue;
    for (const char* ending : {".txt", ".json"}) {
      const std::string name = line["report"].get<std::string>() + ending;
      if (names_a_report(name)) names.insert(name);
    }
  }
  return names;
}

// Makes the folder of reports ready: a new one, an empty one, or one that carries exec's mark and holds
// nothing but what an earlier run wrote, which goes. Any other is refused, and nothing in it is touched.
Status prepare_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error) || ::access(folder.c_str(), W_OK) != 0)
    return Diagnostic{"cannot-write", {folder, 0, 0}, "the folder cannot be written", ""};
  const fs::path root(folder);
  std::set<std::string> ours = reports_of_log(root / "launches.jsonl");
  ours.insert({mark_name, "launches.jsonl", "summary.txt", "summary.json"});
  const bool marked = fs::is_regular_file(fs::symlink_status(root / mark_name, error));
  std::vector<fs::path> earlier;
  for (const fs::directory_entry& entry : fs::directory_iterator(root, error)) {
    const std::string name = entry.path().filename().string();
    if (!marked || !fs::is_regular_file(entry.symlink_status(error)) || !ours.contains(name))
      return Diagnostic{"folder-not-empty",
                        {folder, 0, 0},
                        fmt::format("the folder holds '{}', which is no report of an earlier run", name),
                        "name a new folder"};
    if (name != mark_name) earlier.push_back(entry.path());
  }
  if (error) return Diagnostic{"cannot-write", {folder, 0, 0}, "the folder cannot be read", ""};
  for (const fs::path& path : earlier) fs::remove(path, error);
  return write_whole_file((root / mark_name).string(), mark_text);
}

struct Gpus {
  std::string list;                         // for LOCKSTEP_GPU
  std::vector<std::string> without_timing;  // the names of those that have no timing model
};

// The list with machine files by absolute paths, since applications change their folder. Errors: an unknown
// GPU; one without a timing model where `must_be_timed`.
Expected<Gpus> check_gpus(const std::vector<std::string>& names, bool must_be_timed) {
  Gpus gpus;
  for (std::string name : names) {
    const Expected<Machine> machine = load_machine(machine_directory(), name);
    if (!machine) return machine.error();
    if (name.ends_with(".toml")) name = fs::absolute(name).string();
    gpus.list += (gpus.list.empty() ? "" : ",") + name;
    const Status timing = timing_model(*machine);
    if (timing) continue;
    if (must_be_timed || timing.error().code != "not-timed") return timing.error();
    gpus.without_timing.push_back(machine->name);
  }
  return gpus;
}

// Who runs an application on Lockstep wants a GPU, also where nobody chose one.
std::vector<std::string> asked_gpus(const Application& application) {
  std::vector<std::string> names = application.gpu.empty() ? chosen_gpus() : gpus_of_list(application.gpu);
  if (names.empty()) names.push_back("mi25");
  return names;
}

// Timed where there is a timing model, unless somebody says otherwise.
std::string mode_of(const Application& application) {
  if (application.functional) return "functional";
  if (application.timed || application.virtual_clock) return "timed";
  const char* mode = environment("LOCKSTEP_MODE");
  return mode != nullptr ? mode : "auto";
}

using Variables = std::vector<std::pair<std::string, std::string>>;

Expected<Variables> environment_for(const Application& application, const std::string& gpus,
                                    const std::string& scratch, const std::string& log,
                                    const std::string& progress, const std::string& reports) {
  const Expected<std::string> driver = find_library(driver_name);
  if (!driver) return driver.error();
  Variables variables;
  const Status icd = write_whole_file(scratch + "/lockstep.icd", *driver + "\n");
  if (!icd) return icd.error();
  variables.emplace_back("OCL_ICD_VENDORS", scratch);    // Debian's loader, and Khronos's
  variables.emplace_back("OCL_ICD_FILENAMES", *driver);  // Khronos's, which may be built to ignore the former
  variables.emplace_back("LOCKSTEP_MODE", mode_of(application));
  variables.emplace_back("LOCKSTEP_GPU", gpus);
  variables.emplace_back("LOCKSTEP_TMPDIR", scratch);  // so that nothing of the driver's outlives us
  if (application.threads != 0)
    variables.emplace_back("LOCKSTEP_THREADS", std::to_string(application.threads));
  if (!application.check.empty()) variables.emplace_back("LOCKSTEP_CHECK", application.check);
  if (!application.kernels.empty())
    variables.emplace_back("LOCKSTEP_KERNELS", fmt::format("{}", fmt::join(application.kernels, ",")));
  if (application.launch_skip != 0)
    variables.emplace_back("LOCKSTEP_LAUNCH_SKIP", std::to_string(application.launch_skip));
  if (application.launch_count != 0)
    variables.emplace_back("LOCKSTEP_LAUNCH_COUNT", std::to_string(application.launch_count));
  if (application.fail_on_violation)
    variables.emplace_back("LOCKSTEP_CHECK_EXIT", std::to_string(exit_differs));
  variables.emplace_back("LOCKSTEP_LAUNCHES", log);
  if (!application.quiet) variables.emplace_back("LOCKSTEP_PROGRESS", progress);
  if (!reports.empty()) {
    const bool text = !application.report.empty();
    const bool json = application.json || !application.html.empty();
    variables.emplace_back("LOCKSTEP_REPORT", fs::absolute(reports).string());
    variables.emplace_back("LOCKSTEP_REPORT_FORMAT", text && json ? "text,json" : json ? "json" : "text");
  }
  if (!application.trace.empty()) variables.emplace_back("LOCKSTEP_TIMELINE", scratch + "/" + timeline_name);
  if (!application.html.empty()) variables.emplace_back("LOCKSTEP_PICTURES", scratch + "/" + pictures_name);
  if (application.what_if) variables.emplace_back("LOCKSTEP_WHAT_IF", std::to_string(most_what_ifs));
  if (application.virtual_clock) {
    const Expected<std::string> clock = find_library(clock_name);
    if (!clock) return clock.error();
    const char* before = environment("LD_PRELOAD");
    variables.emplace_back("LD_PRELOAD", before != nullptr ? *clock + ":" + before : *clock);
  }
  return variables;
}

}  // namespace

Expected<ApplicationEnd> run_application(const Application& application) {
  const Expected<CheckSelection> checks =
      parse_checks(application.check.empty() ? "none" : application.check);
  if (!checks) return checks.error();
  const std::string mode = mode_of(application);
  const Expected<Gpus> gpus = check_gpus(asked_gpus(application), mode == "timed");
  if (!gpus) return gpus.error();
  if (mode == "auto" && !gpus->without_timing.empty())
    show(stderr,
         "lockstep: warning: there is no timing model for {} yet: kernels run functionally there, and "
         "nothing is timed\n",
         fmt::join(gpus->without_timing, ", "));
  const auto scratch = ScratchDirectory::create();
  if (!scratch) return scratch.error();
  std::string log = scratch->path() + "/launches.jsonl";
  // Where the reports go: the folder that was asked for, or one that a page is made of.
  std::string reports = application.report;
  if (reports.empty() && !application.html.empty()) {
    reports = scratch->path() + "/reports";
    std::error_code error;
    if (!fs::create_directory(reports, error))
      return Diagnostic{"cannot-write", {reports, 0, 0}, "the folder cannot be made", ""};
  }
  if (!application.report.empty()) {
    if (const Status ready = prepare_folder(application.report); !ready) return ready.error();
    log = fs::absolute(application.report).string() + "/launches.jsonl";
  }
  const std::string progress = scratch->file("progress");
  const Expected<Variables> variables =
      environment_for(application, gpus->list, scratch->path(), log, progress, reports);
  if (!variables) return variables.error();

  Expected<std::optional<OutputFile>> opened = open_output({"--html", application.html}, {});
  if (!opened) return opened.error();
  std::optional<OutputFile> html = std::move(*opened);
  Expected<std::optional<OutputFile>> opened_summary = open_output({"--json", application.summary}, {});
  if (!opened_summary) return opened_summary.error();
  std::optional<OutputFile> summary_file = std::move(*opened_summary);
  Expected<std::optional<OutputFile>> opened_trace = open_output({"--trace", application.trace}, {});
  if (!opened_trace) return opened_trace.error();
  std::optional<OutputFile> trace = std::move(*opened_trace);
  std::optional<Watch> watch;
  const Expected<ChildEnd> end = run_child(application.command, application.folder, *variables, [&] {
    if (!application.quiet) watch.emplace(application_progress(log, progress));
  });
  watch.reset();
  if (!end) return end.error();
  Expected<Summary> summary = read_summary(log);
  if (!summary) return summary.error();
  const std::string text = summary_text(*summary);
  if (!application.quiet) show(stderr, "\n{}", text);
  if (!application.report.empty()) {
    Status written = write_whole_file(application.report + "/summary.txt", text);
    if (written && application.json && application.summary.empty())
      written = write_whole_file(application.report + "/summary.json", summary_json(*summary));
    if (!written) return written.error();
  }
  if (const Status written = write_output(summary_file, summary_json(*summary)); !written)
    return written.error();
  if (html) {
    const Status written = write_output(html, application_page(application.command, *summary, log, reports,
                                                               scratch->path() + "/" + pictures_name));
    if (!written) return written.error();
  }
  if (trace) {
    const Expected<std::string> events = application_trace(scratch->path() + "/" + timeline_name);
    if (!events) return events.error();
    const Status written = write_output(trace, *events);
    if (!written) return written.error();
  }
  return ApplicationEnd{*end, std::move(*summary)};
}

}  // namespace lockstep::cli
