// How --device names a device.
#pragma once
#include <algorithm>
#include <cctype>
#include <string_view>

namespace lockstep::dissect {

// Whether `part` stands in `name`, whatever the case of the letters; an empty part stands in every name.
inline bool name_has(std::string_view name, std::string_view part) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  const auto found = std::search(name.begin(), name.end(), part.begin(), part.end(),
                                 [&](char a, char b) { return lower(a) == lower(b); });
  return found != name.end() || part.empty();
}

}  // namespace lockstep::dissect
