// lockstep compare: one launch on several GPUs, or one before and after a change.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/compile_options.h"
#include "cli/watch.h"
#include "machine/chosen.h"
#include "run/comparison.h"
#include "run/limits.h"
#include "run/parallel.h"

namespace lockstep::cli {
namespace {

struct CompareCommand {
  std::vector<std::string> files;
  LaunchRequest request;
  std::string gpus, json, csv;
  u32 threads = 0;
  bool functional = false, quiet = false;
};

struct ComparisonOutputs {
  std::optional<OutputFile> json, csv;
};

Expected<ComparisonOutputs> open_comparison_outputs(const CompareCommand& options,
                                                    const std::vector<NamedFile>& inputs) {
  std::vector<NamedFile> named;
  if (!options.json.empty()) named.push_back({"--json", options.json});
  if (!options.csv.empty()) named.push_back({"--csv", options.csv});
  const Status distinct = check_outputs(named, inputs);
  if (!distinct) return distinct.error();
  ComparisonOutputs outputs;
  Expected<std::optional<OutputFile>> json = open_output({"--json", options.json}, inputs);
  if (!json) return json.error();
  if (*json) outputs.json.emplace(std::move(**json));
  Expected<std::optional<OutputFile>> csv = open_output({"--csv", options.csv}, inputs);
  if (!csv) return csv.error();
  if (*csv) outputs.csv.emplace(std::move(**csv));
  return outputs;
}

int finish(const CompareCommand& options, ComparisonOutputs& outputs, const Json& json, const Json& rows,
           const std::string& text) {
  Status written = write_output(outputs.json, json_text(json));
  if (written) written = write_output(outputs.csv, rows_csv(rows));
  if (!written) return fail(written.error());
  if (!options.quiet && options.json != "-" && options.csv != "-") show(stdout, "{}", text);
  return exit_good;
}

bool names_report(const std::string& file) {
  return file.ends_with(".json");
}

int compare_files(const CompareCommand& options) {
  std::vector<NamedFile> inputs;
  for (const std::string& file : options.files) inputs.push_back({"report", file});
  const Expected<Json> before = read_report(options.files[0]);
  if (!before) return fail(before.error());
  const Expected<Json> after = read_report(options.files[1]);
  if (!after) return fail(after.error());
  Expected<ComparisonOutputs> outputs = open_comparison_outputs(options, inputs);
  if (!outputs) return fail(outputs.error());
  const Expected<Json> change = compare_reports(*before, *after);
  if (!change) return fail(change.error());
  return finish(options, *outputs, *change, (*change)["lines"], change_text(*change));
}

int compare_gpus(const CompareCommand& options) {
  const std::vector<std::string> gpus = options.gpus.empty() ? chosen_gpus() : gpus_of_list(options.gpus);
  if (gpus.empty())
    return misuse({"bad-option",
                   {},
                   "a program is compared on the GPUs of --gpu, and there are none",
                   "--gpu mi25,v100,rx6900xt; or name two reports (.json): before and after"});
  const std::vector<NamedFile> inputs =
      program_inputs(options.files[0], gpus[0], options.request.build_options);
  Expected<ComparisonOutputs> outputs = open_comparison_outputs(options, inputs);
  if (!outputs) return fail(outputs.error());
  // What is wrong with the words is wrong on every GPU.
  for (const std::string& gpu : gpus) {
    LaunchRequest request = options.request;
    request.file = options.files[0];
    request.gpu = gpu;
    const Expected<std::unique_ptr<RequestedLaunch>> parsed = RequestedLaunch::parse(request);
    if (!parsed) return fail(parsed.error());
  }
  catch_signals();
  Watch watch;
  std::vector<ComparedLaunch> launches(gpus.size());
  std::atomic<u64> done{0};
  const u32 cores = std::max(1u, std::thread::hardware_concurrency());
  const auto measure = [&](std::size_t i) {
    LaunchRequest request = options.request;
    request.file = options.files[0];
    request.gpu = gpus[i];
    MeasureOptions how;
    how.functional = options.functional;
    how.go_on = [&] { return watch.go_on(); };
    launches[i] = measure_launch(request, how);
    watch.update("comparing", ++done, gpus.size(), "GPUs");
  };
  watch.update("comparing", 0, gpus.size(), "GPUs");
  for_each_parallel(gpus.size(), options.threads != 0 ? options.threads : cores, measure,
                    [&] { return watch.go_on(); });
  watch.quiet();
  if (!watch.go_on()) {
    fail(watch.reason());
    return watch.exit_code();
  }
  const Json rows = comparison_rows(launches);
  const int code =
      finish(options, *outputs, {{"version", 1}, {"launches", rows}}, rows, comparison_text(rows));
  if (code != exit_good) return code;
  const bool none =
      std::ranges::all_of(launches, [](const ComparedLaunch& one) { return one.report.is_null(); });
  if (none) return exit_failed;
  const bool wrong = std::ranges::any_of(rows, [](const Json& row) { return !row["error"].is_null(); });
  return wrong ? exit_differs : exit_good;
}

int run(const CompareCommand& options) {
  if (options.files.size() == 2 && names_report(options.files[0]) && names_report(options.files[1]))
    return compare_files(options);
  if (options.files.size() == 1 && !names_report(options.files[0])) return compare_gpus(options);
  return misuse({"bad-option",
                 {},
                 "wanted is one program, or two reports (.json)",
                 "lockstep compare FILE --gpu a,b; lockstep compare BEFORE.json AFTER.json"});
}

}  // namespace

void add_compare(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "compare", "Compares a kernel on several GPUs, or two reports: before and after a change, by line");
  const auto options = std::make_shared<CompareCommand>();
  command
      ->add_option("FILES", options->files,
                   "a program, as 'lockstep run' takes it; or two JSON reports, before and after")
      ->required()
      ->expected(1, 2)
      ->check(refuse_empty);
  command
      ->add_option("--gpu", options->gpus,
                   "the GPUs, by commas: ids of 'lockstep gpus' or machine files; those without a timing "
                   "model are counted and not timed ($LOCKSTEP_GPU, the configuration's)")
      ->check(refuse_empty);
  add_launch_options(*command, options->request);
  command->add_flag("--functional", options->functional, "count on all of them, time on none");
  command->add_option("--threads", options->threads, "GPUs at a time; 0: one for each core")
      ->check(refuse_negative);
  add_json_option(*command, options->json, "write the comparison as JSON");
  command
      ->add_option("--csv", options->csv,
                   "write the rows (of two reports: the lines) as CSV; - for standard output")
      ->type_name("FILE")
      ->check(refuse_empty);
  command->add_flag("--quiet", options->quiet, "no table");
  command->footer("Exit codes: 3 where a GPU's launch failed; 1 where none could run.");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lockstep::cli
