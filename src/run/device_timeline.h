// When commands of several queues run on one modelled device: copies beside kernels, kernels beside each
// other where neither needs the whole device. docs/opencl.md, "Side by side", has the rules.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "time/counters.h"

namespace lockstep {

struct LaunchPlan;
struct RunData;

// What a kernel takes of the device while it runs.
struct DeviceShare {
  f64 share = 1;  // of the room for work-groups, 0 to 1
  // How busy it keeps each resource on the mean when it runs alone, 0 to 1, by the resource's name.
  std::vector<std::pair<std::string, f64>> busy;
};

// Of a timed launch.
DeviceShare device_share(const RunData& run, u32 resident_waves);

class DeviceTimeline {
 public:
  // `most_kernels` that run at once; 1: one behind the other. `copy_engines`: with two, one carries each way
  // over the host link.
  DeviceTimeline(u32 most_kernels, u32 copy_engines)
      : most_kernels_(most_kernels), copy_engines_(copy_engines) {}

  struct Span {
    u64 begin_ns = 0, end_ns = 0;
  };
  // From `earliest_ns` on, when the engine is free.
  Span copy(bool to_host, u64 earliest_ns, u64 duration_ns);
  // From `earliest_ns` on, as soon as the room for its groups is free for as long as it runs. What others
  // leave of the resources that it keeps busy says how fast it goes; those that were placed before are not
  // slowed. `duration_ns`: of the kernel alone.
  Span kernel(u64 earliest_ns, u64 duration_ns, const DeviceShare& use);

 private:
  struct Placed {
    Span span;
    DeviceShare use;
  };
  // The span from `begin` on; its end is 0 where the room is taken before.
  Span fit(u64 begin, u64 duration_ns, const DeviceShare& use) const;

  u32 most_kernels_, copy_engines_;
  std::array<u64, 2> copy_free_ns_{};
  std::vector<Placed> kernels_;
  u64 forgotten_ns_ = 0;  // nothing is placed before: what ran there is not kept
};

}  // namespace lockstep
