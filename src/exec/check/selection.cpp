#include "exec/check/selection.h"

#include <fmt/format.h>

namespace lockstep {

Expected<CheckSelection> parse_checks(std::string_view text) {
  if (text == "1") return CheckSelection::all();
  if (text == "0") return CheckSelection{};
  CheckSelection selection;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view word = rest.substr(0, comma);
    if (word == "all") {
      const bool lanes = selection.lane_races, same = selection.same_value_races;
      selection = CheckSelection::all();
      selection.lane_races = lanes;
      selection.same_value_races = same;
    } else if (word == "bounds") {
      selection.bounds = true;
    } else if (word == "values") {
      selection.values = true;
    } else if (word == "barriers") {
      selection.barriers = true;
    } else if (word == "races") {
      selection.races = true;
    } else if (word == "lane-races") {
      selection.races = selection.lane_races = true;
    } else if (word == "same-value-races") {
      selection.races = selection.same_value_races = true;
    } else if (word != "none" || comma != std::string_view::npos || rest.size() != text.size()) {
      return Diagnostic{"bad-check",
                        {},
                        fmt::format("'{}' is no check", word),
                        "all, none, or some of bounds, values, barriers, races, lane-races, same-value-races "
                        "with commas between"};
    }
    if (comma == std::string_view::npos) return selection;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace lockstep
