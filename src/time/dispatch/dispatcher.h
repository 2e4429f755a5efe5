// The dispatcher: work-groups go to units in order, round robin over shader engines and over the units of
// each; all waves of a group are placed at once or none. Engine by engine each unit has one in turn before
// the next engine's, and a launch begins at the engine where the one before it ended if groups had to wait
// for room in that (experiments/h200-timing/places.txt). A wave's slot and registers are free again when the
// dispatcher hears of its end, local memory and the group's barrier when it hears of the last wave's. Where
// it takes the ends of groups one after the other, the last wave's waits for its turn.
#pragma once
#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "isa/launch.h"
#include "time/core/figures.h"
#include "time/engine/outbox.h"

namespace lockstep {

// Waves of work-group `group`; the groups at the upper ends of the range may be smaller.
u32 waves_of_group(const NdRange& range, u64 group, u32 wave_lanes);

enum class DispatchLimit : u8 {
  port,
  wave_slots,
  vector_registers,
  scalar_registers,
  local_memory,
  group_slots,
  count
};
inline constexpr std::size_t dispatch_limit_count = static_cast<std::size_t>(DispatchLimit::count);
std::string_view name(DispatchLimit limit);  // "port", "wave_slots"

class Dispatcher final : public Shard {
 public:
  // `first_cluster`: the shard of cluster 0.
  Dispatcher(const CoreFigures& figures, u32 first_cluster);

  // Groups go out from cycle `first` on.
  void begin_launch(const LaunchLimits& limits, const NdRange& range, u32 wave_lanes, u64 first);
  // The next launch begins at the first engine.
  void forget_launches() {
    first_engine_ = 0;
    waited_ = false;
  }
  u64 run(u64 begin, u64 end, std::span<const Mail> inbox, Outbox& outbox) override;

  // Clusters that the first groups of this launch are on their way to, since the last question.
  std::vector<u32> take_first_uses() { return std::exchange(first_uses_, {}); }

  u64 groups_done() const { return groups_done_; }
  u64 groups() const { return total_groups_; }
  // When the last group had ended that waited for its turn to end; 0 where none had to.
  u64 last_end() const { return last_end_; }
  const std::array<u64, dispatch_limit_count>& stalls() const { return stalls_; }
  // Cycles from the launch's first group to its last in which no group waited for room, or for room alone
  // that groups held which had ended and waited for their turn: how often groups can start and end was what
  // they waited for.
  u64 sending_cycles() const;
  u64 last_start() const { return last_start_; }

 private:
  // A part of a unit that holds whole groups: the unit, or the SIMDs that a group may be spread over.
  struct Part {
    std::array<u8, 8> used{};  // waves of each SIMD
    u32 groups = 0, barrier_groups = 0, next_simd = 0;
    // Ended waves of groups that are not done, where groups give back their places as a whole.
    struct Ended {
      u64 group;
      u32 simd;
    };
    std::vector<Ended> ended;
  };
  void heard(const Mail& mail);
  void release(const Mail& mail);
  // Places as many groups as this cycle allows; when to try again without news.
  u64 dispatch(Outbox& outbox);
  bool place(const Part& part, u32 waves, DispatchLimit& limit) const;
  u32 engine_of_turn(u32 turn) const;
  u32 first_part(u32 engine) const;
  void start(u32 part, u32 waves, u32 engine, Outbox& outbox);

  const CoreFigures& f_;
  u32 first_cluster_;
  LaunchLimits limits_;
  NdRange range_;
  u32 wave_lanes_ = 64;
  u32 simds_per_part_ = 4, parts_per_unit_ = 1;
  u64 now_ = 0, first_ = 0, last_start_ = 0;
  std::vector<Part> parts_;
  std::vector<u8> may_fit_;  // of each, whether a group might
  std::vector<bool> uses_;   // of clusters, in this launch
  std::vector<u32> first_uses_;
  std::vector<u64> port_free_;    // of each shader engine
  std::vector<u64> unit_free_;    // of each unit
  std::vector<u32> engine_next_;  // next part to try
  u32 next_engine_ = 0;           // turn among the engines
  u32 first_engine_ = 0;          // that of the launch
  bool waited_ = false;           // a group had to wait for room, where that decides where the next begins
  // In 256ths of a cycle, where groups are further apart: of the next group's start, of the next end.
  u64 next_start_ = 0, next_end_ = 0;
  struct End {
    u64 time;
    Mail mail;
  };
  std::deque<End> ends_;  // of groups, that wait for their turn
  u64 last_end_ = 0;
  u64 ends_kept_room_ = 0;  // cycles in which a group waited for room while ends waited for their turn
  u64 next_group_ = 0, groups_done_ = 0, total_groups_ = 0;
  u64 again_ = never;
  u64 blocked_since_ = never;
  DispatchLimit blocked_by_ = DispatchLimit::port;
  std::array<u64, dispatch_limit_count> stalls_{};
};

}  // namespace lockstep
