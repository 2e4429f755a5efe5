#include "run/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <tuple>

#include "machine/driver.h"
#include "report/verdict.h"
#include "run/launch_arguments.h"
#include "run/loader.h"
#include "run/simulation.h"
#include "run/timed_listing.h"

namespace lockstep {
namespace {

// What a run's result hangs on: runs with equal values are done once.
struct Job {
  ExperimentConfiguration configuration;  // with the problem's values
  bool searched = false;

  bool same_run(const Job& other) const {
    const ExperimentConfiguration &a = configuration, &b = other.configuration;
    return a.values == b.values && a.machine == b.machine && a.clock_hz == b.clock_hz &&
           a.bank_bytes == b.bank_bytes && a.function == b.function && a.options == b.options;
  }
};

std::string grid_name(const ExperimentSearch& search, const ExperimentValues& values) {
  std::string text;
  for (const auto& [name, tried] : search.axes)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, values.at(name));
  return fmt::format("{}({})", search.name, text);
}

// Every point of the search's grid, the last axis fastest.
std::vector<ExperimentValues> grid(const ExperimentSearch& search) {
  std::vector<ExperimentValues> points{{}};
  for (const auto& [name, tried] : search.axes) {
    std::vector<ExperimentValues> longer;
    for (const ExperimentValues& point : points) {
      for (const i64 value : tried) {
        longer.push_back(point);
        longer.back()[name] = value;
      }
    }
    points = std::move(longer);
  }
  return points;
}

std::vector<Job> jobs_at(const Experiment& experiment, const ExperimentValues& problem, bool with_search) {
  std::vector<Job> jobs;
  for (const ExperimentConfiguration& configuration : experiment.configurations) {
    Job job{configuration, false};
    job.configuration.values.insert(problem.begin(), problem.end());
    jobs.push_back(std::move(job));
  }
  if (with_search && experiment.search) {
    for (const ExperimentValues& point : grid(*experiment.search)) {
      Job job{{}, true};
      job.configuration.name = grid_name(*experiment.search, point);
      job.configuration.values = point;
      job.configuration.values.insert(problem.begin(), problem.end());
      jobs.push_back(std::move(job));
    }
  }
  return jobs;
}

Diagnostic at_experiment(const Experiment& experiment, const std::string& what, Diagnostic diagnostic) {
  if (diagnostic.place.file.empty()) diagnostic.place.file = experiment.path;
  diagnostic.message = fmt::format("{}: {}", what, diagnostic.message);
  return diagnostic;
}

// As `lockstep run` takes it: "nm=int:4", "A=float[16]:random(seed=1)".
Expected<ArgumentText> make_argument(const ExperimentArgument& argument, const ExperimentValues& values) {
  const bool scalar = argument.count.empty();
  const Expected<i64> amount = evaluate(scalar ? argument.value : argument.count, values);
  if (!amount) return amount.error();
  if (scalar) return parse_argument_text(fmt::format("{}={}:{}", argument.name, argument.type, *amount));
  return parse_argument_text(fmt::format("{}={}[{}]:{}", argument.name, argument.type, *amount,
                                         argument.local ? "local" : argument.init));
}

// In the kernel's order.
Expected<std::vector<LaunchArgument>> make_arguments(const Experiment& experiment, const Program& program,
                                                     const ExperimentValues& values) {
  const auto in_file = [&](Diagnostic diagnostic) {
    diagnostic.place = {experiment.path, 0, 0};
    diagnostic.message = "[[launch.argument]]: " + diagnostic.message;
    return diagnostic;
  };
  std::vector<ArgumentText> given;
  for (const ExperimentArgument& argument : experiment.arguments) {
    Expected<ArgumentText> text = make_argument(argument, values);
    if (!text) return in_file(text.error());
    given.push_back(std::move(*text));
  }
  Expected<std::vector<LaunchArgument>> placed = place_arguments(program, given);
  if (!placed) return in_file(placed.error());
  return placed;
}

Expected<LoadedProgram> load_kernel(const Experiment& experiment, const Machine& machine,
                                    const ExperimentConfiguration& configuration) {
  CompileRequest request;
  request.path = experiment.kernel_file;
  request.target = machine.target;
  request.options = experiment.options;
  request.options.insert(request.options.end(), configuration.options.begin(), configuration.options.end());
  for (const auto& [macro, name] : experiment.defines) {
    const auto found = configuration.values.find(name);
    if (found == configuration.values.end())
      return Diagnostic{
          "bad-experiment", {}, fmt::format("define {}: there is no value '{}'", macro, name), ""};
    request.defines.push_back(fmt::format("{}={}", macro, found->second));
  }
  return load_program(request);
}

f64 mean_busy(const TimingResult& timing, std::string_view unit) {
  for (const Resource& busy : timing.resources) {
    if (busy.name != unit || busy.busy_cycles.empty() || timing.cycles == 0) continue;
    const u64 total = std::accumulate(busy.busy_cycles.begin(), busy.busy_cycles.end(), u64{0});
    return static_cast<f64>(total) / static_cast<f64>(busy.busy_cycles.size()) /
           static_cast<f64>(timing.cycles);
  }
  return 0;
}

// Nothing runs: a group of so many work-items and its local memory are all that is known.
Expected<ExperimentRun> stated_run(const Machine& machine, ExperimentRun run, u32 group_items) {
  const auto local = run.values.find("local_bytes");
  run.local_bytes = local == run.values.end() ? 0 : static_cast<u64>(local->second);
  run.needs.wave_lanes = machine.target->default_width;
  run.occupancy.wave_width = run.needs.wave_lanes;
  run.occupancy.waves_per_group = (group_items + run.needs.wave_lanes - 1) / run.needs.wave_lanes;
  return run;
}

Expected<ExperimentRun> run_listing(const Experiment& experiment, const Machine& machine,
                                    const ExperimentConfiguration& configuration) {
  const std::string& name = configuration.function.empty() ? experiment.function : configuration.function;
  const Expected<TimingListing> listing = load_listing(experiment.kernel_file, name, configuration.values);
  if (!listing) return listing.error();
  const Expected<TimingResult> timing = time_listing(machine, *listing);
  if (!timing) return timing.error();
  ExperimentRun run;
  run.gpu = machine.id;
  run.clock_hz = run_clock_hz(machine);
  run.values = configuration.values;
  run.local_bytes = listing->local_bytes;
  run.cycles = timing->cycles;
  run.instructions = timing->instructions;
  run.seconds = static_cast<f64>(run.cycles) / static_cast<f64>(run.clock_hz);
  run.valu_utilisation = mean_busy(*timing, "valu");
  run.counters = timing->counters;
  return run;
}

Expected<ExperimentRun> run_job(const Experiment& experiment, const Machine& machine, const Job& job,
                                const std::function<bool()>& go_on) {
  if (is_listing(experiment)) return run_listing(experiment, machine, job.configuration);
  const ExperimentValues& values = job.configuration.values;
  NdRange range;
  range.dimensions = 1;
  const Expected<i64> global = evaluate(experiment.global, values);
  if (!global) return global.error();
  const Expected<i64> local = evaluate(experiment.local, values);
  if (!local) return local.error();
  if (*global <= 0 || *local <= 0 || *local > 0xFFFF)
    return Diagnostic{
        "bad-experiment", {}, fmt::format("no launch of {} in groups of {}", *global, *local), ""};
  range.global[0] = static_cast<u64>(*global);
  range.local[0] = static_cast<u32>(*local);
  ExperimentRun run;
  run.gpu = machine.id;
  run.clock_hz = run_clock_hz(machine);
  run.values = values;
  if (experiment.kernel_file.empty()) return stated_run(machine, std::move(run), range.local[0]);

  const Expected<LoadedProgram> loaded = load_kernel(experiment, machine, job.configuration);
  if (!loaded) return loaded.error();
  const std::string& function =
      job.configuration.function.empty() ? experiment.function : job.configuration.function;
  const Expected<const Program*> program = find_kernel(*loaded->module, function);
  if (!program) return program.error();
  const Expected<std::vector<LaunchArgument>> arguments = make_arguments(experiment, **program, values);
  if (!arguments) return arguments.error();

  DeviceMemory memory;
  const Expected<Buffers> buffers = Buffers::make(memory, *loaded->module->target, *arguments);
  if (!buffers) return buffers.error();
  SimulationOptions options;
  options.repeat = experiment.repeat;
  options.cold = experiment.cold;
  if (go_on) options.progress = [&](std::string_view, const RunProgress&) { return go_on(); };
  const Expected<RunData> data =
      simulate(memory, machine, *loaded->module, **program, range, buffers->values(), options);
  if (!data) return data.error();

  run.needs = (*program)->needs;
  run.local_bytes = data->local_bytes;
  run.occupancy = data->occupancy;
  run.cycles = data->timing->cycles;
  run.instructions = data->timing->instructions;
  run.seconds = static_cast<f64>(run.cycles) / static_cast<f64>(data->clock_hz());
  const Expected<i64> flop = evaluate(experiment.flop, values);
  if (!flop) return flop.error();
  const Expected<i64> bytes = evaluate(experiment.bytes, values);
  if (!bytes) return bytes.error();
  run.flop = static_cast<f64>(*flop);
  run.bytes = static_cast<f64>(*bytes);
  run.valu_utilisation = mean_busy(*data->timing, "valu");
  run.counters = data->timing->counters;
  const Verdict verdict = judge(*data).found.front();
  run.bound = verdict.title;
  run.bound_fraction = verdict.share;
  return run;
}

// The machine of a configuration, at its clock. `--gpu` and `--clock` go before what the file says.
Expected<Machine> machine_of(const Experiment& experiment, const ExperimentConfiguration& configuration,
                             const ExperimentOptions& options) {
  const bool own = configuration.machine.empty();
  const std::string gpu = !options.gpu.empty() ? options.gpu
                          : own                ? experiment.machine
                                               : configuration.machine;
  Expected<Machine> machine = load_machine(machine_directory(), gpu);
  if (!machine) return machine.error();
  if (configuration.bank_bytes != 0) {
    machine = with_bank_bytes(*machine, configuration.bank_bytes);
    if (!machine) return at_experiment(experiment, "bank_bytes", machine.error());
  }
  u64 clock = options.clock_hz;
  const bool from_file = clock == 0 && options.gpu.empty();
  if (from_file) clock = configuration.clock_hz != 0 || !own ? configuration.clock_hz : experiment.clock_hz;
  if (clock == 0) return machine;
  Expected<Machine> changed = with_clock(*machine, clock);
  if (!changed && from_file) return at_experiment(experiment, "clock", changed.error());
  return changed;
}

// Runs the jobs on several host threads. Jobs with the values of an earlier one take its result.
Expected<std::vector<ExperimentRun>> run_jobs(const Experiment& experiment,
                                              std::map<std::string, Machine>& machines, std::vector<Job> jobs,
                                              const ExperimentOptions& options,
                                              const std::function<void(u64)>& done) {
  std::vector<const Machine*> machine;
  std::map<std::tuple<std::string, u64, u64>, Machine> read;  // by what a configuration says
  for (Job& job : jobs) {
    const std::tuple said{job.configuration.machine, job.configuration.clock_hz,
                          job.configuration.bank_bytes};
    auto found = read.find(said);
    if (found == read.end()) {
      Expected<Machine> made = machine_of(experiment, job.configuration, options);
      if (!made) return made.error();
      machines.insert({made->id, *made});
      found = read.insert({said, std::move(*made)}).first;
    }
    machine.push_back(&found->second);
    job.configuration.machine = found->second.id;
    job.configuration.clock_hz = run_clock_hz(found->second);
  }
  std::vector<std::size_t> unique, same_as(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto found =
        std::find_if(unique.begin(), unique.end(), [&](std::size_t j) { return jobs[j].same_run(jobs[i]); });
    same_as[i] = found == unique.end() ? i : *found;
    if (found == unique.end()) unique.push_back(i);
  }
  std::vector<std::unique_ptr<Expected<ExperimentRun>>> results(jobs.size());
  std::atomic<std::size_t> next{0}, finished{jobs.size() - unique.size()};
  std::atomic<bool> stop{false};
  std::mutex report;
  done(finished);
  const auto work = [&] {
    while (!stop.load()) {
      const std::size_t at = next.fetch_add(1);
      if (at >= unique.size()) break;
      const std::size_t i = unique[at];
      results[i] =
          std::make_unique<Expected<ExperimentRun>>(run_job(experiment, *machine[i], jobs[i], options.go_on));
      if (!results[i]->ok()) stop = true;
      const std::size_t so_far = ++finished;
      const std::lock_guard lock(report);
      done(so_far);
    }
  };
  std::vector<std::thread> others;
  for (u32 i = 1; i < options.threads && i < unique.size(); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();

  std::vector<ExperimentRun> runs;
  for (const std::size_t i : unique) {
    if (results[i] != nullptr && !results[i]->ok() && results[i]->error().code == "stopped")
      return results[i]->error();
  }
  for (const std::size_t i : unique) {
    if (results[i] != nullptr && !results[i]->ok())
      return at_experiment(experiment, jobs[i].configuration.name, results[i]->error());
  }
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    runs.push_back(**results[same_as[i]]);
    runs.back().configuration = jobs[i].configuration.name;
    runs.back().searched = jobs[i].searched;
  }
  return runs;
}

}  // namespace

