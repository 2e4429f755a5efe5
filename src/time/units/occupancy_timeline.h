// Resident waves over time in a bounded number of samples: when they run out, neighbours are joined.
#pragma once
#include <vector>

#include "base/types.h"

namespace lockstep {

struct OccupancySample {
  u64 begin_cycle = 0, cycles = 0;
  u64 wave_cycles = 0;  // resident waves, integrated
};

class OccupancyTimeline {
 public:
  // The number of resident waves changes at `now`.
  void change(u64 now, i32 by) {
    advance(now);
    resident_ = static_cast<u64>(static_cast<i64>(resident_) + by);
  }
  // A wave ends in the cycle `now`, which still is its own.
  void end(u64 now) {
    change(now, -1);
    while (now / width_ >= most_samples) join();
    if (sums_.size() <= now / width_) sums_.resize(now / width_ + 1);
    ++sums_[now / width_];
  }
  u64 resident() const { return resident_; }

  // Adds what another timeline, of waves elsewhere, has sampled.
  void add(const OccupancyTimeline& other) {
    OccupancyTimeline part = other;
    while (part.width_ < width_) part.join();
    while (width_ < part.width_) join();
    if (sums_.size() < part.sums_.size()) sums_.resize(part.sums_.size());
    for (std::size_t i = 0; i < part.sums_.size(); ++i) sums_[i] += part.sums_[i];
  }

  std::vector<OccupancySample> samples(u64 end) {
    advance(end);
    std::vector<OccupancySample> result;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const u64 begin = i * width_;
      if (begin >= end) break;
      result.push_back({begin, end - begin < width_ ? end - begin : width_, sums_[i]});
    }
    return result;
  }

 private:
  static constexpr std::size_t most_samples = 256;

  void advance(u64 now) {
    while (last_ < now) {
      while (last_ / width_ >= most_samples) join();
      const std::size_t index = last_ / width_;
      if (sums_.size() <= index) sums_.resize(index + 1);
      const u64 end = (index + 1) * width_ < now ? (index + 1) * width_ : now;
      sums_[index] += resident_ * (end - last_);
      last_ = end;
    }
  }
  void join() {
    for (std::size_t i = 0; i < sums_.size(); i += 2) {
      sums_[i / 2] = sums_[i] + (i + 1 < sums_.size() ? sums_[i + 1] : 0);
    }
    sums_.resize((sums_.size() + 1) / 2);
    width_ *= 2;
  }

  u64 last_ = 0, resident_ = 0, width_ = 64;
  std::vector<u64> sums_;
};

}  // namespace lockstep
