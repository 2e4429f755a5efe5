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

// Prints the text, or writes `data` where JSON is asked for.
int tell(const std::string& json, const Json& data, const std::string& text) {
  Expected<std::optional<OutputFile>> file = open_output({"--json", json}, {});
  if (!file) return fail(file.error());
  if (const Status written = write_output(*file, json_text(data)); !written) return fail(written.error());
  if (!*file) show(stdout, "{}", text);
  return exit_good;
}

int gpus(const std::string& json) {
  const Expected<std::vector<MachineSummary>> machines = list_machines(machine_directory());
  if (!machines) return fail(machines.error());
  Json list = Json::array();
  std::string text = fmt::format("{:<12} {:<36} {:<8} {}\n", "id", "name", "vendor", "target");
  for (const MachineSummary& machine : *machines) {
    const std::string_view vendor = to_string(machine.target->vendor);
    list.push_back(
        {{"id", machine.id}, {"name", machine.name}, {"vendor", vendor}, {"target", machine.target->name}});
    text += fmt::format("{:<12} {:<36} {:<8} {}\n", machine.id, machine.name, vendor, machine.target->name);
  }
  return tell(json, list, text);
}

int describe(const std::string& gpu, const std::string& json) {
  const Expected<Machine> machine = load_machine(machine_directory(), gpu);
  if (!machine) {
    Diagnostic wrong = machine.error();
    if (json == "-" && wrong.code == "unknown-machine")
      wrong.hint = fmt::format("JSON into a file: --json={}; {}", gpu, wrong.hint);
    return fail(wrong);
  }
  const Expected<Json> data = machine_description(*machine);
  if (!data) return fail(data.error());
  return tell(json, *data, machine_description_text(*data));
}

}  // namespace

void add_gpus(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("gpus", "Lists the modelled GPUs, or describes one");
  struct Options {
    std::string gpu, json;
  };
  const auto options = std::make_shared<Options>();
  CLI::Option* named = command
                           ->add_option("GPU", options->gpu,
                                        "a GPU, as --gpu of run takes it: what the timing model builds of "
                                        "its file, with every figure and how sure it is")
                           ->check(refuse_empty);
  command->add_option("--describe", options->gpu, "the same")->check(refuse_empty)->excludes(named);
  add_json_flag(*command, options->json,
                "as JSON: a list of {id, name, vendor, target}; of one GPU an object (docs/machines.md)");
  command->callback([options, &chosen] {
    chosen = [options] {
      return options->gpu.empty() ? gpus(options->json) : describe(options->gpu, options->json);
    };
  });
}

}  // namespace lockstep::cli
