// How verdicts are found: the figures of a run, by resource and by line, and the rules over them. verdict.cpp
// decides what is the limit, findings.cpp what in the program makes it so.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "report/timed_lines.h"
#include "report/verdict.h"
#include "report/view.h"
#include "report/words.h"

namespace lockstep::judging {

// Shares from which on something is worth a word. docs/report.md gives them.
inline constexpr f64 launch_share = 0.5;        // of the time, before the first group
inline constexpr f64 full_device = 0.75;        // of the compute units
inline constexpr f64 idle_lanes = 0.4;          // of vector arithmetic's lane-cycles
inline constexpr f64 conflict_share = 0.3;      // of the local-memory banks' busy cycles
inline constexpr f64 private_share = 0.4;       // of the transactions
inline constexpr f64 atomic_share = 0.5;        // of the lanes' accesses
inline constexpr f64 lopsided = 2;              // busiest unit against the mean
inline constexpr f64 translation_share = 0.25;  // of a memory access's time
inline constexpr f64 stall_share = 0.25;        // of the waves' cycles, of a secondary finding
inline constexpr f64 misused_share = 0.4;    // of vector arithmetic's cycles, of doubles, of integer division
inline constexpr f64 waste_share = 1.0 / 3;  // of the transactions, that need not be
inline constexpr f64 most_repeats = 0.5;     // of the accesses, before what else is wrong with them
inline constexpr f64 many_repeats = 0.3;     // of the accesses, as what waves wait for
inline constexpr f64 some_repeats = 0.15;    // the same, beside something else
inline constexpr f64 least_accesses = 1.0 / 16;  // of the instructions, with which accesses can be it
inline constexpr f64 loop_share = 0.3;           // of the instructions, in loops over lanes
inline constexpr f64 empty_lanes = 0.1;          // of the waves', where no work-item is
inline constexpr f64 empty_of_idle = 0.6;        // the same, of the idle ones, to be why these are
inline constexpr f64 mostly_misused = 0.6;       // where arithmetic is not busy for stall_share of the time
inline constexpr f64 seldom_busy = 0.1;          // arithmetic whose latency can be what is waited for
inline constexpr f64 fetched_again = 1.5;        // turns of a wave at code that waves wait for
inline constexpr f64 few_waves = 0.5;            // of those that the device has room for
inline constexpr f64 divisible_work = 256;    // instructions of a wave, that could be divided among several
inline constexpr f64 low_occupancy = 0.5;     // of the wave slots
inline constexpr f64 least_occupancy = 0.25;  // the same, beside arithmetic that is the limit
inline constexpr f64 most_idle = 0.6;         // of vector arithmetic's lane-cycles, beside waits for memory
inline constexpr f64 turns_used = 0.5;   // of the busiest unit: below it waits for turns are not for the unit
inline constexpr f64 some_waves = 0.25;  // of those, with which a chain is a flaw beside their number
inline constexpr f64 queueing = 2;       // a latency, in times of the unloaded one
inline constexpr f64 serial_share = 0.5;     // of the waits at barriers, for what few lanes do
inline constexpr f64 named_line = 0.25;      // of what code without a line has: from there a line is named
inline constexpr f64 sending_share = 0.6;    // of the time, in which groups start and end as fast as they can
inline constexpr f64 long_wave = 8;          // of a wave's time, in times of the mean
inline constexpr f64 longer_wave = 4;        // the same, where a tail is at work nearly all the time
inline constexpr f64 most_tail = 0.9;        // of the time
inline constexpr f64 tail_waves = 0.25;      // of the most resident at once: fewer are a tail
inline constexpr f64 tail_share = 0.4;       // of the time, in which only a tail is at work
inline constexpr f64 alone_in_flight = 1.5;  // loads of a wave under way while it waits

inline constexpr f64 many_in_flight = 8;    // the same, from which more would be no help
inline constexpr f64 all_at_once = 0.75;    // of a wave's accesses
inline constexpr f64 uneven_work = 1.5;     // of a compute unit's busiest SIMD, in times of their mean
inline constexpr f64 waves_to_be_even = 4;  // of a launch, for each SIMD of the device

inline f64 ratio(f64 part, f64 whole) {
  return whole > 0 ? part / whole : 0;
}

inline f64 number_of(u64 value) {
  return static_cast<f64>(value);
}

inline std::string share_text(f64 share) {
  return fmt::format("{:.0f} %", 100 * share);
}

class Judge {
 public:
  explicit Judge(const RunData& run);

  Verdicts run();

