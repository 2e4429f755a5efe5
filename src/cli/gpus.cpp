// lockstep gpus: the machine files there are.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "machine/machine.h"
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

}  // namespace

void add_gpus(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("gpus", "Lists the modelled GPUs");
  const auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "as JSON: a list of {id, name, vendor, target}");
  command->callback([json, &chosen] { chosen = [json] { return gpus(*json); }; });
}

}  // namespace lockstep::cli
