#include "compile/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/assert.h"
#include "base/environment.h"
#include "compile/sha256.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

// An entry is this line, the content's SHA-256 and a line end, then the content.
constexpr std::string_view heading = "lockstep cache entry 1\n";

std::string digest(std::string_view content) {
  Sha256 hasher;
  hasher.add(content);
  return hasher.finish();
}

// The rest of a key: 62 hexadecimal digits.
bool names_an_entry(std::string_view name) {
  return name.size() == 62 && name.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// An entry's temporary file has six letters behind its name. A process that was killed left it when it is
// older than any writing takes.
bool is_abandoned(const fs::directory_entry& file) {
  const std::string name = file.path().filename().string();
  std::error_code error;
  return name.size() == 69 && name[62] == '.' && names_an_entry(name.substr(0, 62)) &&
         file.last_write_time(error) < fs::file_time_type::clock::now() - std::chrono::hours(1) && !error;
}

// Whoever names a folder of other files as the cache keeps them.
bool is_entry(const fs::directory_entry& file) {
  std::error_code error;
  if (!names_an_entry(file.path().filename().string()) || !fs::is_regular_file(file.symlink_status(error)))
    return false;
  std::string begin(heading.size(), '\0');
  std::ifstream(file.path(), std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == heading;
}

// Entries lie in 256 directories by the key's first byte; each keeps to its share of the limit.
void drop_oldest(const fs::path& directory, const fs::path& newest) {
  struct Entry {
    fs::file_time_type used;
    u64 bytes;
    fs::directory_entry file;
  };
  std::error_code error;
  std::vector<Entry> entries;
  u64 total = 0;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    std::error_code one;
    if (is_abandoned(*at)) fs::remove(at->path(), one);
    if (!names_an_entry(at->path().filename().string())) continue;
    const u64 bytes = at->file_size(one);
    const auto used = at->last_write_time(one);
    if (one) continue;
    total += bytes;
    if (at->path() != newest) entries.push_back({used, bytes, *at});
  }
  if (total <= Cache::limit_bytes / 256) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.used != b.used ? a.used < b.used : a.file < b.file;
  });
  for (const Entry& entry : entries) {
    if (total <= Cache::limit_bytes / 256) break;
    if (!is_entry(entry.file)) continue;
    fs::remove(entry.file, error);
    total -= entry.bytes;
  }
}

}  // namespace

Cache::Cache() {
  if (const char* chosen = environment("LOCKSTEP_CACHE")) {
    if (std::string_view(chosen) != "off") directory_ = chosen;
  } else if (const char* cache = environment("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    directory_ = std::string(cache) + "/lockstep";
  } else if (const char* home = environment("HOME")) {
    directory_ = std::string(home) + "/.cache/lockstep";
  }
}

std::string Cache::path(const std::string& key) const {
  LOCKSTEP_ASSERT(key.size() == 64, "a cache key is a SHA-256");
  return fmt::format("{}/{}/{}", directory_, key.substr(0, 2), key.substr(2));
}

std::optional<std::string> Cache::load(const std::string& key) const {
  if (directory_.empty()) return std::nullopt;
  const std::string file = path(key);
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in.is_open()) return std::nullopt;
  const auto size = static_cast<i64>(in.tellg());
  constexpr std::size_t front_bytes = heading.size() + 65;
  if (size < static_cast<i64>(front_bytes)) return std::nullopt;
  std::string whole(static_cast<std::size_t>(size), 0);
  in.seekg(0);
  in.read(whole.data(), size);
  if (in.gcount() != size || !whole.starts_with(heading)) return std::nullopt;
  const std::string_view content = std::string_view(whole).substr(front_bytes);
  if (whole.compare(heading.size(), 64, digest(content)) != 0) return std::nullopt;
  ::utimensat(AT_FDCWD, file.c_str(), nullptr, 0);  // used now
  whole.erase(0, front_bytes);
  return whole;
}

void Cache::store(const std::string& key, std::string_view content) const {
  if (directory_.empty()) return;
  const fs::path file = path(key);
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return;
  std::string temporary = file.string() + ".XXXXXX";
  const int number = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (number < 0) return;
  const std::string front = std::string(heading) + digest(content) + "\n";
  bool complete = true;
  for (const std::string_view part : {std::string_view(front), content})
    for (std::size_t done = 0; complete && done < part.size();) {
      const ssize_t wrote = ::write(number, part.data() + done, part.size() - done);
      complete = wrote > 0;
      if (complete) done += static_cast<std::size_t>(wrote);
    }
  complete &= ::close(number) == 0;
  if (complete) fs::rename(temporary, file, error);
  if (!complete || error) {
    fs::remove(temporary, error);
    return;
  }
  drop_oldest(file.parent_path(), file);
}

}  // namespace lockstep
