#include "base/scratch.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "base/environment.h"

namespace lockstep {
namespace {

constexpr std::string_view prefix = "lockstep-";
constexpr const char* mark_name = ".lockstep-scratch";
constexpr char mark_text[] = "a temporary folder of Lockstep's\n";

// The living folders, where a signal's handler finds them.
struct Slot {
  std::atomic<bool> taken{false}, ready{false};
  std::array<char, 512> path{};
};
constinit std::array<Slot, 64> slots;

int take_slot(const std::string& path) {
  if (path.size() >= slots[0].path.size()) return -1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].taken.exchange(true)) continue;
    std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
    slots[i].ready = true;
    return static_cast<int>(i);
  }
  return -1;
}

void give_slot_back(int slot) {
  if (slot < 0) return;
  slots[static_cast<std::size_t>(slot)].ready = false;
  slots[static_cast<std::size_t>(slot)].taken = false;
}

// As the kernel writes it (getdents64).
struct Entry {
  std::uint64_t inode;
  std::int64_t next;
  unsigned short bytes;
  unsigned char type;
  char name[1];
};

// Removes what is in the folder, without memory of its own and without following links: readdir() may not be
// called from a signal's handler.
void empty_folder(int folder, int depth) {
  alignas(Entry) char buffer[2048];
  for (;;) {
    const long got = ::syscall(SYS_getdents64, folder, buffer, sizeof buffer);
    if (got <= 0) return;
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
      at += entry->bytes;
      const char* name = entry->name;
      if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
      if (::unlinkat(folder, name, 0) == 0 || depth == 0) continue;
      const int inner = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (inner < 0) continue;
      empty_folder(inner, depth - 1);
      ::close(inner);
      ::unlinkat(folder, name, AT_REMOVEDIR);
    }
  }
}

void remove_folder(const char* path) {
  const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0) return;
  empty_folder(folder, 16);
  ::close(folder);
  ::rmdir(path);
}

// A folder of ours whose process is gone: nobody holds the lock, and the mark was written under it.
bool is_abandoned(const std::string& path) {
  const int mark = ::open((path + "/" + mark_name).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (mark < 0) return false;
  struct stat info{};
  char text[sizeof mark_text] = {};
  const bool abandoned = ::fstat(mark, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid() &&
                         ::flock(mark, LOCK_EX | LOCK_NB) == 0 &&
                         ::read(mark, text, sizeof text) == sizeof mark_text - 1 &&
                         std::strcmp(text, mark_text) == 0;
  ::close(mark);
  return abandoned;
}

}  // namespace

void remove_abandoned_scratch(const std::string& base) {
  std::error_code error;
  for (std::filesystem::directory_iterator at(base, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.size() == prefix.size() + 6 && name.starts_with(prefix) && is_abandoned(at->path().string()))
      remove_folder(at->path().c_str());
  }
}

Expected<ScratchDirectory> ScratchDirectory::create() {
  const char* chosen = environment("LOCKSTEP_TMPDIR");
  if (chosen == nullptr) chosen = environment("TMPDIR");
  const std::string base = chosen != nullptr ? chosen : "/tmp";
  static std::once_flag tidied;
  std::call_once(tidied, [&] { remove_abandoned_scratch(base); });
  std::string path = base + "/" + std::string(prefix) + "XXXXXX";
  const auto failure = [&](int error) {
    return Diagnostic{"cannot-write",
                      {base, 0, 0},
                      std::string("no temporary folder can be made there: ") + std::strerror(error),
                      "set TMPDIR to a folder that can be written"};
  };
  if (::mkdtemp(path.data()) == nullptr) return failure(errno);
  const int slot = take_slot(path);
  const int lock =
      ::open((path + "/" + mark_name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (lock < 0 || ::flock(lock, LOCK_EX) != 0 ||
      ::write(lock, mark_text, sizeof mark_text - 1) != static_cast<ssize_t>(sizeof mark_text - 1)) {
    const int error = errno;
    const ScratchDirectory removed(std::move(path), lock, slot);
    return failure(error);
  }
  return ScratchDirectory(std::move(path), lock, slot);
}

ScratchDirectory::ScratchDirectory(ScratchDirectory&& other) noexcept
    : path_(std::move(other.path_)), lock_(other.lock_), slot_(other.slot_) {
  other.path_.clear();
  other.lock_ = other.slot_ = -1;
}

ScratchDirectory::~ScratchDirectory() {
  if (!path_.empty()) remove_folder(path_.c_str());
  give_slot_back(slot_);
  if (lock_ >= 0) ::close(lock_);
}

void remove_scratch_directories() {
  for (const Slot& slot : slots)
    if (slot.ready) remove_folder(slot.path.data());
}

}  // namespace lockstep
