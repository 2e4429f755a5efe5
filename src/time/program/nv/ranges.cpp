#include "time/program/nv/ranges.h"

#include <algorithm>
#include <iterator>

namespace lockstep::lowering {

bool overlap(const Ranges& a, const Ranges& b, u32 copy) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].end <= b[j].begin) {
      ++i;
    } else if (b[j].end <= a[i].begin) {
      ++j;
    } else if (std::max(a[i].begin, b[j].begin) == copy) {
      if (a[i].end <= b[j].end) {
        ++i;
      } else {
        ++j;
      }
    } else {
      return true;
    }
  }
  return false;
}

void merge(Ranges& to, const Ranges& from) {
  Ranges all;
  all.reserve(to.size() + from.size());
  std::merge(to.begin(), to.end(), from.begin(), from.end(), std::back_inserter(all),
             [](const Range& a, const Range& b) { return a.begin < b.begin; });
  to.clear();
  for (const Range& range : all) {
    if (!to.empty() && range.begin <= to.back().end) {
      to.back().end = std::max(to.back().end, range.end);
    } else {
      to.push_back(range);
    }
  }
}

}  // namespace lockstep::lowering
