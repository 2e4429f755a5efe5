// lockstep manual and lockstep completion: the options for man(1) and for shells.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "cli/commands.h"
#include "cli/manual.h"

namespace lockstep::cli {
namespace {

Status write_pages(const CLI::App& program, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::vector<const CLI::App*> pages = commands_of(program);
  pages.insert(pages.begin(), &program);
  for (const CLI::App* page : pages) {
    const std::string name = page == &program ? "" : "-" + page->get_name();
    const Status written =
        write_whole_file(folder + "/" + program.get_name() + name + ".1", manual_page(program, *page));
    if (!written) return written;
  }
  // Under the names by which the shells look for them.
  const Status bash = write_whole_file(folder + "/" + program.get_name(), bash_completion(program));
  return bash ? write_whole_file(folder + "/_" + program.get_name(), zsh_completion(program)) : bash;
}

}  // namespace

void add_manual(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("manual", "Prints a page of the manual, for man -l - ");
  struct Options {
    std::string page, folder;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("COMMAND", options->page, "the command; none: the whole program's page");
  command
      ->add_option("--write", options->folder,
                   "write all pages and both shells' completions into this folder instead")
      ->type_name("FOLDER")
      ->check(refuse_empty);
  command->callback([options, &app, &chosen] {
    chosen = [options, &app] {
      if (!options->folder.empty()) {
        const Status written = write_pages(app, options->folder);
        return written ? exit_good : fail(written.error());
      }
      const CLI::App* page = options->page.empty() ? &app : nullptr;
      for (const CLI::App* one : commands_of(app)) {
        if (one->get_name() == options->page) page = one;
      }
      if (page == nullptr)
        return misuse({"no-such-command",
                       {},
                       "there is no command '" + options->page + "'",
                       "lockstep --help lists them"});
      show(stdout, manual_page(app, *page));
      return exit_good;
    };
  });
}

void add_completion(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand("completion", "Prints a shell's completions of this command line");
  command->footer(
      "bash: source <(lockstep completion bash); zsh: source <(lockstep completion zsh), behind compinit.");
  const auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "the shell")->required()->check(CLI::IsMember({"bash", "zsh"}));
  command->callback([shell, &app, &chosen] {
    chosen = [shell, &app] {
      show(stdout, *shell == "bash" ? bash_completion(app) : zsh_completion(app));
      return exit_good;
    };
  });
}

}  // namespace lockstep::cli
