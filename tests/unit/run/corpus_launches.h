// The launches of a kernel of the corpus, prepared for a GPU.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/loader.h"
#include "run/simulation.h"

namespace lockstep {

struct Case {
  std::string gpu;
  std::string path;
};

// Runs all launches of a case by `run` and gives the bytes of its results; nothing where the target cannot
// compile or run it.
using Run = std::function<std::optional<Diagnostic>(const PreparedLaunch&)>;
inline std::optional<std::vector<std::vector<u8>>> contents_after(const Case& which, u32 resident_waves,
                                                                  const Run& run) {
  const Expected<corpus::Case> test = corpus::read_case(which.path);
  if (!test.ok()) {
    ADD_FAILURE() << to_string(test.error());
    return std::nullopt;
  }
  const Expected<Machine> machine = load_machine(machine_directory(), which.gpu);
  if (!machine.ok()) {
    ADD_FAILURE() << to_string(machine.error());
    return std::nullopt;
  }
  CompileRequest request;
  request.path = test->path;
  request.source = test->source;
  request.language = SourceLanguage::opencl_c;
  request.target = machine->target;
  request.optimisation = 3;
  std::string option;
  for (const char c : test->options + " ") {
    if (c != ' ') {
      option += c;
    } else if (!option.empty()) {
      request.options.push_back(std::exchange(option, ""));
    }
  }
  Expected<LoadedProgram> loaded = load_program(request);
  if (!loaded.ok()) return std::nullopt;
  DeviceMemory memory(u64{256} << 20);
  const Expected<Buffers> buffers =
      Buffers::make(memory, *machine->target, test->arguments, corpus::initial_contents(*test));
  if (!buffers.ok()) return std::nullopt;
  for (const corpus::Launch& launch : test->launches) {
    const Program& program = *find_kernel(*loaded->module, launch.kernel).value();
    std::vector<ArgumentValue> values;
    for (const u32 index : launch.arguments) values.push_back(buffers->values()[index]);
    NdRange range;
    range.dimensions = launch.dimensions;
    range.global = launch.global;
    range.offset = launch.offset;
    for (u32 i = 0; i < 3; ++i) range.local[i] = static_cast<u32>(launch.local[i]);
    auto prepared = PreparedLaunch::make(memory, *loaded->module, program, range, values, resident_waves);
    if (!prepared.ok()) {
      ADD_FAILURE() << to_string(prepared.error());
      return std::nullopt;
    }
    if (auto error = run(**prepared)) {
      if (error->code == "not-supported") return std::nullopt;
      ADD_FAILURE() << which.gpu << " " << which.path << ": " << to_string(*error);
      return std::nullopt;
    }
  }
  // What the case says is a result: others may show an order.
  std::vector<std::vector<u8>> contents;
  for (const corpus::Comparison& one : test->comparisons)
    contents.push_back(*buffers->read(memory, one.argument));
  return contents;
}

}  // namespace lockstep
