#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace lockstep {
namespace {

// Writes everything; returns errno, 0 when all is written.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t wrote = ::write(descriptor, content.data(), content.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return 0;
}

// What the umask leaves of a new file's mode, without changing the umask, which other threads share.
mode_t new_file_mode() {
  mode_t mask = 077;
  if (std::FILE* status = std::fopen("/proc/self/status", "re")) {
    char line[256];
    unsigned read = 0;
    while (std::fgets(line, sizeof line, status) != nullptr)
      if (std::sscanf(line, "Umask: %o", &read) == 1) mask = read;
    std::fclose(status);
  }
  return 0666 & ~mask;
}

// How an open file is named where it has no name in any folder (linkat, "AT_SYMLINK_FOLLOW").
std::string by_descriptor(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

// A file without a name in that folder, of which nothing is left however the process ends; -1 where the file
// system or the host has none.
int open_unnamed(const std::string& folder) {
#ifdef O_TMPFILE
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (descriptor < 0 || ::access(by_descriptor(descriptor).c_str(), F_OK) == 0) return descriptor;
  ::close(descriptor);
#endif
  return -1;
}

}  // namespace

std::string where_it_leads(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path target = fs::weakly_canonical(fs::absolute(path, error), error);
  return error || target.empty() ? path : target.string();
}

Diagnostic WholeFile::failure(int error) const {
  return {"cannot-write",
          {path_, 0, 0},
          std::string("the file cannot be written: ") + std::strerror(error),
          error == ENOENT ? "does its folder exist?" : ""};
}

Expected<WholeFile> WholeFile::open(const std::string& path) {
  WholeFile file(path);
  if (path.empty()) return file.failure(ENOENT);
  file.target_ = where_it_leads(path);
  struct stat found{};
  const bool exists = ::stat(file.target_.c_str(), &found) == 0;
  if (exists && S_ISDIR(found.st_mode)) return file.failure(EISDIR);
  if (!exists || S_ISREG(found.st_mode)) {
    if (exists && ::access(file.target_.c_str(), W_OK) != 0) return file.failure(errno);
    file.descriptor_ = open_unnamed(std::filesystem::path(file.target_).parent_path().string());
    file.unnamed_ = file.descriptor_ >= 0;
    if (!file.unnamed_) {
      file.temporary_ = file.target_ + ".part-XXXXXX";
      file.descriptor_ = ::mkostemp(file.temporary_.data(), O_CLOEXEC);
    }
    if (file.descriptor_ >= 0) {
      ::fchmod(file.descriptor_, exists ? found.st_mode & 07777 : new_file_mode());
      return file;
    }
    const int error = errno;
    file.temporary_.clear();
    if (!exists) return file.failure(error);
  }
  // Its contents go when the new ones come.
  file.descriptor_ = ::open(file.target_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file.descriptor_ < 0) return file.failure(errno);
  return file;
}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      unnamed_(other.unnamed_),
      descriptor_(other.descriptor_) {
  other.descriptor_ = -1;
  other.temporary_.clear();
}

WholeFile::~WholeFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status WholeFile::write(std::string_view text) {
  if (temporary_.empty() && !unnamed_ && ::lseek(descriptor_, 0, SEEK_CUR) == 0 &&
      ::ftruncate(descriptor_, 0) != 0 && errno != EINVAL)
    return failure(errno);
  const int error = write_all(descriptor_, text);
  return error != 0 ? Status(failure(error)) : Status(Success{});
}

int WholeFile::name_it() {
  // No call gives an unnamed file a name that is taken, so it gets one beside the target first.
  for (int i = 0; i < 1000; ++i) {
    temporary_ = target_ + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(i);
    if (::linkat(AT_FDCWD, by_descriptor(descriptor_).c_str(), AT_FDCWD, temporary_.c_str(),
                 AT_SYMLINK_FOLLOW) == 0)
      return 0;
    if (errno != EEXIST) break;
  }
  const int error = errno;
  temporary_.clear();
  return error;
}

Status WholeFile::finish() {
  if (unnamed_) {
    if (const int error = name_it(); error != 0) return failure(error);
  }
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) return failure(errno);
  if (!temporary_.empty() && std::rename(temporary_.c_str(), target_.c_str()) != 0) return failure(errno);
  temporary_.clear();
  return Success{};
}

Status write_whole_file(const std::string& path, std::string_view content) {
  Expected<WholeFile> file = WholeFile::open(path);
  if (!file) return file.error();
  const Status written = file->write(content);
  return written ? file->finish() : written;
}

}  // namespace lockstep
