#include "run/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <numeric>

#include "base/environment.h"
#include "base/installation.h"
#include "compile/build_options.h"
#include "run/loader.h"
#include "run/simulation.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

f64 processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<f64>(now.tv_sec) + static_cast<f64>(now.tv_nsec) * 1e-9;
}

f64 wall_seconds() {
  return std::chrono::duration<f64>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A case ready to run its first launch again and again.
struct Prepared {
  corpus::Case test;
  LoadedProgram loaded;
  const Program* program = nullptr;
  NdRange range;
};

Expected<Prepared> prepare(const std::string& path, const Machine& machine) {
  Expected<corpus::Case> test = corpus::read_case(path);
  if (!test) return test.error();
  Prepared prepared;
  prepared.test = std::move(*test);
  const corpus::Launch& launch = prepared.test.launches.front();
  CompileRequest request;
  request.path = path;
  request.target = machine.target;
  Expected<std::vector<std::string>> words = split_build_options(prepared.test.options);
  if (!words) return words.error();
  request.options = std::move(*words);
  Expected<LoadedProgram> loaded = load_program(request);
  if (!loaded) return loaded.error();
  prepared.loaded = std::move(*loaded);
  const Expected<const Program*> program = find_kernel(*prepared.loaded.module, launch.kernel);
  if (!program) {
    Diagnostic wrong = program.error();
    wrong.place.file = path;
    return wrong;
  }
  prepared.program = *program;
  prepared.range.dimensions = launch.dimensions;
  prepared.range.global = launch.global;
  prepared.range.offset = launch.offset;
  for (u32 i = 0; i < 3; ++i) prepared.range.local[i] = static_cast<u32>(launch.local[i]);
  return prepared;
}

struct Sample {
  u64 instructions = 0, transactions = 0;
  u32 threads = 1;
  f64 processor = 0, wall = 0;  // seconds
};

u64 transactions_of(const TimingResult& timing) {
  return std::accumulate(
      timing.per_instruction.begin(), timing.per_instruction.end(), u64{0},
      [](u64 sum, const InstructionFigures& figures) { return sum + figures.transactions; });
}

Expected<Sample> run_once(const Prepared& prepared, const Machine& machine, DeviceMemory& memory,
                          const Buffers& buffers, const SimulationOptions& options) {
  Sample sample;
  const f64 wall = wall_seconds(), processor = processor_seconds();
  const Expected<RunData> run = simulate(memory, machine, *prepared.loaded.module, *prepared.program,
                                         prepared.range, buffers.values(), options);
  sample.processor = processor_seconds() - processor;
  sample.wall = wall_seconds() - wall;
  if (!run) return run.error();
  if (run->timing) {
    sample.instructions = run->timing->instructions;
    sample.transactions = transactions_of(*run->timing);
    sample.threads = run->timing->host_threads;
  } else {
    sample.instructions = run->functional->wave_instructions;
    sample.threads = run->functional->threads;
  }
  return sample;
}

Expected<BenchRow> measure(const Prepared& prepared, const Machine& machine, BenchMode mode, u32 threads,
                           f64 seconds, const std::function<bool()>& go_on) {
  std::vector<corpus::Argument> arguments;
  for (const u32 index : prepared.test.launches.front().arguments)
    arguments.push_back(prepared.test.arguments[index]);
  DeviceMemory memory;
  if (mode == BenchMode::checked) memory.track_written();
  const Expected<Buffers> buffers = Buffers::make(memory, *machine.target, launch_arguments(arguments));
  if (!buffers) return buffers.error();
  SimulationOptions options;
  const bool recorded = mode == BenchMode::recorded;
  options.timed = mode == BenchMode::timed || recorded;
  options.counted = mode == BenchMode::counted;
  if (mode == BenchMode::checked) options.checks = CheckSelection::all();
  options.threads = threads;
  if (go_on) options.progress = [&](std::string_view, const RunProgress&) { return go_on(); };

  const auto run = [&] {
    LaunchRecord record;
    if (recorded) options.record = &record;
    return run_once(prepared, machine, memory, *buffers, options);
  };
  // The first run pays for what is allocated once.
  const Expected<Sample> warm = run();
  if (!warm) return warm.error();
  std::vector<Sample> samples;
  f64 spent = 0;
  while (samples.size() < 3 || (spent < seconds && samples.size() < 99)) {
    const Expected<Sample> sample = run();
    if (!sample) return sample.error();
    samples.push_back(*sample);
    spent += sample->processor;
  }
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end(),
                   [](const Sample& a, const Sample& b) { return a.processor < b.processor; });
  const f64 instructions = static_cast<f64>(middle->instructions);
  // Threads that time a launch wait for each other, awake or asleep.
  const bool waits = options.timed && middle->threads > 1;
  const f64 time = waits ? middle->wall : middle->processor / middle->threads;
  BenchRow row;
  row.name = prepared.test.name;
  row.mode = mode;
  row.threads = middle->threads;
  row.runs = static_cast<u32>(samples.size());
  row.wave_instructions = middle->instructions;
  row.wave_instructions_per_second = instructions / time;
  row.wall_wave_instructions_per_second = instructions / middle->wall;
  if (options.timed) row.transactions_per_second = static_cast<f64>(middle->transactions) / time;
  return row;
}

