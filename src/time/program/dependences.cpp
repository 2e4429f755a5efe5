#include "time/program/dependences.h"

#include <algorithm>

namespace lockstep {

void add_dependence(TimedOp& op, u32 distance, u32 cycles, u32 turn) {
  // What the order of issue gives anyway.
  if (distance == 0 || distance > TimedOp::most_distance || cycles <= distance * turn) return;
  for (u32 i = 0; i < op.dependences; ++i) {
    if (op.dependence[i].distance == distance) {
      op.dependence[i].cycles = std::max(op.dependence[i].cycles, static_cast<u16>(cycles));
      return;
    }
  }
  const TimedOp::Dependence made{static_cast<u8>(distance), static_cast<u16>(cycles)};
  if (op.dependences < TimedOp::most_dependences) {
    op.dependence[op.dependences++] = made;
    return;
  }
  // The one that binds least goes.
  TimedOp::Dependence* least = &op.dependence[0];
  const auto slack = [turn](const TimedOp::Dependence& d) { return i64{d.cycles} - i64{d.distance} * turn; };
  for (TimedOp::Dependence& d : op.dependence) {
    if (slack(d) < slack(*least)) least = &d;
  }
  if (slack(made) > slack(*least)) *least = made;
}

}  // namespace lockstep
