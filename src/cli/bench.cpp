#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace lockstep::cli {

void add_bench(CLI::App&, Action&) {}

}  // namespace lockstep::cli
