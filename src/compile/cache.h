// Compiled results on disk, by content: $LOCKSTEP_CACHE, else $XDG_CACHE_HOME/lockstep, else
// ~/.cache/lockstep. LOCKSTEP_CACHE=off switches it off. Any number of processes may use it at once: an entry
// is written to a temporary file and renamed. Whatever goes wrong (unwritable, full, damaged) only costs the
// hit.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/types.h"

namespace lockstep {

class Cache {
 public:
  Cache();                                                                     // where the environment says
  explicit Cache(std::string directory) : directory_(std::move(directory)) {}  // empty: switched off

  // `key` is 64 hexadecimal digits (Sha256). Nothing when there is no entry, or a damaged one.
  std::optional<std::string> load(const std::string& key) const;
  // Keeps the cache under limit_bytes by dropping the entries that were used longest ago.
  void store(const std::string& key, std::string_view content) const;

  const std::string& directory() const { return directory_; }
  std::string path(const std::string& key) const;

  static constexpr u64 limit_bytes = u64{2} << 30;

 private:
  std::string directory_;
};

}  // namespace lockstep
