#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "compile/build_options.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

int lost_output = 0;  // errno of the first write to standard output that failed

bool is_kept(const std::string& path) {
  std::error_code error;
  return path != "-" && (!fs::exists(path, error) || fs::is_regular_file(path, error));
}

// By whatever names: links of both kinds count.
bool same_file(const std::string& one, const std::string& other) {
  std::error_code error;
  return where_it_leads(one) == where_it_leads(other) || fs::equivalent(one, other, error);
}

}  // namespace

void hold_standard_streams() {
  for (const int descriptor : {0, 1, 2}) {
    if (::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number is this one. Writing to a descriptor for reading is an error.
    const int opened = ::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != descriptor) ::close(opened);
  }
}

void show(std::FILE* stream, std::string_view text) {
  errno = 0;
  const bool good = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (!good && stream == stdout && lost_output == 0) lost_output = errno != 0 ? errno : EIO;
}

Status finish_standard_output() {
  errno = 0;
  if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && lost_output == 0)
    lost_output = errno != 0 ? errno : EIO;
  if (lost_output == 0) return Success{};
  return Diagnostic{"cannot-write", {"standard output", 0, 0}, std::strerror(lost_output), ""};
}

Expected<OutputFile> OutputFile::open(const std::string& path) {
  OutputFile output;
  if (path == "-") return output;
  Expected<WholeFile> file = WholeFile::open(path);
  if (!file) return file.error();
  output.file_.emplace(std::move(*file));
  return output;
}

Status OutputFile::write(std::string_view text) {
  if (file_) return file_->write(text);
  show(stdout, text);
  return Success{};
}

Status OutputFile::write(std::span<const u8> bytes) {
  return write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

Status OutputFile::finish() {
  return file_ ? file_->finish() : Success{};
}

Status check_outputs(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs) {
  const auto refused = [](const NamedFile& output, std::string message) {
    return Diagnostic{"bad-output",
                      {fmt::format("{} {}", output.option, output.path), 0, 0},
                      std::move(message),
                      "name another file"};
  };
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NamedFile& output = outputs[i];
    // Devices may be named twice, and lose nothing; standard output takes one only.
    const bool kept = is_kept(output.path);
    for (const NamedFile& input : inputs) {
      if (kept && same_file(output.path, input.path))
        return refused(output, fmt::format("this would overwrite the {}", input.option));
    }
    for (std::size_t j = 0; j < i; ++j) {
      const NamedFile& other = outputs[j];
      const bool same = kept ? is_kept(other.path) && same_file(output.path, other.path)
                             : output.path == "-" && other.path == "-";
      if (same)
        return refused(output, fmt::format("{} {} already writes this file", other.option, other.path));
    }
  }
  return Success{};
}

std::vector<NamedFile> program_inputs(const std::string& program, const std::string& gpu,
                                      const std::string& build_options) {
  std::vector<NamedFile> inputs;
  if (!program.empty()) inputs.push_back({"program", program});
  if (gpu.ends_with(".toml")) inputs.push_back({"machine file", gpu});
  const Expected<std::vector<std::string>> words = split_build_options(build_options);
  const Expected<BuildOptions> options =
      check_build_options(words ? *words : std::vector<std::string>(), SourceLanguage::opencl_c, program);
  if (!options) return inputs;  // compiling says why
  for (const std::string& option : options->accepted) {
    for (const std::string_view word : {"-include", "-imacros"})
      if (option.starts_with(word)) inputs.push_back({"file of " + option, option.substr(word.size())});
  }
  return inputs;
}

Status write_output(std::optional<OutputFile>& output, std::string_view text) {
  if (!output) return Success{};
  const Status written = output->write(text);
  return written ? output->finish() : written;
}

Expected<std::optional<OutputFile>> open_output(const NamedFile& output,
                                                const std::vector<NamedFile>& inputs) {
  std::optional<OutputFile> opened;
  if (output.path.empty()) return opened;
  const Status good = check_outputs({output}, inputs);
  if (!good) return good.error();
  Expected<OutputFile> file = OutputFile::open(output.path);
  if (!file) return file.error();
  opened.emplace(std::move(*file));
  return opened;
}

}  // namespace lockstep::cli
