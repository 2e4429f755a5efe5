#include "time/engine/window_plan.h"

#include <algorithm>

namespace lockstep {

u32 WindowPlan::latest() const {
  u32 latest = 0;
  for (const Kind& kind : kinds) latest = std::max(latest, kind.late);
  return latest;
}

u32 WindowPlan::phases() const {
  u32 phases = 1;
  for (const Kind& kind : kinds) {
    if (!kind.between) phases = std::max(phases, kind.phase + 1);
  }
  return phases;
}

// When `to` runs its window, all that arrives in it has to be sent. Who ran before it in the round has gone
// through its own window: late(to) <= late(from) + way. Who runs behind it is a window behind:
// late(to) + length <= late(from) + way. So it is for kinds between phases, but that other threads' first
// phase of the next round may run before them: two windows behind. Each says how late the sender is at least,
// so that the least of all is found by raising; where it does not come to an end within as many rounds as
// there are kinds, a circle of ways is shorter than the windows that go round it.
WindowPlan plan_windows(std::span<const WindowPlan::Kind> kinds, std::span<const MailWay> ways, u32 length) {
  WindowPlan plan{{kinds.begin(), kinds.end()}, length};
  for (WindowPlan::Kind& kind : plan.kinds) kind.late = 0;
  for (std::size_t round = 0; round <= kinds.size(); ++round) {
    bool raised = false;
    for (const MailWay& way : ways) {
      const WindowPlan::Kind& to = plan.kinds[way.to];
      WindowPlan::Kind& from = plan.kinds[way.from];
      const u32 rounds = from.between && !to.between && to.phase == 0           ? 2
                         : from.between || to.between || from.phase >= to.phase ? 1
                                                                                : 0;
      const u32 ends = to.late + rounds * length;
      if (ends <= from.late + way.cycles) continue;
      from.late = ends - way.cycles;
      raised = true;
    }
    if (!raised) return plan;
  }
  return {};
}

WindowPlan longest_windows(std::span<const WindowPlan::Kind> kinds, std::span<const MailWay> ways, u32 most) {
  for (u32 length = most; length > 1; --length) {
    WindowPlan plan = plan_windows(kinds, ways, length);
    if (!plan.kinds.empty()) return plan;
  }
  return plan_windows(kinds, ways, 1);
}

}  // namespace lockstep
