// lockstep exec: an application on the OpenCL driver, with nothing installed.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/environment.h"
#include "base/files.h"
#include "base/installation.h"
#include "base/scratch.h"
#include "cli/commands.h"
#include "cli/exec_child.h"
#include "cli/exec_progress.h"
#include "cli/exec_summary.h"
#include "exec/check/selection.h"
#include "machine/chosen.h"
#include "machine/machine.h"
#include "time/timing.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> command;
  std::string gpu, report;
  u32 threads = 0;
  std::string check;  // which checks; empty: none
  bool functional = false, timed = false, json = false, virtual_clock = false;
  bool fail_on_violation = false, quiet = false;
};

constexpr const char* driver_name = "liblockstep_opencl.so";
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

// Whether a launch's report may have this name: 0001-KERNEL.txt.
bool names_a_report(const std::string& name) {
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
    if (!line.is_object() || !line.contains("report") || !line["report"].is_string()) continue;
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
std::vector<std::string> asked_gpus(const Options& options) {
  std::vector<std::string> names = options.gpu.empty() ? chosen_gpus() : gpus_of_list(options.gpu);
  if (names.empty()) names.push_back("mi25");
  return names;
}

// Timed where there is a timing model, unless somebody says otherwise.
std::string mode_of(const Options& options) {
  if (options.functional) return "functional";
  if (options.timed || options.virtual_clock) return "timed";
  const char* mode = environment("LOCKSTEP_MODE");
  return mode != nullptr ? mode : "auto";
}

using Variables = std::vector<std::pair<std::string, std::string>>;

Expected<Variables> environment_for(const Options& options, const std::string& gpus,
                                    const std::string& scratch, const std::string& log,
                                    const std::string& progress) {
  const Expected<std::string> driver = find_library(driver_name);
  if (!driver) return driver.error();
  Variables variables;
  const Status icd = write_whole_file(scratch + "/lockstep.icd", *driver + "\n");
  if (!icd) return icd.error();
  variables.emplace_back("OCL_ICD_VENDORS", scratch);    // Debian's loader, and Khronos's
  variables.emplace_back("OCL_ICD_FILENAMES", *driver);  // Khronos's, which may be built to ignore the former
  variables.emplace_back("LOCKSTEP_MODE", mode_of(options));
  variables.emplace_back("LOCKSTEP_GPU", gpus);
  variables.emplace_back("LOCKSTEP_TMPDIR", scratch);  // so that nothing of the driver's outlives us
  if (options.threads != 0) variables.emplace_back("LOCKSTEP_THREADS", std::to_string(options.threads));
  if (!options.check.empty()) variables.emplace_back("LOCKSTEP_CHECK", options.check);
  variables.emplace_back("LOCKSTEP_LAUNCHES", log);
  if (!options.quiet) variables.emplace_back("LOCKSTEP_PROGRESS", progress);
  if (!options.report.empty()) {
    variables.emplace_back("LOCKSTEP_REPORT", fs::absolute(options.report).string());
    variables.emplace_back("LOCKSTEP_REPORT_FORMAT", options.json ? "text,json" : "text");
  }
  if (options.virtual_clock) {
    const Expected<std::string> clock = find_library(clock_name);
    if (!clock) return clock.error();
    const char* before = environment("LD_PRELOAD");
    variables.emplace_back("LD_PRELOAD", before != nullptr ? *clock + ":" + before : *clock);
  }
  return variables;
}

int run(const Options& options) {
  if (options.functional && (options.timed || options.virtual_clock)) {
    show(stderr, "lockstep: --functional has no modelled time: it excludes --timed and --virtual-clock\n");
    return exit_usage;
  }
  const Expected<CheckSelection> checks = parse_checks(options.check.empty() ? "none" : options.check);
  if (!checks) return fail(checks.error());
  const std::string mode = mode_of(options);
  const Expected<Gpus> gpus = check_gpus(asked_gpus(options), mode == "timed");
  if (!gpus) return fail(gpus.error());
  if (mode == "auto" && !gpus->without_timing.empty())
    show(stderr,
         "lockstep: warning: there is no timing model for {} yet: kernels run functionally there, and "
         "nothing is timed\n",
         fmt::join(gpus->without_timing, ", "));
  const auto scratch = ScratchDirectory::create();
  if (!scratch) return fail(scratch.error());
  std::string log = scratch->path() + "/launches.jsonl";
  if (!options.report.empty()) {
    if (const Status ready = prepare_folder(options.report); !ready) return fail(ready.error());
    log = fs::absolute(options.report).string() + "/launches.jsonl";
  }
  const std::string progress = scratch->file("progress");
  const Expected<Variables> variables = environment_for(options, gpus->list, scratch->path(), log, progress);
  if (!variables) return fail(variables.error());

  std::optional<Watch> watch;
  const Expected<ChildEnd> end = run_child(options.command, *variables, [&] {
    if (!options.quiet) watch.emplace(application_progress(log, progress));
  });
  watch.reset();
  if (!end) {
    fail(end.error());
    return end.error().code == "no-such-program" ? 127 : 126;
  }
  const Expected<Summary> summary = read_summary(log);
  if (!summary) return fail(summary.error());
  const std::string text = summary_text(*summary);
  if (!options.quiet) show(stderr, "\n{}", text);
  if (!options.report.empty()) {
    Status written = write_whole_file(options.report + "/summary.txt", text);
    if (written && options.json)
      written = write_whole_file(options.report + "/summary.json", summary_json(*summary));
    if (!written) return fail(written.error());
  }
  if (end->exit_code == 0 && summary->failed + summary->violations != 0 && options.fail_on_violation)
    return exit_differs;
  return end->exit_code;
}

}  // namespace

void add_exec(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "exec", "Runs an OpenCL application on a modelled GPU, unchanged and with nothing installed");
  const auto options = std::make_shared<Options>();
  command
      ->add_option("COMMAND", options->command, "the application and its arguments, behind --: -- APP ARGS")
      ->required();
  command->add_option("--gpu", options->gpu,
                      "the GPUs that it finds, by commas: ids of 'lockstep gpus' or machine files "
                      "($LOCKSTEP_GPU, the configuration's, else mi25)");
  command->add_flag("--timed", options->timed,
                    "kernels run on the timing model, and profiling times are the model's ($LOCKSTEP_MODE, "
                    "else this for GPUs that have one)");
  command->add_flag("--functional", options->functional,
                    "execute only, no timing: all cores, as fast as possible");
  command->add_flag("--check{all}", options->check,
                    "look for accesses outside buffers, undefined values, uneven barriers, data races; "
                    "--check=LIST: see docs/checking.md");
  command
      ->add_option("--report", options->report,
                   "write a report for each kernel launch into this folder (new, empty, or of an earlier "
                   "run, whose files go)")
      ->type_name("FOLDER");
  command->add_flag("--json", options->json, "reports and summary as JSON too");
  command->add_flag("--virtual-clock", options->virtual_clock,
                    "the application's clocks advance by modelled time where it waits for the GPU");
  command->add_option("--threads", options->threads,
                      "host threads of functional kernels; 0: one for each core");
  command->add_flag(
      "--fail-on-violation", options->fail_on_violation,
      "exit code 3 when a launch failed or a check found something, and the application gave 0");
  command->add_flag("--quiet", options->quiet, "neither progress nor summary on standard error");
  command->footer(
      "Exit codes: the application's own; 128 and the signal's number when a signal ended it; 127 and 126 "
      "when it\n"
      "            is not there or cannot run; 3 as above; 1 and 2 before it ran: see 'lockstep --help'.");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lockstep::cli
