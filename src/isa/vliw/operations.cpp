#include "isa/vliw/operations.h"

#include <algorithm>
#include <vector>

#include "isa/shapes.h"

namespace lockstep::vliw {
namespace {

struct MoveFloat {
  static constexpr std::string_view name = "mov_f32";
  static constexpr Flow flow = Flow::move;
  static f32 apply(f32 a) { return a; }
};

struct GroupBarrier {
  static constexpr std::string_view name = "group_barrier";
  static constexpr Shape shape = Shape::control;
  static constexpr Role role = Role::barrier;
  template <int W>
  static void step(WaveState&, const Instruction&, StepContext& context) {
    if (context.event == Event::none) context.event = Event::barrier;
  }
};

}  // namespace

const Semantic& move_float() {
  return semantic<MoveFloat>;
}

const Semantic& group_barrier() {
  return semantic<GroupBarrier>;
}

std::span<const Operation> all_operations() {
  static const std::vector<Operation> sorted = [] {
    std::vector<Operation> all;
    for (const auto part : {float_operations(), integer_operations(), local_operations()})
      all.insert(all.end(), part.begin(), part.end());
    all.push_back({"GROUP_BARRIER", &group_barrier(), Cost::barrier, 0, Form::barrier});
    std::sort(all.begin(), all.end(),
              [](const Operation& a, const Operation& b) { return a.mnemonic < b.mnemonic; });
    return all;
  }();
  return sorted;
}

const Operation* find_operation(std::string_view mnemonic) {
  const auto all = all_operations();
  const auto at = std::lower_bound(
      all.begin(), all.end(), mnemonic,
      [](const Operation& operation, std::string_view name) { return operation.mnemonic < name; });
  return at != all.end() && at->mnemonic == mnemonic ? &*at : nullptr;
}

}  // namespace lockstep::vliw