struct Plan {
  BenchMode mode;
  u32 threads;
};

std::vector<Plan> plans(const BenchOptions& options) {
  std::vector<Plan> list;
  const auto wanted = [&](BenchMode mode) { return !options.mode || *options.mode == mode; };
  const auto on_more_threads = [&](BenchMode mode) {
    list.push_back({mode, 1});
    if (options.threads > 1) list.push_back({mode, options.threads});
  };
  if (wanted(BenchMode::functional)) on_more_threads(BenchMode::functional);
  if (wanted(BenchMode::counted)) list.push_back({BenchMode::counted, 1});
  if (wanted(BenchMode::checked)) list.push_back({BenchMode::checked, 1});
  if (wanted(BenchMode::timed)) on_more_threads(BenchMode::timed);
  if (wanted(BenchMode::recorded)) list.push_back({BenchMode::recorded, 1});
  return list;
}

}  // namespace

std::string_view to_string(BenchMode mode) {
  switch (mode) {
    case BenchMode::functional:
      return "functional";
    case BenchMode::counted:
      return "counted";
    case BenchMode::checked:
      return "checked";
    case BenchMode::timed:
      return "timed";
    case BenchMode::recorded:
      return "recorded";
  }
  return "";
}

std::string bench_directory() {
  if (const char* chosen = environment("LOCKSTEP_BENCH_KERNELS")) return chosen;
  if (auto installed = installed_folder("bench/kernels", "")) return *installed;
  return LOCKSTEP_SOURCE_DIR "/bench/kernels";
}

Expected<std::vector<BenchRow>> run_bench(const BenchOptions& options) {
  const Expected<Machine> machine = load_machine(machine_directory(), options.gpu);
  if (!machine) return machine.error();
  const std::string directory = options.directory.empty() ? bench_directory() : options.directory;
  std::vector<fs::path> paths;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    const fs::path& path = entry.path();
    if (path.extension() == ".cl" && path.stem().string().find(options.filter) != std::string::npos)
      paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  if (paths.empty()) {
    return Diagnostic{"no-benchmark",
                      {directory, 0, 0},
                      options.filter.empty()
                          ? "there are no benchmark kernels here"
                          : fmt::format("no benchmark's name has '{}' in it", options.filter),
                      "LOCKSTEP_BENCH_KERNELS names their directory"};
  }
  const std::vector<Plan> list = plans(options);
  std::vector<BenchRow> rows;
  u64 done = 0;
  for (const fs::path& path : paths) {
    const Expected<Prepared> prepared = prepare(path.string(), *machine);
    if (!prepared) return prepared.error();
    for (const Plan& plan : list) {
      if (options.progress)
        options.progress(prepared->test.name, to_string(plan.mode), done, paths.size() * list.size());
      ++done;
      Expected<BenchRow> row =
          measure(*prepared, *machine, plan.mode, plan.threads, options.seconds, options.go_on);
      if (!row && row.error().code == "not-supported") continue;
      if (!row) return row.error();
      // A kernel whose groups run in one order takes one thread: the same as the row before.
      if (plan.threads > 1 && row->threads == 1) continue;
      rows.push_back(std::move(*row));
    }
  }
  return rows;
}

}  // namespace lockstep
