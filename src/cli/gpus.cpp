// lockstep gpus: the machine files there are, and what the timing model builds of one.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "machine/machine.h"
#include "report/machine_description.h"
#include "report/view.h"

namespace lockstep::cli {
namespace {

int gpus(bool json) {
  const Expected<std::vector<MachineSummary>> machines = list_machines(machine_directory());
  if (!machines) return fail(machines.error());
  if (json) {
    Json list = Json::array();
    for (const MachineSummary& machine : *machines) {
      list.push_back({{"id", machine.id},
                      {"name", machine.name},
                      {"vendor", to_string(machine.target->vendor)},
                      {"target", machine.target->name}});
    }
    show(stdout, "{}", json_text(list));
    return exit_good;
  }
  show(stdout, "{:<12} {:<36} {:<8} {}\n", "id", "name", "vendor", "target");
  for (const MachineSummary& machine : *machines) {
    show(stdout, "{:<12} {:<36} {:<8} {}\n", machine.id, machine.name, to_string(machine.target->vendor),
         machine.target->name);
  }
  return exit_good;
}

int describe(const std::string& gpu, bool json) {
  const Expected<Machine> machine = load_machine(machine_directory(), gpu);
  if (!machine) return fail(machine.error());
  const Expected<Json> data = machine_description(*machine);
  if (!data) return fail(data.error());
  show(stdout, "{}", json ? json_text(*data) : machine_description_text(*data));
  return exit_good;
}

}  // namespace

void add_gpus(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("gpus", "Lists the modelled GPUs, or describes one");
  struct Options {
    std::string gpu;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  CLI::Option* named = command
                           ->add_option("GPU", options->gpu,
                                        "a GPU, as --gpu of run takes it: what the timing model builds of "
                                        "its file, with every figure and how sure it is")
                           ->check(refuse_empty);
  command->add_option("--describe", options->gpu, "the same")->check(refuse_empty)->excludes(named);
  command->add_flag("--json", options->json,
                    "as JSON: a list of {id, name, vendor, target}; of one GPU an object (docs/machines.md)");
  command->callback([options, &chosen] {
    chosen = [options] {
      return options->gpu.empty() ? gpus(options->json) : describe(options->gpu, options->json);
    };
  });
}

}  // namespace lockstep::cli
