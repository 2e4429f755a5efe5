#include "cli/compile_options.h"

#include <CLI/CLI.hpp>

#include "cli/commands.h"
#include "compile/build_options.h"

namespace lockstep::cli {

void add_program_options(CLI::App& command, std::string& file, std::string& gpu) {
  command
      .add_option("FILE", file,
                  "OpenCL C (.cl), HIP (.hip), CUDA C++ (.cu), assembly (.s), a code object (.co, .hsaco) or "
                  "PTX (.ptx)")
      ->required()
      ->check(refuse_empty);
  command.add_option("--gpu", gpu, "the GPU: an id of 'lockstep gpus', or a machine file")
      ->capture_default_str();
}

void add_compile_options(CLI::App& command, CompileOptions& options) {
  command.add_option("--define,-D", options.defines, "a macro: NAME or NAME=VALUE")
      ->allow_extra_args(false)
      ->check(refuse_empty);
  command.add_option("--options", options.build_options, "build options, as clBuildProgram takes them");
  command.add_option("-O", options.optimisation, "the compiler's optimisation level")
      ->check(CLI::Range(0, 3));
}

Expected<CompileRequest> compile_request(const std::string& file, const Target& target,
                                         const CompileOptions& options) {
  CompileRequest request;
  request.path = file;
  request.target = &target;
  request.defines = options.defines;
  request.optimisation = options.optimisation;
  Expected<std::vector<std::string>> words = split_build_options(options.build_options);
  if (!words) return words.error();
  request.options = std::move(*words);
  return request;
}

}  // namespace lockstep::cli
