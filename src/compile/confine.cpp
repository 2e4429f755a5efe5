#include "compile/confine.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/types.h"

// The interface of Linux, "Landlock: unprivileged access control" (Documentation/userspace-api/landlock.rst),
// whose header is newer than some systems' that build this.
namespace lockstep {
namespace {

constexpr long create_ruleset = 444, add_rule = 445, restrict_self = 446;
constexpr unsigned ask_version = 1;
constexpr int path_beneath = 1;

struct RulesetAttributes {
  u64 files, network, scopes;
};

struct [[gnu::packed]] PathBeneath {
  u64 allowed;
  i32 folder;
};

// Bits of rights on files.
constexpr u64 may_execute = 1 << 0, may_write = 1 << 1, may_read = 1 << 2, may_list = 1 << 3;
constexpr u64 refer = 1 << 13, may_truncate = 1 << 14, ioctl_device = 1 << 15;

// Every right that changes something, of those that this version of the interface knows.
u64 changing_rights(long version) {
  u64 rights = ((1 << 13) - 1) & ~(may_execute | may_read | may_list);
  if (version >= 2) rights |= refer;
  if (version >= 3) rights |= may_truncate;
  if (version >= 5) rights |= ioctl_device;
  return rights;
}

void allow(int rules, const char* path, u64 rights) {
  const int place = ::open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return;
  const PathBeneath rule{rights, place};
  ::syscall(add_rule, rules, path_beneath, &rule, 0U);
  ::close(place);
}

}  // namespace

int confinement(const std::string& writable) {
  const long version = ::syscall(create_ruleset, nullptr, 0U, ask_version);
  if (version < 1) return -1;
  RulesetAttributes attributes{changing_rights(version), version >= 4 ? 3U : 0U, version >= 6 ? 3U : 0U};
  // A kernel takes as much of the structure as its version has.
  const std::size_t bytes = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const int rules = static_cast<int>(::syscall(create_ruleset, &attributes, bytes, 0U));
  if (rules < 0) return -1;
  if (!writable.empty()) allow(rules, writable.c_str(), attributes.files & ~ioctl_device);
  allow(rules, "/dev/null", may_write | (version >= 3 ? may_truncate : 0));
  return rules;
}

bool confine_self(int rules) {
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::syscall(restrict_self, rules, 0U) == 0;
}

}  // namespace lockstep
