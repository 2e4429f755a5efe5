// Files written whole or not at all.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace lockstep {

// A file that appears whole or not at all: what lies under its name stays until finish(). Links are followed,
// an existing file's permissions stay. Devices and pipes are written in place, and so is a file in a folder
// that takes no new ones.
class WholeFile {
 public:
  // Errors of all: "cannot-write" with the system's reason.
  static Expected<WholeFile> open(const std::string& path);
  WholeFile(WholeFile&& other) noexcept;
  WholeFile& operator=(WholeFile&&) = delete;
  ~WholeFile();

  const std::string& path() const { return path_; }
  Status write(std::string_view text);
  Status finish();

 private:
  explicit WholeFile(std::string path) : path_(std::move(path)) {}
  Diagnostic failure(int error) const;
  int name_it();  // returns errno, 0 when `temporary_` is its name

  std::string path_;       // as the user named it
  std::string target_;     // where it leads
  std::string temporary_;  // beside the target; empty: no name yet, or written in place
  bool unnamed_ = false;   // gets its name at the end
  int descriptor_ = -1;
};

// One file from start to end.
Status write_whole_file(const std::string& path, std::string_view content);

// Where a name leads, links followed, whether or not something is there.
std::string where_it_leads(const std::string& path);

}  // namespace lockstep
