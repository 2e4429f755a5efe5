#include "time/program/nv/region_order.h"

#include <algorithm>
#include <set>
#include <span>

#include "time/program/nv/latency.h"
#include "time/program/nv/registers.h"
#include "time/program/nv/stretch.h"

namespace lockstep::lowering {

using O = LoweredOperand;
using File = LoweredOperand::File;

RegionOrder order_region(std::vector<LoweredInstruction>& code, const RegionLive& live, u32 capability,
                         u32 limit, OrdersForFew& known_orders) {
  // Anchors stay where they are: what stands between two of them is ordered.
  struct Part {
    std::size_t begin, end;
    std::set<u64> behind;
  };
  std::vector<Part> parts;
  std::set<u64> now = live.behind;
  std::size_t end = code.size();
  const auto pass = [&](const LoweredInstruction& in) {
    const auto visit = [&](bool writes) {
      registers_of(in, [&](const O& operand, bool written, bool) {
        if (!counts(operand) || operand.file != File::general || written != writes) return;
        for (u32 k = 0; k < operand.width; ++k) {
          if (!written) now.insert(register_key(operand, k));
          if (written && (in.guard.file == File::none || in.own_lanes)) now.erase(register_key(operand, k));
        }
      });
    };
    visit(true);
    visit(false);
  };
  std::set<u64> behind = now;
  for (std::size_t i = code.size() + 1; i-- > 0;) {
    if (i > 0 && !is_anchor(code[i - 1])) {
      pass(code[i - 1]);
      continue;
    }
    if (i < end) parts.push_back({i, end, behind});
    if (i == 0) break;
    pass(code[i - 1]);
    end = i - 1;
    behind = now;
  }
  RegionOrder result;
  std::set<u64> known = live.before;
  std::size_t done = 0;
  const auto know = [&](std::size_t to) {
    for (; done < to; ++done) {
      registers_of(code[done], [&](const O& operand, bool written, bool) {
        if (!written || !counts(operand)) return;
        for (u32 k = 0; k < operand.width; ++k) known.insert(register_key(operand, k));
      });
    }
  };
  known_orders.resize(parts.size());
  for (std::size_t p = parts.size(); p-- > 0;) {
    const Part& part = parts[p];
    know(part.begin);
    const std::span<LoweredInstruction> stretch(code.data() + part.begin, part.end - part.begin);
    const LoweredInstruction* const anchor = part.end < code.size() ? &code[part.end] : nullptr;
    const RegionOrder one =
        Stretch(stretch, capability, known, part.behind, anchor).order(limit, known_orders[p]);
    result.fewest = std::max(result.fewest, one.fewest);
    result.loading = std::max(result.loading, one.loading);
    result.cycles += one.cycles;
  }
  return result;
}

}  // namespace lockstep::lowering
