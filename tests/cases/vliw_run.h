// A kernel of a case on one wave of a VLIW GPU: what it begins with, and what it leaves.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/register_check.h"
#include "cases/ways.h"
#include "exec/check/checked_run.h"
#include "exec/image.h"

namespace lockstep::cases {

inline constexpr u32 vliw_constant_bytes = 476;
// Of the buffer of cases that reach global memory; a case's pointers count from its begin.
inline constexpr u32 vliw_memory_bytes = 4096, vliw_memory_pointer = 0x2000'0000;

// What a case may name: four rows of 64 lanes for each register, row by row; AR behind them.
struct VliwState {
  std::vector<u32> registers;
  std::vector<u8> local, memory;  // memory: the buffer, or an image's texels one behind the other
  u64 predicate = 0, exec = 0;
};

class VliwRun {
 public:
  // `constants` are the kernel's arguments as they lie in the constant buffer. With `image` it has an image
  // as its only argument. With `tracked`, checked runs are possible: everything counts as defined at first.
  VliwRun(const Module& module, const std::vector<u8>& constants,
          const std::optional<ImageDescription>& image, bool tracked);
  // What went wrong so far; else empty.
  const std::string& problem() const { return problem_; }

  u32 rows() const { return rows_; }  // of registers
  VliwState state() const;
  void set(const VliwState& state);
  // Which bits count as undefined, of memory by bytes alone.
  void undefine(const VliwState& bits);
  VliwState undefined() const;

  // To the kernel's end; a diagnostic of what it failed by. What a checked run found is among the alarms,
  // what was wrong about the registers of its steps in `story`.
  std::optional<Diagnostic> execute(Way way, std::string& story);
  std::vector<std::string> alarms() const;

 private:
  WaveState& wave() { return group_.waves[0]; }
  const WaveState& wave() const { return group_.waves[0]; }
  // The device address of a byte of VliwState::memory.
  u64 address_of(u64 byte) const;

  const Module& module_;
  DeviceMemory memory_;
  u64 buffer_ = 0;
  std::optional<ImageObject> image_;
  std::unique_ptr<PreparedLaunch> launch_;
  Group group_;
  ViolationLog log_;
  std::optional<CheckedRun> checker_;
  std::string problem_;
  u32 rows_ = 0, address_row_ = 0;
  u64 memory_bytes_ = 0;
};

}  // namespace lockstep::cases
