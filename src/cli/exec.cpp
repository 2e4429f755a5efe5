// lockstep exec: an application on the OpenCL driver, with nothing installed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/application.h"
#include "cli/commands.h"

namespace lockstep::cli {
namespace {

int run(Application application, const std::string& json) {
  application.json = !json.empty();
  if (json != "-") application.summary = json;
  if (json == "-" && application.report.empty()) {
    show(stderr,
         "lockstep: --json writes beside the reports: it needs --report; --json=FILE writes the summary\n");
    return exit_usage;
  }
  if (application.functional && (application.timed || application.virtual_clock)) {
    show(stderr, "lockstep: --functional has no modelled time: it excludes --timed and --virtual-clock\n");
    return exit_usage;
  }
  if (!application.trace.empty() && application.functional) {
    show(stderr, "lockstep: --functional has no modelled time over which --trace could show queues\n");
    return exit_usage;
  }
  if (application.what_if && application.functional) {
    show(stderr, "lockstep: --functional has no modelled time of which --what-if could take anything away\n");
    return exit_usage;
  }
  if (application.what_if && application.html.empty() && application.report.empty()) {
    show(stderr, "lockstep: --what-if writes its answers into reports: it needs --html or --report\n");
    return exit_usage;
  }
  const bool chosen =
      !application.kernels.empty() || application.launch_skip != 0 || application.launch_count != 0;
  if (application.virtual_clock && chosen) {
    show(stderr,
         "lockstep: --virtual-clock needs the time of every launch: it excludes --kernel, --launch-skip and "
         "--launch-count\n");
    return exit_usage;
  }
  const Expected<ApplicationEnd> end = run_application(application);
  if (!end) {
    const int code = fail(end.error());
    if (end.error().code == "no-such-program") return 127;
    return end.error().code == "cannot-run" ? 126 : code;
  }
  const bool wrong = end->summary.failed + end->summary.violations != 0;
  if (end->child.exit_code == 0 && wrong && application.fail_on_violation) return exit_differs;
  return end->child.exit_code;
}

}  // namespace

void add_exec(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "exec", "Runs an OpenCL application on a modelled GPU, unchanged and with nothing installed");
  const auto options = std::make_shared<Application>();
  command
      ->add_option("COMMAND", options->command, "the application and its arguments, behind --: -- APP ARGS")
      ->required();
  command->add_option("--gpu", options->gpu,
                      "the GPUs that it finds, by commas: ids of 'lockstep gpus' or machine files "
                      "($LOCKSTEP_GPU, the configuration's, else mi25)");
  command->add_flag("--timed", options->timed,
                    "kernels run on the timing model, and profiling times are the model's ($LOCKSTEP_MODE, "
                    "else this for GPUs that have one)");
  command->add_flag("--functional", options->functional,
                    "execute only, no timing: all cores, as fast as possible");
  command->add_flag("--check{all}", options->check,
                    "look for accesses outside buffers, undefined values, uneven barriers, data races; "
                    "--check=LIST: see docs/checking.md");
  command
      ->add_option("--report", options->report,
                   "write a report for each kernel launch into this folder (new, empty, or of an earlier "
                   "run, whose files go)")
      ->type_name("FOLDER");
  command
      ->add_option("--html", options->html,
                   "write one page over all launches, with the reports of those that cost most; it needs no "
                   "network")
      ->type_name("FILE")
      ->check(refuse_empty);
  command
      ->add_option("--trace", options->trace,
                   "write what queues, kernels and copies did over the modelled time, for ui.perfetto.dev or "
                   "chrome://tracing")
      ->type_name("FILE")
      ->check(refuse_empty);
  command->add_flag("--what-if", options->what_if,
                    "time the ten launches of each process that cost most again with one thing changed, for "
                    "--report and --html (docs/what-if.md)");
  const auto json = std::make_shared<std::string>();
  command
      ->add_flag("--json{-}", *json, "reports and summary as JSON too; --json=FILE: the summary into a file")
      ->check(refuse_empty);
  command->add_flag("--virtual-clock", options->virtual_clock,
                    "the application's clocks advance by modelled time where it waits for the GPU");
  command->add_option("--threads", options->threads,
                      "host threads of functional kernels; 0: one for each core");
  command
      ->add_option("--kernel", options->kernels,
                   "time and report the kernels of these names alone, others run functionally: names or "
                   "patterns ('add*'), once for each")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->check(refuse_empty);
  command
      ->add_option("--launch-skip", options->launch_skip,
                   "so many launches of each process (of those --kernel names) run functionally and are not "
                   "reported")
      ->check(refuse_negative);
  command
      ->add_option("--launch-count", options->launch_count,
                   "time and report so many launches of each process, and no more; 0: all")
      ->check(refuse_negative);
  command->add_flag("--fail-on-violation", options->fail_on_violation,
                    "a process of which a launch failed or in which a check found something ends with 3 "
                    "instead of 0, and so does this command");
  command->add_flag("--quiet", options->quiet, "neither progress nor summary on standard error");
  command->footer(
      "Exit codes: the application's own; 128 and the signal's number when a signal ended it; 127 and 126 "
      "when it\n"
      "            is not there or cannot run; 3 as above; 1 and 2 before it ran: see 'lockstep --help'.");
  command->callback([options, json, &chosen] { chosen = [options, json] { return run(*options, *json); }; });
}

}  // namespace lockstep::cli
