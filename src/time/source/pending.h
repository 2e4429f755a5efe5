// Ordered accesses of a wave that have not come back yet, and what has to wait for them.
#pragma once
#include <deque>
#include <vector>

#include "isa/program.h"
#include "isa/register_use.h"
#include "time/source/advance.h"
#include "time/source/segment.h"

namespace lockstep {

// Instructions that a wave is executed ahead of its issue: its stores show by so many too early.
inline constexpr u32 most_instructions_ahead = 128;

// Of all waves of one source. Not for several threads: it learns of instructions as they come.
class PendingResults {
 public:
  // The registers of one instruction: those read, then those written.
  struct Use {
    std::vector<RegisterRange> ranges;
    std::size_t words = 0;                        // in all, rows as many as the wave has lanes
    bool indexed = false;                         // and others, which only the wave knows
    u32 vector_words = 0, first_scalar_word = 0;  // as RegisterUse has them
  };
  // Of one wave.
  struct Wave {
    u32 tokens = 0;     // not committed
    u32 exclusive = 0;  // of those, such that leave more than registers
    struct Write {
      u32 token;
      RegisterRange range;
    };
    std::vector<Write> writes;  // that commits will make

    void clear() {
      tokens = exclusive = 0;
      writes.clear();
    }
  };

  PendingResults(const Module& module, const Program& program);

  const Use& use_of(u32 instruction);
  // Whether the instruction has to wait for the wave's tokens; `bits` are its advance rules.
  bool must_wait(const Wave& wave, u32 instruction, u8 bits);
  void add(Wave& wave, u32 token, u32 instruction, bool exclusive);
  static void remove(Wave& wave, u32 token, bool exclusive);

 private:
  const Module& module_;
  const Program& program_;
  std::vector<u32> index_;  // by instruction: in uses_ plus 1, 0 if not made yet
  std::deque<Use> uses_;
};

// Words of 32 bits that a range's registers take.
std::size_t words_of(const RegisterRange& range, const PendingResults::Use& use, u32 lanes);

// What an ordered instruction's accesses mean: whether they reach memory that others reach, and so are left
// to order; and whether they leave more behind than registers and that memory.
struct OrderedReach {
  bool others = false, exclusive = false;
};
OrderedReach ordered_reach(const Segment& segment, u8 bits);

// Fills an empty segment with what the wave does next. `wave` gives the index of its next instruction (pc()),
// the lanes that will take part in it (active()), and takes it into the segment (step(): whether the straight
// line may go on behind it). True where the segment's instructions have been stepped.
template <class Stepper>
bool run_ahead(Segment& segment, PendingResults& results, const PendingResults::Wave& pending, const u8* bits,
               Stepper&& wave) {
  segment.first = segment.next_pc = wave.pc();
  const bool has_tokens = pending.tokens != 0;
  const u8 stops = advance::timed | advance::ordered | (has_tokens ? advance::shared : u8{0});
  while (segment.count < most_instructions_ahead) {
    const u32 at = wave.pc();
    const u8 rules = bits[at];
    const bool waits = has_tokens && results.must_wait(pending, at, rules);
    if (waits || (rules & stops) != 0) {
      if (segment.count != 0) break;
      if (waits) return false;
      segment.count = 1;
      segment.at_issue = true;
      segment.ordered = (rules & (advance::ordered | advance::shared)) != 0;
      segment.active.push_back(wave.active());
      segment.next_pc = at + 1;
      return false;
    }
    const bool goes_on = wave.step();
    if (!goes_on || (rules & advance::branch) != 0 || (has_tokens && (rules & advance::waits) != 0)) break;
  }
  return true;
}

}  // namespace lockstep
