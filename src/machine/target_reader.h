// Targets are data: targets.toml beside the machine files, a line each.
#pragma once
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "machine/target.h"

namespace lockstep {

// The targets of a file, in its order. Their names live as long as the process. Errors name file and line:
// "missing-file", "machine-file-syntax", "unknown-vendor", "unknown-key", "unknown-architecture",
// "wrong-type", "wrong-target" for a name without a version, or of another vendor than its architecture.
Expected<std::vector<Target>> read_targets(const std::string& path);

// Why all_targets() is empty: its file, machine_directory()'s or, where that has none, the one that Lockstep
// comes with, could not be read.
Status targets_status();

}  // namespace lockstep
