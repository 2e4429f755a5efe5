// Whether what a wave does depends on when: which of its registers come from a clock or from what an ordered
// access found, and whether one of them reaches an address, the active lanes or a branch. Conservative: by
// whole registers, and memory as a whole.
#pragma once
#include <vector>

#include "isa/program.h"
#include "isa/register_use.h"
#include "time/source/advance.h"

namespace lockstep {

// How values flow through each instruction of a module.
class TaintRules {
 public:
  // `advance` are the module's and must stay.
  TaintRules(const Module& module, const Program& program, const AdvanceRules& advance);
  // No instruction gives anything that depends on when.
  bool idle() const { return idle_; }

 private:
  friend class WaveTaint;
  enum class Flow : u8 { plain, load, store, atomic };
  struct Range {
    RegisterRange registers;
    bool steers = false;  // as an address, active lanes or a branch's condition
  };
  struct Step {
    u32 first = 0, reads = 0, writes = 0;  // of ranges_: those read, behind them those written
    Flow flow = Flow::plain;
    bool source = false;    // its results depend on when
    bool leaves = false;    // in what order it came shows in what it leaves in memory
    bool steers = false;    // what it writes is active lanes
    bool indexed = false;   // registers that only the wave knows
    bool constant = false;  // a load of what nobody writes
    bool merges = false;    // inactive lanes' bits of masks stay
    bool counts = false;    // a barrier that looks again until others have come
  };
  std::vector<Step> steps_;  // by instruction
  std::vector<Range> ranges_;
  bool idle_ = true;
};

// Of one wave, or of several, joined.
struct TaintFindings {
  bool steered = false;          // an address or branch depended on when
  bool steered_by_load = false;  // one depended on what was loaded from memory that the launch may write
  bool stored = false;           // something that depends on when was left in memory

  bool timing_dependent() const { return steered || (steered_by_load && stored); }
  void join(const TaintFindings& other) {
    steered = steered || other.steered;
    steered_by_load = steered_by_load || other.steered_by_load;
    stored = stored || other.stored;
  }
};

class WaveTaint {
 public:
  void begin();
  // `active`: the lanes that took part.
  void step(const TaintRules& rules, u32 instruction, u64 active);
  const TaintFindings& findings() const { return findings_; }

 private:
  static constexpr u8 time = 1, loaded = 2;
  u8 of(const RegisterRange& range) const;
  void set(const RegisterRange& range, u8 taint, bool whole);
  std::vector<u8> rows_, scalars_;
  u8 condition_ = 0, exec_ = 0, any_ = 0;
  u64 lanes_ = 0;  // that have ever been active
  TaintFindings findings_;
};

}  // namespace lockstep
