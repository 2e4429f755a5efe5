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

namespace {

void add_compile_options(CLI::App& command, std::vector<std::string>& defines, std::string& build_options,
                         u32& optimisation) {
  command.add_option("--define,-D", defines, "a macro: NAME or NAME=VALUE")
      ->allow_extra_args(false)
      ->check(refuse_empty);
  command.add_option("--options", build_options, "build options, as clBuildProgram takes them");
  command.add_option("-O", optimisation, "the compiler's optimisation level")->check(CLI::Range(0, 3));
}

}  // namespace

void add_compile_options(CLI::App& command, CompileOptions& options) {
  add_compile_options(command, options.defines, options.build_options, options.optimisation);
}

void add_launch_options(CLI::App& command, LaunchRequest& request) {
  command.add_option(
      "--kernel", request.kernel,
      "the kernel's name, of C++ as the source has it; may be left out when there is only one");
  command.add_option("--global", request.range.global, "work-items in all: X[,Y[,Z]]");
  command.add_option("--grid", request.range.grid,
                     "instead: work-groups, as CUDA and HIP count: X[,Y[,Z]]; needs --block");
  command.add_option("--local,--block", request.range.local,
                     "work-items of a group: X[,Y[,Z]]; chosen when left out");
  command
      .add_option("--dynamic-local", request.dynamic_local_bytes,
                  "HIP, CUDA: bytes of 'extern __shared__' memory, the launch's third parameter")
      ->check(refuse_negative);
  command.add_option("--offset", request.range.offset, "the first global id: X[,Y[,Z]]");
  command
      .add_option(
          "--arg", request.arguments,
          "an argument, once for each: NAME=VALUE, NAME=TYPE:VALUE, NAME=TYPE[COUNT]:CONTENTS (zero, "
          "random, random(seed=S,min=A,max=B), ramp, ramp(START,STEP), fill(V), values(V,..), "
          "bits(seed=S), @FILE.npy), NAME=@FILE.npy, NAME=null, NAME=TYPE[COUNT]:local, "
          "NAME={TYPE:VALUE,..} and NAME=bytes:HEX for structures, images and samplers: docs/arguments.md")
      ->allow_extra_args(false);
  command
      .add_option("--symbol", request.symbols,
                  "what a __constant__ or __device__ variable holds when the kernel begins, as "
                  "hipMemcpyToSymbol writes it: NAME=TYPE:VALUE, NAME=TYPE[COUNT]:CONTENTS, NAME=@FILE.npy, "
                  "NAME={TYPE:VALUE,..} or NAME=bytes:HEX, as --arg takes them; once for each variable")
      ->allow_extra_args(false);
  add_compile_options(command, request.defines, request.build_options, request.optimisation);
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
