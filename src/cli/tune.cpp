// lockstep tune: the fastest of a grid of launch sizes, macros and arguments.
#include "run/tune.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/compile_options.h"
#include "cli/exec_child.h"
#include "cli/watch.h"
#include "report/html.h"
#include "run/comparison.h"
#include "run/tune_store.h"

namespace lockstep::cli {
namespace {

constexpr u32 most_jobs = 4096;

struct TuneCommand {
  LaunchRequest request;
  std::vector<std::string> space, constraints;
  std::string database, json, csv, html, jobs = "0";
  std::string worker;  // of this search: measure what nobody else does, and say nothing
  bool quiet = false;
};

// Who measures: threads of this process, jobs of a Slurm array, ranks of mpirun.
struct Jobs {
  std::string where = "local";
  u32 count = 0;  // 0: one for each core
};

Expected<Jobs> parse_jobs(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string where = text.substr(0, colon);
  const bool number_alone =
      colon == std::string::npos && where.find_first_not_of("0123456789") == std::string::npos;
  Jobs jobs;
  std::string count = number_alone ? text : colon == std::string::npos ? "0" : text.substr(colon + 1);
  if (!number_alone) jobs.where = where;
  const bool known = jobs.where == "local" || jobs.where == "slurm" || jobs.where == "mpi";
  const auto parsed = std::from_chars(count.data(), count.data() + count.size(), jobs.count);
  if (!known || count.empty() || parsed.ec != std::errc() || parsed.ptr != count.data() + count.size() ||
      jobs.count > most_jobs)
    return Diagnostic{"bad-option",
                      {"--jobs " + text, 0, 0},
                      fmt::format("wanted is a number up to {}, local:N, slurm:N or mpi:N", most_jobs),
                      "--jobs 8, --jobs slurm:16, --jobs mpi:4"};
  if (jobs.count == 0) jobs.count = std::max(1u, std::thread::hardware_concurrency());
  return jobs;
}

// A word of a command line for a shell.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char letter : word) out += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return out + "'";
}

// This command line as a worker's.
std::vector<std::string> worker_command(const std::string& search) {
  std::vector<std::string> words;
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  for (std::string word; std::getline(in, word, '\0');) words.push_back(word);
  std::error_code error;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error && !words.empty()) words[0] = own.string();
  words.insert(words.end(), {"--worker", search});
  return words;
}

std::vector<std::string> scheduler_command(const Jobs& jobs, const std::string& search) {
  const std::vector<std::string> worker = worker_command(search);
  std::vector<std::string> words;
  if (jobs.where == "mpi") {
    words = {"mpirun", "-n", std::to_string(jobs.count)};
    words.insert(words.end(), worker.begin(), worker.end());
    return words;
  }
  std::string script = "exec";
  for (const std::string& word : worker) script += " " + quoted(word);
  return {"sbatch",
          "--quiet",
          "--wait",
          "--job-name=lockstep-tune",
          "--output=/dev/null",
          fmt::format("--array=1-{}", jobs.count),
          "--wrap=" + script};
}

// Lets a cluster's jobs measure the points, and again those that jobs which were ended have left, as long as
// there are fewer of them each time.
Status measure_by_jobs(const Jobs& jobs, const std::vector<TuneAxis>& axes,
                       const std::vector<TunePoint>& points, TuneOptions tuning) {
  const Expected<std::unique_ptr<TuneStore>> store = TuneStore::open(tuning.database);
  if (!store) return store.error();
  tuning.look_only = true;
  tuning.jobs = std::max(1u, std::thread::hardware_concurrency());
  tuning.progress = nullptr;
  u64 missing_before = ~u64{0};
  for (u32 round = 1;; ++round) {
    const Expected<TuneResults> known = tune(axes, points, tuning);
    if (!known) return known.error();
    if (known->missing == 0 || known->stopped) return Success{};
    if (known->missing >= missing_before)
      return Diagnostic{
          "jobs-failed",
          {},
          fmt::format("the jobs have ended, and {} of {} points are not measured", known->missing,
                      points.size()),
          "does this command run on the cluster's nodes, and do they share the database's folder?"};
    missing_before = known->missing;
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    const std::string search = fmt::format("{:x}-{:x}-{}", now, ::getpid(), round);
    const Expected<u64> begun = (*store)->size();
    if (!begun) return begun.error();
    std::optional<Watch> watch;
    const Expected<ChildEnd> end = run_child(scheduler_command(jobs, search), "", {}, [&] {
      watch.emplace([&](Watch& own) {
        const Expected<u64> so_far = (*store)->size();
        if (so_far) own.update("tuning", *so_far - *begun, missing_before, "points");
      });
    });
    watch.reset();
    if (!end) return end.error();
    const Status forgotten = (*store)->forget(search);
    if (!forgotten) return forgotten;
    if (end->signal != 0)
      return Diagnostic{"interrupted", {}, fmt::format("{} was ended by a signal", jobs.where), ""};
  }
}

