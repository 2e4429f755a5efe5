#include "base/nearest.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace lockstep {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view wanted, const std::vector<std::string>& names,
                                       std::size_t most) {
  const std::size_t limit = std::max<std::size_t>(2, wanted.size() / 2);
  // Of names equally far, those with the same first letter come first: slips are seldom there.
  const auto other_start = [&](const std::string& name) {
    return name.empty() || wanted.empty() || lower(name[0]) != lower(wanted[0]);
  };
  std::vector<std::tuple<std::size_t, bool, std::size_t>> ranked;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t distance = edit_distance(wanted, names[i]);
    if (distance <= limit) ranked.emplace_back(distance, other_start(names[i]), i);
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> nearest;
  for (std::size_t i = 0; i < ranked.size() && i < most; ++i)
    nearest.push_back(names[std::get<2>(ranked[i])]);
  return nearest;
}

}  // namespace lockstep
