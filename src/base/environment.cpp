#include "base/environment.h"

#include <cstdlib>

#include "base/assert.h"

namespace lockstep {
namespace {

constexpr EnvironmentVariable variables[] = {
    {"LOCKSTEP_GPU",
     "the GPUs that OpenCL applications find: ids, aliases or machine files, by commas; the first is what "
     "the "
     "program's commands take",
     "the names in `~/.config/lockstep/gpus`, else in `/etc/lockstep/gpus`, else none; the program's "
     "commands: "
     "else `mi25`"},
    {"LOCKSTEP_MODE",
     "how the driver runs kernels: `functional`, `timed`, or `auto`, which times where there is a timing "
     "model",
     "`functional`; `lockstep exec`: `auto`"},
    {"LOCKSTEP_THREADS", "the driver's host threads for kernels", "all cores; in timed mode 1"},
    {"LOCKSTEP_CHECK", "the checks that the driver runs kernels under ([checking.md](checking.md))", "none"},
    {"LOCKSTEP_CHECK_EXIT",
     "1 to 255: the exit code of a process with violations or failed launches that would end with 0",
     "its own code"},
    {"LOCKSTEP_REPORT", "a folder for the driver's report of each launch", "no reports"},
    {"LOCKSTEP_REPORT_FORMAT", "`text`, `json` or `text,json`", "`text`"},
    {"LOCKSTEP_LAUNCHES", "a file for a line about each launch",
     "`launches.jsonl` in the folder of the reports, if there is one"},
    {"LOCKSTEP_KERNELS",
     "names of kernels or patterns, by commas: the driver times and reports these; others run functionally",
     "all"},
    {"LOCKSTEP_LAUNCH_SKIP", "launches of a process, of those kernels, that run functionally and unreported",
     "0"},
    {"LOCKSTEP_LAUNCH_COUNT", "launches of a process that are timed and reported behind those", "all"},
    {"LOCKSTEP_TIMELINE",
     "a file for a line about each command of timed queues: engine, queue, when it began and ended on the "
     "modelled "
     "device",
     "none"},
    {"LOCKSTEP_WHAT_IF",
     "of so many launches of a process, those that cost most, the driver's reports have what-ifs", "0"},
    {"LOCKSTEP_PICTURES",
     "a folder for what the page of `lockstep exec --html` draws beside the driver's reports; ten launches "
     "of a "
     "process, those that cost most, are recorded for it",
     "none"},
    {"LOCKSTEP_PROGRESS", "a file for how far the present launch is; `lockstep exec` reads it",
     "nobody is told"},
    {"LOCKSTEP_MACHINES", "the folder of the machine files", "the installed ones, else the source tree's"},
    {"LOCKSTEP_EXPERIMENTS", "the folder of the published experiments",
     "the installed ones, else the source tree's"},
    {"LOCKSTEP_BENCH_KERNELS", "the folder of the kernels of `lockstep bench`",
     "the installed ones, else the source tree's"},
    {"LOCKSTEP_DISSECT", "the folder of the kernels of `lockstep dissect`",
     "the installed ones, else the source tree's"},
    {"LOCKSTEP_DEVLIB", "the folder of Lockstep's device library and headers",
     "the installed one, else the source tree's"},
    {"LOCKSTEP_CACHE", "the folder of compiled programs; `off` for none",
     "`$XDG_CACHE_HOME/lockstep`, else `~/.cache/lockstep`"},
    {"LOCKSTEP_TMPDIR", "where temporary folders are made", "`$TMPDIR`, else `/tmp`"},
    {"LOCKSTEP_CLANG", "the compiler", "`clang-19` in `PATH`, else in `/usr/lib/llvm-19/bin`"},
    {"LOCKSTEP_LLVM_MC", "the assembler", "`llvm-mc-19`, likewise"},
    {"LOCKSTEP_LLD", "the linker", "`ld.lld-19`, likewise"},
    {"LOCKSTEP_OPT", "the optimiser", "`opt-19`, likewise"},
    {"LOCKSTEP_OBJDUMP", "the disassembler", "`llvm-objdump-19`, likewise"},
    {"LOCKSTEP_LLC", "LLVM's back end, for AMD's VLIW GPUs", "`llc-19`, likewise"},
    {"LOCKSTEP_DWARFDUMP", "the reader of line tables, for Intel's GPUs", "`llvm-dwarfdump-19`, likewise"},
    {"LOCKSTEP_OCLOC", "Intel's compiler", "`ocloc` in `PATH`, else in `/usr/bin`"},
    {"LOCKSTEP_IGA", "Intel's disassembler", "`iga64`, likewise"},
    {"LOCKSTEP_AMD_DEVICE_LIBS", "the folder of rocm-device-libs' bitcode (`opencl.bc`, `ocml.bc`, ...)",
     "where the package puts it"},
    {"LOCKSTEP_NVPTX_LIBRARY", "libclc's `nvptx64--nvidiacl.bc`", "where the package puts it"},
    {"LOCKSTEP_R600_LIBRARIES", "directory of libclc's libraries for AMD's VLIW chips (`cypress-r600--.bc`)",
     "where the package puts them"},
    {"NO_COLOR", "messages on a terminal have no colours",
     "errors and hints stand out, unless `TERM` is `dumb`"},
    {"TERM", "the kind of terminal", "no colours"},
    {"TMPDIR", "where temporary folders are made", "`/tmp`"},
    {"HOME", "the home folder, for the cache and the configuration", "neither"},
    {"XDG_CACHE_HOME", "the folder of caches", "`~/.cache`"},
    {"XDG_CONFIG_HOME", "the folder of configurations", "`~/.config`"},
    {"PATH", "where the compilers' programs are looked for", "`/usr/lib/llvm-19/bin`"},
    {"LD_PRELOAD", "kept behind the clock's library by `lockstep exec --virtual-clock`",
     "that library alone"},
};

}  // namespace

std::span<const EnvironmentVariable> environment_variables() {
  return variables;
}

const char* environment(std::string_view name) {
  for (const EnvironmentVariable& variable : variables) {
    if (variable.name != name) continue;
    const char* value = ::secure_getenv(variable.name);
    return value != nullptr && *value != '\0' ? value : nullptr;
  }
  LOCKSTEP_ASSERT(false, "an environment variable that is read stands in the table");
}

std::string environment_page_table() {
  std::string text = "| variable | meaning | where it is not set |\n|---|---|---|\n";
  for (const EnvironmentVariable& variable : variables)
    text.append("| `")
        .append(variable.name)
        .append("` | ")
        .append(variable.meaning)
        .append(" | ")
        .append(variable.otherwise)
        .append(" |\n");
  return text;
}

}  // namespace lockstep
