// Temporary folders that are gone when their work is, also where a process was ended before it could remove
// them.
#pragma once
#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace lockstep {

// A new folder for this user alone, in $LOCKSTEP_TMPDIR, $TMPDIR or /tmp, removed with everything in it at
// the end. The first one that a process makes also removes those that dead processes left there: a living one
// holds a lock on the mark in its folder.
class ScratchDirectory {
 public:
  // Error: "cannot-write".
  static Expected<ScratchDirectory> create();
  ScratchDirectory(ScratchDirectory&& other) noexcept;
  ScratchDirectory& operator=(ScratchDirectory&&) = delete;
  ~ScratchDirectory();
  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  ScratchDirectory(std::string path, int lock, int slot) : path_(std::move(path)), lock_(lock), slot_(slot) {}
  std::string path_;
  int lock_;  // the descriptor of the mark
  int slot_;  // in the list of remove_scratch_directories(); -1: none
};

// Removes the folders in `base` whose processes are dead.
void remove_abandoned_scratch(const std::string& base);

// Removes every folder that this process has: for handlers of signals that end it. Async-signal-safe.
void remove_scratch_directories();

}  // namespace lockstep
