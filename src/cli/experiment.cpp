#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace lockstep::cli {

void add_experiment(CLI::App&, Action&) {}

}  // namespace lockstep::cli
