// The options of all commands in other people's formats: pages for man(1), completions for shells.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lockstep::cli {

// The page of the program, or of one of its commands, as man(7) has it.
std::string manual_page(const CLI::App& program, const CLI::App& page);

// A script for the shell, to be read by it or put where it looks for completions.
std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);

// The commands of a program, in their order.
std::vector<const CLI::App*> commands_of(const CLI::App& program);

}  // namespace lockstep::cli
