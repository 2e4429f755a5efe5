// Published experiments: a kernel, its configurations, and the figures that a source states for them. An
// experiment is a folder of experiments/ with an experiment.toml; docs/experiments.md explains the file.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/types.h"
#include "isa/program.h"
#include "machine/machine.h"
#include "machine/occupancy.h"
#include "time/counters.h"

namespace lockstep {

// Named integers: a configuration's own (wg, n_b, ...) with the problem's (vectors, n_m, ...).
using ExperimentValues = std::map<std::string, i64>;

struct ExperimentArgument {
  std::string name;
  std::string type;   // OpenCL C's, of an element
  std::string count;  // an expression; empty for a scalar
  std::string init;   // of a buffer, as corpus cases write it
  std::string value;  // of a scalar: an expression
  bool local = false;
};

// What differs from the experiment's own is empty where nothing does.
struct ExperimentConfiguration {
  std::string name;
  ExperimentValues values;
  std::string machine;
  u64 clock_hz = 0;
  u64 bank_bytes = 0;  // with_bank_bytes(); 0: the machine's
  std::string function;
  std::vector<std::string> options;  // besides the experiment's
};

// The grid whose best configuration takes the search's name.
struct ExperimentSearch {
  std::string name;
  std::vector<std::pair<std::string, std::vector<i64>>> axes;  // in the file's order
};

enum class FigureKind { occupancy, flop_rate, byte_rate, time, valu_utilisation, counter, ratio };

struct ExperimentFigure {
  std::string name;
  FigureKind kind = FigureKind::flop_rate;
  std::string configuration;
  // What the configuration does, takes or counts more than this one, so that launching and filling caches
  // drop out.
  std::string beyond;
  std::string other, other_beyond;  // rates: another configuration, and beyond what; the faster one counts
  std::string to_beyond;            // the same of `to`
  std::string to;                   // ratio: of `configuration` to this one
  FigureKind of = FigureKind::flop_rate;  // what the ratio is of
  std::string counter, counter_per;       // counter: the counter, over another one if that is named
  std::optional<f64> published;           // the source's number
  std::optional<f64> at_least, at_most;   // where the source gives a direction alone
  std::string unit;
  f64 tolerance = 0;  // relative
  std::string limiter;
  std::optional<u32> given_vgprs;
  bool in_groups = false;  // occupancy: groups a compute unit holds, not the share of wave slots
  std::string source;
  bool judged = true;
  std::string why;  // what is known of a figure that misses, or of its tolerance
};

struct Experiment {
  std::string name, title, source, machine;
  u32 repeat = 1;     // launches of each run, of which the median of all but the first counts
  bool cold = false;  // with empty caches before each
  u64 clock_hz = 0;   // of the machine's compute units; 0: its own
  std::string path;   // of experiment.toml
  std::string
      kernel_file;  // its path, .timing for a listing; empty where nothing runs and occupancy alone is asked
  std::string function;
  std::vector<std::string> options;
  std::vector<std::pair<std::string, std::string>> defines;  // macro, name of the value
  std::string global, local;                                 // expressions
  std::vector<ExperimentArgument> arguments;
  ExperimentValues problem;
  std::string flop, bytes;  // expressions: of the whole launch
  // The problem's value that other runs vary, and the other values.
  std::string varied;
  std::vector<i64> also;
  std::vector<ExperimentConfiguration> configurations;
  std::optional<ExperimentSearch> search;
  std::vector<ExperimentFigure> figures;
};

// The GPUs that the experiment names for what it runs, in the file's order.
std::vector<std::string> experiment_gpus(const Experiment& experiment);
// Leaves the configurations and figures of one of them, for which `file` then stands: an id or a machine
// file.
void keep_gpu(Experiment& experiment, const std::string& gpu, const std::string& file);

// Whether the experiment times a listing (docs/lowering.md), which says its launch itself.
bool is_listing(const Experiment& experiment);

// Where experiments are: the environment's LOCKSTEP_EXPERIMENTS, else experiments/ or
// share/lockstep/experiments beside the executable's directory, else the source tree that this library was
// built from.
std::string experiment_directory();

// Names of the directory's experiments, sorted. Errors: the directory cannot be read.
Expected<std::vector<std::string>> list_experiments(const std::string& directory);

// Errors, with file and line: no such experiment (with the nearest names), an unknown or missing key, a wrong
// type, a figure of a configuration that there is not.
Expected<Experiment> load_experiment(const std::string& directory, const std::string& name);

// The value of an integer expression: numbers, names, + - * / %, parentheses, comparisons (1 or 0) and &&.
// Errors ("bad-expression"): an unknown name, a division with a remainder or by 0, anything else.
Expected<i64> evaluate(const std::string& expression, const ExperimentValues& values);

// One run of one configuration.
struct ExperimentRun {
  std::string configuration;  // a name; of the search's grid: "V4(wg=64 n_b=2 n_u=1)"
  std::string gpu;            // with its clock:
  u64 clock_hz = 0;
  ExperimentValues values;
  bool searched = false;  // a point of the search's grid
  KernelNeeds needs;      // the compiled kernel's
  u64 local_bytes = 0;    // of a group, arguments included
  Occupancy occupancy;    // with the compiled kernel's registers
  u64 cycles = 0;
  u64 instructions = 0;     // of waves
  f64 seconds = 0;          // at the machine's clock
  f64 flop = 0, bytes = 0;  // by the experiment's own count
  f64 valu_utilisation = 0;
  std::string bound;
  f64 bound_fraction = 0;
  std::vector<Counter> counters;

