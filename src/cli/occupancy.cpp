// lockstep occupancy: how many groups and waves a compute unit holds, what limits them, what a small change
// would do.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "machine/sweep.h"
#include "report/occupancy_json.h"
#include "run/loader.h"
#include "run/simulation.h"

namespace lockstep::cli {
namespace {

struct OccupancyCommand {
  std::string gpu = default_gpu(), kernel, sweep, svg;
  OccupancyInput input;
  std::vector<std::string> defines;
  u32 carveout = 0;
  std::string json;
  bool has_carveout = false, has_scalars = false;
};

// The file of FILE:NAME.
std::string kernel_file(const OccupancyCommand& options) {
  return options.kernel.substr(0, options.kernel.rfind(':'));
}

// The needs of a compiled kernel: FILE:NAME.
Status take_needs(const Machine& machine, OccupancyCommand& options) {
  const std::size_t colon = options.kernel.rfind(':');
  if (colon == 0 || colon + 1 == options.kernel.size())
    return Diagnostic{"bad-argument",
                      {"--kernel " + options.kernel, 0, 0},
                      colon == 0 ? "the file is missing before the colon" : "the kernel's name is missing",
                      "--kernel FILE or --kernel FILE:NAME"};
  CompileRequest request;
  request.path = kernel_file(options);
  request.target = machine.target;
  request.defines = options.defines;
  const Expected<LoadedProgram> loaded = load_program(request);
  if (!loaded) return loaded.error();
  const Expected<const Program*> program =
      find_kernel(*loaded->module, colon == std::string::npos ? "" : options.kernel.substr(colon + 1));
  if (!program) {
    Diagnostic diagnostic = program.error();
    diagnostic.place.file = request.path;
    if (colon == std::string::npos && diagnostic.code == "no-such-kernel" &&
        !loaded->module->programs.empty())
      diagnostic.hint = fmt::format("--kernel {}:{}", options.kernel, loaded->module->programs[0].name);
    return diagnostic;
  }
  const KernelNeeds& needs = (*program)->needs;
  const u64 dynamic = options.input.local_bytes;
  const u32* required = needs.required_group.data();
  u32 items = options.input.work_group_size;
  if (items == 0) items = required[0] != 0 ? required[0] * required[1] * required[2] : 256;
  options.input = occupancy_input(needs, items, needs.local_bytes + dynamic);
  return Success{};
}

int print_sweep(const Machine& machine, const OccupancyCommand& options, std::optional<OutputFile> svg) {
  const Expected<SweepAxis> axis = find_sweep_axis(options.sweep);
  if (!axis) return fail(axis.error());
  const Expected<Sweep> rows = sweep(machine, options.input, *axis);
  if (!rows) return options.kernel.empty() ? misuse(rows.error()) : fail(rows.error());
  if (svg) {
    const Status written = write_output(svg, sweep_svg(*rows));
    return written ? exit_good : fail(written.error());
  }
  show(stdout, "{}", sweep_table(*rows));
  return exit_good;
}

int run(OccupancyCommand options) {
  if (!options.svg.empty() && options.sweep.empty())
    return misuse({"bad-options",
                   {"--svg " + options.svg, 0, 0},
                   "there is no sweep whose curve could be drawn",
                   "--sweep local, --sweep vgprs, --sweep sgprs or --sweep lds"});
  if (!options.json.empty() && !options.sweep.empty())
    return misuse({"bad-options", {}, "--sweep has no JSON form", "leave out --json or --sweep"});
  const Expected<Machine> machine = load_machine(machine_directory(), options.gpu);
  if (!machine) return fail(machine.error());
  Expected<std::optional<OutputFile>> svg =
      open_output({"--svg", options.svg}, program_inputs(kernel_file(options), options.gpu));
  if (!svg) return fail(svg.error());
  Expected<std::optional<OutputFile>> json =
      open_output({"--json", options.json}, program_inputs(kernel_file(options), options.gpu));
  if (!json) return fail(json.error());
  if (!options.kernel.empty()) {
    const Status taken = take_needs(*machine, options);
    if (!taken) return fail(taken.error());
  }
  const bool nvidia = machine->target->vendor == Vendor::nvidia;
  if (options.has_carveout && !nvidia)
    return misuse({"no-carveout",
                   {},
                   fmt::format("{} has no carveout", machine->id),
                   "NVIDIA's GPUs divide their storage between local memory and cache"});
  if (options.has_scalars && nvidia)
    return misuse({"no-scalar-registers",
                   {},
                   fmt::format("{} has no scalar registers", machine->id),
                   "--registers counts those of a thread"});
  if (options.has_carveout) options.input.carveout_percent = options.carveout;
  if (options.input.work_group_size == 0) {
    return fail({"bad-size", {}, "the group's size is missing", "--local N"});
  }
  if (!options.sweep.empty()) return print_sweep(*machine, options, std::move(*svg));
  const Expected<Occupancy> result = occupancy(*machine, options.input);
  if (!result) return options.kernel.empty() ? misuse(result.error()) : fail(result.error());
  const Json data = occupancy_json(*result);
  if (const Status written = write_output(*json, json_text(data)); !written) return fail(written.error());
  if (!*json) {
    show(stdout,
         "{}: groups of {} work-items, {} vector{} and {} scalar registers, {} bytes of local memory\n{}",
         machine->name, options.input.work_group_size, options.input.vector_registers,
         nvidia && !options.kernel.empty() ? " (estimated)" : "", options.input.scalar_registers,
         options.input.local_bytes, occupancy_text(data));
  }
  return exit_good;
}

}  // namespace

void add_occupancy(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("occupancy", "Groups and waves that a compute unit holds, and what limits them");
  const auto options = std::make_shared<OccupancyCommand>();
  OccupancyInput& input = options->input;
  command->add_option("--gpu", options->gpu, "the GPU: an id of 'lockstep gpus', or a machine file")
      ->capture_default_str();
  command->add_option("--local", input.work_group_size, "work-items of a group");
  command->add_option("--vgprs,--registers", input.vector_registers,
                      "vector registers of a lane (NVIDIA: of a thread)");
  command->add_option("--agprs", input.accumulator_registers, "accumulation registers of a lane (CDNA)");
  CLI::Option* scalars = command->add_option("--sgprs", input.scalar_registers,
                                             "scalar registers of a wave, VCC and its like included");
  command->add_option("--lds,--shared", input.local_bytes, "local memory of a group, bytes");
  CLI::Option* kernel =
      command->add_option("--kernel", options->kernel, "take the needs from a kernel: FILE or FILE:NAME")
          ->check(refuse_empty);
  for (const char* needs : {"--vgprs", "--agprs", "--sgprs"}) kernel->excludes(command->get_option(needs));
  command->add_option("--define,-D", options->defines, "a macro for --kernel: NAME or NAME=VALUE")
      ->allow_extra_args(false)
      ->check(refuse_empty);
  command->add_option("--wave", input.wave_width, "lanes of a wave, where the GPU has a choice");
  command->add_flag("--cu-mode", input.cu_mode, "RDNA: a group is confined to one CU");
  command->add_flag("--trap-handler", input.trap_handler, "GCN, CDNA: a trap handler takes scalar registers");
  CLI::Option* carveout = command->add_option("--carveout", options->carveout,
                                              "NVIDIA: percent of the storage wanted as local memory");
  command->add_option("--sweep", options->sweep, "a table over 'local', 'vgprs', 'sgprs' or 'lds'")
      ->type_name("{local,vgprs,sgprs,lds}");
  command->add_option("--svg", options->svg, "write the sweep as an SVG curve")
      ->type_name("FILE")
      ->check(refuse_empty);
  add_json_flag(*command, options->json, "as JSON");
  command->callback([options, carveout, scalars, &chosen] {
    options->has_scalars = scalars->count() > 0;
    options->has_carveout = carveout->count() > 0;
    chosen = [options] { return run(*options); };
  });
}

}  // namespace lockstep::cli
