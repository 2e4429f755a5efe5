// lockstep run: one launch of one kernel on one modelled GPU.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <fstream>
#include <memory>
#include <thread>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/compile_options.h"
#include "corpus/compare.h"
#include "report/view.h"
#include "run/loader.h"
#include "run/simulation.h"
#include "time/live_source.h"
#include "time/timing.h"

namespace lockstep::cli {
namespace {

struct Options {
  std::string file, gpu = "mi25", kernel, json, global = "1", local, offset;
  std::vector<std::string> arguments, dumps;
  CompileOptions compile;
  u32 threads = 0;
  u64 most_instructions = u64{1} << 30;
  u32 dynamic_local_bytes = 0;
  bool functional = false, sensitivity = false, quiet = false;
  std::string check;  // which checks; empty: none
};

Diagnostic bad_size(const char* option, const std::string& text) {
  return {"bad-size",
          {fmt::format("{} {}", option, text), 0, 0},
          "a size is one to three numbers separated by commas",
          fmt::format("{} 1024 or {} 64,64", option, option)};
}

Expected<u32> parse_size(const char* option, const std::string& text, std::array<u64, 3>& size) {
  u32 count = 0;
  const char *at = text.data(), *end = at + text.size();
  while (at < end && count < 3) {
    const auto [next, error] = std::from_chars(at, end, size[count]);
    if (error != std::errc() || (next != end && *next != ',')) return bad_size(option, text);
    ++count;
    at = next == end ? end : next + 1;
  }
  if (count == 0 || at != end || text.back() == ',') return bad_size(option, text);
  return count;
}

Expected<NdRange> parse_range(const Options& options) {
  NdRange range;
  const Expected<u32> dimensions = parse_size("--global", options.global, range.global);
  if (!dimensions) return dimensions.error();
  range.dimensions = *dimensions;
  std::array<u64, 3> local{1, 1, 1};
  if (options.local.empty()) {
    local[0] = std::min<u64>(range.global[0], 64);
    while (range.global[0] % local[0] != 0) --local[0];
  } else {
    const Expected<u32> given = parse_size("--local", options.local, local);
    if (!given) return given.error();
    if (*given != range.dimensions) return bad_size("--local", options.local);
  }
  for (u32 i = 0; i < 3; ++i) range.local[i] = static_cast<u32>(local[i]);
  range.dynamic_local_bytes = options.dynamic_local_bytes;
  if (!options.offset.empty()) {
    const Expected<u32> given = parse_size("--offset", options.offset, range.offset);
    if (!given) return given.error();
  }
  return range;
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Dump {
  std::size_t argument;
  std::string path;
};

Expected<std::vector<Dump>> parse_dumps(const Options& options, const Program& program,
                                        const std::vector<corpus::Argument>& arguments) {
  std::vector<Dump> dumps;
  for (const std::string& text : options.dumps) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    std::size_t index = 0;
    while (index < arguments.size() && arguments[index].name != name) ++index;
    if (equals == std::string::npos || index == arguments.size() ||
        (arguments[index].kind != corpus::ArgumentKind::buffer &&
         arguments[index].kind != corpus::ArgumentKind::image)) {
      return Diagnostic{"bad-dump",
                        {"--dump " + text, 0, 0},
                        fmt::format("'{}' is no buffer or image argument of kernel '{}'", name, program.name),
                        "--dump NAME=out.npy"};
    }
    dumps.push_back({index, text.substr(equals + 1)});
  }
  return dumps;
}

// The same launch from the start on a changed machine, for the sensitivity of its time.
Expected<TimingResult> time_again(const RunData& run, const PlacedArguments& placed, const Machine& machine) {
  DeviceMemory memory;
  Expected<Buffers> buffers = Buffers::make(memory, *run.module->target, placed.arguments, placed.contents);
  if (!buffers) return buffers.error();
  SimulationOptions options;
  Expected<RunData> again =
      simulate(memory, machine, *run.module, *run.program, run.range, buffers->values(), options);
  if (!again) return again.error();
  return std::move(*again->timing);
}

int run(const Options& options) {
  const Expected<Machine> machine = load_machine(machine_directory(), options.gpu);
  if (!machine) return fail(machine.error());
  const Expected<NdRange> range = parse_range(options);
  if (!range) return fail(range.error());
  std::vector<CommandArgument> given;
  for (const std::string& text : options.arguments) {
    Expected<CommandArgument> argument = parse_command_argument(text);
    if (!argument) return fail(argument.error());
    given.push_back(std::move(*argument));
  }

  const Expected<CheckSelection> checks = parse_checks(options.check.empty() ? "none" : options.check);
  if (!checks) return fail(checks.error());

  const Expected<CompileRequest> request = compile_request(options.file, *machine->target, options.compile);
  if (!request) return fail(request.error());
  Expected<LoadedProgram> loaded = load_program(*request);
  if (!loaded) return fail(loaded.error());
  if (!loaded->log.empty()) fmt::print(stderr, "{}", loaded->log);
  const Expected<const Program*> program = find_kernel(*loaded->module, options.kernel);
  if (!program) return fail(program.error());
  Expected<PlacedArguments> placed = place_arguments(**program, given);
  if (!placed) return fail(placed.error());
  const Expected<std::vector<Dump>> dumps = parse_dumps(options, **program, placed->arguments);
  if (!dumps) return fail(dumps.error());

  DeviceMemory memory;
  if (checks->values) memory.track_written();
  Expected<Buffers> buffers =
      Buffers::make(memory, *loaded->module->target, placed->arguments, placed->contents);
  if (!buffers) return fail(buffers.error());
  Progress progress;
  SimulationOptions simulation;
  simulation.timed = !options.functional;
  simulation.checks = *checks;
  simulation.threads =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  simulation.instructions_per_wave = options.most_instructions;
  simulation.progress = [&](std::string_view what, u64 done, u64 all) { progress.update(what, done, all); };
  Expected<RunData> data =
      simulate(memory, *machine, *loaded->module, **program, *range, buffers->values(), simulation);
  if (!data) return fail(data.error());
  if (!data->printed.empty()) fmt::print(options.json == "-" ? stderr : stdout, "{}", data->printed);
  if (data->timing && (options.sensitivity || data->timing->instructions <= short_run_instructions)) {
    const Status measured = measure_sensitivity(
        *data, [&](const Machine& changed) { return time_again(*data, *placed, changed); },
        [&](u64 done, u64 all) { progress.update("measuring what the time leans on", done, all); });
    if (!measured) return fail(measured.error());
  }
  if (!loaded->module->code.files.empty()) {
    data->source_file = loaded->module->code.files[0];
    data->source_lines = lines_of(data->source_file);
  }

  for (const Dump& dump : *dumps) {
    const Expected<std::vector<u8>> contents = buffers->read(memory, dump.argument);
    if (!contents) return fail(contents.error());
    const Status written = corpus::write_npy(dump.path, placed->arguments[dump.argument], *contents);
    if (!written) return fail(written.error());
  }
  if (!options.json.empty()) {
    const Status written = write_file(options.json, json_report(*data));
    if (!written) return fail(written.error());
  }
  if (!options.quiet && options.json != "-") fmt::print("{}", text_report(*data));
  return exit_good;
}

}  // namespace

void add_run(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("run", "Runs a kernel on a modelled GPU and reports where its time goes");
  const auto options = std::make_shared<Options>();
  add_program_options(*command, options->file, options->gpu);
  command->add_option(
      "--kernel", options->kernel,
      "the kernel's name, of C++ as the source has it; may be left out when there is only one");
  command->add_option("--global", options->global, "work-items in all: X[,Y[,Z]]")->required();
  command->add_option("--local", options->local, "work-items of a group: X[,Y[,Z]]; chosen when left out");
  command->add_option("--dynamic-local", options->dynamic_local_bytes,
                      "HIP, CUDA: bytes of 'extern __shared__' memory, the launch's third parameter");
  command->add_option("--offset", options->offset, "the first global id: X[,Y[,Z]]");
  command
      ->add_option("--arg", options->arguments,
                   "an argument, once for each: NAME=TYPE[COUNT]:INIT (zero, random, "
                   "random(seed=S,min=A,max=B), ramp, "
                   "ramp(START,STEP), fill(V), values(V,..), bits(seed=S), @FILE.npy), NAME=TYPE:VALUE, "
                   "NAME=TYPE[COUNT]:local")
      ->allow_extra_args(false);
  add_compile_options(*command, options->compile);
  command->add_flag("--functional", options->functional,
                    "execute only, no timing: all cores, as fast as possible");
  command->add_flag(
      "--check{all}", options->check,
      "end the run at the first access outside allocations (bounds), undefined value that decides "
      "something (values), barrier not reached by all (barriers) or data race (races); "
      "--check=LIST: some of them, lane-races, same-value-races; see docs/checking.md");
  command->add_flag("--sensitivity", options->sensitivity,
                    "measure which assumed machine figures the time leans on (short runs always do)");
  command->add_option("--threads", options->threads, "threads of a functional run; 0: one for each core");
  command->add_option("--max-instructions", options->most_instructions,
                      "of one wave, after which the run is called endless");
  command->add_option("--json", options->json, "write the report as JSON; - for standard output");
  command->add_option("--dump", options->dumps, "write a buffer after the run: NAME=FILE.npy")
      ->allow_extra_args(false);
  command->add_flag("--quiet", options->quiet, "no text report");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lockstep::cli