  f64 flop_rate() const { return flop / seconds; }   // FLOP/s
  f64 byte_rate() const { return bytes / seconds; }  // B/s
};

// A published figure beside the modelled one. Without `published` the source gives no number; without `ok`
// the figure is shown and not judged.
struct ExperimentRow {
  std::string experiment, gpu, figure, unit;
  u64 clock_hz = 0;
  std::optional<f64> published;
  std::optional<f64> at_least, at_most;
  f64 modelled = 0;
  std::optional<f64> ratio;      // modelled / published
  std::optional<f64> tolerance;  // relative, of judged figures
  std::optional<bool> ok;
  std::string source;
  std::string note;  // limiters and the like, for people

  // The source says something of it: a number, or a direction.
  bool has_claim() const { return published || at_least || at_most; }
};

struct ExperimentResult {
  const Experiment* experiment = nullptr;
  std::map<std::string, Machine> machines;  // of the runs, by id
  std::vector<ExperimentRun> runs;  // configurations in the file's order, the grid, then the other sizes
  std::string best;                 // which run took the search's name
  std::vector<ExperimentRow> rows;

  bool all_ok() const;
};

struct ExperimentOptions {
  std::string gpu;   // instead of the experiment's own machines, whose clocks it then does not take
  u64 clock_hz = 0;  // instead of the machine's or the experiment's
  u32 threads = 1;   // runs at a time; results do not depend on it
  // Called by one thread at a time: runs done, runs in all.
  std::function<void(u64 done, u64 all)> progress;
  // Asked now and then by any thread; false ends everything with the error "stopped".
  std::function<bool()> go_on;
};

// Runs every configuration at every size. Errors: those of loading the machine, compiling and running.
Expected<ExperimentResult> run_experiment(const Experiment& experiment, const ExperimentOptions& options);

// The rows of a finished set of runs. Errors: an occupancy that the machine cannot have.
Expected<std::vector<ExperimentRow>> experiment_rows(const ExperimentResult& result);

// The first run of this configuration at the experiment's own size; nullptr when there is none. The search's
// name means its best run.
const ExperimentRun* find_run(const ExperimentResult& result, const std::string& configuration);

}  // namespace lockstep
