// lockstep: GPU programs on modelled GPUs.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/commands.h"

namespace {

// The build is for hosts with AVX2 and FMA by default; an older one is told so instead of dying of an illegal
// instruction.
bool host_is_able() {
#if defined(__AVX2__) && (defined(__x86_64__) || defined(__i386__))
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return true;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  using namespace lockstep::cli;
  if (!host_is_able()) {
    std::fputs(
        "lockstep: this build needs a host with AVX2 and FMA; configure with -DLOCKSTEP_MARCH=x86-64\n",
        stderr);
    return exit_failed;
  }
  CLI::App app{
      "Runs GPU programs on modelled GPUs: the real compiler's machine code, wave by wave, with its cycles."};
  app.name("lockstep");
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 good; 1 the program, its input or the modelled run failed (a message says how);\n"
      "            2 wrong command line; 3 an experiment's figure is outside its tolerance.\n"
      "            Those of exec are the application's: 'lockstep exec --help'.\n"
      "Environment: LOCKSTEP_MACHINES (machine files), LOCKSTEP_CACHE (compiled programs; 'off' for none),\n"
      "            LOCKSTEP_EXPERIMENTS (published experiments), LOCKSTEP_BENCH_KERNELS (kernels of "
      "'bench'),\n"
      "            LOCKSTEP_DEVLIB (Lockstep's own device library and headers), LOCKSTEP_CLANG,\n"
      "            LOCKSTEP_LLVM_MC, LOCKSTEP_LLD, LOCKSTEP_OPT, LOCKSTEP_OBJDUMP (the compiler's "
      "programs),\n"
      "            LOCKSTEP_AMD_DEVICE_LIBS, LOCKSTEP_NVPTX_LIBRARY (the compilers' device libraries).");
  Action chosen;
  add_run(app, chosen);
  add_gpus(app, chosen);
  add_occupancy(app, chosen);
  add_fidelity(app, chosen);
  add_experiment(app, chosen);
  add_exec(app, chosen);
  add_bench(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_good : exit_usage;
  }
  return chosen();
}
