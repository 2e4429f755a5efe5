// Notes what another source's waves do (recording.h).
#pragma once
#include <atomic>

#include "exec/launch.h"
#include "time/source/recording.h"
#include "time/source/taint.h"
#include "time/source/wave_source.h"

namespace lockstep {

// The launch and the inner factory must outlive this one, which must outlive its sources.
class RecorderFactory final : public SourceFactory {
 public:
  // Of recordings of more than `most_bytes` nothing is kept.
  RecorderFactory(SourceFactory& inner, const PreparedLaunch& launch, u64 most_bytes = u64{1} << 30);

  std::unique_ptr<WaveSource> open(u32 cluster, u32 first_slot) override;
  bool parallel() const override { return inner_.parallel(); }
  bool cycle_exact() const override { return inner_.cycle_exact(); }
  std::optional<Diagnostic> deadlock(u64 now_cycles, bool at_once) override {
    return inner_.deadlock(now_cycles, at_once);
  }

  // What was recorded, once all groups have ended and the sources are gone. Errors: "recording-too-large",
  // "recording-incomplete" where the launch was not executed to its end.
  Expected<Recording> take();

 private:
  friend class RecorderSource;
  SourceFactory& inner_;
  const u64 most_bytes_;
  AdvanceRules advance_;
  TaintRules taint_rules_;
  Recording recording_;
  // Each wave's bytes are written by the source of its cluster alone; these by all.
  std::atomic<u64> bytes_{0}, instructions_{0}, ended_{0};
  std::atomic<bool> steered_{false}, steered_by_load_{false}, stored_{false};
};

class RecorderSource final : public WaveSource {
 public:
  RecorderSource(RecorderFactory& factory, std::unique_ptr<WaveSource> inner)
      : factory_(factory), inner_(std::move(inner)) {}

  void begin_group(u64 group, std::span<const WaveHandle> waves) override;
  const Segment& next(WaveHandle wave) override;
  void prefetch(std::span<const WaveHandle> waves) const override;
  const Segment& execute(WaveHandle wave, const IssuePlace& place) override;
  u32 capture(WaveHandle wave, const IssuePlace& place, const Segment*& segment) override;
  void perform(u32 token) override { inner_->perform(token); }
  void commit(u32 token) override { inner_->commit(token); }
  void end_group(u64 group) override { inner_->end_group(group); }
  Diagnostic fault(WaveHandle wave) override { return inner_->fault(wave); }
  u64 instructions() const override { return inner_->instructions(); }

 private:
  struct Wave {
    std::vector<u8>* kept = nullptr;  // gets them at the wave's end, all at once
    std::vector<u8> bytes;
    PieceWriter writer;
    WaveTaint taint;
  };
  void note(WaveHandle wave, const Segment& segment);

  RecorderFactory& factory_;
  std::unique_ptr<WaveSource> inner_;
  std::vector<Wave> waves_;           // by handle
  u64 bytes_ = 0, instructions_ = 0;  // not yet among the factory's
};

}  // namespace lockstep