 private:
  // Waits of a barrier's line that are its fence's.
  static bool at_barrier(Stall reason) {
    return reason == Stall::local_memory || reason == Stall::vector_memory ||
           reason == Stall::scalar_memory || reason == Stall::dependency;
  }
  using Weight = std::function<f64(const TimedLine&)>;

  void utilisations();

  std::pair<const Utilisation*, f64> tightest() const;
  const Utilisation* busiest_of(ResourceKind kind) const;
  f64 busy(ResourceKind kind) const;
  f64 stalled(std::initializer_list<Stall> reasons) const;

  const TimedLine* worst(const Weight& weight) const;
  static Weight of_stalls(std::initializer_list<Stall> reasons) {
    return [reasons = std::vector<Stall>(reasons)](const TimedLine& line) {
      f64 sum = 0;
      for (const Stall reason : reasons)
        sum += number_of(line.figures.stalls[static_cast<std::size_t>(reason)]);
      return sum;
    };
  }
  static f64 transactions(const TimedLine& line) { return number_of(line.figures.transactions); }

  bool said(std::string_view cause) const {
    return std::ranges::any_of(verdicts_.found, [cause](const Verdict& one) { return one.cause == cause; });
  }
  void say(std::string_view cause, std::string_view title, f64 share, std::string text, const Weight& weight);

  bool launch_overhead();

  // Shared resources can be full although part of the device is idle.
  bool shared_limit() const;
  bool small_grid();
  // Waves do so little that they cannot be started as fast as they are done; only where no resource is the
  // limit to that degree.
  bool short_waves(f64 limit);
  // A few waves take many times as long as the others and are alone most of the time.
  bool few_long_waves();
  // Less than half of the waves that the device has room for; `what`: that they are too few for. Whether
  // nothing else need be said: where there are at most `alone` of that room.
  bool small_launch(f64 share, const std::string& what, const Weight& weight, f64 alone = few_waves);
  // Half of the wave slots at most can be filled, and more groups than fit wait for it.
  void limited_occupancy(const std::string& what, const Weight& weight);

  void by_limit(const Utilisation& limit, f64 share);

  void computing(const Utilisation& limit, f64 share);
  // One SIMD of each compute unit is the limit, the others have much less to do.
  bool uneven_simds(const Utilisation& limit);

  // What makes more work for the vector units than there had to be; false where nothing does.
  bool arithmetic_misused();
  bool lanes_idle();
  // Loops over lanes in front of atomics.
  bool lane_loops();
  bool partly_filled(f64 least, const Weight& weight);
  bool doubles(f64 least);
  bool divisions(f64 least);

  // Of the cycles in which local memory's banks were at work.
  f64 of_banks(u64 cycles) const;
  static u64 of_other_words(const InstructionFigures& figures) {
    return figures.bank_conflict_cycles - figures.same_word_cycles;
  }
  // What makes more passes of local memory's banks than there had to be; false where nothing does.
  bool local_misused();
  // Local memory serves few of each wave's lanes.
  bool local_lanes_idle();
  bool local_atomics();
  bool bank_conflicts();

  void hot_atomics(const Utilisation& u);

  // Time that memory accesses spend on translations.
  f64 translation_part() const;
  void translation();

  // What makes more of the accesses than they had to be; false where nothing does.
  bool memory_misused(const Utilisation& limit);
  bool one_slice(const Utilisation& limit);
  // Work-items access the same addresses again and again: at least `least` of all accesses.
  bool repeats(f64 least);
  bool private_memory();
  bool uncoalesced();
  // Whether the limit has to do with accesses of more than lanes ask for.
  bool moves_waste(const Utilisation& limit) const;
  void bandwidth(const Utilisation& limit, f64 share);

  void by_waiting();

  void local_latency(f64 share);
  void barriers(f64 share);
  void serial_section(f64 share);
  void fetch(f64 share);
  void dependence(f64 share);
  void turns(f64 used);

  // Of a compute unit that has any, over the time that it had some.
  f64 resident_waves() const;

  void memory_waits(f64 share);
  // Of the levels that served its lines, as the machine states them; 0 where it does not.
  f64 unloaded_latency() const;

  // What else stands out, each with its evidence.
  void others();

  const RunData& run_;
  const TimingResult& timing_;
  const Words& words_;
  const std::vector<TimedLine> lines_;
  InstructionFigures all_;
  f64 vector_cycles_ = 0, idle_cycles_ = 0;
  StallCycles stalls_{};  // of all waves; what a barrier's fence waits for counts as the barrier
  f64 active_ = 1, waves_ = 1;
  bool chained_ = false;  // each access waits for the one before, and for nothing else
  Verdicts verdicts_;
};

}  // namespace lockstep::judging
