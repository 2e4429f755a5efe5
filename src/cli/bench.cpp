// lockstep bench: how fast Lockstep itself is.
#include "run/bench.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.h"
#include "cli/watch.h"
#include "report/view.h"

namespace lockstep::cli {
namespace {

struct BenchCommand {
  BenchOptions bench;
  std::string mode, json;
};

int run(BenchCommand options) {
  for (const BenchMode mode : {BenchMode::functional, BenchMode::counted, BenchMode::checked,
                               BenchMode::timed, BenchMode::recorded}) {
    if (to_string(mode) == options.mode) options.bench.mode = mode;
  }
  Expected<std::optional<OutputFile>> json = open_output({"--json", options.json}, {});
  if (!json) return fail(json.error());
  catch_signals();
  Watch watch;
  options.bench.progress = [&](std::string_view, std::string_view, u64 done, u64 all) {
    watch.update("benchmarks", done, all, "rows");
  };
  options.bench.go_on = [&] { return watch.go_on(); };
  const Expected<std::vector<BenchRow>> rows = run_bench(options.bench);
  watch.quiet();
  if (!rows && rows.error().code == "stopped") {
    fail(watch.reason());
    return watch.exit_code();
  }
  if (!rows) return fail(rows.error());
  if (*json) {
    Json list = Json::array();
    for (const BenchRow& row : *rows) {
      Json data = {{"name", row.name},
                   {"mode", to_string(row.mode)},
                   {"wave_instructions_per_second", row.wave_instructions_per_second},
                   {"threads", row.threads},
                   {"wall_wave_instructions_per_second", row.wall_wave_instructions_per_second},
                   {"wave_instructions", row.wave_instructions},
                   {"runs", row.runs}};
      if (row.transactions_per_second) data["transactions_per_second"] = *row.transactions_per_second;
      list.push_back(std::move(data));
    }
    const Status written = write_output(*json, json_text(list));
    return written ? exit_good : fail(written.error());
  }
  show(stdout, "wave-instructions a second on {}: by processor time, and by the wall clock\n",
       options.bench.gpu);
  show(stdout, "{:<14} {:<11} {:>7} {:>12} {:>12} {:>14} {:>5}\n", "kernel", "mode", "threads",
       "instructions", "wall", "transactions/s", "runs");
  for (const BenchRow& row : *rows) {
    show(stdout, "{:<14} {:<11} {:>7} {:>10.2f} M {:>10.2f} M {:>14} {:>5}\n", row.name, to_string(row.mode),
         row.threads, row.wave_instructions_per_second * 1e-6, row.wall_wave_instructions_per_second * 1e-6,
         row.transactions_per_second ? fmt::format("{:.2f} M", *row.transactions_per_second * 1e-6) : "",
         row.runs);
  }
  return exit_good;
}

}  // namespace

void add_bench(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("bench", "Measures how fast Lockstep itself runs");
  const auto options = std::make_shared<BenchCommand>();
  options->bench.gpu = default_gpu();
  command->add_option("--gpu", options->bench.gpu, "the modelled GPU")->capture_default_str();
  command->add_option("--filter", options->bench.filter, "only kernels whose name has this in it");
  command->add_option("--mode", options->mode, "only this mode")
      ->check(CLI::IsMember({"functional", "counted", "checked", "timed", "recorded"}));
  command
      ->add_option("--threads", options->bench.threads,
                   "functional and timed runs on this many threads beside one")
      ->capture_default_str()
      ->check(CLI::Range(1, 4096));
  command->add_option("--seconds", options->bench.seconds, "of processor time for each row, at least")
      ->capture_default_str()
      ->check(refuse_negative);
  add_json_flag(*command, options->json,
                "as JSON: a list of {name, mode, wave_instructions_per_second, threads, ...}");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace lockstep::cli
