// Plays back a recording: each wave's segments as live execution would cut them under the timing that plays
// them. Nothing is executed, memory is not touched.
#pragma once
#include <memory>

#include "exec/launch.h"
#include "time/source/pending.h"
#include "time/source/recording.h"
#include "time/source/wave_source.h"

namespace lockstep {

// The recording and the module must outlive the factory, the factory its sources.
class RecordedFactory final : public SourceFactory {
 public:
  // Errors: "wrong-recording" for one of another version, program or kernel.
  static Expected<std::unique_ptr<RecordedFactory>> make(const Recording& recording, const Module& module,
                                                         const Program& program);

  std::unique_ptr<WaveSource> open(u32 cluster, u32 first_slot) override;

 private:
  friend class RecordedSource;
  RecordedFactory(const Recording& recording, const Module& module, const Program& program);
  const Recording& recording_;
  const Module& module_;
  const Program& program_;
  AdvanceRules rules_;
};

class RecordedSource final : public WaveSource {
 public:
  explicit RecordedSource(const RecordedFactory& factory);

  void begin_group(u64 group, std::span<const WaveHandle> waves) override;
  const Segment& next(WaveHandle wave) override;
  const Segment& execute(WaveHandle wave, const IssuePlace& place) override;
  u32 capture(WaveHandle wave, const IssuePlace& place, const Segment*& segment) override;
  void perform(u32) override {}
  void commit(u32 token) override;
  void end_group(u64) override {}
  Diagnostic fault(WaveHandle wave) override;
  u64 instructions() const override { return instructions_; }

 private:
  struct Wave {
    PieceReader reader;
    Segment piece;
    u32 at = 0, access = 0;  // of the piece: the next instruction and its first access
    u32 generation = 0;
    PendingResults::Wave pending;
    std::shared_ptr<PendingResults::Group> group;
    Segment segment;
  };
  struct Token {
    WaveHandle wave = 0;
    u32 generation = 0;
    bool exclusive = false;
    std::shared_ptr<PendingResults::Group> group;
  };
  bool step(Wave& wave);
  const Segment& at_issue(WaveHandle wave);

  const RecordedFactory& factory_;
  const Instruction* code_;
  PendingResults results_;
  std::vector<std::unique_ptr<Wave>> waves_;  // by handle
  std::vector<Token> tokens_;
  std::vector<u32> free_tokens_;
  u64 instructions_ = 0;
};

}  // namespace lockstep
