#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace lockstep {
namespace {

bool write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t wrote = ::write(file, content.data(), content.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    content.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

// What the umask leaves of a new file's mode, without changing the umask, which other threads share.
mode_t new_file_mode(const std::string& path) {
  struct stat before{};
  if (::stat(path.c_str(), &before) == 0 && S_ISREG(before.st_mode)) return before.st_mode & 0777;
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

// Devices and pipes are written to and not replaced.
Expected<int> open_special(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0 || S_ISREG(info.st_mode)) return -1;
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return Diagnostic{
        "cannot-write", {path, 0, 0}, std::string("the file cannot be written: ") + std::strerror(errno), ""};
  return file;
}

}  // namespace

Status write_whole_file(const std::string& path, std::string_view content) {
  const auto failure = [&](int error) {
    return Diagnostic{"cannot-write",
                      {path, 0, 0},
                      std::string("the file cannot be written: ") + std::strerror(error),
                      error == ENOENT ? "does its folder exist?" : ""};
  };
  const Expected<int> special = open_special(path);
  if (!special) return special.error();
  if (*special >= 0) {
    bool written = write_all(*special, content);
    const int error = errno;
    written &= ::close(*special) == 0;
    return written ? Status(Success{}) : Status(failure(error));
  }
  std::string temporary = path + ".part-XXXXXX";
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (file < 0) return failure(errno);
  bool written = ::fchmod(file, new_file_mode(path)) == 0 && write_all(file, content);
  int error = errno;
  if (::close(file) != 0 && written) written = false, error = errno;
  if (written && std::rename(temporary.c_str(), path.c_str()) != 0) written = false, error = errno;
  if (written) return Success{};
  ::unlink(temporary.c_str());
  return failure(error);
}

}  // namespace lockstep
