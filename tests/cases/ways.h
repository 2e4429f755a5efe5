// The ways in which a launch is stepped: functional, with outcomes as a timed run takes them, checked, and
// with each instruction held against what is said of its registers (register_check.h). Whatever a case
// expects must come out each time.
#pragma once
#include <optional>
#include <vector>

#include "exec/group.h"
#include "isa/outcome.h"

namespace lockstep::cases {

enum class Way : u8 { functional, timed, checked, registers };
inline constexpr Way every_way[] = {Way::functional, Way::timed, Way::checked, Way::registers};
const char* name_of(Way way);

// A stretch of memory that outcomes name as written; of local memory the offsets in the group's.
struct Written {
  Space space = Space::global;
  u64 begin = 0, end = 0;
};

// What a timed run leaves behind.
struct Record {
  std::vector<Written> written;
  std::vector<bool> executed;  // by instruction
};

// Steps a group, which has begun, to its end. With `checker` each step is shown to it; with `record` steps
// make outcomes, whose stores and atomics are gathered there. Returns the diagnostic of a fault, of a loop of
// more than `most_steps`, of a barrier that is never complete or of an outcome that cannot be.
std::optional<Diagnostic> step_group(const PreparedLaunch& launch, Group& group, StepChecker* checker,
                                     Record* record, u64 most_steps);

}  // namespace lockstep::cases
