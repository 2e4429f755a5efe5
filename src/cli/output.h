// What a command writes: standard output and error, whose failures are noticed once at the end, and files.
#pragma once
#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"

namespace lockstep::cli {

// Gives closed standard streams a descriptor, so that no file of ours becomes one of them. What is written to
// a standard output that was closed fails, as it should.
void hold_standard_streams();

// Writes to standard output or error; never throws. finish_standard_output() tells whether all arrived.
void show(std::FILE* stream, std::string_view text);
template <class... A>
void show(std::FILE* stream, fmt::format_string<A...> format, A&&... arguments) {
  show(stream, std::string_view(fmt::format(format, std::forward<A>(arguments)...)));
}
// Error: "cannot-write", when anything written to standard output was lost.
Status finish_standard_output();

// A file that a command writes when its work is done. It is opened before that work begins, so that a folder
// that does not exist is not found out after an hour; and it appears whole or not at all (WholeFile).
class OutputFile {
 public:
  // "-" is standard output. Error: "cannot-write".
  static Expected<OutputFile> open(const std::string& path);

  // Errors of both: "cannot-write" with the system's reason.
  Status write(std::span<const u8> bytes);
  Status write(std::string_view text);
  Status finish();

 private:
  std::optional<WholeFile> file_;  // none: standard output
};

// Files that the command writes must be different ones, and none that it reads. Error: "bad-output".
struct NamedFile {
  std::string option;  // for the message: "--json" of an output, "program" of an input
  std::string path;
};
Status check_outputs(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);
// The files of a command that compiles or loads `program` for --gpu `gpu`: the two, and what build options
// name.
std::vector<NamedFile> program_inputs(const std::string& program, const std::string& gpu,
                                      const std::string& build_options = {});
// Writes all of an output that was asked for, and ends it. Error: "cannot-write".
Status write_output(std::optional<OutputFile>& output, std::string_view text);
// The one output of a command, open; none where `path` is empty. Errors: "bad-output", "cannot-write".
Expected<std::optional<OutputFile>> open_output(const NamedFile& output,
                                                const std::vector<NamedFile>& inputs);

}  // namespace lockstep::cli
