// Where Lockstep's own files are, beside the program or the driver that this code is part of: in the build
// tree, in an installed prefix wherever it was moved to, or in the system's.
#pragma once
#include <optional>
#include <string>

namespace lockstep {

// The folder of the file (program or shared library) that holds this code, links resolved; empty when the
// system does not tell.
std::string own_folder();

// The folder `name` ("machines", "devlib") that has the file `witness`: <own>/../name (a build tree),
// <own>/../share/lockstep/name (bin/), or share/lockstep/name two or three levels up (lib/lockstep/,
// lib/<architecture>/lockstep/).
std::optional<std::string> installed_folder(const std::string& name, const std::string& witness);

}  // namespace lockstep
