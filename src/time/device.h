// The device: its shards, and a launch's way through them.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "time/attribution/collect.h"
#include "time/engine/windows.h"
#include "time/timing.h"

namespace lockstep {

// What is made of a launch on one machine before it runs: costs of its instructions, what fits a unit.
struct LaunchModel {
  TimedProgram program;
  LaunchLimits limits;
  bool holds_code = false;       // the caches of instructions have the program from the start
  LaunchTrace* trace = nullptr;  // says what to note of what waves do, and is given what was noted
};

// Errors: those of programs that cannot be timed, and of the occupancy calculation.
Expected<LaunchModel> launch_model(const Machine& machine, const TimedLaunch& launch);

// What a device is built of.
struct DeviceFigures {
  CoreFigures core;
  Hierarchy hierarchy;
};

// Errors: those of timing_model.
Expected<DeviceFigures> device_figures(const Machine& machine);
// Its longest windows: kinds of shards are the compute units, the dispatcher, translation, each level of
// caches, channels.
WindowPlan longest_windows(const DeviceFigures& figures);

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
  void host_wrote(u64 address, u64 bytes) override;
  void host_read(u64 address, u64 bytes) override;
  u32 longest_window() const override;

 private:
  void hold_code(const TimedProgram& program);
  u64 code_place(const TimedProgram& program);
  u64 clean(const WindowPlan& plan, u32 threads);
  template <class Line, class Range>
  void host_access(u64 address, u64 bytes, Line line, Range range);
  Diagnostic deadlock() const;
  u64 instructions() const;  // of all clusters, so far
  DeviceParts parts() const;

  const Machine* machine_;
  CoreFigures figures_;
  Hierarchy hierarchy_;
  WindowPlan longest_;  // windows of all launches that ask for no shorter ones
  AddressMap map_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::vector<std::unique_ptr<Cluster>> clusters_;
  std::vector<std::unique_ptr<Slice>> slices_;
  std::vector<std::unique_ptr<Channel>> channels_;
  std::unique_ptr<Translation> translation_;
  std::vector<std::unique_ptr<FiguresTable>> per_instruction_;  // of each host thread
  std::vector<Shard*> shards_;                                  // in the order of their numbers
  std::vector<u8> kinds_;                                       // of shards, as longest_windows() has them
  std::set<std::pair<u64, std::size_t>> held_code_;  // address of the first instruction, instructions
  std::map<u64, u64> code_places_;                   // of the programs that ran, by what they are
  // Of programs that ran, so that those which are launched again and again are not lowered each time.
  struct ProgramName {
    std::string module_hash, program;
    u64 code_address;
    auto operator<=>(const ProgramName&) const = default;
  };
  static constexpr std::size_t most_models = 64;
  std::map<ProgramName, LaunchModel> models_;
};

}  // namespace lockstep
