#include "time/program/nv/order_from_behind.h"

#include <algorithm>

#include "time/program/nv/ir.h"
#include "time/program/nv/latency.h"

namespace lockstep::lowering {

std::vector<u32> order_from_behind(const std::vector<std::vector<Edge>>& after,
                                   const std::vector<std::vector<u32>>& before, const std::vector<bool>& load,
                                   const std::vector<u32>& to_end, u32 most_ahead) {
  const u32 count = static_cast<u32>(after.size());
  std::vector<u32> left(count), latest = to_end, ready, result;  // times are counted from the end
  for (u32 i = 0; i < count; ++i) {
    left[i] = static_cast<u32>(after[i].size());
    if (left[i] == 0) ready.push_back(i);
  }
  u32 port = 0;
  const auto time_of = [&](u32 i) { return load[i] ? std::max(latest[i], port) : latest[i]; };
  for (u32 now = 0; !ready.empty();) {
    u32 best = none, next = ~u32{0};
    for (u32 r = 0; r < ready.size(); ++r) {
      const u32 time = time_of(ready[r]);
      if (time > now) {
        next = std::min(next, time);
      } else if (best == none || ready[r] > ready[best]) {
        best = r;
      }
    }
    if (best == none) {
      now = next;
      continue;
    }
    const u32 i = ready[best];
    if (load[i]) port = now + access_interval;
    ready.erase(ready.begin() + best);
    result.push_back(i);
    for (const u32 earlier : before[i]) {
      for (const Edge& e : after[earlier]) {
        if (e.to == i) latest[earlier] = std::max(latest[earlier], now + std::min(e.cycles, most_ahead));
      }
      if (--left[earlier] == 0) ready.push_back(earlier);
    }
    ++now;
  }
  std::reverse(result.begin(), result.end());
  return result;
}

}  // namespace lockstep::lowering
