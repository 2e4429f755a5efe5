// The corpus on an NVIDIA target: what its programs here share.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compile/compile.h"
#include "corpus/case.h"
#include "isa/program.h"
#include "isa/step.h"
#include "run/simulation.h"

namespace lockstep::corpus {

// Why a case is left out; empty: it is not.
std::string unsuitable(const Case& test);
Expected<CompileRequest> request_of(const Case& test, const Target& target, u32 level);
Status launch(const Launch& step, const Module& module, DeviceMemory& memory, const Buffers& buffers,
              StepChecker* checker = nullptr);

// How often waves executed each instruction of a module.
struct Counter final : StepChecker {
  explicit Counter(const Code& code) : first(code.instructions.data()), counts(code.instructions.size(), 0) {}
  void before(WaveState&, const Instruction& instruction, StepContext&) override {
    ++counts[static_cast<std::size_t>(&instruction - first)];
  }
  void access(WaveState&, const Instruction&, const Access&, StepContext&) override {}
  bool uneven_barrier(std::span<WaveState>, const Diagnostic&) override { return true; }
  const Instruction* first;
  std::vector<u64> counts;
};

struct CountedCase {
  std::string ptx;
  std::unique_ptr<Module> module;
  std::map<std::string, std::vector<u64>> counts;  // by kernel, of all its launches
};
// Runs all launches of the case. Errors: those of compiling, loading and running it.
Expected<CountedCase> count_case(const Case& test, const Target& target, u32 level);

// The corpus' files whose names have one of the words; all without words.
std::vector<std::string> corpus_paths(const std::vector<std::string>& words);

}  // namespace lockstep::corpus