std::vector<std::string> experiment_gpus(const Experiment& experiment) {
  std::vector<std::string> gpus;
  const auto add = [&](const std::string& gpu) {
    if (std::find(gpus.begin(), gpus.end(), gpu) == gpus.end()) gpus.push_back(gpu);
  };
  if (experiment.search || experiment.configurations.empty()) add(experiment.machine);
  for (const ExperimentConfiguration& configuration : experiment.configurations)
    add(configuration.machine.empty() ? experiment.machine : configuration.machine);
  return gpus;
}

void keep_gpu(Experiment& experiment, const std::string& gpu, const std::string& file) {
  std::set<std::string> gone;
  std::vector<ExperimentConfiguration> kept;
  for (ExperimentConfiguration& configuration : experiment.configurations) {
    const bool own = configuration.machine.empty();
    if ((own ? experiment.machine : configuration.machine) != gpu) {
      gone.insert(configuration.name);
      continue;
    }
    if (own && configuration.clock_hz == 0) configuration.clock_hz = experiment.clock_hz;
    configuration.machine = file;
    kept.push_back(std::move(configuration));
  }
  experiment.configurations = std::move(kept);
  if (experiment.search && experiment.machine != gpu) {
    gone.insert(experiment.search->name);
    experiment.search.reset();
  }
  std::erase_if(experiment.figures, [&](const ExperimentFigure& figure) {
    return gone.contains(figure.configuration) || gone.contains(figure.beyond) || gone.contains(figure.to) ||
           gone.contains(figure.to_beyond);
  });
  if (experiment.machine == gpu) experiment.machine = file;
}

