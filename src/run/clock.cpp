#include "run/clock.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace lockstep {

Expected<u64> parse_clock(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, f64>, 5> units{
      {{"", 1}, {"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}}};
  constexpr f64 most = 1e12;
  f64 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{}) {
    std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    for (const auto& [name, factor] : units) {
      if (unit == name && value * factor >= 1 && value * factor <= most)
        return static_cast<u64>(std::llround(value * factor));
    }
  }
  return Diagnostic{"bad-clock",
                    {},
                    fmt::format("'{}' is no clock", text),
                    "a number and Hz, kHz, MHz or GHz, as 1.04GHz; without a unit Hz are meant"};
}

}  // namespace lockstep
