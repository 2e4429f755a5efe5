// --json, the same in every command.
#include <CLI/CLI.hpp>

#include "cli/commands.h"

namespace lockstep::cli {

CLI::Option* add_json_flag(CLI::App& command, std::string& file, const std::string& what) {
  return command.add_flag("--json{-}", file, what + "; --json=FILE: into a file")->check(refuse_empty);
}

void add_json_option(CLI::App& command, std::string& file, const std::string& what) {
  // CLI11 asks no check of an empty value where none has to stand.
  const auto take = [&file](const std::string& name) {
    if (const std::string wrong = refuse_empty(name); !wrong.empty())
      throw CLI::ValidationError("--json", wrong);
    file = name;
  };
  command
      .add_option_function<std::string>("--json", take,
                                        what + "; without FILE, or with -, on standard output")
      ->expected(0, 1)
      ->default_str("-")  // where no FILE stands, which is no default: so it is not shown
      ->option_text("[FILE]")
      ->type_name("FILE");
}

}  // namespace lockstep::cli