const ExperimentRun* find_run(const ExperimentResult& result, const std::string& configuration) {
  const Experiment& experiment = *result.experiment;
  const bool search = experiment.search && experiment.search->name == configuration;
  const std::string& name = search ? result.best : configuration;
  for (const ExperimentRun& run : result.runs) {
    if (run.configuration == name) return &run;
  }
  return nullptr;
}

bool ExperimentResult::all_ok() const {
  return std::all_of(rows.begin(), rows.end(),
                     [](const ExperimentRow& row) { return row.ok.value_or(true); });
}

Expected<ExperimentResult> run_experiment(const Experiment& experiment, const ExperimentOptions& options) {
  ExperimentResult result;
  result.experiment = &experiment;

  const std::vector<Job> first = jobs_at(experiment, experiment.problem, true);
  const u64 others =
      experiment.also.size() * (experiment.configurations.size() + (experiment.search.has_value() ? 1 : 0));
  const u64 all = first.size() + others;
  const auto report = [&](u64 before) {
    return [&options, all, before](u64 done) {
      if (options.progress) options.progress(before + done, all);
    };
  };
  Expected<std::vector<ExperimentRun>> runs =
      run_jobs(experiment, result.machines, first, options, report(0));
  if (!runs) return runs.error();
  result.runs = std::move(*runs);
  const ExperimentRun* best = nullptr;
  for (const ExperimentRun& run : result.runs) {
    if (run.searched && (best == nullptr || run.flop_rate() > best->flop_rate())) best = &run;
  }
  if (best != nullptr) result.best = best->configuration;

  // The other sizes: every configuration, and the search's best.
  std::vector<Job> later;
  for (const i64 size : experiment.also) {
    ExperimentValues problem = experiment.problem;
    problem[experiment.varied] = size;
    for (Job& job : jobs_at(experiment, problem, false)) later.push_back(std::move(job));
    if (best == nullptr) continue;
    Job job{{}, true};
    job.configuration.name = best->configuration;
    job.configuration.values = best->values;
    job.configuration.values[experiment.varied] = size;
    later.push_back(std::move(job));
  }
  Expected<std::vector<ExperimentRun>> more =
      run_jobs(experiment, result.machines, later, options, report(first.size()));
  if (!more) return more.error();
  result.runs.insert(result.runs.end(), more->begin(), more->end());
  Expected<std::vector<ExperimentRow>> rows = experiment_rows(result);
  if (!rows) return rows.error();
  result.rows = std::move(*rows);
  return result;
}

}  // namespace lockstep
