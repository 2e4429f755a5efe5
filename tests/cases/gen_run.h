// A kernel of a case on one wave of an Intel GPU: what it begins with, and what it leaves.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/ways.h"
#include "exec/check/checked_run.h"

namespace lockstep::cases {

// What a case may name.
struct GenState {
  std::vector<u8> registers, local, memory;
  u64 exec = 0;
};

class GenRun {
 public:
  // With `tracked`, checked runs are possible: everything counts as defined at first.
  GenRun(const Module& module, bool tracked);
  // What went wrong so far; else empty.
  const std::string& problem() const { return problem_; }

  GenState state() const;
  void set(const GenState& state);
  // Which bits count as undefined, of memory by bytes alone.
  void undefine(const GenState& bits);
  GenState undefined() const;

  // To the kernel's end; a diagnostic of what it failed by. What a checked run found is among the alarms.
  std::optional<Diagnostic> execute(Way way);
  std::vector<std::string> alarms() const;

 private:
  WaveState& wave() { return group_.waves[0]; }
  const WaveState& wave() const { return group_.waves[0]; }

  DeviceMemory memory_;
  u64 buffer_ = 0;
  std::unique_ptr<PreparedLaunch> launch_;
  Group group_;
  ViolationLog log_;
  std::optional<CheckedRun> checker_;
  std::string problem_;
};

}  // namespace lockstep::cases
