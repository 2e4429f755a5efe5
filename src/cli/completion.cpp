#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/manual.h"

namespace lockstep::cli {
namespace {

// What may stand behind an option.
struct Values {
  enum class Kind { nothing, words, gpus, experiments, benchmarks, files, text } kind;
  std::string words;  // by blanks
};

// "TEXT:{model,opencl}" offers "model opencl"; what a GPU or a file is called follows from the option's name.
Values values_of(const CLI::App& command, const CLI::Option& option) {
  using enum Values::Kind;
  if (!option.get_positional() && option.get_items_expected_max() == 0) return {nothing, {}};
  const std::string type = option.get_type_name();
  if (const std::size_t open = type.find('{'), close = type.rfind('}');
      open != std::string::npos && close != std::string::npos && open < close) {
    std::string words = type.substr(open + 1, close - open - 1);
    for (char& c : words) {
      if (c == ',') c = ' ';
    }
    return {Values::Kind::words, words};
  }
  const std::string name = option.get_positional()       ? option.get_name(true)
                           : option.get_lnames().empty() ? ""
                                                         : option.get_lnames()[0];
  if (name == "gpu" || name == "GPU" || name == "describe") return {gpus, {}};
  if (command.get_name() == "experiment" && name == "NAME") return {experiments, {}};
  if (command.get_name() == "dissect" && name == "only") return {benchmarks, {}};
  if (type == "FILE" || type == "FOLDER" || name == "FILE") return {files, {}};
  return {text, {}};
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

// The shell's own words for a list that the program prints.
std::string_view list_command(Values::Kind kind) {
  switch (kind) {
    case Values::Kind::gpus:
      return "lockstep gpus 2>/dev/null | awk 'NR > 1 { print $1 }'";
    case Values::Kind::experiments:
      return "lockstep experiment --list 2>/dev/null | awk '{ print $1 }'; echo all";
    default:
      return "lockstep dissect --list 2>/dev/null | awk '{ print $1 }'";
  }
}

std::string bash_reply(const Values& values) {
  using enum Values::Kind;
  switch (values.kind) {
    case words:
      return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$current\"))", values.words);
    case gpus:
    case experiments:
    case benchmarks:
      return fmt::format("COMPREPLY=($(compgen -W \"$({})\" -- \"$current\"))", list_command(values.kind));
    case files:
      return "COMPREPLY=($(compgen -f -- \"$current\"))";
    default:
      return "COMPREPLY=()";
  }
}

// Between single quotes of zsh, inside an _arguments specification.
std::string zsh_text(std::string_view text) {
  std::string quoted;
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') quoted += '\\';
      quoted += c;
    }
  }
  return quoted;
}

std::string zsh_action(const Values& values) {
  using enum Values::Kind;
  switch (values.kind) {
    case words:
      return fmt::format("({})", values.words);
    case gpus:
      return "_lockstep_gpus";
    case experiments:
      return "_lockstep_experiments";
    case benchmarks:
      return "_lockstep_benchmarks";
    case files:
      return "_files";
    default:
      return " ";
  }
}

std::string zsh_arguments(const CLI::App& command) {
  std::string text = "      _arguments -s -S";
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;  // for our own processes
    const Values values = values_of(command, *option);
    const std::string description = zsh_text(option->get_description());
    if (option->get_positional()) {
      text += fmt::format(" \\\n        '{}:{}:{}'", option->get_required() ? "1" : ":",
                          zsh_text(option->get_name(true)), zsh_action(values));
      continue;
    }
    const bool repeats = option->get_items_expected_max() > 1;
    for (const std::string& name : names_of(*option)) {
      const bool is_long = name.starts_with("--");
      text += fmt::format(" \\\n        '{}{}{}[{}]{}'", repeats ? "*" : "", name,
                          values.kind == Values::Kind::nothing ? "" : (is_long ? "=" : "+"), description,
                          values.kind == Values::Kind::nothing ? "" : ":value:" + zsh_action(values));
    }
  }
  return text + "\n";
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  std::string commands, cases;
  for (const CLI::App* command : commands_of(program)) {
    commands += (commands.empty() ? "" : " ") + command->get_name();
    std::string options, values, positional = "COMPREPLY=($(compgen -f -- \"$current\"))";
    for (const CLI::Option* option : command->get_options()) {
      if (option->get_group().empty()) continue;  // for our own processes
      const Values offered = values_of(*command, *option);
      if (option->get_positional()) {
        positional = bash_reply(offered);
        continue;
      }
      std::string patterns;
      for (const std::string& name : names_of(*option)) {
        options += (options.empty() ? "" : " ") + name;
        patterns += (patterns.empty() ? "" : "|") + name;
      }
      if (offered.kind != Values::Kind::nothing)
        values += fmt::format("        {}) {}; return ;;\n", patterns, bash_reply(offered));
    }
    cases += fmt::format(
        "    {})\n      case $previous in\n{}      esac\n"
        "      if [[ $current == -* ]]; then COMPREPLY=($(compgen -W '{}' -- \"$current\")); "
        "else {}; fi\n      ;;\n",
        command->get_name(), values, options, positional);
  }
  return fmt::format(R"(# bash completion of lockstep
_lockstep() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous= command= word index=COMP_CWORD-1
  # bash makes words of --option=value at the sign
  if [[ $current == = ]]; then current=; elif ((index > 0)) && [[ ${{COMP_WORDS[index]}} == = ]]; then ((index--)); fi
  ((index >= 0)) && previous=${{COMP_WORDS[index]}}
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    if [[ $word != -* ]]; then command=$word; break; fi
  done
  COMPREPLY=()
  case $command in
    '') COMPREPLY=($(compgen -W '{} --help --version' -- "$current")) ;;
{}  esac
}}
complete -o filenames -F _lockstep lockstep
)",
                     commands, cases);
}

std::string zsh_completion(const CLI::App& program) {
  std::string commands, cases;
  for (const CLI::App* command : commands_of(program)) {
    commands += fmt::format("    '{}:{}'\n", command->get_name(), zsh_text(command->get_description()));
    cases += fmt::format("    {})\n{}      ;;\n", command->get_name(), zsh_arguments(*command));
  }
  std::string lists;
  for (const auto& [name, kind] :
       {std::pair("gpus", Values::Kind::gpus), std::pair("experiments", Values::Kind::experiments),
        std::pair("benchmarks", Values::Kind::benchmarks)}) {
    lists += fmt::format("_lockstep_{}() {{ compadd -- $({}) }}\n", name, list_command(kind));
  }
  return fmt::format(R"(#compdef lockstep
# zsh completion of lockstep
{}_lockstep() {{
  local -a commands
  commands=(
{}  )
  if ((CURRENT == 2)); then
    _describe -t commands command commands
    _arguments '--help[print help]' '--version[print the version]'
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{}  esac
}}
if [ "$funcstack[1]" = _lockstep ]; then _lockstep "$@"; else compdef _lockstep lockstep; fi
)",
                     lists, commands, cases);
}

}  // namespace lockstep::cli
