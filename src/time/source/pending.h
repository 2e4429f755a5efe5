// Ordered accesses of a wave that have not come back yet, and what has to wait for them.
#pragma once
#include <deque>
#include <vector>

#include "isa/program.h"
#include "isa/register_use.h"
#include "time/source/advance.h"
#include "time/source/segment.h"
#include "time/source/wave_source.h"

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

  // Memory that others reach, from the first byte that lanes touch to the last.
  struct Reach {
    u64 begin = ~u64{0}, end = 0;
    void add(const Access& access);
  };
  // Of one group: where its waves' tokens reach. What a wave does there comes behind its own and, where
  // barriers do not wait, behind those that were made before waves came to the latest barrier.
  class Group {
   public:
    void add(u32 token, WaveHandle wave, const Reach& reach) {
      tokens_.push_back({token, wave, barriers_, reach});
    }
    void remove(u32 token) {
      std::erase_if(tokens_, [token](const Token& one) { return one.token == token; });
    }
    void come_to_barrier() { ++barriers_; }
    bool empty() const { return tokens_.empty(); }
    // Whether any token is in front of what the wave does next; of those that reach there, too.
    bool orders(WaveHandle wave) const {
      return std::ranges::any_of(tokens_, [&](const Token& one) { return in_front(one, wave); });
    }
    bool orders(WaveHandle wave, const Reach& reach) const {
      return std::ranges::any_of(tokens_, [&](const Token& one) {
        return in_front(one, wave) && one.reach.begin < reach.end && reach.begin < one.reach.end;
      });
    }

   private:
    struct Token {
      u32 token;
      WaveHandle wave;
      u32 made;  // barriers before it
      Reach reach;
    };
    bool in_front(const Token& one, WaveHandle wave) const {
      return one.wave == wave || one.made != barriers_;
    }
    std::vector<Token> tokens_;
    u32 barriers_ = 0;  // to which waves have come
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

// Where one instruction of a segment reaches.
PendingResults::Reach reach_of(const Segment& segment, u32 instruction);

// What an ordered instruction's accesses mean: whether they reach memory that others reach, and so are left
// to order; and whether they leave more behind than registers and that memory.
struct OrderedReach {
  bool others = false, exclusive = false;
};
OrderedReach ordered_reach(const Segment& segment, u8 bits);

// What tokens of its group mean for what a wave does next.
enum class Behind : u8 { nothing, captured_ones, committed_ones };

// Fills an empty segment with what the wave does next. `wave` gives the index of its next instruction (pc()),
// the lanes that will take part in it (active()), what it has to come behind (behind(), asked where
// `in_order` says that there are such tokens), and takes it into the segment (step(): whether the straight
// line may go on behind it). True where the segment's instructions have been stepped.
template <class Stepper>
bool run_ahead(Segment& segment, PendingResults& results, const PendingResults::Wave& pending, bool in_order,
               const u8* bits, Stepper&& wave) {
  segment.first = segment.next_pc = wave.pc();
  const bool has_tokens = pending.tokens != 0;
  constexpr u8 stops = advance::timed | advance::ordered;
  while (segment.count < most_instructions_ahead) {
    const u32 at = wave.pc();
    const u8 rules = bits[at];
    const bool waits = has_tokens && results.must_wait(pending, at, rules);
    Behind behind = Behind::nothing;
    if (in_order && !waits && (rules & stops) == 0 && (rules & advance::shared) != 0) behind = wave.behind();
    if (waits || (rules & stops) != 0 || behind != Behind::nothing) {
      if (segment.count != 0) break;
      segment.waits_for_group = behind == Behind::committed_ones;
      if (waits || segment.waits_for_group) return false;
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
