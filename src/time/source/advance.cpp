#include "time/source/advance.h"

#include <algorithm>

#include "isa/semantic.h"

namespace lockstep {
namespace {

// Local and private memory are the group's own; what is only read has no order.
bool reaches_others(const Instruction& in) {
  if (in.meaning->shape != Shape::memory) return false;
  if (in.addressing == Addressing::none || in.addressing == Addressing::local ||
      in.addressing == Addressing::scratch)
    return false;
  return in.cost != Cost::smem_load && !in.policy.has(AccessPolicy::read_only);
}

// Atomic, volatile, or for the whole device to see.
bool is_strong(const AccessPolicy& policy) {
  return policy.strong() && (policy.has(AccessPolicy::is_volatile) || policy.cached >= Scope::device);
}

u8 bits_of(const Instruction& in, bool has_waits, bool orders_behind_barriers) {
  u8 bits = in.cost == Cost::branch ? advance::branch : 0;
  if (in.meaning == nullptr) return bits;
  if (reaches_others(in)) {
    const bool atomic = in.meaning->combining != Combining::none;
    bits |= advance::shared;
    if ((atomic || is_strong(in.policy)) && !in.policy.has(AccessPolicy::unobserved))
      bits |= advance::ordered;
    if (is_strong(in.policy) && (in.cost == Cost::vmem_load || in.cost == Cost::vmem_image))
      bits |= advance::pure_load;
  } else if (in.cost == Cost::vmem_atomic) {
    bits |= advance::ordered | advance::beyond_registers;  // printing
  }
  const bool fence = in.addressing == Addressing::none && in.meaning->shape == Shape::control &&
                     (in.policy.strong() || in.policy.has(AccessPolicy::waits_for_stores));
  if (has_waits) {
    if (in.cost == Cost::wait) bits |= advance::waits;
  } else if (fence || in.cost == Cost::wait || (in.cost == Cost::barrier && !orders_behind_barriers)) {
    bits |= advance::after_all;
  }
  return bits;
}

}  // namespace

static AdvanceRules rules_of(const Module& module) {
  AdvanceRules rules;
  rules.bits.reserve(module.code.instructions.size());
  if (module.target->isa == IsaFamily::ptx) {
    for (const Instruction& in : module.code.instructions) rules.slow_ways.push_back(slow_way_of(in));
    if (std::ranges::all_of(rules.slow_ways, [](SlowWay way) { return way == SlowWay::none; }))
      rules.slow_ways.clear();
  }
  const auto depends_on_issue = module.isa->depends_on_issue;
  // Where the code itself says what it waits for, nothing else waits.
  const bool has_waits = module.target->isa == IsaFamily::amdgcn;
  const bool behind = rules.orders_behind_barriers = module.target->isa == IsaFamily::ptx;
  for (const Instruction& in : module.code.instructions) {
    u8 bits = bits_of(in, has_waits, behind);
    if (in.meaning != nullptr && depends_on_issue != nullptr && depends_on_issue(in)) bits |= advance::timed;
    // A packet reaches what its parts reach.
    for (u32 part = 1; part < in.slots; ++part)
      bits |= bits_of((&in)[part], has_waits, behind) & advance::shared;
    if ((bits & advance::pure_load) != 0) rules.reads_others_stores = true;
    rules.bits.push_back(bits);
  }
  return rules;
}

const AdvanceRules& advance_rules(const Module& module) {
  return module.derived.get<AdvanceRules>([&] { return rules_of(module); });
}

}  // namespace lockstep
