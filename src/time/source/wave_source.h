// Where the timing model gets what waves do from: live execution, a recording, or a made-up program. Each
// cluster of compute units has a source of its own, which only it calls, so that clusters run side by side.
#pragma once
#include <memory>
#include <optional>
#include <span>

#include "base/diagnostic.h"
#include "time/source/segment.h"

namespace lockstep {

// Names a resident wave in its cluster: the number of its wave slot there. A slot is used again as soon as
// its wave has ended, which may be before the wave's group has.
using WaveHandle = u32;

// What the source is told of where and when something executes.
struct IssuePlace {
  u64 now_cycles = 0;
  u32 compute_unit = 0;  // of the device
  u32 simd = 0;
};

// An access that other waves' accesses may come before or after: it is captured when it issues, performed
// when the level of memory that owns the line serves it, and its result is written when the answer arrives.
// Tokens name them; a source uses a token again after commit.
class WaveSource {
 public:
  virtual ~WaveSource() = default;

  // Makes the waves of work-group `group` (linear number in the launch): its i-th wave is waves[i] from now
  // on. All waves of a group live in one compute unit. `first_slot` + a handle is the wave's resident slot in
  // the device.
  virtual void begin_group(u64 group, std::span<const WaveHandle> waves) = 0;

  // What the wave does next. Valid until the next call for this wave. Executes all of it, unless it is
  // at_issue. To be called when the last instruction of the segment before has issued, whatever that waited
  // for included: a wave's stores must not come before a wait that stands before them. A segment of no
  // instructions (count 0) says that the wave waits for one of its tokens: to be called again after the next
  // commit. After a segment that ended with Event::end the wave is gone; after Event::barrier the model
  // does not call again before all waves of the group have arrived.
  virtual const Segment& next(WaveHandle wave) = 0;

  // These waves may need their next segments soon: what that reads may be asked of the host's memory ahead.
  virtual void prefetch(std::span<const WaveHandle> waves) const { (void)waves; }

  // Executes the segment's only instruction, which was at_issue and not ordered: fills in what it did.
  virtual const Segment& execute(WaveHandle wave, const IssuePlace& place) = 0;

  // Notes what the ordered instruction will do, with its addresses; gives its token. No token (no_index)
  // where nothing is left to order: it faulted (Segment::end says so), or it has been executed, because no
  // lane reaches memory that others reach or the run is checked.
  virtual u32 capture(WaveHandle wave, const IssuePlace& place, const Segment*& segment) = 0;
  // Performs it. Called for all clusters' tokens in one order, by one thread, while no cluster runs.
  virtual void perform(u32 token) = 0;
  // Writes its result to the wave's registers (if the wave still exists) and frees the token.
  virtual void commit(u32 token) = 0;

  // All waves of the group have ended.
  virtual void end_group(u64 group) = 0;

  // What went wrong after a segment that ended with Event::fault.
  virtual Diagnostic fault(WaveHandle wave) = 0;

  // Wave-instructions executed so far.
  virtual u64 instructions() const = 0;
};

// Makes the sources of one launch's clusters, in the order of their numbers.
struct SourceFactory {
  virtual ~SourceFactory() = default;
  // `first_slot`: the device-wide number of the cluster's wave slot 0.
  virtual std::unique_ptr<WaveSource> open(u32 cluster, u32 first_slot) = 0;
  // Sources may run on several host threads at once.
  virtual bool parallel() const { return true; }
  // What waves do depends on when: accesses that other waves' stores are seen by are not all ordered ones, so
  // that windows must be one cycle long and run on one thread.
  virtual bool cycle_exact() const { return false; }
  // Why no wave of these sources can ever go on any more, if that is certain. To be called now and then
  // between windows, while none of the sources runs: it is quick unless a search seems worth its time, or is
  // asked for (`at_once`).
  virtual std::optional<Diagnostic> deadlock(u64 now_cycles, bool at_once) {
    (void)now_cycles, (void)at_once;
    return std::nullopt;
  }
};

}  // namespace lockstep
