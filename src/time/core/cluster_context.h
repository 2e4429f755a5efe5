// What clusters are given for a launch, and what they hand out of it.
#pragma once
#include <vector>

#include "time/attribution/trace.h"
#include "time/core/figures.h"
#include "time/core/figures_table.h"
#include "time/memory/hierarchy.h"
#include "time/program/timed_op.h"

namespace lockstep {

// Busy cycles of units, one value each, cluster after cluster.
struct ClusterBusy {
  std::vector<u64> vector, matrix, scalar, local, address, back, scalar_cache;
  std::vector<u64> issued;       // instructions of each SIMD
  std::vector<u64> wave_cycles;  // of each unit
};

// Of an op, what each issue asks for and what it says itself only after some work.
struct OpHints {
  // Bits. `waits`: it may wait for something else than its fetch. `counts`: for wait counters. `plain`: it
  // concerns nothing but its SIMD.
  static constexpr u8 waits = 1, counts = 2, plain = 4;

  u64 block = 0;  // of fetches, in which it begins
  u8 further_blocks = 0;
  u8 bits = 0;
};

// What all clusters of a device share and nobody changes while a launch runs.
struct ClusterContext {
  const CoreFigures* figures = nullptr;
  const Hierarchy* hierarchy = nullptr;
  const AddressMap* map = nullptr;
  const TimedProgram* program = nullptr;
  const LaunchLimits* limits = nullptr;
  // What the clusters of one host thread add to: the same few lines of the host's cache for all of them.
  FiguresTable* per_instruction = nullptr;
  u32 dispatcher = 0;  // its shard
  u32 wave_lanes = 64;
  const LaunchTrace* trace = nullptr;  // what to note of what waves do; null: nothing
  bool holds_code = false;             // instruction caches have the program from the start
  u64 code_place = 0;  // added to a line of code: the caches' name for it, different for each program
  u32 looks_back = 0;  // the farthest distance of a dependence in the program
  const OpHints* hints = nullptr;  // by op
};

// The way between a near cache and the first shared level, which works on the request in between: all of it
// is `miss_cycles`. Each way is at least a cycle.
struct NearWay {
  u32 out = 1, back = 1;
};
inline NearWay near_way(const Hierarchy& hierarchy, u32 miss_cycles, u32 line_bytes) {
  const u32 work = hierarchy.levels[0].read_cycles(line_bytes);
  const u32 both = miss_cycles > work + 2 ? miss_cycles - work : 2;
  return {both - both / 2, both / 2};
}

}  // namespace lockstep
