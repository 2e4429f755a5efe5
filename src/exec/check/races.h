// Data races between work-items, in local and global memory.
//
// Two accesses of different work-items to one byte, of which one at least writes and one at least is plain,
// are a race unless one comes before the other:
// - within a wave, instructions come one after the other (waves run in step); two lanes of one instruction
//   that store different values to one byte are a race. CheckSelection::lane_races takes work-items of a wave
//   as unordered up to the next barrier (or bar.warp.sync).
// - between waves of a group, through barriers of the group and through atomics;
// - between groups, through atomics alone. An atomic that returns a value comes behind every atomic that
//   went to the same place before, and behind all that the waves of those had done elsewhere before them.
//   Fences are not looked for: an atomic counts as release and, where it returns a value, as acquire.
// Atomic loads and stores count as such where the code shows them: PTX by its words (volatile, relaxed,
// acquire, release), AMD by the cache bits of loads (isa/access_policy.h), which volatile has as well. An AMD
// store has none before gfx940: one right behind a wait for all earlier memory instructions, as a release
// store has, may be atomic, and is no race with atomics or coherent loads, which then come behind it.
// Stores of the value that memory holds already are no race with another store, unless
// CheckSelection::same_value_races asks for it.
//
// Remembered are, for each byte, the last plain write, two plain reads and two atomics that nothing orders;
// the shadow memory is bounded (1 GiB for global memory), the oldest pages are forgotten.
#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "exec/check/race_shadow.h"
#include "exec/check/selection.h"
#include "exec/check/violations.h"
#include "exec/launch.h"
#include "isa/step.h"

namespace lockstep {

class RaceChecker final : public StepChecker {
 public:
  // With a log, runs go on after a race; without, the first one is a fault.
  RaceChecker(const PreparedLaunch& launch, const CheckSelection& selection, ViolationLog* log = nullptr,
              u64 most_shadow_bytes = u64{1} << 30);

  void begin(std::span<WaveState> waves) override;
  void barrier(std::span<WaveState> waves) override;
  void end(std::span<WaveState> waves) override;
  void before(WaveState& wave, const Instruction& instruction, StepContext& context) override;
  void access(WaveState& wave, const Instruction& instruction, const Access& access,
              StepContext& context) override;
  std::string note() const override { return note_; }
  u32 place(const WaveState& wave, u32 instruction) const override;

  // Pages of shadow memory that made room for others: what was known about them is lost.
  u64 forgotten_pages() const { return global_.forgotten_pages(); }

 private:
  struct Group {
    explicit Group(u64 local_bytes) : local(local_bytes) {}
    std::vector<check::WaveClock> waves;
    check::RaceShadow local;
    check::SyncPlaces local_places;
    check::SyncPlace counted_barriers;
  };
  struct Step;  // one access of one instruction

  Group& group_of(u32 group);
  // touches.cpp
  void touch_sort(Step& step);
  void touch_lanes(Step& step);
  void touch_run(Step& step, u32 first, u32 count);
  void touch_dword(Step& step, u32 lane);
  static bool touch_line(const Step& step, check::RaceLine& line, u64 bytes, u64 what);
  void touch_cells(Step& step, check::RaceLine& line, u64 bytes, u64 what);
  static bool touch_quickly(Step& step, const check::Touch& now, check::RaceCell& cell);
  static u64 touch_local_atomics(Step& step, u64 lanes);
  static void keep_atomic(const Step& step, const check::Touch& now, check::RaceCell& cell);
  void touch_closely(Step& step, u32 lane, const check::Touch& now, check::RaceCell& cell);
  bool stores_same(const Step& step, u32 lane) const;
  void synchronise(Step& step, bool acquires);
  void acquire_unsure_stores(Step& step);
  void find_double_stores(Step& step);
  bool conflicts(Step& step, u32 lane, const check::Touch& before) const;
  void report(Step& step, u32 lane, const check::Touch& before, check::Sort before_sort);
  std::string describe(const check::Touch& touch, check::Sort sort) const;

  const PreparedLaunch& launch_;
  CheckSelection selection_;
  ViolationLog* log_;
  const Instruction* code_;
  std::vector<u8> marks_;  // by instruction
  check::RaceShadow global_;
  check::SyncPlaces places_;
  std::unordered_map<u32, std::unique_ptr<Group>> groups_;
  std::vector<std::unique_ptr<Group>> idle_;
  u32 last_number_ = 0;
  Group* last_ = nullptr;
  u64 base_ = 0;                             // device address of the shadow's beginning
  u64 ignored_begin_ = 0, ignored_end_ = 0;  // the buffer of printf
  // What kernels may only load, since stores there are reported as out of bounds: arguments, dispatch packet.
  std::array<std::pair<u64, u64>, 2> loaded_{};  // addresses and bytes
  u32 accesses_ = 0;                             // of the instruction at hand
  bool ptx_ = false;
  bool acquires_ =
      false;  // the module has instructions that may: otherwise nobody needs what atomics release
  std::string note_;
};

}  // namespace lockstep
