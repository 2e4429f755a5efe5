// lockstep tune: the fastest of a grid of launch sizes, macros and arguments.
#include "run/tune.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/compile_options.h"
#include "cli/watch.h"
#include "run/comparison.h"

namespace lockstep::cli {
namespace {

struct Options {
  LaunchRequest request;
  std::vector<std::string> space, constraints;
  std::string database, json, csv;
  u32 jobs = 0;
  bool quiet = false;
};

int run(const Options& options) {
  std::vector<TuneAxis> axes;
  for (const std::string& text : options.space) {
    Expected<TuneAxis> axis = parse_axis(text);
    if (!axis) return misuse(axis.error());
    axes.push_back(std::move(*axis));
  }
  const Expected<std::vector<TunePoint>> points = tune_points(options.request, axes, options.constraints);
  if (!points) return misuse(points.error());
  // What is wrong with the first point's words is likely wrong with all.
  const Expected<std::unique_ptr<RequestedLaunch>> first = RequestedLaunch::parse(points->front().request);
  if (!first) return fail(first.error());

  std::vector<NamedFile> inputs =
      program_inputs(options.request.file, options.request.gpu, options.request.build_options);
  TuneOptions tuning;
  tuning.database = !options.database.empty()
                        ? options.database
                        : std::filesystem::path(options.request.file).filename().string() + ".tune.sqlite";
  std::vector<NamedFile> named{{"--database", tuning.database}};
  if (!options.json.empty()) named.push_back({"--json", options.json});
  if (!options.csv.empty()) named.push_back({"--csv", options.csv});
  const Status distinct = check_outputs(named, inputs);
  if (!distinct) return fail(distinct.error());
  Expected<std::optional<OutputFile>> json = open_output({"--json", options.json}, inputs);
  if (!json) return fail(json.error());
  Expected<std::optional<OutputFile>> csv = open_output({"--csv", options.csv}, inputs);
  if (!csv) return fail(csv.error());

  catch_signals();
  Watch watch;
  tuning.jobs = options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  tuning.progress = [&](u64 done, u64 all) { watch.update("tuning", done, all, "points"); };
  tuning.go_on = [&] { return watch.go_on(); };
  watch.update("tuning", 0, points->size(), "points");
  const Expected<TuneResults> results = tune(axes, *points, tuning);
  watch.quiet();
  if (!results) return fail(results.error());
  const auto write = [](std::optional<OutputFile>& file, const std::string& text) -> Status {
    if (!file) return Success{};
    Status written = file->write(text);
    if (written) written = file->finish();
    return written;
  };
  if (results->stopped) {
    show(stderr, "lockstep: {} of {} points are measured: the same command goes on from there ({})\n",
         results->rows.size(), points->size(), tuning.database);
    fail(watch.reason());
    return watch.exit_code();
  }
  Status written = write(*json, json_text({{"version", 1}, {"points", results->rows}}));
  if (written) written = write(*csv, rows_csv(results->rows));
  if (!written) return fail(written.error());
  if (!options.quiet && options.json != "-" && options.csv != "-")
    show(stdout, "{}", tune_text(axes, *results));
  const bool none =
      std::ranges::none_of(results->rows, [](const Json& row) { return row["error"].is_null(); });
  return none ? exit_failed : exit_good;
}

}  // namespace

void add_tune(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "tune", "Finds the fastest of many launch sizes, macros and arguments, on the timing model");
  const auto options = std::make_shared<Options>();
  options->request.gpu = default_gpu();
  add_program_options(*command, options->request.file, options->request.gpu);
  command
      ->add_option("--space", options->space,
                   "a dimension and its values, once for each: local=64,128 (16x16 for two dimensions), "
                   "global=.., grid=.., gpu=.., O=.., define:NAME=.., arg:NAME=.., or NAME=.. for {NAME} in "
                   "--global, --local, --arg, --define, --options")
      ->required()
      ->allow_extra_args(false)
      ->check(refuse_empty);
  command
      ->add_option("--where", options->constraints,
                   "a constraint, once for each: an integer expression of the dimensions and of local, "
                   "local_x, global and so on: 'TS*TS <= 256 && global_x % local_x == 0'")
      ->allow_extra_args(false)
      ->check(refuse_empty);
  add_launch_options(*command, options->request);
  command->add_option("--jobs", options->jobs, "points at a time; 0: one for each core")
      ->check(CLI::NonNegativeNumber);
  command
      ->add_option("--database", options->database,
                   "the file of results (SQLite), in which points that were measured before are found: "
                   "FILE.tune.sqlite here")
      ->check(refuse_empty);
  command->add_option("--json", options->json, "write all points as JSON; - for standard output")
      ->type_name("FILE")
      ->check(refuse_empty);
  command->add_option("--csv", options->csv, "write all points as CSV; - for standard output")
      ->type_name("FILE")
      ->check(refuse_empty);
  command->add_flag("--quiet", options->quiet, "no table");
  command->footer("Exit codes: 1 where no point could run.");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lockstep::cli
