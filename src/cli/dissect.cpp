// lockstep dissect: microbenchmarks of a modelled GPU, or of a device of the host's.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/files.h"
#include "cli/commands.h"
#include "cli/watch.h"
#include "dissect/cuda_backend.h"
#include "dissect/model_backend.h"
#include "dissect/opencl_backend.h"
#include "dissect/output.h"
#include "machine/chosen.h"
#include "run/experiment.h"

namespace lockstep::cli {
namespace {

struct DissectCommand {
  std::string gpu, backend = "model", device, ptx, json, accuracy;
  std::vector<std::string> only;
  f64 clock_mhz = 0;
  u32 threads = 0;
  bool list = false, toml = false;
};

int list_benchmarks() {
  for (const dissect::Benchmark& benchmark : dissect::benchmarks())
    show(stdout, "{:<12} {}\n", benchmark.name, benchmark.meaning);
  return exit_good;
}

// Puts a GPU's errors into the file, beside those of others.
Status keep_accuracy(std::optional<OutputFile>& file, const std::string& path, const std::string& gpu,
                     const std::optional<dissect::Deviation>& off) {
  nlohmann::ordered_json data;
  if (std::ifstream in(path); in) data = nlohmann::ordered_json::parse(in, nullptr, false);
  if (!data.is_object() || !data.contains("gpus") || !data["gpus"].is_object())
    data = {{"version", 1},
            {"made_by", "lockstep dissect --gpu GPU --accuracy FILE"},
            {"gpus", nlohmann::ordered_json::object()}};
  data["gpus"].erase(gpu);
  if (off) {
    const auto rounded = [](f64 error) { return std::round(error * 1e4) / 1e4; };
    data["gpus"][gpu] = {{"figures", off->figures},
                         {"mean_error", rounded(off->mean_error)},
                         {"median_error", rounded(off->median_error)},
                         {"worst_error", rounded(off->worst_error)}};
  }
  return write_output(file, data.dump(2) + "\n");
}

int run(const DissectCommand& options) {
  if (options.list) return list_benchmarks();
  dissect::SuiteOptions suite;
  Expected<std::vector<dissect::Benchmark>> chosen = dissect::choose(options.only);
  if (!chosen) return fail(chosen.error());
  suite.chosen = std::move(*chosen);
  const bool on_model = options.backend == "model";
  if (on_model && options.gpu.empty())
    return misuse(
        {"bad-option", {}, "which GPU is to be measured?", "--gpu NAME; 'lockstep gpus' lists them"});
  if (on_model && !options.device.empty())
    return misuse({"bad-option",
                   {},
                   "--device names a device of --backend opencl or cuda",
                   "--gpu names a modelled one"});
  if (!options.ptx.empty() && options.backend == "opencl")
    return misuse({"bad-option", {}, "--ptx: OpenCL's drivers take the kernels' source", ""});
  std::optional<Machine> machine;
  std::optional<dissect::Published> published;
  if (!options.gpu.empty()) {
    Expected<Machine> loaded = load_machine(machine_directory(), options.gpu);
    if (!loaded) return fail(loaded.error());
    machine = std::move(*loaded);
    if (on_model) {
      auto read = dissect::read_published(experiment_directory(), machine->id);
      if (!read) return fail(read.error());
      published = std::move(*read);
    }
    if (on_model && !options.ptx.empty() && machine->target->isa != IsaFamily::ptx)
      return misuse({"bad-option", {}, fmt::format("--ptx: {} is no GPU of NVIDIA's", machine->id), ""});
  }
  if (!options.accuracy.empty() && !published)
    return misuse(
        {"bad-option",
         {},
         "--accuracy compares the model with a device, of which experiments/GPU/dissect.json is needed",
         "'lockstep gpus' lists GPUs; h100 and h200 were measured"});
  suite.machine = machine ? &*machine : nullptr;
  suite.clock_hz = options.clock_mhz * 1e6;

  Expected<std::optional<OutputFile>> json = open_output({"--json", options.json}, {});
  if (!json) return fail(json.error());
  Expected<std::optional<OutputFile>> accuracy =
      open_output({"--accuracy", options.accuracy}, {{"--json", options.json}});
  if (!accuracy) return fail(accuracy.error());
  catch_signals();
  Watch watch;
  Expected<std::unique_ptr<dissect::Backend>> backend = [&]() -> Expected<std::unique_ptr<dissect::Backend>> {
    if (options.backend == "cuda")
      return dissect::make_cuda_backend({options.device, dissect::kernel_directory(), options.ptx});
    if (!on_model) return dissect::make_opencl_backend({options.device, dissect::kernel_directory()});
    dissect::ModelOptions model;
    model.threads =
        options.threads != 0 ? options.threads : std::max(std::thread::hardware_concurrency(), 1u);
    model.go_on = [&] { return watch.go_on(); };
    model.directory = dissect::kernel_directory();
    model.ptx_directory = options.ptx;
    return dissect::make_model_backend(*machine, std::move(model));
  }();
  if (!backend) return fail(backend.error());
  suite.progress = [&](std::string_view name, u64 done, u64 all) {
    watch.update(name, done, all, "benchmarks");
  };
  suite.go_on = [&] { return watch.go_on(); };
  const Expected<dissect::SuiteResult> result = dissect::run_suite(**backend, suite);
  watch.quiet();
  if (!result && result.error().code == "stopped") {
    fail(watch.reason());
    return watch.exit_code();
  }
  if (!result) return fail(result.error());
  const dissect::Published* const earlier = published ? &*published : nullptr;
  if (*accuracy) {
    const Status kept =
        keep_accuracy(*accuracy, options.accuracy, machine->id, dissect::deviation(*result, *earlier));
    if (!kept) return fail(kept.error());
  }
  if (*json) {
    const Status written = write_output(*json, json_text(dissect::to_json(*result, suite.machine, earlier)));
    if (!written) return fail(written.error());
  } else if (options.toml) {
    show(stdout, "{}", dissect::to_toml(*result));
  } else {
    show(stdout, "{}", dissect::to_text(*result, suite.machine, earlier));
  }
  int code = exit_good;
  for (const dissect::Outcome& outcome : result->outcomes) {
    if (outcome.failed) code = fail(*outcome.failed);
  }
  return code;
}

}  // namespace

void add_dissect(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "dissect",
      "Measures a GPU by microbenchmarks: latencies, rates, caches, local memory, atomics, launches");
  const auto options = std::make_shared<DissectCommand>();
  command->add_option("--gpu", options->gpu,
                      "the modelled GPU; with another --backend, the machine file to compare with");
  command->add_option("--only", options->only, "only these benchmarks, by commas")->delimiter(',');
  command->add_flag("--list", options->list, "list the benchmarks");
  command
      ->add_option("--backend", options->backend,
                   "what is measured: the model, a device of an OpenCL driver, or a GPU of NVIDIA's driver")
      ->check(CLI::IsMember({"model", "opencl", "cuda"}))
      ->capture_default_str();
  command
      ->add_option("--device", options->device,
                   "a part of the device's name; OpenCL: or of its platform's, CUDA: or its number")
      ->check(refuse_empty);
  command
      ->add_option(
          "--ptx", options->ptx,
          "a folder for the kernels' PTX: taken from there where it is there, else compiled and kept; "
          "so that a host with a GPU of NVIDIA's needs no compiler")
      ->check(CLI::ExistingDirectory);
  command
      ->add_option("--clock", options->clock_mhz,
                   "MHz by which times become cycles (not given: measured where the device has a counter, "
                   "else what it states)")
      ->check(CLI::Range(1.0, 100000.0));
  command
      ->add_option("--threads", options->threads,
                   "of the host for the model; any number gives the same bytes (0: all cores)")
      ->check(CLI::Range(0, 4096));
  command->add_option("--accuracy", options->accuracy,
                      "put how far off the model is from the device that was measured into this file, which "
                      "reports tell (experiments/measured.json)");
  CLI::Option* json = add_json_flag(*command, options->json, "as JSON");
  command->add_flag("--toml", options->toml, "what was measured as lines of a machine file")->excludes(json);
  command->callback([options, &chosen] {
    if (options->backend == "model" && options->gpu.empty()) {
      if (const std::vector<std::string> names = chosen_gpus(); !names.empty()) options->gpu = names[0];
    }
    chosen = [options] { return run(*options); };
  });
}

}  // namespace lockstep::cli
