// Rotations of 64 bits.
#include <utility>

#include "time/program/nv/simplifier.h"

namespace lockstep::lowering {

// 64 bits of which what is shifted out on one side comes in on the other, as clang writes a rotation: two
// SHF, from Maxwell on (ptxas of CUDA 13: 58 for the 29 rotations of Keccak). Shifts by 32 and more are those
// of one word by now.
Ref Simplifier::rotated(const Node& node) {
  if (node.width != 2 || node.predicate || f_.capability < 50) return {};
  const auto word = [&](const Ref& whole, u32 part) {
    return normal({whole.node, static_cast<u8>(whole.part + part), 1, 0});
  };
  // Whether the value is word `w` shifted by `by` - 32 (`op`).
  const auto is_shifted = [&](const Ref& value, Op op, const Ref& w, u64 by) {
    const Node& shift = at(value);
    u64 c;
    return shift.op == op && shift.width == 1 && !shift.is_signed && shift.guard.node == none &&
           shift.in[0] == w && constant(shift.in[1], c) && c == by - 32;
  };
  for (u32 s = 0; s < 2; ++s) {
    const Ref &first = node.in[s], &second = node.in[1 - s];
    if (first.modifiers != 0 || second.modifiers != 0 || first.count != 2 || second.count != 2) continue;
    const Node &up = at(first), &down = at(second);
    if (up.guard.node != none || down.guard.node != none) continue;
    Ref whole;
    u64 left = 0, right, zero;
    if (up.op == Op::shl && up.width == 2 && constant(up.in[1], left) && left > 0 && left < 32) {
      whole = up.in[0];
      if (whole.modifiers != 0 || whole.count != 2 || down.op != Op::zext ||
          !is_shifted(down.in[0], Op::shr, word(whole, 1), 64 - left))
        continue;
    } else if (down.op == Op::shr && down.width == 2 && !down.is_signed && constant(down.in[1], right) &&
               right > 0 && right < 32) {
      whole = down.in[0];
      left = 64 - right;
      if (whole.modifiers != 0 || whole.count != 2 || up.op != Op::pack || !constant(up.in[0], zero) ||
          zero != 0 || !is_shifted(up.in[1], Op::shl, word(whole, 0), left))
        continue;
    } else {
      continue;
    }
    Ref low = word(whole, 0), high = word(whole, 1);
    if (left >= 32) std::swap(low, high);
    const auto half = [&](const Ref& below, const Ref& above) {
      Node funnel;
      funnel.op = Op::funnel;
      funnel.width = 1;
      funnel.bits = 32;
      funnel.operation.left = true;
      funnel.in = {below, above, number(left % 32, 1)};
      return make(funnel);
    };
    Node both;
    both.op = Op::pack;
    both.width = 2;
    both.bits = 64;
    both.in = {half(high, low), half(low, high)};
    return make(both);
  }
  return {};
}

}  // namespace lockstep::lowering
