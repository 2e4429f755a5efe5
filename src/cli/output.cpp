#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

int lost_output = 0;  // errno of the first write to standard output that failed

// Writes everything; returns errno, 0 when all is written.
int write_all(int descriptor, const char* data, std::size_t size) {
  while (size != 0) {
    const ssize_t written = ::write(descriptor, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return 0;
}

mode_t permissions_for_new_files() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// Where a name leads, links followed, whether or not something is there.
std::string where(const std::string& path) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(fs::absolute(path, error), error);
  return error || target.empty() ? path : target.string();
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

Diagnostic OutputFile::failure(int error) const {
  return {"cannot-write",
          {path_, 0, 0},
          fmt::format("the file cannot be written: {}", std::strerror(error)),
          error == ENOENT ? "does its folder exist?" : ""};
}

Expected<OutputFile> OutputFile::open(const std::string& path) {
  OutputFile file(path);
  if (path == "-") return file;
  if (path.empty()) return file.failure(ENOENT);
  file.target_ = where(path);
  struct stat found{};
  const bool exists = ::stat(file.target_.c_str(), &found) == 0;
  if (exists && S_ISDIR(found.st_mode)) return file.failure(EISDIR);
  if (!exists || S_ISREG(found.st_mode)) {
    if (exists && ::access(file.target_.c_str(), W_OK) != 0) return file.failure(errno);
    file.temporary_ = file.target_ + ".XXXXXX";
    file.descriptor_ = ::mkostemp(file.temporary_.data(), O_CLOEXEC);
    if (file.descriptor_ >= 0) {
      ::fchmod(file.descriptor_, exists ? found.st_mode & 07777 : permissions_for_new_files());
      return file;
    }
    file.temporary_.clear();
    if (!exists) return file.failure(errno);
  }
  // A device, a pipe, or a file in a folder that takes no new ones: its contents go when the new ones come.
  file.descriptor_ = ::open(file.target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file.descriptor_ < 0) return file.failure(errno);
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(other.descriptor_) {
  other.descriptor_ = -1;
  other.temporary_.clear();
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status OutputFile::write(std::string_view text) {
  if (target_.empty()) {
    show(stdout, text);
    return Success{};
  }
  if (temporary_.empty() && ::lseek(descriptor_, 0, SEEK_CUR) == 0 && ::ftruncate(descriptor_, 0) != 0 &&
      errno != EINVAL)
    return failure(errno);
  const int error = write_all(descriptor_, text.data(), text.size());
  if (error != 0) return failure(error);
  return Success{};
}

Status OutputFile::write(std::span<const u8> bytes) {
  return write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

Status OutputFile::finish() {
  if (target_.empty()) return Success{};
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) return failure(errno);
  if (!temporary_.empty() && std::rename(temporary_.c_str(), target_.c_str()) != 0) return failure(errno);
  temporary_.clear();
  return Success{};
}

Status write_output(const std::string& path, std::string_view text) {
  Expected<OutputFile> file = OutputFile::open(path);
  if (!file) return file.error();
  const Status written = file->write(text);
  return written ? file->finish() : written;
}

Status check_outputs(const std::vector<NamedFile>& outputs, const std::vector<NamedFile>& inputs) {
  std::vector<std::string> targets;
  for (const NamedFile& output : outputs) {
    std::error_code error;
    // Devices may be named twice, and lose nothing.
    const bool kept =
        output.path != "-" && (!fs::exists(output.path, error) || fs::is_regular_file(output.path, error));
    const std::string target = output.path == "-" || kept ? where(output.path) : std::string();
    for (const NamedFile& input : inputs) {
      if (!target.empty() && input.path != "-" && target == where(input.path))
        return Diagnostic{"bad-output",
                          {fmt::format("{} {}", output.option, output.path), 0, 0},
                          fmt::format("this would overwrite the {}", input.option),
                          "name another file"};
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
      if (!target.empty() && targets[i] == target)
        return Diagnostic{"bad-output",
                          {fmt::format("{} {}", output.option, output.path), 0, 0},
                          fmt::format("{} {} already writes this file", outputs[i].option, outputs[i].path),
                          "name another file"};
    }
    targets.push_back(target);
  }
  return Success{};
}

}  // namespace lockstep::cli