// What the page of a search shows.
Json page_data(const LaunchRequest& request, const std::vector<TuneAxis>& axes, const TuneResults& results) {
  Json named = Json::array();
  for (const TuneAxis& axis : axes) named.push_back({{"name", axis.name}, {"values", axis.values}});
  std::string title = std::filesystem::path(request.file).filename().string();
  if (!request.kernel.empty()) title = request.kernel + " of " + title;
  return {{"title", title}, {"gpu", request.gpu}, {"axes", named}, {"rows", results.rows}};
}

int run(const TuneCommand& options) {
  const Expected<Jobs> jobs = parse_jobs(options.jobs);
  if (!jobs) return fail(jobs.error());
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
  if (!options.worker.empty()) {
    catch_signals();
    Watch watch;
    watch.quiet();
    tuning.search = options.worker;
    tuning.go_on = [&] { return watch.go_on(); };
    const Expected<TuneResults> results = tune(axes, *points, tuning);
    return results ? exit_good : fail(results.error());
  }
  std::vector<NamedFile> named{{"--database", tuning.database}};
  if (!options.json.empty()) named.push_back({"--json", options.json});
  if (!options.csv.empty()) named.push_back({"--csv", options.csv});
  if (!options.html.empty()) named.push_back({"--html", options.html});
  const Status distinct = check_outputs(named, inputs);
  if (!distinct) return fail(distinct.error());
  Expected<std::optional<OutputFile>> json = open_output({"--json", options.json}, inputs);
  if (!json) return fail(json.error());
  Expected<std::optional<OutputFile>> csv = open_output({"--csv", options.csv}, inputs);
  if (!csv) return fail(csv.error());
  Expected<std::optional<OutputFile>> html = open_output({"--html", options.html}, inputs);
  if (!html) return fail(html.error());

  if (jobs->where != "local") {
    const Status measured = measure_by_jobs(*jobs, axes, *points, tuning);
    if (!measured) return fail(measured.error());
  }
  catch_signals();
  Watch watch;
  tuning.jobs = jobs->where == "local" ? jobs->count : std::max(1u, std::thread::hardware_concurrency());
  tuning.progress = [&](u64 done, u64 all) { watch.update("tuning", done, all, "points"); };
  tuning.go_on = [&] { return watch.go_on(); };
  watch.update("tuning", 0, points->size(), "points");
  const Expected<TuneResults> results = tune(axes, *points, tuning);
  watch.quiet();
  if (!results) return fail(results.error());
  if (results->stopped) {
    show(stderr, "lockstep: {} of {} points are measured: the same command goes on from there ({})\n",
         results->rows.size(), points->size(), tuning.database);
    fail(watch.reason());
    return watch.exit_code();
  }
  Status written = write_output(*json, json_text({{"version", 1}, {"points", results->rows}}));
  if (written) written = write_output(*csv, rows_csv(results->rows));
  if (written && *html)
    written = write_output(*html, tuning_html(page_data(options.request, axes, *results)));
  if (!written) return fail(written.error());
  if (!options.quiet && options.json != "-" && options.csv != "-" && options.html != "-")
    show(stdout, "{}", tune_text(axes, *results));
  const bool none =
      std::ranges::none_of(results->rows, [](const Json& row) { return row["error"].is_null(); });
  if (none)
    return fail({"no-points", {}, "no point could be measured", "the errors above, or in --json and --csv"});
  return exit_good;
}

}  // namespace

void add_tune(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "tune", "Finds the fastest of many launch sizes, macros and arguments, on the timing model");
  const auto options = std::make_shared<TuneCommand>();
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
  command
      ->add_option("--jobs", options->jobs,
                   "points at a time; 0: one for each core; slurm:N, mpi:N: by N jobs of a Slurm array, by N "
                   "ranks of mpirun, which share the database")
      ->type_name("N");
  command->add_option("--worker", options->worker)->group("");
  command
      ->add_option("--database", options->database,
                   "the file of results (SQLite), in which points that were measured before are found: "
                   "FILE.tune.sqlite here")
      ->check(refuse_empty);
  add_json_option(*command, options->json, "write all points as JSON");
  command->add_option("--csv", options->csv, "write all points as CSV; - for standard output")
      ->type_name("FILE")
      ->check(refuse_empty);
  command
      ->add_option("--html", options->html,
                   "write the search as one page with pictures: each dimension's best times, each two "
                   "dimensions as a map; - for standard output")
      ->type_name("FILE")
      ->check(refuse_empty);
  command->add_flag("--quiet", options->quiet, "no table");
  command->footer("Exit codes: 1 where no point could run.");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lockstep::cli
