#include "opencl/launch_choice.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>
#include <mutex>
#include <set>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "base/types.h"

namespace lockstep::opencl {
namespace {

struct Choice {
  std::vector<std::string> patterns;  // none: all kernels
  u64 skip = 0, count = 0;            // 0 of count: all
  u64 what_ifs = 0;                   // of so many launches
  std::string wrong;
};

u64 number(const char* name, Choice& choice) {
  const char* text = environment(name);
  if (text == nullptr) return 0;
  u64 value = 0;
  const char* end = text + std::strlen(text);
  const auto parsed = std::from_chars(text, end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end)
    choice.wrong = fmt::format("{}={}: wanted is a number", name, text);
  return value;
}

Choice read_choice() {
  Choice choice;
  if (const char* text = environment("LOCKSTEP_KERNELS")) {
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(','), rest.size());
      if (end != 0) choice.patterns.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  choice.skip = number("LOCKSTEP_LAUNCH_SKIP", choice);
  choice.count = number("LOCKSTEP_LAUNCH_COUNT", choice);
  choice.what_ifs = number("LOCKSTEP_WHAT_IF", choice);
  return choice;
}

constexpr u64 most_pictures = 10;

using Costliest = std::set<std::pair<f64, std::string>>;  // so far

// Whether the launch is one of the `most` costliest, where it stands from then on.
bool among(Costliest& costliest, u64 most, f64 time_ns, const std::string& launch) {
  if (most == 0 || (costliest.size() >= most && costliest.begin()->first >= time_ns)) return false;
  if (!costliest.emplace(time_ns, launch).second) return false;
  if (costliest.size() > most) costliest.erase(costliest.begin());
  return true;
}

const Choice& choice() {
  static const Choice read = read_choice();
  return read;
}

}  // namespace

const std::string& wrong_choice() {
  return choice().wrong;
}

bool choose_launch(const std::string& kernel) {
  static std::atomic<u64> fitting{0};
  const Choice& chosen = choice();
  const bool fits =
      chosen.patterns.empty() || std::ranges::any_of(chosen.patterns, [&](const std::string& pattern) {
        return ::fnmatch(pattern.c_str(), kernel.c_str(), 0) == 0;
      });
  if (!fits) return false;
  const u64 number = fitting++;
  return number >= chosen.skip && (chosen.count == 0 || number - chosen.skip < chosen.count);
}

bool what_ifs_wanted() {
  return choice().what_ifs != 0;
}

bool pictures_wanted() {
  return environment("LOCKSTEP_PICTURES") != nullptr;
}

Costly choose_costly(const std::string& kernel, const NdRange& range, f64 time_ns) {
  // A launch behind the costliest may push out another, whose answers are there then as well.
  static std::mutex mutex;
  static Costliest what_ifs, pictures;
  const std::string launch = fmt::format("{} {} {} {}", kernel, fmt::join(range.global, ","),
                                         fmt::join(range.local, ","), fmt::join(range.offset, ","));
  const std::lock_guard lock(mutex);
  return {among(what_ifs, choice().what_ifs, time_ns, launch),
          among(pictures, pictures_wanted() ? most_pictures : 0, time_ns, launch)};
}

}  // namespace lockstep::opencl
