// What a command writes: standard output and error, whose failures are noticed once at the end, and files.
#pragma once
#include <fmt/format.h>

#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

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
// that does not exist is not found out after an hour; and it appears whole or not at all: what lies under its
// name stays until finish(). Devices and pipes are written in place.
class OutputFile {
 public:
  // "-" is standard output. Error: "cannot-write".
  static Expected<OutputFile> open(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  const std::string& path() const { return path_; }
  // Errors of both: "cannot-write" with the system's reason.
  Status write(std::span<const u8> bytes);
  Status write(std::string_view text);
  Status finish();

 private:
  explicit OutputFile(std::string path) : path_(std::move(path)) {}
  Diagnostic failure(int error) const;

  std::string path_;       // as the user named it
  std::string target_;     // where it leads, links followed; empty for standard output
  std::string temporary_;  // beside the target; empty where that is written in place
  int descriptor_ = -1;
};

// One file written from start to end.
Status write_output(const std::string& path, std::string_view text);

// Files that the command writes must be different ones, and none that it reads. Error: "bad-output".
struct NamedFile {
  std::string option;  // for the message: "--json"
  std::string path;
};
Status check_outputs(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs);

}  // namespace lockstep::cli
