// What the readers of machine files and of targets share.
#pragma once
#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace lockstep {

Diagnostic problem(std::string code, Place place, std::string message, std::string hint = "");

Place place_of(const std::string& path, const toml::source_region& region);

// The hint "did you mean ...?", or `otherwise` when nothing is near.
std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& names,
                         std::string otherwise);

// "a string", "an integer", ...
std::string_view type_name(const toml::node& node);

// Errors: "missing-file", "machine-file-syntax".
Expected<toml::table> parse_toml_file(const std::string& path);

}  // namespace lockstep
