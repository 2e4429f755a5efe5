// A launch as a user words it, from the program's file to the data that reports are made of: what every door
// that takes such words shares (run, check, compare, tune, the C API).
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run/argument_text.h"
#include "run/launch_arguments.h"
#include "run/loader.h"
#include "run/range.h"
#include "run/simulation.h"

namespace lockstep {

struct LaunchRequest {
  std::string file, gpu;
  std::string kernel;  // may be empty where there is only one
  std::string clock;   // of the compute units, as parse_clock takes it; empty: the GPU's own
  u32 bank_bytes = 0;  // the width of local memory's banks, where the GPU has a choice; 0: its own
  RangeText range;
  u32 dynamic_local_bytes = 0;
  std::vector<std::string> arguments, symbols;  // parse_argument_text()
  std::vector<ArgumentText> read_arguments;     // further ones, whose text is read
  std::vector<std::string> defines;
  std::string build_options;
  std::string folder;  // that arguments' files are beside; empty: the present one
  u32 optimisation = 3;
  std::string checks;  // parse_checks(); empty: none
};

// Several threads may run launches of their own.
class RequestedLaunch {
 public:
  // Reads the words. Errors: those of load_machine, parse_clock, parse_range, parse_argument_text,
  // parse_checks, split_build_options.
  static Expected<std::unique_ptr<RequestedLaunch>> parse(const LaunchRequest& request);
  // Compiles the program and finds its kernel. Errors: those of load_program, find_kernel.
  Status load();
  // Fits the words to the kernel. Errors: those of place_arguments, place_symbols.
  Status place();
  // All three at once.
  static Expected<std::unique_ptr<RequestedLaunch>> prepare(const LaunchRequest& request);
  // Fills buffers and runs it; what the buffers hold then is there afterwards. The options' symbols and
  // checks are the request's. Errors: those of Buffers::make and execute().
  Expected<RunData> run(SimulationOptions options,
                        const std::function<bool(u64 done, u64 all)>& filling = {});

  // Since parse():
  Machine machine;
  NdRange range;  // since place() with a group's size
  std::vector<ArgumentText> given, contents;
  CheckSelection checks;
  // Since load():
  LoadedProgram loaded;
  const Program* program = nullptr;
  // Since place():
  std::vector<LaunchArgument> arguments;
  std::vector<SymbolContents> symbols;
  // Since run():
  DeviceMemory memory;
  std::optional<Buffers> buffers;

 private:
  RequestedLaunch() = default;
  CompileRequest compile_;
  std::string kernel_;
};

// The lines of a file; none where it cannot be read.
std::vector<std::string> lines_of_file(const std::string& path);

}  // namespace lockstep
