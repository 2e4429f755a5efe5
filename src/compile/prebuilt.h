// Bitcode of device libraries that is made when Lockstep is built, so that no first program waits for it. A
// file's name carries a digest of everything that it was made from: one that no longer fits is not found, and
// is made anew in the user's cache.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "machine/target.h"

namespace lockstep {

// "<name>-<digest's first 16 digits>.<ending>".
std::string prebuilt_name(std::string_view name, const std::string& digest, std::string_view ending);

// The path of such a file, in <folder of the program>/bitcode or the installed share/lockstep/bitcode.
std::optional<std::string> find_prebuilt(const std::string& name);

// Makes all for a family's targets in `directory` that is not there yet, and removes what it made there
// before under the same names with other digests. Errors: those of CompileJob::run, "cannot-write".
Status prebuild(IsaFamily family, const std::string& directory);

}  // namespace lockstep
