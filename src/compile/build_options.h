// Which build options reach the compiler. Options come from programs that nobody here wrote, and a compiler's
// driver has hundreds, among them some that load code or write files: what is not in the list is refused.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "compile/request.h"

namespace lockstep {

struct BuildOptions {
  // For clang, in their order. An option and its value are one word ("-Idir"), since clang takes a word that
  // begins with @ for a file of more options; only -Xclang and -mllvm stand apart from theirs.
  std::vector<std::string> accepted;
  // Of other vendors' compilers, with their values: they change no result, and have no effect here.
  std::vector<std::string> ignored;
};

// Error: "bad-option", which names the option that is not in the list, or lacks its value.
Expected<BuildOptions> check_build_options(const std::vector<std::string>& options, SourceLanguage language,
                                           const std::string& path);

// What a build log says of the ignored ones; empty when there are none.
std::string ignored_options_note(const std::vector<std::string>& ignored);

// Splits an option string (clBuildProgram's, or a command line's) into words: blanks separate, single and
// double quotes and backslashes protect, as a shell does. Error: "bad-option" for a quote that is not closed.
Expected<std::vector<std::string>> split_build_options(std::string_view text);

}  // namespace lockstep
