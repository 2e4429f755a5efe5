#include "machine/toml_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/nearest.h"

namespace lockstep {

Diagnostic problem(std::string code, Place place, std::string message, std::string hint) {
  return {std::move(code), std::move(place), std::move(message), std::move(hint)};
}

Place place_of(const std::string& path, const toml::source_region& region) {
  return {path, static_cast<u32>(region.begin.line), static_cast<u32>(region.begin.column)};
}

std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& names,
                         std::string otherwise) {
  const std::vector<std::string> near = nearest_names(wanted, names);
  if (near.empty()) return otherwise;
  std::string hint = "did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) hint += fmt::format("{}'{}'", i == 0 ? "" : " or ", near[i]);
  return hint + "?";
}

Expected<toml::table> parse_toml_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    return problem("missing-file", {path},
                   fmt::format("cannot read the machine file '{}': {}", path, std::strerror(errno)));
  if (std::filesystem::is_directory(path))
    return problem("missing-file", {path}, "this is a directory, not a file");
  std::ostringstream content;
  content << stream.rdbuf();
  try {
    return toml::parse(content.str(), path);
  } catch (const toml::parse_error& error) {
    return problem("machine-file-syntax", place_of(path, error.source()), std::string(error.description()));
  }
}

std::string_view type_name(const toml::node& node) {
  if (node.is_string()) return "a string";
  if (node.is_integer()) return "an integer";
  if (node.is_floating_point()) return "a number with a fraction";
  if (node.is_boolean()) return "a boolean";
  if (node.is_array()) return "a list";
  if (node.is_table()) return "a table";
  return "a date or time";
}

}  // namespace lockstep
