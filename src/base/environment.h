// Every environment variable that Lockstep reads. docs/environment.md is this table.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace lockstep {

struct EnvironmentVariable {
  const char* name;
  std::string_view meaning;
  std::string_view otherwise;  // what holds where it is not set, or empty
};

std::span<const EnvironmentVariable> environment_variables();

// The value; nullptr where the variable is not set or empty, and in processes that run with other privileges
// than their caller's (setuid), whose environment is not to be trusted. The name is one of the table.
const char* environment(std::string_view name);

// The table as lines of Markdown.
std::string environment_page_table();

}  // namespace lockstep
