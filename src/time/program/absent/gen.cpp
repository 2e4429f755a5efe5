#include "isa/absent/absent.h"
#include "time/program/gen/timed_program.h"

namespace lockstep {

Expected<TimedProgram> timed_program_gen(const Machine&, const Module&, u64) {
  return not_built("Intel");
}

}  // namespace lockstep
