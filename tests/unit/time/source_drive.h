// Consumes what sources say waves do without any model of time: waves in turn or at random, ordered accesses
// performed and committed in any order that hardware could come to.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "exec/launch.h"
#include "time/engine/shard.h"
#include "time/source/wave_source.h"

namespace lockstep {

struct DriveOptions {
  u32 clusters = 1;
  u64 seed = 0;              // 0: in turn
  u32 groups_at_once = 8;    // by cluster
  u64 most_turns = 1 << 24;  // of single waves
};

class Drive {
 public:
  // Called with each segment when it stands.
  std::function<void(u64 group, u32 wave, const Segment&)> on_segment;
  u64 tokens = 0, executed_at_issue = 0, segments = 0;

  Drive(SourceFactory& factory, const PreparedLaunch& launch, const DriveOptions& options)
      : Drive(factory, launch.module().code.instructions, launch.state().range.total_groups(),
              launch.state().waves_per_group, options) {}
  Drive(SourceFactory& factory, const std::vector<Instruction>& code, u64 groups, u32 waves_per_group,
        const DriveOptions& options)
      : factory_(factory),
        options_(options),
        code_(code),
        total_groups_(groups),
        waves_per_group_(waves_per_group),
        random_(options.seed) {
    for (u32 i = 0; i < options.clusters; ++i) {
      Cluster& cluster = clusters_.emplace_back();
      cluster.source = factory.open(i, i * options.groups_at_once * waves_per_group_);
      cluster.waves.resize(std::size_t{options.groups_at_once} * waves_per_group_);
      cluster.groups.resize(options.groups_at_once);
    }
  }

  // The slots that the groups need: of the launch's resident waves.
  static u32 resident_waves(const DriveOptions& options, u32 waves_per_group) {
    return options.clusters * options.groups_at_once * waves_per_group;
  }

  u64 instructions() const {
    u64 sum = 0;
    for (const Cluster& cluster : clusters_) sum += cluster.source->instructions();
    return sum;
  }

  // Nothing, or why it ended early.
  std::optional<Diagnostic> run() {
    for (u64 turn = 0; turn < options_.most_turns;) {
      begin_groups();
      bool any = false, moved = false;
      for (u32 c = 0; c < clusters_.size(); ++c) {
        Cluster& cluster = clusters_[c];
        for (u32 w = 0; w < cluster.waves.size(); ++w) {
          if (cluster.waves[w].status == Status::gone) continue;
          any = true;
          if (options_.seed != 0 && next_random() % 4 != 0) continue;
          if (!can_go_on(cluster.waves[w])) continue;
          moved = true;
          ++turn;
          if (auto error = take_turn(c, w)) return error;
          while (options_.seed != 0 && next_random() % 3 == 0) serve_one();
        }
      }
      if (!any && flying_.empty()) {
        EXPECT_EQ(begun_, total_groups_);
        return std::nullopt;
      }
      if (options_.seed == 0) {
        while (!flying_.empty()) serve_one();
      } else if (!moved && !flying_.empty()) {
        serve_one();
      }
      if (turn >= next_look_) {
        next_look_ = turn + 4096;
        if (auto deadlock = factory_.deadlock(turn, false)) return deadlock;
      }
    }
    ADD_FAILURE() << "waves go on for ever";
    return std::nullopt;
  }

 private:
  enum class Status { gone, running, at_barrier };
  struct Wave {
    Status status = Status::gone;
    u32 group_slot = 0;
    u32 number = 0;
    u32 tokens = 0;
    u32 serial = 0;       // of the waves that had this handle
    bool waits = false;   // for one commit
    bool drains = false;  // for all of its tokens
  };
  struct GroupSlot {
    bool used = false;
    u64 group = 0;
    u32 ended = 0, at_barrier = 0;
  };
  struct Cluster {
    std::unique_ptr<WaveSource> source;
    std::vector<Wave> waves;
    std::vector<GroupSlot> groups;
  };
  struct Flying {
    u32 cluster, token, wave, serial;
    bool performed;
  };

  u64 next_random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_;
  }
  static bool can_go_on(const Wave& wave) {
    return wave.status == Status::running && !wave.waits && (!wave.drains || wave.tokens == 0);
  }

