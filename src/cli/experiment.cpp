// lockstep experiment: published experiments on modelled GPUs, published figures beside modelled ones.
#include "run/experiment.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/experiment_page.h"
#include "cli/watch.h"
#include "report/view.h"
#include "run/accuracy.h"
#include "run/clock.h"

namespace lockstep::cli {
namespace {

struct ExperimentCommand {
  std::string name = "all", gpu, clock, accuracy, json;
  u32 threads = 0;
  bool markdown = false, list = false;
};

Json row_json(const ExperimentRow& row) {
  const auto number = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  Json data = {{"experiment", row.experiment},
               {"gpu", row.gpu},
               {"clock_hz", row.clock_hz},
               {"figure", row.figure},
               {"unit", row.unit},
               {"published", number(row.published)},
               {"modelled", row.modelled},
               {"ratio", number(row.ratio)},
               {"tolerance", number(row.tolerance)},
               {"ok", number(row.ok)},
               {"source", row.source}};
  if (row.at_least) data["at_least"] = *row.at_least;
  if (row.at_most) data["at_most"] = *row.at_most;
  if (!row.note.empty()) data["note"] = row.note;
  return data;
}

std::string verdict(const ExperimentRow& row) {
  if (!row.ok) return "";
  return *row.ok ? "ok" : "OUTSIDE";
}

std::string claim(const ExperimentRow& row) {
  if (row.published) return fmt::format("{:.4g}", *row.published);
  return row.at_least ? fmt::format(">= {:.4g}", *row.at_least) : fmt::format("<= {:.4g}", *row.at_most);
}

void print_rows(const ExperimentResult& result, bool claimed) {
  for (const ExperimentRow& row : result.rows) {
    if (row.has_claim() != claimed) continue;
    const std::string on = result.machines.size() > 1 ? row.gpu + ": " + row.figure : row.figure;
    if (claimed) {
      show(stdout, "  {:<36} {:<8} {:>10} {:>10.4g} {:>7} {:>9} {:<8} {}\n", on, row.unit, claim(row),
           row.modelled, row.ratio ? fmt::format("{:.3f}", *row.ratio) : "",
           row.tolerance ? fmt::format("{:.0f} %", 100 * *row.tolerance)
           : row.ok      ? ""
                         : "not judged",
           verdict(row), row.note);
    } else {
      show(stdout, "  {:<52} {:<9} {:>10.4g}  {}\n", on, row.unit, row.modelled, row.note);
    }
  }
}

void print_result(const ExperimentResult& result) {
  const Experiment& experiment = *result.experiment;
  const std::string launches =
      experiment.repeat == 1
          ? ""
          : fmt::format(", {} launches of each, {}the median of all but the first", experiment.repeat,
                        experiment.cold ? "caches empty before each, " : "");
  std::vector<std::string> on;
  for (const ExperimentRun& run : result.runs) {
    const std::string machine =
        fmt::format("{} at {}", run.gpu, with_unit(static_cast<f64>(run.clock_hz), "Hz"));
    if (std::find(on.begin(), on.end(), machine) == on.end()) on.push_back(machine);
  }
  show(stdout, "{}: {}\n  on {}{}, published figures from {}\n\n", experiment.name, experiment.title,
       fmt::join(on, ", "), launches, experiment.source);
  show(stdout, "  {:<36} {:<8} {:>10} {:>10} {:>7} {:>9}\n", "figure", "unit", "published", "modelled",
       "ratio", "tolerance");
  print_rows(result, true);
  if (experiment.search) show(stdout, "\n  {} is {}\n", experiment.search->name, result.best);
  if (std::ranges::all_of(result.rows, &ExperimentRow::has_claim)) return;
  show(stdout, "\n  No number in the source:\n");
  print_rows(result, false);
}

int run(const ExperimentCommand& options) {
  const std::string directory = experiment_directory();
  const Expected<std::vector<std::string>> names = list_experiments(directory);
  if (!names) return fail(names.error());
  if (options.list) {
    for (const std::string& name : *names) {
      const Expected<Experiment> experiment = load_experiment(directory, name);
      if (!experiment) return fail(experiment.error());
      show(stdout, "{:<24} {:<8} {}\n", name, experiment->machine, experiment->title);
    }
    return exit_good;
  }
  const std::vector<std::string> wanted =
      options.name == "all" ? *names : std::vector<std::string>{options.name};
  u64 clock_hz = 0;
  if (!options.clock.empty()) {
    const Expected<u64> clock = parse_clock(options.clock);
    if (!clock) return fail(clock.error());
    clock_hz = *clock;
  }
  std::string gpu_id;
  if (!options.gpu.empty()) {
    const Expected<Machine> machine = load_machine(machine_directory(), options.gpu);
    if (!machine) return fail(machine.error());
    gpu_id = machine->id;
  }
  Expected<std::optional<OutputFile>> json = open_output({"--json", options.json}, {});
  if (!json) return fail(json.error());
  Expected<std::optional<OutputFile>> accuracy = open_output({"--accuracy", options.accuracy}, {});
  if (!accuracy) return fail(accuracy.error());
  std::optional<OutputFile>& accuracy_file = *accuracy;
  Json rows = Json::array();
  std::vector<Experiment> experiments;
  experiments.reserve(wanted.size());  // results point to them
  std::vector<ExperimentResult> results;
  bool all_ok = true;
  catch_signals();
  for (const std::string& name : wanted) {
    Expected<Experiment> experiment = load_experiment(directory, name);
    if (!experiment) {
      Diagnostic wrong = experiment.error();
      if (options.json == "-" && wrong.code == "no-such-experiment")
        wrong.hint = fmt::format("JSON into a file: --json={}; {}", name, wrong.hint);
      return fail(wrong);
    }
    ExperimentOptions settings;
    settings.gpu = options.gpu;
    const std::vector<std::string> gpus = experiment_gpus(*experiment);
    if (!options.gpu.empty() && (gpus.size() > 1 || options.name == "all")) {
      if (std::find(gpus.begin(), gpus.end(), gpu_id) == gpus.end()) {
        Diagnostic none{"no-such-gpu",
                        {experiment->path, 0, 0},
                        fmt::format("the experiment has nothing of GPU '{}'", gpu_id),
                        fmt::format("its GPUs: {}", fmt::join(gpus, ", "))};
        if (options.name != "all") return misuse(none);
        show(stderr, "lockstep: {} is left out: it has nothing of GPU '{}'\n", name, gpu_id);
        continue;
      }
      keep_gpu(*experiment, gpu_id, options.gpu);
      settings.gpu.clear();
    }
    experiments.push_back(std::move(*experiment));
    settings.clock_hz = clock_hz;
    settings.threads =
        options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
    Watch watch;
    settings.progress = [&](u64 done, u64 all) { watch.update(name, done, all, "runs"); };
    settings.go_on = [&] { return watch.go_on(); };
    Expected<ExperimentResult> result = run_experiment(experiments.back(), settings);
    watch.quiet();
    if (!result && result.error().code == "stopped") {
      fail(watch.reason());
      return watch.exit_code();
    }
    if (!result) return fail(result.error());
    all_ok = all_ok && result->all_ok();
    if (*json) {
      for (const ExperimentRow& row : result->rows) rows.push_back(row_json(row));
    } else if (!options.markdown) {
      print_result(*result);
    }
    results.push_back(std::move(*result));
  }
  if (results.empty()) {
    return misuse({"no-such-gpu",
                   {directory, 0, 0},
                   fmt::format("no experiment has anything of GPU '{}'", gpu_id),
                   "'lockstep experiment NAME --gpu GPU' runs one on a GPU that is not its own"});
  }
  if (options.markdown) show(stdout, "{}", experiment_page(results));
  if (accuracy_file) {
    const Status written = write_output(accuracy_file, accuracy_text(results));
    if (!written) return fail(written.error());
  }
  if (const Status written = write_output(*json, json_text(rows)); !written) return fail(written.error());
  return all_ok ? exit_good : exit_differs;
}

}  // namespace

void add_experiment(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "experiment", "Runs published experiments and prints their figures beside the model's");
  command->footer("Exit code 3: a judged figure is outside its tolerance.");
  const auto options = std::make_shared<ExperimentCommand>();
  command->add_option("NAME", options->name, "an experiment, or all")->capture_default_str();
  command
      ->add_option("--gpu", options->gpu,
                   "of an experiment on several GPUs, and of all, what is of this one; "
                   "else this one instead of the experiment's own")
      ->check(refuse_empty);
  command
      ->add_option("--clock", options->clock,
                   "another clock of the compute units than the experiment's or the GPU's own: 1.04GHz")
      ->check(refuse_empty);
  command->add_option("--threads", options->threads,
                      "runs at a time; 0: one for each core. Results do not depend on it");
  add_json_flag(*command, options->json,
                "as JSON: a list of {experiment, gpu, clock_hz, figure, unit, published, modelled, ratio, "
                "tolerance, ok, source}; published null where the source gives no number, ok and "
                "tolerance null where a figure is shown and not judged");
  command->add_flag("--markdown", options->markdown, "as a page: every figure with its error, and their mean")
      ->excludes("--json");
  command
      ->add_option("--accuracy", options->accuracy,
                   "write how far off the model is by GPU, which reports tell (experiments/accuracy.json)")
      ->check(refuse_empty);
  command->add_flag("--list", options->list, "list the experiments and run none")
      ->excludes("--json")
      ->excludes("--markdown")
      ->excludes("--accuracy");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lockstep::cli
