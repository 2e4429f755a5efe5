// lockstep run: one launch of one kernel on one modelled GPU.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "cli/commands.h"
#include "cli/compile_options.h"
#include "cli/watch.h"
#include "corpus/compare.h"
#include "corpus/npy.h"
#include "report/advice.h"
#include "report/annotated.h"
#include "report/html.h"
#include "report/picture.h"
#include "report/timed_lines.h"
#include "report/trace_json.h"
#include "report/view.h"
#include "run/instruction_trace.h"
#include "run/lowered.h"
#include "run/request.h"
#include "run/sensitivity.h"
#include "run/trace.h"
#include "run/what_if.h"
#include "time/timing.h"

namespace lockstep::cli {
namespace {

constexpr u32 most_threads = 4096, most_repeats = 1000;
constexpr u64 most_trace_events = 100'000;  // of each kind

struct RunCommand {
  std::string lowered;  // where the lowered program is written
  LaunchRequest request;
  std::string json, html, timeline;
  std::vector<std::string> dumps, pictures;
  u32 threads = 0;
  u64 most_instructions = u64{1} << 30;
  u32 repeat = 1;
  bool functional = false, no_counts = false, cold = false, sensitivity = false, quiet = false;
  bool what_if = false, annotate = false;
  f64 time_limit = 0;       // seconds; 0: none
  std::string trace, step;  // which part of the launch is traced, or stepped through
};

// A buffer that is written to a file after the run.
struct Dump {
  std::string name, path;
  std::size_t argument = 0;
  std::optional<OutputFile> file;
};

// A picture that is written behind the run.
struct Picture {
  std::string kind, path;
  std::optional<OutputFile> file;
};

Expected<std::vector<Picture>> parse_pictures(const std::vector<std::string>& texts) {
  std::vector<Picture> pictures;
  for (const std::string& text : texts) {
    const std::size_t equals = std::min(text.find('='), text.size());
    Picture& picture = pictures.emplace_back();
    picture.kind = text.substr(0, equals);
    picture.path = text.substr(std::min(equals + 1, text.size()));
    std::string known;
    bool found = false;
    for (const PictureKind& kind : picture_kinds()) {
      found = found || kind.name == picture.kind;
      known += fmt::format("{}{}", known.empty() ? "" : ", ", kind.name);
    }
    if (!found || picture.path.empty())
      return Diagnostic{"bad-picture",
                        {"--picture " + text, 0, 0},
                        found ? "the file is missing that the picture is written to"
                              : fmt::format("there is no picture '{}'", picture.kind),
                        found ? fmt::format("--picture {0}={0}.svg", picture.kind) : "there are: " + known};
  }
  return pictures;
}

Expected<std::vector<Dump>> parse_dumps(const std::vector<std::string>& texts) {
  std::vector<Dump> dumps;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return Diagnostic{"bad-dump",
                        {"--dump " + text, 0, 0},
                        "a dump names a buffer and the file that it is written to",
                        text.empty() || equals == 0
                            ? "--dump NAME=FILE.npy"
                            : fmt::format("--dump {0}={0}.npy", text.substr(0, equals))};
    Dump& dump = dumps.emplace_back();
    dump.name = text.substr(0, equals);
    dump.path = text.substr(equals + 1);
  }
  return dumps;
}

Status find_dumped(std::vector<Dump>& dumps, const Program& program,
                   const std::vector<LaunchArgument>& arguments) {
  std::vector<std::string> buffers;
  for (const LaunchArgument& argument : arguments) {
    const corpus::ArgumentKind kind = argument.argument.kind;
    if ((kind == corpus::ArgumentKind::buffer && !argument.null_pointer) ||
        kind == corpus::ArgumentKind::image)
      buffers.push_back(argument.argument.name);
  }
  for (Dump& dump : dumps) {
    while (dump.argument < arguments.size() && arguments[dump.argument].argument.name != dump.name)
      ++dump.argument;
    if (std::find(buffers.begin(), buffers.end(), dump.name) == buffers.end())
      return Diagnostic{
          "bad-dump",
          {fmt::format("--dump {}={}", dump.name, dump.path), 0, 0},
          fmt::format("'{}' is no buffer or image argument of kernel '{}'", dump.name, program.name),
          buffers.empty() ? "the kernel has none" : fmt::format("its buffers: {}", fmt::join(buffers, ", "))};
  }
  return Success{};
}

// Every file that the run writes, open before it begins.
struct Outputs {
  std::optional<OutputFile> json, lowered, html, trace;
  std::vector<Dump> dumps;
  std::vector<Picture> pictures;
};

Expected<Outputs> open_outputs(const RunCommand& options, const std::vector<ArgumentText>& arguments) {
  Outputs outputs;
  Expected<std::vector<Dump>> dumps = parse_dumps(options.dumps);
  if (!dumps) return dumps.error();
  outputs.dumps = std::move(*dumps);
  Expected<std::vector<Picture>> pictures = parse_pictures(options.pictures);
  if (!pictures) return pictures.error();
  outputs.pictures = std::move(*pictures);
  std::vector<NamedFile> named;
  if (!options.json.empty()) named.push_back({"--json", options.json});
  if (!options.lowered.empty()) named.push_back({"--lowered", options.lowered});
  if (!options.html.empty()) named.push_back({"--html", options.html});
  if (!options.timeline.empty()) named.push_back({"--trace", options.timeline});
  for (const Dump& dump : outputs.dumps) named.push_back({"--dump", dump.path});
  for (const Picture& picture : outputs.pictures) named.push_back({"--picture", picture.path});
  std::vector<NamedFile> inputs =
      program_inputs(options.request.file, options.request.gpu, options.request.build_options);
  for (const ArgumentText& argument : arguments) {
    if (!argument.file.empty())
      inputs.push_back({fmt::format("contents of argument '{}'", argument.name), argument.file});
  }
  const Status distinct = check_outputs(named, inputs);
  if (!distinct) return distinct.error();
  const std::pair<const std::string&, std::optional<OutputFile>&> files[] = {
      {options.json, outputs.json},
      {options.lowered, outputs.lowered},
      {options.html, outputs.html},
      {options.timeline, outputs.trace}};
  for (const auto& [path, output] : files) {
    if (path.empty()) continue;
    Expected<OutputFile> file = OutputFile::open(path);
    if (!file) return file.error();
    output.emplace(std::move(*file));
  }
  for (Dump& dump : outputs.dumps) {
    Expected<OutputFile> file = OutputFile::open(dump.path);
    if (!file) return file.error();
    dump.file.emplace(std::move(*file));
  }
  for (Picture& picture : outputs.pictures) {
    Expected<OutputFile> file = OutputFile::open(picture.path);
    if (!file) return file.error();
    picture.file.emplace(std::move(*file));
  }
  return outputs;
}

// Whether the run is timed: a GPU without a timing model runs its kernels functionally, and a word says so.
Expected<bool> choose_timed(const RunCommand& options, const Machine& machine) {
  if (options.functional) return false;
  const Status timing = timing_model(machine);
  if (timing) return true;
  if (timing.error().code != "not-timed" || options.sensitivity || options.what_if ||
      !options.request.clock.empty() || options.repeat > 1 || options.cold)
    return timing.error();
  show(stderr,
       "lockstep: warning: there is no timing model for {} yet: the kernel runs functionally, and nothing is "
       "timed\n",
       machine.name);
  return false;
}

// A word about variables that the host program was to write, where the kernel may read them.
void note_unset(const Module& module, const Program& program, const std::vector<SymbolContents>& symbols) {
  std::vector<std::string> names;
  for (const ModuleVariable& variable : module.variables) {
    const bool given = std::any_of(symbols.begin(), symbols.end(), [&](const SymbolContents& symbol) {
      return symbol.variable == &variable;
    });
    if (variable.awaits_host && !given && module.may_reach(program, variable))
      names.push_back(fmt::format("'{}'", variable.name));
  }
  if (names.empty()) return;
  const bool one = names.size() == 1;
  show(stderr,
       "lockstep: note: the __constant__ variable{} {} ha{} no initial value and no --symbol, and read{} as "
       "zero\n",
       one ? "" : "s", fmt::join(names, ", "), one ? "s" : "ve", one ? "s" : "");
}

// The same launch from the start on a changed machine, for the sensitivity of its time.
Expected<TimingResult> time_again(const RunData& run, const std::vector<LaunchArgument>& arguments,
                                  const std::vector<SymbolContents>& symbols, const Machine& machine,
                                  const Watch& watch) {
  DeviceMemory memory;
  Expected<Buffers> buffers = Buffers::make(memory, *run.module->target, arguments);
  if (!buffers) return buffers.error();
  SimulationOptions options;
  options.symbols = symbols;
  options.progress = [&](std::string_view, const RunProgress&) { return watch.go_on(); };
  Expected<RunData> again =
      simulate(memory, machine, *run.module, *run.program, run.range, buffers->values(), options);
  if (!again) return again.error();
  return std::move(*again->timing);
}

// How far a wave is in a run of which no group has ended yet: a loop may be endless.
std::string detail(const RunProgress& so_far, u64 most_instructions) {
  std::string text =
      fmt::format("{:.3g} million wave-instructions", static_cast<f64>(so_far.instructions) * 1e-6);
  if (so_far.groups_done == 0 && so_far.longest_wave != 0)
    text += fmt::format(", a wave at {:.0f} % of --max-instructions",
                        100 * static_cast<f64>(so_far.longest_wave) / static_cast<f64>(most_instructions));
  return text;
}

Diagnostic not_traced(const RunData& data, const LaunchRecord& record) {
  return {"no-trace",
          {},
          data.timing ? "what waves did over the time was not recorded: " + record.missing
                      : "there is no modelled time to trace",
          "a timed launch without --check, not too large, can be traced"};
}

// The exit code where the user or the time limit ended the work before there was anything to report.
int end_early(const Diagnostic& diagnostic, Watch& watch) {
  watch.quiet();
  if (diagnostic.code != "stopped") return fail(diagnostic);
  fail(watch.reason());
  return watch.exit_code();
}

int write_outputs(const RunCommand& options, Outputs& outputs, const RunData& data,
                  const RequestedLaunch& launch, const std::optional<LaunchTrace>& trace) {
  for (Dump& dump : outputs.dumps) {
    const corpus::Argument& argument = launch.arguments[dump.argument].argument;
    Status written = dump.file->write(corpus::npy_header(argument.type.scalar, corpus::npy_shape(argument)));
    if (written)
      written = launch.buffers->read(launch.memory, dump.argument,
                                     [&](std::span<const u8> piece) { return dump.file->write(piece); });
    if (written) written = dump.file->finish();
    if (!written) return fail(written.error());
  }
  const auto write = [](std::optional<OutputFile>& file, const auto& text) {
    if (!file) return Status(Success{});
    const Status written = file->write(text());
    return written ? file->finish() : written;
  };
  const LoweredLines lowered =
      options.annotate || outputs.html ? lowered_lines(*data.module, *data.program) : LoweredLines{};
  Status written = write(outputs.json, [&] { return json_report(data); });
  if (written)
    written = write(outputs.html, [&] { return html_report(data, lowered, trace ? &*trace : nullptr); });
  if (written && trace) written = write(outputs.trace, [&] { return trace_json(data, *trace); });
  for (Picture& picture : outputs.pictures) {
    if (!written) break;
    const Expected<std::string> drawn = draw_picture(picture.kind, data, trace ? &*trace : nullptr);
    written = drawn ? picture.file->write(*drawn) : Status(drawn.error());
    if (written) written = picture.file->finish();
  }
  if (!written) return fail(written.error());
  const bool to_output = options.json == "-" || options.html == "-" || options.timeline == "-";
  if (!options.quiet && !to_output) {
    show(stdout, text_report(data));
    if (options.annotate) show(stdout, annotated_listing(data, lowered));
  }
  return exit_good;
}

// Says what ended the launch early and what checks found, and the exit code that belongs to it: the same as
// `lockstep exec --fail-on-violation` gives.
int end_code(const RunData& data, const Watch& watch) {
  for (const Diagnostic& violation : data.violations.kept()) fail(violation);
  if (data.violations.count() > data.violations.kept().size())
    show(stderr, "lockstep: {} violations, {} of them at other places than before\n", data.violations.count(),
         data.violations.kept().size());
  if (data.failed) fail(*data.failed);
  if (data.stopped) return watch.exit_code();
  return data.failed || data.violations.count() != 0 ? exit_differs : exit_good;
}

// Options that only a timed run has a meaning for.
Status check_untimed(const RunCommand& options) {
  if (!options.functional && options.trace.empty() && options.step.empty()) return Success{};
  const auto refuse = [](std::string_view why, std::string_view option) {
    return Diagnostic{"bad-option",
                      {},
                      fmt::format("--functional has no modelled time {}", why),
                      fmt::format("leave out {} or --functional", option)};
  };
  if (options.sensitivity) return refuse("whose sensitivity could be measured", "--sensitivity");
  if (!options.timeline.empty()) return refuse("over which waves could be shown", "--trace");
  if (!options.pictures.empty()) return refuse("that could be drawn", "--picture");
  if (options.annotate) return refuse("that lines could be told to take", "--annotate");
  if (options.what_if) return refuse("of which anything could be taken away", "--what-if");
  if (!options.request.clock.empty()) return refuse("that a clock could change", "--clock");
  if (options.repeat > 1) return refuse("whose repetition would tell anything", "--repeat");
  if (options.cold) return refuse("that caches could change", "--cold");
  return Success{};
}

// Tracing and stepping are of functional runs that count nothing.
Expected<std::unique_ptr<StepRunner>> step_runner(const RunCommand& options, const RequestedLaunch& launch,
                                                  std::atomic<bool>& quit) {
  if (options.trace.empty() && options.step.empty()) return std::unique_ptr<StepRunner>();
  const std::string& text = options.step.empty() ? options.trace : options.step;
  const Expected<TracedPart> part = parse_traced_part(text, launch.range, launch.program->needs.wave_lanes);
  if (!part) return part.error();
  const TraceWriter write = [](std::string_view words) {
    show(stdout, words);
    std::fflush(stdout);
  };
  if (options.step.empty()) return make_tracer(*launch.loaded.module, *launch.program, *part, write);
  const bool person = ::isatty(STDIN_FILENO) != 0;
  const auto read = [write, person](std::string& line) {
    if (person) write("> ");
    return static_cast<bool>(std::getline(std::cin, line));
  };
  return make_stepper(*launch.loaded.module, *launch.program, *part, write, read, [&quit] { quit = true; });
}

int run(const RunCommand& options) {
  const Status sensible = check_untimed(options);
  if (!sensible) return fail(sensible.error());
  if (options.threads > most_threads)
    return misuse({"bad-size",
                   {},
                   fmt::format("--threads {} is more than {}", options.threads, most_threads),
                   "0 takes one for each core"});
  Expected<std::unique_ptr<RequestedLaunch>> parsed = RequestedLaunch::parse(options.request);
  if (!parsed) return fail(parsed.error());
  RequestedLaunch& launch = **parsed;
  Expected<Outputs> outputs = open_outputs(options, launch.given);
  if (!outputs) return fail(outputs.error());

  catch_signals();
  Watch watch;
  if (!options.step.empty()) watch.quiet();  // a person thinks longer than two seconds
  watch.update("compiling", 0, 0, "");
  const Status loaded = launch.load();
  if (!watch.go_on()) return end_early({"stopped", {}, "", ""}, watch);
  show(stderr, launch.loaded.log);
  if (!loaded) return fail(loaded.error());
  const Module& module = *launch.loaded.module;
  if (outputs->lowered) {
    const Expected<std::string> text = lowered_text(module, *launch.program);
    if (!text) return fail(text.error());
    Status written = outputs->lowered->write(*text);
    if (written) written = outputs->lowered->finish();
    if (!written) return fail(written.error());
  }
  const Status placed = launch.place();
  if (!placed) return fail(placed.error());
  const Status found = find_dumped(outputs->dumps, *launch.program, launch.arguments);
  if (!found) return fail(found.error());
  std::atomic<bool> quit{false};
  const Expected<std::unique_ptr<StepRunner>> runner = step_runner(options, launch, quit);
  if (!runner) return fail(runner.error());
  const Expected<bool> timed =
      *runner != nullptr ? Expected<bool>(false) : choose_timed(options, launch.machine);
  if (!timed) return fail(timed.error());
  note_unset(module, *launch.program, launch.symbols);

  watch.limit(options.time_limit);
  watch.update("filling buffers", 0, 0, "bytes");
  SimulationOptions simulation;
  simulation.timed = *timed;
  simulation.counted = !options.no_counts && *runner == nullptr;
  simulation.runner = runner->get();
  LaunchRecord record;
  const bool pictures = !options.html.empty() || !options.timeline.empty() ||
                        std::ranges::any_of(outputs->pictures, [](const Picture& one) {
                          return one.kind == picture_needs_trace;
                        });
  if (*timed && (options.sensitivity || options.what_if || pictures)) simulation.record = &record;
  simulation.repeat = options.repeat;
  simulation.cold = options.cold;
  simulation.threads =
      options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
  simulation.instructions_per_wave = options.most_instructions;
  simulation.progress = [&](std::string_view what, const RunProgress& so_far) {
    watch.update(what, so_far.groups_done, so_far.groups, "groups",
                 detail(so_far, options.most_instructions));
    return watch.go_on() && !quit;
  };
  Expected<RunData> data = launch.run(simulation, [&](u64 done, u64 all) {
    watch.update("filling buffers", done, all, "bytes");
    // What comes next says nothing before its first groups have ended.
    if (done == all) watch.update("beginning", 0, 0, "");
    return watch.go_on();
  });
  if (!data) return end_early(data.error(), watch);
  if (quit) return exit_good;
  if (data->stopped) data->failed = watch.reason();
  if (data->failed && data->failed->code == "endless-loop")
    data->failed->hint += ": raise it with --max-instructions";
  if (!data->failed && options.sensitivity) {
    SensitivityWork work;
    work.record = &record;
    work.again = [&](const Machine& changed) {
      return time_again(*data, launch.arguments, launch.symbols, changed, watch);
    };
    work.threads = simulation.threads;
    work.progress = [&](u64 done, u64 all) {
      watch.update("measuring what the time leans on", done, all, "figures");
    };
    work.go_on = [&] { return watch.go_on(); };
    const Status measured = measure_sensitivity(*data, work);
    if (!measured) return end_early(measured.error(), watch);
  }
  std::optional<LaunchTrace> trace;
  if (!data->failed && data->timing && record.recording && pictures) {
    watch.update("noting what waves do", 0, 0, "");
    const u64 each = most_trace_events / std::max<u64>(1, units_used(*data->timing));
    Expected<LaunchTrace> traced =
        trace_launch(*data, record, each, page_buckets, [&] { return watch.go_on(); });
    if (!traced) return end_early(traced.error(), watch);
    trace = std::move(*traced);
  }
  if (!options.timeline.empty() && !data->failed && !trace) return fail(not_traced(*data, record));
  // A page has advice, for which the rules need answers to some of the questions.
  const std::vector<std::string> questions =
      options.what_if || options.html.empty() ? std::vector<std::string>{} : advice_questions(*data);
  if (!data->failed && (options.what_if || !questions.empty())) {
    WhatIfWork work;
    work.only = questions;
    work.record = &record;
    work.threads = simulation.threads;
    work.progress = [&](u64 done, u64 all) {
      watch.update("timing it with one thing changed", done, all, "questions");
    };
    work.go_on = [&] { return watch.go_on(); };
    const Status asked = ask_what_if(*data, work);
    if (!asked) return end_early(asked.error(), watch);
  }
  watch.quiet();
  show(options.json == "-" ? stderr : stdout, data->printed);
  const int code = write_outputs(options, *outputs, *data, launch, trace);
  return code != exit_good ? code : end_code(*data, watch);
}

}  // namespace

