// lockstep fidelity: which instructions of a kernel are exact, approximated or unknown.
#include "report/fidelity.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/compile_options.h"
#include "report/view.h"
#include "run/loader.h"

namespace lockstep::cli {
namespace {

struct FidelityCommand {
  std::string file, gpu = default_gpu(), kernel, json;
  CompileOptions compile;
};

int run(FidelityCommand options) {
  const Expected<Machine> machine = load_machine(machine_directory(), options.gpu);
  if (!machine) return fail(machine.error());
  Expected<std::optional<OutputFile>> json = open_output(
      {"--json", options.json}, program_inputs(options.file, options.gpu, options.compile.build_options));
  if (!json) return fail(json.error());
  const Expected<CompileRequest> request = compile_request(options.file, *machine->target, options.compile);
  if (!request) return fail(request.error());
  const Expected<InspectedProgram> program = inspect_program(*request);
  if (!program) return fail(program.error());
  if (!program->log.empty()) show(stderr, "{}", program->log);
  const Expected<std::vector<InspectedKernel>> kernels = find_inspected_kernels(*program, options.kernel);
  if (!kernels) {
    Diagnostic wrong = kernels.error();
    wrong.place.file = options.file;
    return fail(wrong);
  }

  Json data;
  data["gpu"] = machine->id;
  data["target"] = machine->target->name;
  data["file"] = options.file;
  data["kernels"] = Json::array();
  std::string text = fmt::format("{} on {} ({})\n", options.file, machine->name, machine->target->name);
  bool unknown = false;
  for (const InspectedKernel& kernel : *kernels) {
    data["kernels"].push_back(fidelity_json(program->inspection, kernel.symbol, kernel.title));
    text += fidelity_text(data["kernels"].back());
    unknown |= data["kernels"].back()["unknown"].get<u64>() != 0;
  }
  if (const Status written = write_output(*json, json_text(data)); !written) return fail(written.error());
  if (options.json != "-") show(stdout, "{}", text);
  return unknown ? exit_failed : exit_good;
}

}  // namespace

void add_fidelity(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "fidelity", "Which instructions of a kernel are executed exactly, approximately or not at all");
  const auto options = std::make_shared<FidelityCommand>();
  add_program_options(*command, options->file, options->gpu);
  command->add_option("--kernel", options->kernel, "one kernel; all of the file when left out");
  add_compile_options(*command, options->compile);
  add_json_option(*command, options->json, "write it as JSON");
  command->footer(
      "An instruction is exact when its result has the bits that the GPU's has. Of one that is approximated, "
      "the\n"
      "bound says how far the result may lie from the mathematical one. The exit code is 1 when one is "
      "unknown:\n"
      "such a kernel is refused by 'lockstep run'.");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lockstep::cli
