#include "opencl/check.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/environment.h"
#include "opencl/platform.h"

namespace lockstep::opencl {
namespace {

struct Chosen {
  CheckSelection checks;
  int exit_code = 0;
  bool known = true;
};

std::atomic<u64> violations{0};      // and failed launches
std::atomic<bool> ends_well{false};  // the process is exiting, by itself, with 0
int exit_code = 0;

void remember_status(int status, void*) {
  ends_well = status == 0;
}

// Handlers of exit() that were registered before this library came must run, and then the code is to be
// another one: the library's destructors come behind all of them.
[[gnu::destructor]] void leave() {
  if (exit_code == 0 || !ends_well || violations == 0) return;
  std::fflush(nullptr);
  _exit(exit_code);
}

void prepare_exit(int code) {
  exit_code = code;
  // The handler must stay where it is, even if somebody unloads the library.
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&dispatch_table), &self) == 0 || self.dli_fname == nullptr ||
      dlopen(self.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE) == nullptr)
    return;
  on_exit(remember_status, nullptr);
}

Chosen read_environment() {
  Chosen chosen;
  if (const char* text = environment("LOCKSTEP_CHECK")) {
    const Expected<CheckSelection> checks = parse_checks(text);
    if (checks) {
      chosen.checks = *checks;
    } else {
      message(fmt::format("LOCKSTEP_CHECK={}: {}; {}; no device is shown", text, checks.error().message,
                          checks.error().hint));
      chosen.known = false;
    }
  }
  if (const char* text = environment("LOCKSTEP_CHECK_EXIT")) {
    const char* end = text + std::strlen(text);
    const auto parsed = std::from_chars(text, end, chosen.exit_code);
    if (parsed.ec != std::errc() || parsed.ptr != end || chosen.exit_code < 1 || chosen.exit_code > 255) {
      message(
          fmt::format("LOCKSTEP_CHECK_EXIT={}: wanted is a number from 1 to 255; no device is shown", text));
      chosen.known = false;
    }
  }
  if (chosen.known && chosen.exit_code != 0) prepare_exit(chosen.exit_code);
  return chosen;
}

const Chosen& chosen() {
  static const Chosen read = read_environment();
  return read;
}

}  // namespace

bool checks_are_known() {
  return chosen().known;
}

const CheckSelection& chosen_checks() {
  return chosen().checks;
}

void remember_failure() {
  ++violations;
}

void report_violations(_cl_context& context, const std::string& kernel, const ViolationLog& log) {
  if (log.count() == 0) return;
  violations += log.count();
  for (const Diagnostic& diagnostic : log.kept()) {
    const std::string text = to_string(diagnostic);
    message(text);
    if (context.notify) context.notify(text.c_str());
  }
  if (log.count() > log.kept().size())
    message(fmt::format("kernel '{}': {} violations, {} of them at other places than before", kernel,
                        log.count(), log.kept().size()));
}

}  // namespace lockstep::opencl
