// The device: its shards, and a launch's way through them.
#pragma once
#include <memory>
#include <vector>

#include "time/attribution/collect.h"
#include "time/engine/windows.h"
#include "time/timing.h"

namespace lockstep {

// What is made of a launch on one machine before it runs: costs of its instructions, what fits a unit.
struct LaunchModel {
  TimedProgram program;
  LaunchLimits limits;
};

class Device final : public TimedDevice {
 public:
  // `machine`: whose kernels launch() takes; may be null where only made-up programs run.
  Device(const Machine* machine, const CoreFigures& figures, const Hierarchy& hierarchy);

  Expected<TimingResult> launch(const TimedLaunch& launch, SourceFactory& sources,
                                const TimingOptions& options) override;
  // The same of a made-up program, whose costs the caller states.
  Expected<TimingResult> run(const LaunchModel& model, const TimedLaunch& launch, u32 wave_lanes,
                             SourceFactory& sources, const TimingOptions& options);
  void make_cold() override;
  u32 longest_window() const override;

 private:
  void hold_code(const TimedProgram& program);
  void clean(Windows& windows, const std::function<void(const Perform&)>& perform);
  Diagnostic deadlock() const;
  u64 instructions() const;  // of all clusters, so far
  DeviceParts parts() const;

  const Machine* machine_;
  CoreFigures figures_;
  Hierarchy hierarchy_;
  AddressMap map_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::vector<std::unique_ptr<Cluster>> clusters_;
  std::vector<std::unique_ptr<Slice>> slices_;
  std::vector<std::unique_ptr<Channel>> channels_;
  std::unique_ptr<Translation> translation_;
  std::vector<Shard*> shards_;  // in the order of their numbers
  bool first_launch_ = true;
};

}  // namespace lockstep
