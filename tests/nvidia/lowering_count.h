// How many instructions a lowered program issues, when PTX's were executed so often.
#pragma once
#include <map>
#include <string>

#include "corpus_run.h"
#include "time/program/nv/lower.h"

namespace lockstep::corpus {

struct LoweringCount {
  f64 executed = 0;
  std::map<std::string, f64> by_mnemonic;
};

// `counts`: by instruction of the module.
inline LoweringCount count_lowered(const LoweredProgram& program, const std::vector<u64>& counts) {
  // Guarded bodies are issued as often as what leads to them.
  std::map<u32, u64> issued;
  for (const LoweredBranch& branch : program.branches) {
    for (const auto* list : {&branch.if_taken, &branch.if_not_taken}) {
      for (const u32 region : *list) issued[region] = counts[branch.branch];
    }
  }
  LoweringCount result;
  for (u32 r = 0; r < program.regions.size(); ++r) {
    const LoweredRegion& region = program.regions[r];
    const auto guarded = issued.find(r);
    for (u32 i = region.begin; i < region.end; ++i) {
      const LoweredInstruction& in = program.instructions[i];
      // What the assembler's routines execute is left out of the witness, too.
      if (in.routine) continue;
      f64 times = static_cast<f64>(guarded != issued.end() ? guarded->second : counts[in.from]);
      if (in.every > 1) {
        // Turns that are left over go one by one (Cluster::counts_turn); a loop is entered from in front of
        // it.
        const f64 entries = region.first == 0 ? 1 : static_cast<f64>(counts[region.first - 1]);
        const f64 single = std::min(times, (in.every - 1.0) * std::max(entries, 1.0));
        times = single + (times - single) / in.every;
      }
      result.executed += times;
      result.by_mnemonic[std::string(info(in.opcode).mnemonic)] += times;
    }
  }
  return result;
}

}  // namespace lockstep::corpus