  void begin_groups() {
    for (u32 g = 0; g < options_.groups_at_once; ++g) {
      for (Cluster& cluster : clusters_) {
        GroupSlot& slot = cluster.groups[g];
        if (slot.used || begun_ == total_groups_) continue;
        slot = {true, begun_, 0, 0};
        std::vector<WaveHandle> handles;
        for (u32 i = 0; i < waves_per_group_; ++i) {
          const u32 handle = g * waves_per_group_ + i;
          handles.push_back(handle);
          Wave& wave = cluster.waves[handle];
          wave = {Status::running, g, i, 0, wave.serial + 1, false, false};
        }
        cluster.source->begin_group(begun_++, handles);
      }
    }
  }

  std::optional<Diagnostic> take_turn(u32 c, u32 w) {
    Cluster& cluster = clusters_[c];
    WaveSource& source = *cluster.source;
    Wave& wave = cluster.waves[w];
    GroupSlot& group = cluster.groups[wave.group_slot];
    wave.drains = false;
    const Segment* segment = &source.next(w);
    ++segments;
    if (segment->count == 0) {
      EXPECT_GT(wave.tokens, 0u) << "who waits for a commit has a token";
      wave.waits = true;
      return std::nullopt;
    }
    if (segment->at_issue) {
      EXPECT_EQ(segment->count, 1u);
      const IssuePlace place{++now_, c, w & 3};
      if (segment->ordered) {
        const u32 token = source.capture(w, place, segment);
        if (token != no_index) {
          EXPECT_NE(segment->end, Event::fault);
          flying_.push_back({c, token, w, wave.serial, false});
          ++wave.tokens;
          ++tokens;
        }
      } else {
        segment = &source.execute(w, place);
        ++executed_at_issue;
      }
    }
    EXPECT_EQ(segment->active.size(), segment->count);
    for (const SegmentAccess& access : segment->accesses) {
      EXPECT_LT(access.instruction, segment->count);
      EXPECT_NE(access.lanes, 0u);
    }
    if (on_segment) on_segment(group.group, wave.number, *segment);
    const u32 last = segment->first + segment->count - 1;
    if (code_[last].cost == Cost::wait && wave.tokens != 0) wave.drains = true;
    switch (segment->end) {
      case Event::fault:
        return source.fault(w);
      case Event::end:
        wave.status = Status::gone;
        ++group.ended;
        break;
      case Event::barrier:
        wave.status = Status::at_barrier;
        ++group.at_barrier;
        break;
      default:
        return std::nullopt;
    }
    if (group.ended == waves_per_group_) {
      source.end_group(group.group);
      group.used = false;
    } else if (group.ended + group.at_barrier == waves_per_group_) {
      group.at_barrier = 0;
      for (Wave& other : cluster.waves) {
        if (other.status == Status::at_barrier && other.group_slot == wave.group_slot)
          other.status = Status::running;
      }
    }
    return std::nullopt;
  }

  // Performs an access or commits one: of one wave, accesses are performed in their order.
  void serve_one() {
    if (flying_.empty()) return;
    std::size_t at = options_.seed == 0 ? 0 : next_random() % flying_.size();
    if (!flying_[at].performed) {
      for (std::size_t i = 0; i < at; ++i) {
        const bool same = flying_[i].cluster == flying_[at].cluster && flying_[i].wave == flying_[at].wave &&
                          flying_[i].serial == flying_[at].serial;
        if (same && !flying_[i].performed) {
          at = i;
          break;
        }
      }
      clusters_[flying_[at].cluster].source->perform(flying_[at].token);
      flying_[at].performed = true;
      if (options_.seed != 0) return;
    }
    const Flying served = flying_[at];
    flying_.erase(flying_.begin() + static_cast<std::ptrdiff_t>(at));
    Cluster& cluster = clusters_[served.cluster];
    cluster.source->commit(served.token);
    Wave& wave = cluster.waves[served.wave];
    if (wave.serial != served.serial) return;
    if (wave.tokens != 0) --wave.tokens;
    wave.waits = false;
  }

  SourceFactory& factory_;
  DriveOptions options_;
  const std::vector<Instruction>& code_;
  u64 total_groups_;
  u32 waves_per_group_;
  u64 random_;
  std::vector<Cluster> clusters_;
  std::vector<Flying> flying_;  // in the order of capture
  u64 begun_ = 0, now_ = 0, next_look_ = 4096;
};

}  // namespace lockstep
