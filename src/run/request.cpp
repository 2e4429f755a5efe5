#include "run/request.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "compile/build_options.h"
#include "machine/driver.h"
#include "report/source_text.h"
#include "run/clock.h"
#include "run/lowered.h"

namespace lockstep {
namespace {

Expected<Machine> machine_of(const LaunchRequest& request) {
  Expected<Machine> machine = load_machine(machine_directory(), request.gpu);
  if (machine && request.bank_bytes != 0) machine = with_bank_bytes(*machine, request.bank_bytes);
  if (!machine || request.clock.empty()) return machine;
  const Expected<u64> clock = parse_clock(request.clock);
  Expected<Machine> changed = clock ? with_clock(*machine, *clock) : Expected<Machine>(clock.error());
  if (changed) return changed;
  Diagnostic diagnostic = changed.error();
  diagnostic.place = {"--clock " + request.clock, 0, 0};
  return diagnostic;
}

Status parse_texts(const std::vector<std::string>& texts, std::string_view option,
                   std::vector<ArgumentText>& parsed) {
  for (const std::string& text : texts) {
    Expected<ArgumentText> argument = parse_argument_text(text, option);
    if (!argument) return argument.error();
    parsed.push_back(std::move(*argument));
  }
  return Success{};
}

}  // namespace

std::vector<std::string> lines_of_file(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Expected<std::unique_ptr<RequestedLaunch>> RequestedLaunch::parse(const LaunchRequest& request) {
  std::unique_ptr<RequestedLaunch> made(new RequestedLaunch);
  Expected<Machine> machine = machine_of(request);
  if (!machine) return machine.error();
  made->machine = std::move(*machine);
  const Expected<NdRange> range = parse_range(request.range);
  if (!range) return range.error();
  made->range = *range;
  made->range.dynamic_local_bytes = request.dynamic_local_bytes;
  Status read = parse_texts(request.arguments, "--arg", made->given);
  if (read) read = parse_texts(request.symbols, "--symbol", made->contents);
  if (!read) return read.error();
  for (std::vector<ArgumentText>* texts : {&made->given, &made->contents}) {
    for (ArgumentText& argument : *texts) {
      if (argument.file.empty() || request.folder.empty()) continue;
      argument.file = (std::filesystem::path(request.folder) / argument.file).string();
    }
  }
  made->given.insert(made->given.end(), request.read_arguments.begin(), request.read_arguments.end());
  const Expected<CheckSelection> checks = parse_checks(request.checks.empty() ? "none" : request.checks);
  if (!checks) return checks.error();
  made->checks = *checks;
  made->kernel_ = request.kernel;
  made->compile_.path = request.file;
  made->compile_.target = made->machine.target;
  made->compile_.defines = request.defines;
  made->compile_.optimisation = request.optimisation;
  Expected<std::vector<std::string>> words = split_build_options(request.build_options);
  if (!words) return words.error();
  made->compile_.options = std::move(*words);
  return made;
}

Status RequestedLaunch::load() {
  Expected<LoadedProgram> compiled = load_program(compile_);
  if (!compiled) return compiled.error();
  loaded = std::move(*compiled);
  const Expected<const Program*> found = find_kernel(*loaded.module, kernel_);
  if (!found) {
    Diagnostic wrong = found.error();
    wrong.place.file = compile_.path;
    return wrong;
  }
  program = *found;
  count_registers_in_large_module(*loaded.module, *program);
  return Success{};
}

Status RequestedLaunch::place() {
  Expected<std::vector<LaunchArgument>> placed = place_arguments(*program, given);
  if (!placed) return placed.error();
  arguments = std::move(*placed);
  Expected<std::vector<SymbolContents>> variables = place_symbols(*loaded.module, contents);
  if (!variables) return variables.error();
  symbols = std::move(*variables);
  if (range.local[0] == 0)
    range.local = choose_group(range, *program, most_group_items(occupancy_rules(machine), *program));
  return Success{};
}

Expected<std::unique_ptr<RequestedLaunch>> RequestedLaunch::prepare(const LaunchRequest& request) {
  Expected<std::unique_ptr<RequestedLaunch>> made = parse(request);
  if (!made) return made;
  Status ready = (*made)->load();
  if (ready) ready = (*made)->place();
  if (!ready) return ready.error();
  return made;
}

Expected<RunData> RequestedLaunch::run(SimulationOptions options,
                                       const std::function<bool(u64 done, u64 all)>& filling) {
  if (checks.values) memory.track_written();
  Expected<Buffers> made = Buffers::make(memory, *loaded.module->target, arguments, filling);
  if (!made) return made.error();
  buffers = std::move(*made);
  options.symbols = symbols;
  options.checks = checks;
  Expected<RunData> data =
      execute(memory, machine, *loaded.module, *program, range, buffers->values(), options);
  if (const std::vector<std::string>& files = loaded.module->code.files; data && !files.empty()) {
    // The file that was asked for, where the line table knows it: headers may come first.
    const auto own =
        std::ranges::find_if(files, [&](const std::string& file) { return same_file(file, compile_.path); });
    data->source_file = own == files.end() ? files[0] : *own;
    data->source_lines = lines_of_file(data->source_file);
  }
  return data;
}

}  // namespace lockstep
