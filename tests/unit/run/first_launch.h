// The first launch of a case of the corpus, executed as often and on as many machines as wanted.
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "run/loader.h"
#include "run/simulation.h"

namespace lockstep {

struct First {
  corpus::Case test;
  Machine machine;
  std::unique_ptr<Module> module;
  const Program* program = nullptr;
  NdRange range;

  static std::optional<First> make(const std::string& gpu, const std::string& path) {
    First first;
    const Expected<corpus::Case> test = corpus::read_case(path);
    Expected<Machine> machine = load_machine(machine_directory(), gpu);
    if (!test || !machine) {
      ADD_FAILURE() << path << " " << gpu;
      return std::nullopt;
    }
    first.test = *test;
    first.machine = std::move(*machine);
    CompileRequest request;
    request.path = test->path;
    request.source = test->source;
    request.language = SourceLanguage::opencl_c;
    request.target = first.machine.target;
    Expected<LoadedProgram> loaded = load_program(request);
    if (!loaded) {
      ADD_FAILURE() << to_string(loaded.error());
      return std::nullopt;
    }
    first.module = std::move(loaded->module);
    const corpus::Launch& launch = first.test.launches.at(0);
    first.program = *find_kernel(*first.module, launch.kernel);
    first.range.dimensions = launch.dimensions;
    first.range.global = launch.global;
    for (u32 i = 0; i < 3; ++i) first.range.local[i] = static_cast<u32>(launch.local[i]);
    return first;
  }

  Expected<RunData> execute_on(const Machine& on, LaunchRecord* record,
                               SimulationOptions options = {}) const {
    DeviceMemory memory(u64{256} << 20);
    const Expected<Buffers> buffers =
        Buffers::make(memory, *machine.target, test.arguments, corpus::initial_contents(test));
    if (!buffers) return buffers.error();
    std::vector<ArgumentValue> values;
    for (const u32 index : test.launches[0].arguments) values.push_back(buffers->values()[index]);
    options.record = record;
    return simulate(memory, on, *module, *program, range, values, options);
  }
};

}  // namespace lockstep