void add_run(CLI::App& app, Action& chosen) {
  std::string picture_list;
  for (const PictureKind& kind : picture_kinds())
    picture_list += fmt::format("{}{} ({})", picture_list.empty() ? "" : ", ", kind.name, kind.meaning);
  CLI::App* command =
      app.add_subcommand("run", "Runs a kernel on a modelled GPU and reports where its time goes");
  const auto options = std::make_shared<RunCommand>();
  options->request.gpu = default_gpu();
  add_program_options(*command, options->request.file, options->request.gpu);
  add_launch_options(*command, options->request);
  command->add_flag("--functional", options->functional,
                    "execute only, no timing: all cores, as fast as possible");
  command->add_flag("--no-counts", options->no_counts,
                    "a run without timing counts nothing but instructions: faster (docs/counting.md)");
  command->add_flag(
      "--check{all}", options->request.checks,
      "report accesses outside allocations (bounds), undefined values that decide something (values), "
      "barriers not reached by all (barriers) and data races (races); exit code 3 when there is one; "
      "--check=LIST: some of them, lane-races, same-value-races; see docs/checking.md");
  command
      ->add_option("--clock", options->request.clock,
                   "the clock of the compute units, their caches and the second level, as 1.04GHz or "
                   "1040MHz, instead of the GPU's own; memory keeps its clock")
      ->check(refuse_empty);
  command->add_option("--bank-bytes", options->request.bank_bytes,
                      "NVIDIA 3.x: the width of local memory's banks, 4 (OpenCL's) or 8, as "
                      "cudaDeviceSetSharedMemConfig sets it");
  command
      ->add_option("--repeat", options->repeat,
                   "launch so many times, one after the other in the same buffers and caches; the report has "
                   "the first launch and the median of the others (1 to 1000)")
      ->check(CLI::Range(1u, most_repeats));
  command->add_flag("--cold", options->cold, "empty all caches and translations before each launch");
  command->add_flag("--sensitivity", options->sensitivity,
                    "measure which assumed machine figures the time leans on");
  command->add_flag("--annotate", options->annotate,
                    "also print the whole listing: each source line and instruction (NVIDIA: and what the "
                    "hardware issues for it) with what it cost");
  command->add_flag(
      "--what-if", options->what_if,
      "time the launch again with one cost taken away or one resource changed, and say what each "
      "would save (docs/what-if.md)");
  command->add_option("--threads", options->threads, "threads of a functional run; 0: one for each core")
      ->check(refuse_negative);
  command
      ->add_option("--max-instructions", options->most_instructions,
                   "of one wave, after which the run is called endless")
      ->check(refuse_zero);
  command
      ->add_option("--time-limit", options->time_limit,
                   "seconds, counted behind the compilation, after which the run ends with a partial report "
                   "and exit code 124")
      ->check(refuse_zero);
  add_json_option(*command, options->json, "write the report as JSON");
  command
      ->add_option("--html", options->html,
                   "write the report as one HTML page with pictures and advice, which needs no network")
      ->type_name("FILE")
      ->check(refuse_empty);
  command
      ->add_option("--trace", options->timeline,
                   "write what groups, waves, waits and loads did over the time, for ui.perfetto.dev or "
                   "chrome://tracing")
      ->type_name("FILE")
      ->check(refuse_empty);
  command
      ->add_option("--picture", options->pictures,
                   "write one picture as SVG: KIND=FILE, where KIND is " + picture_list)
      ->allow_extra_args(false)
      ->type_name("KIND=FILE")
      ->check(refuse_empty);
  command
      ->add_option("--lowered", options->lowered,
                   "NVIDIA: write what the hardware would issue for the kernel, with registers and control "
                   "words; - for "
                   "standard output")
      ->type_name("FILE")
      ->check(refuse_empty);
  CLI::Option* trace =
      command
          ->add_option("--trace-instructions", options->trace,
                       "print every instruction of item:X[,Y[,Z]], wave:GROUP[,WAVE] or group:GROUP with its "
                       "registers before and after; the run is functional (docs/debugging.md)")
          ->type_name("PART")
          ->check(refuse_empty);
  command
      ->add_option("--step", options->step,
                   "stop before the instructions of such a part, and read commands from standard input")
      ->type_name("PART")
      ->check(refuse_empty)
      ->excludes(trace);
  command->add_option("--dump", options->dumps, "write a buffer after the run: NAME=FILE.npy")
      ->allow_extra_args(false);
  command->add_flag("--quiet", options->quiet, "no text report");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lockstep::cli
