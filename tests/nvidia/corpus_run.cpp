#include "corpus_run.h"

#include <algorithm>

#include "compile/build_options.h"
#include "exec/functional.h"
#include "run/loader.h"

namespace lockstep::corpus {

std::string unsuitable(const Case& test) {
  for (const Argument& a : test.arguments) {
    if (a.kind == ArgumentKind::image || a.kind == ArgumentKind::sampler) return "images";
  }
  for (const Launch& l : test.launches) {
    if (l.offset[0] + l.offset[1] + l.offset[2] != 0) return "an offset";
  }
  if (test.source.find("printf") != std::string::npos) return "printf";
  if (test.source.find("get_work_dim") != std::string::npos) return "get_work_dim";
  return {};
}

Expected<CompileRequest> request_of(const Case& test, const Target& target, u32 level) {
  CompileRequest request;
  request.path = test.path;
  request.target = &target;
  request.optimisation = level;
  // LLVM writes line tables that name shared variables as the assembler does not know them.
  request.line_table = false;
  auto words = split_build_options(test.options);
  if (!words) return words.error();
  request.options = std::move(*words);
  return request;
}

Status launch(const Launch& step, const Module& module, DeviceMemory& memory, const Buffers& buffers,
              StepChecker* checker) {
  const auto program = find_kernel(module, step.kernel);
  if (!program) return program.error();
  NdRange range;
  range.dimensions = step.dimensions;
  for (u32 i = 0; i < 3; ++i) {
    range.global[i] = step.global[i];
    range.local[i] = static_cast<u32>(step.local[i]);
  }
  std::vector<ArgumentValue> values;
  for (const u32 a : step.arguments) values.push_back(buffers.values()[a]);
  const auto prepared =
      PreparedLaunch::make(memory, module, **program, range, values,
                           functional_resident_waves(range, (*program)->needs.wave_lanes, 2560));
  if (!prepared) return prepared.error();
  FunctionalOptions options;
  options.checker = checker;
  options.instructions_per_wave = u64{1} << 24;
  const auto run = run_functional(**prepared, options);
  return run ? Status(Success{}) : Status(run.error());
}

Expected<CountedCase> count_case(const Case& test, const Target& target, u32 level) {
  const auto request = request_of(test, target, level);
  if (!request) return request.error();
  const auto compiled = compile(*request);
  if (!compiled) return compiled.error();
  CountedCase result;
  result.ptx = compiled->ptx->ptx;
  auto module = load_compiled(*compiled, target, test.path);
  if (!module) return module.error();
  result.module = std::move(*module);
  DeviceMemory memory(u64{4} << 30);
  const auto buffers = Buffers::make(memory, target, test.arguments, initial_contents(test));
  if (!buffers) return buffers.error();
  for (const Launch& step : test.launches) {
    Counter counter(result.module->code);
    if (const Status done = launch(step, *result.module, memory, *buffers, &counter); !done)
      return done.error();
    const auto program = find_kernel(*result.module, step.kernel);
    std::vector<u64>& sum = result.counts[(*program)->name];
    sum.resize(counter.counts.size(), 0);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += counter.counts[i];
  }
  return result;
}

std::vector<std::string> corpus_paths(const std::vector<std::string>& words) {
  std::vector<std::string> paths;
  for (const auto& item : std::filesystem::directory_iterator(LOCKSTEP_SOURCE_DIR "/tests/corpus")) {
    const std::string name = item.path().stem().string();
    const bool wanted =
        words.empty() || std::any_of(words.begin(), words.end(),
                                     [&](const std::string& word) { return name.find(word) != name.npos; });
    if (item.path().extension() == ".cl" && wanted) paths.push_back(item.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace lockstep::corpus
