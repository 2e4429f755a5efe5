#include "time/family/timed_family.h"

#include "machine/machine.h"
#include "time/program/amd/timed_program.h"
#include "time/program/gen/timed_program.h"
#include "time/program/nv/lower.h"
#include "time/program/nv/timed_program.h"
#include "time/program/vliw/timed_program.h"
#include "time/source/advance.h"

namespace lockstep {
namespace {

// Code that lies in no memory that programs see.
constexpr u64 hidden_code_address = u64{1} << 44;
// Where live execution cuts segments within a block.
std::vector<u8> cuts_of(const Module& module) {
  std::vector<u8> cuts = advance_rules(module).bits;
  for (u8& bits : cuts)
    bits = (bits & (advance::timed | advance::ordered)) != 0 ? lowering_cut::alone : u8{0};
  return cuts;
}

constexpr TimedFamily families[] = {
    {IsaFamily::r600, core_figures_in_clauses,
     [](const Machine& machine, const TimedLaunch& launch) {
       return timed_program_vliw(machine, *launch.module, launch.code_address);
     }},
    {IsaFamily::gen, core_figures_of_threads,
     [](const Machine& machine, const TimedLaunch& launch) {
       return timed_program_gen(machine, *launch.module, launch.code_address);
     }},
    {IsaFamily::amdgcn, core_figures,
     [](const Machine& machine, const TimedLaunch& launch) {
       return timed_program_amd(machine, *launch.program, launch.code, launch.code_address);
     }},
    {IsaFamily::ptx, core_figures_partitioned,
     [](const Machine& machine, const TimedLaunch& launch) {
       if (launch.lowered != nullptr)
         return timed_program_nv(machine, launch.code, *launch.lowered, hidden_code_address);
       return timed_program_nv(machine, *launch.module, *launch.program, cuts_of(*launch.module),
                               hidden_code_address);
     }},
};

}  // namespace

const TimedFamily* timed_family(const Machine& machine) {
  for (const TimedFamily& family : families) {
    if (machine.target != nullptr && machine.target->isa == family.isa) return &family;
  }
  return nullptr;
}

}  // namespace lockstep
