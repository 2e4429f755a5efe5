#include "isa/absent/absent.h"
#include "time/program/nv/listing.h"
#include "time/program/nv/lower.h"
#include "time/program/nv/text.h"
#include "time/program/nv/timed_program.h"

namespace lockstep {

Expected<LoweredProgram> lower_kernel(const Module&, const Program&, std::span<const u8>) {
  return not_built("NVIDIA");
}

// Of nothing: no program is ever lowered.
std::string print_lowered(const LoweredProgram&, const std::function<std::string(u32)>&) {
  return "";
}
std::string print_lowered(const LoweredInstruction&) {
  return "";
}

Expected<TimingListing> read_listing(std::string_view, const std::string&) {
  return not_built("NVIDIA");
}

Expected<TimedProgram> timed_program_nv(const Machine&, std::span<const Instruction>, const LoweredProgram&,
                                        u64) {
  return not_built("NVIDIA");
}

Expected<TimedProgram> timed_program_nv(const Machine&, const Module&, const Program&, std::span<const u8>,
                                        u64) {
  return not_built("NVIDIA");
}

}  // namespace lockstep
