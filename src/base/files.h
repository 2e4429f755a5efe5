// Files written whole or not at all.
#pragma once
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace lockstep {

// Writes `content` to a temporary file beside `path` and renames it. Error: "cannot-write".
Status write_whole_file(const std::string& path, std::string_view content);

}  // namespace lockstep
