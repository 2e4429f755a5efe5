#include "cli/manual.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/environment.h"
#include "cli/commands.h"

namespace lockstep::cli {
namespace {

// A text that no macro and no escape of man(7) is seen in.
std::string plain(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (escaped.empty() || escaped.back() == '\n') {
      if (c == '.' || c == '\'') escaped += "\\&";
    }
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";  // one that a reader can copy
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string paragraph(std::string_view term, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", term, plain(text));
}

// "\fB--gpu\fR, \fB-g\fR \fITEXT\fR", with what stands where it is not given.
std::string term_of(const CLI::Option& option) {
  std::string term;
  const auto add = [&](std::string_view prefix, const std::string& name) {
    term += fmt::format("{}\\fB{}\\fR", term.empty() ? "" : ", ", plain(std::string(prefix) + name));
  };
  for (const std::string& name : option.get_lnames()) add("--", name);
  for (const std::string& name : option.get_snames()) add("-", name);
  if (option.get_positional()) return fmt::format("\\fI{}\\fR", plain(option.get_name(true)));
  if (option.get_items_expected_max() != 0) {
    term += fmt::format(" \\fI{}\\fR", plain(option.get_type_name()));
    if (const std::string value = option.get_default_str(); !value.empty())
      term += fmt::format(" (else {})", plain(value));
  }
  return term;
}

std::string name_of(const CLI::App& program, const CLI::App& page) {
  return &program == &page ? program.get_name() : program.get_name() + "-" + page.get_name();
}

}  // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  return program.get_subcommands([](const CLI::App*) { return true; });
}

std::string manual_page(const CLI::App& program, const CLI::App& page) {
  const bool whole = &program == &page;
  const std::string name = name_of(program, page);
  std::string text =
      fmt::format(".TH \"{}\" 1 \"\" \"lockstep {}\" \"Lockstep\"\n", plain(name), LOCKSTEP_VERSION);
  text += fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", plain(name), plain(page.get_description()));
  text += fmt::format(".B {}\n", whole ? program.get_name() : program.get_name() + " " + page.get_name());
  std::string positionals, options;
  for (const CLI::Option* option : page.get_options()) {
    if (option->get_group().empty()) continue;  // for our own processes
    if (option->get_positional()) {
      const std::string word = plain(option->get_name(true));
      text +=
          option->get_required() ? fmt::format("\\fI{}\\fR\n", word) : fmt::format("[\\fI{}\\fR]\n", word);
      positionals += paragraph(term_of(*option), option->get_description());
    } else {
      options += paragraph(term_of(*option), option->get_description());
    }
  }
  text += whole ? "\\fICOMMAND\\fR [\\fIOPTION\\fR]...\n" : "[\\fIOPTION\\fR]...\n";
  if (whole) {
    text += ".SH COMMANDS\n";
    for (const CLI::App* command : commands_of(program)) {
      text += paragraph(fmt::format("\\fB{}\\fR", plain(command->get_name())), command->get_description());
    }
  }
  if (!positionals.empty()) text += ".SH ARGUMENTS\n" + positionals;
  text += ".SH OPTIONS\n" + options;
  text += ".SH EXIT STATUS\n";
  for (const ExitCode& code : exit_codes()) text += paragraph(plain(code.codes), code.meaning);
  // A command's own words about its exit codes.
  if (const std::string own = page.get_footer(); !whole && !own.empty() && own != program.get_footer())
    text += ".PP\n" + plain(own) + "\n";
  if (whole) {
    text += ".SH ENVIRONMENT\n";
    for (const EnvironmentVariable& variable : environment_variables()) {
      text += paragraph(fmt::format("\\fB{}\\fR", variable.name),
                        fmt::format("{}{}{}", variable.meaning,
                                    variable.otherwise.empty() ? "" : "; not set: ", variable.otherwise));
    }
  }
  text += ".SH SEE ALSO\n";
  std::string others = whole ? "" : fmt::format(".BR {} (1)", program.get_name());
  for (const CLI::App* command : commands_of(program)) {
    if (command == &page) continue;
    others += fmt::format("{}.BR {} (1)", others.empty() ? "" : ",\n", plain(name_of(program, *command)));
  }
  return text + others + "\n";
}

}  // namespace lockstep::cli
