#include "isa/absent/absent.h"
#include "time/program/vliw/timed_program.h"

namespace lockstep {

Expected<TimedProgram> timed_program_vliw(const Machine&, const Module&, u64) {
  return not_built("VLIW");
}

}  // namespace lockstep
