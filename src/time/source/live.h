// Live execution as the timing model's source: waves are executed ahead of their issue, up to what depends on
// when it issues or on the order among waves.
#pragma once
#include <vector>

#include "exec/group.h"
#include "exec/progress.h"
#include "time/source/pending.h"
#include "time/source/wave_source.h"

namespace lockstep {

class LiveSource;

// The launch and the checker must outlive the factory, the factory its sources.
class LiveFactory final : public SourceFactory {
 public:
  // `checker` may be null. A wave that executes more instructions than `most_instructions` faults.
  explicit LiveFactory(const PreparedLaunch& launch, StepChecker* checker = nullptr,
                       u64 most_instructions = u64{1} << 30);

  std::unique_ptr<WaveSource> open(u32 cluster, u32 first_slot) override;
  bool parallel() const override { return checker_ == nullptr; }
  bool cycle_exact() const override { return rules_.reads_others_stores; }
  // Also a fault of an ordered access that showed only when it was performed, after its wave's end.
  std::optional<Diagnostic> deadlock(u64 now_cycles, bool at_once) override;

 private:
  friend class LiveSource;
  const PreparedLaunch& launch_;
  StepChecker* checker_;
  u64 most_instructions_;
  AdvanceRules rules_;
  std::vector<LiveSource*> sources_;
  Patience patience_{u64{1} << 20};
  u64 seen_instructions_ = 0, seen_progress_ = 0;
};

class LiveSource final : public WaveSource {
 public:
  LiveSource(LiveFactory& factory, u32 first_slot);
  ~LiveSource() override;

  void begin_group(u64 group, std::span<const WaveHandle> waves) override;
  const Segment& next(WaveHandle wave) override;
  void prefetch(std::span<const WaveHandle> waves) const override;
  const Segment& execute(WaveHandle wave, const IssuePlace& place) override;
  u32 capture(WaveHandle wave, const IssuePlace& place, const Segment*& segment) override;
  void perform(u32 token) override;
  void commit(u32 token) override;
  void end_group(u64 group) override;
  Diagnostic fault(WaveHandle wave) override;
  u64 instructions() const override { return instructions_; }

 private:
  friend class LiveFactory;

  struct Undo {
    u32 token = 0;
    bool performed_before = false;
    bool written = false;
    std::vector<u32> registers;  // the token's, before
    std::vector<std::pair<u8*, u32>> places;
    std::vector<u8> memory;  // what they held, one after the other
  };
  // Stays until all of its waves' tokens have been committed.
  struct ActiveGroup {
    Group group;
    PendingResults::Group pending;
    bool ended = false;
  };
  struct Wave {
    WaveState* state = nullptr;
    ActiveGroup* group = nullptr;
    u32 number = 0;      // in the group
    u32 generation = 0;  // changes when the handle's wave begins and ends
    u32 faulted_at = 0;
    std::unique_ptr<Diagnostic> stopped;  // where it did
    Segment segment;
    PendingResults::Wave pending;
  };
  // An ordered access between capture and commit.
  struct Token {
    ActiveGroup* group = nullptr;
    WaveHandle wave = 0;
    u32 number = 0, generation = 0;
    u32 instruction = 0;
    u32 mode = 0;
    u64 exec = 0;
    bool exclusive = false;
    bool used = false;
    bool performed = false;
    // What the instruction's registers (PendingResults::Use) held when it was captured, ranges one after the
    // other; what they hold after it, once it was performed.
    std::vector<u32> registers;
  };
  const Instruction& begin_step(Wave& wave);
  void step_ahead(Wave& wave);
  // What the wave does next has to come behind of its group's tokens.
  Behind behind(Wave& wave, WaveHandle handle);
  void record(Segment& segment, const Instruction& instruction, u64 active);
  // What the segment's last instruction means for the wave and its group.
  void finish(Wave& wave);
  void come_to_barrier(Wave& wave);
  void end_wave(Wave& wave);
  void stop(Wave& wave, Diagnostic diagnostic);
  // Runs the token's instruction on its wave, which has gone on, with the registers of its capture; the token
  // holds those that it leaves.
  void run_captured(Token& token, StepContext& context);
  // Writes a performed token's results to its wave, which still exists, and takes what they replace.
  void exchange_results(Token& token);
  // Performs all tokens and writes all results, until undo() is called with what this leaves. False where
  // that changes memory or goes wrong: the wave goes on, then.
  bool try_tokens(std::vector<Undo>& undo);
  void undo(std::vector<Undo>& undo);
  u32 make_token(WaveHandle handle, u32 instruction, bool exclusive);
  void set_place(const IssuePlace& place);
  void recycle(ActiveGroup& group);
  std::vector<Group*> active_groups();

  LiveFactory& factory_;
  const PreparedLaunch& launch_;
  const Instruction* code_;
  const u8* bits_;
  const SlowWay* slow_ways_;  // null: there are none
  u32 first_slot_;
  StepContext context_;          // of steps at issue and ahead
  StepContext perform_context_;  // of ordered accesses
  Outcome outcome_;
  PendingResults results_;
  std::vector<std::unique_ptr<Wave>> waves_;  // by handle; references to segments stay
  std::vector<u32> slots_;
  std::vector<std::unique_ptr<ActiveGroup>> groups_;
  std::vector<std::unique_ptr<ActiveGroup>> idle_;
  std::vector<Token> tokens_;
  std::vector<u32> free_tokens_;
  std::optional<Diagnostic> late_fault_;  // of a wave that has ended
  u64 begun_ = 0;                         // groups
  u64 progress_ = 0;                      // waves that began, ended or left a barrier
  u64 instructions_ = 0;
};

}  // namespace lockstep
