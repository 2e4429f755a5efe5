// What in the program makes a resource the limit, or waves wait: each with its evidence and its line.
#include <numeric>

#include "report/code_marks.h"
#include "report/judge.h"

namespace lockstep::judging {

// Lanes that are idle because no work-item is there.
bool Judge::partly_filled(f64 least, const Weight& weight) {
  const u32 width = run_.program->needs.wave_lanes;
  const f64 slots = number_of(u64{run_.occupancy.waves_per_group} * width);
  const f64 empty = 1 - ratio(number_of(run_.range.group_items()), slots);
  if (empty < least) return false;
  say("partial_waves", "partly filled waves", empty,
      fmt::format("{}s of {} work-items leave {} of the lanes of their {}s of {} empty", words_.group,
                  run_.range.group_items(), share_text(empty), words_.wave, width),
      weight);
  return true;
}

bool Judge::lane_loops() {
  const std::vector<bool>& marked = code_marks(*run_.module).lane_loops;
  u64 issued = 0;
  for (std::size_t i = 0; i < marked.size(); ++i) issued += marked[i] ? timing_.per_instruction[i].issued : 0;
  const f64 share = ratio(number_of(issued), number_of(timing_.instructions));
  if (share < loop_share) return false;
  say("hot_atomics", "atomics on one address", share,
      fmt::format("{} of the instructions are a loop in which the compiler goes over each {}'s lanes, one "
                  "after the other, to put together what one atomic then does for all: they all change one "
                  "word",
                  share_text(share), words_.wave),
      [](const TimedLine& line) { return number_of(line.figures.atomic_lanes); });
  return true;
}

bool Judge::lanes_idle() {
  const f64 idle = ratio(idle_cycles_, vector_cycles_);
  if (idle < idle_lanes) return false;
  const auto weight = [](const TimedLine& line) { return line.idle_cycles; };
  if (partly_filled(empty_of_idle * idle, weight)) return true;
  say("divergence", "divergence", idle,
      fmt::format("{} of the vector units' lane-cycles go to lanes that take no part: lanes of one {} go "
                  "different ways, one after the other",
                  share_text(idle), words_.wave),
      weight);
  return true;
}

bool Judge::arithmetic_misused() {
  return lanes_idle() || doubles(misused_share) || divisions(misused_share);
}

bool Judge::doubles(f64 least) {
  f64 cycles = 0;
  u64 all = 0, conversions = 0;
  for (const TimedLine& line : lines_) {
    cycles += line.double_cycles;
    all += line.doubles;
    conversions += line.conversions;
  }
  const f64 share = ratio(cycles, vector_cycles_);
  if (share < least || conversions == 0) return false;
  // What goes into and out of such arithmetic: most of it converted, or in memory as doubles.
  const std::vector<bool> accesses = double_accesses(*run_.module, *run_.program, code_marks(*run_.module));
  u64 kept = 0;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    if (!accesses[i]) continue;
    const InstructionFigures& one = timing_.per_instruction[i];
    const u64 bytes = one.load_bytes + one.store_bytes + one.local_bytes;
    kept += one.issued * std::max<u64>(1, bytes / std::max<u64>(1, 8 * one.lanes_active));
  }
  if (conversions < kept) return false;
  say("doubles", "64-bit floats between 32-bit ones", share,
      fmt::format(
          "{} of vector arithmetic's cycles are of 64-bit floats, and {} of their {} instructions "
          "convert from or to 32-bit ones, while {} load or store doubles: a literal without an f, or "
          "a variable of type double",
          share_text(share), conversions, all, kept),
      [](const TimedLine& line) { return line.double_cycles; });
  return true;
}

bool Judge::divisions(f64 least) {
  f64 cycles = 0;
  for (const TimedLine& line : lines_) cycles += line.division_cycles;
  const f64 share = ratio(cycles, vector_cycles_);
  if (share < least) return false;
  say("integer_division", "division of integers", share,
      fmt::format("{} of vector arithmetic's cycles divide integers, or take their remainders, by what is "
                  "known at run time only: that takes many instructions",
                  share_text(share)),
      [](const TimedLine& line) { return line.division_cycles; });
  return true;
}

f64 Judge::of_banks(u64 cycles) const {
  for (const Resource& one : timing_.resources) {
    if (one.kind != ResourceKind::local_memory) continue;
    const u64 sum = std::accumulate(one.busy_cycles.begin(), one.busy_cycles.end(), u64{0});
    return ratio(number_of(cycles), number_of(sum));
  }
  return 0;
}

bool Judge::local_misused() {
  if (all_.same_word_cycles > of_other_words(all_)) {
    const bool atomics = local_atomics();
    return bank_conflicts() || atomics;
  }
  const bool conflicts = bank_conflicts();
  return local_atomics() || conflicts;
}

bool Judge::local_lanes_idle() {
  f64 lanes = 0, places = 0;
  for (const InstructionFigures& one : timing_.per_instruction) {
    if (one.local_bytes == 0) continue;
    lanes += number_of(one.lanes_active);
    places += number_of(one.issued * run_.program->needs.wave_lanes);
  }
  const f64 idle = 1 - ratio(lanes, places);
  if (places == 0 || idle < idle_lanes) return false;
  const auto weight = [width = run_.program->needs.wave_lanes](const TimedLine& line) {
    if (line.figures.local_bytes == 0) return 0.0;
    return number_of(line.lane_instructions) * width - number_of(line.lanes);
  };
  if (partly_filled(empty_of_idle * idle, weight)) return true;
  say("divergence", "divergence", idle,
      fmt::format("{} of the lanes of accesses to {} take no part: lanes of one {} go different ways, one "
                  "after the other",
                  share_text(idle), words_.local, words_.wave),
      weight);
  return true;
}

bool Judge::local_atomics() {
  const f64 share = of_banks(all_.same_word_cycles);
  if (share < conflict_share) return false;
  say("local_atomics", words_.local_atomics_title, share,
      fmt::format("{} of the cycles in which {} serves lanes are further turns of atomics: lanes of one {} "
                  "change the same word, one after the other",
                  share_text(share), words_.local, words_.wave),
      [](const TimedLine& line) { return number_of(line.figures.same_word_cycles); });
  return true;
}

bool Judge::bank_conflicts() {
  const f64 share = of_banks(of_other_words(all_));
  if (share < conflict_share) return false;
  say("bank_conflicts", words_.conflict_title, share,
      fmt::format("{} of the cycles in which {} serves lanes are further passes: lanes of one {} want "
                  "different words of one bank",
                  share_text(share), words_.local, words_.wave),
      [](const TimedLine& line) { return number_of(of_other_words(line.figures)); });
  return true;
}

void Judge::hot_atomics(const Utilisation& u) {
  say("hot_atomics", "atomics on one address", u.busiest,
      fmt::format("one address has an atomic at work {} of the time, others of that kind {}: they come one "
                  "after the other",
                  share_text(u.busiest), share_text(u.mean)),
      [](const TimedLine& line) { return number_of(line.figures.atomic_lanes); });
}

f64 Judge::translation_part() const {
  if (all_.memory_accesses == 0) return 0;
  const f64 lines = std::max(1.0, ratio(number_of(all_.transactions), number_of(all_.memory_accesses)));
  return ratio(number_of(all_.translation_cycles) / lines, number_of(all_.memory_cycles));
}

void Judge::translation() {
  const CacheFigures* tlb = nullptr;
  for (const CacheFigures& cache : timing_.caches) {
    if (cache.name == "tlb") tlb = &cache;
  }
  LOCKSTEP_ASSERT(tlb != nullptr, "every timed GPU translates addresses");
  say("tlb", "translation of addresses (TLB)", translation_part(),
      fmt::format("{} of {} look-ups miss the {}'s TLB; accesses wait {:.0f} cycles for translations on "
                  "average",
                  tlb->misses, tlb->hits + tlb->misses, words_.unit,
                  ratio(number_of(all_.translation_cycles), number_of(all_.transactions))),
      [](const TimedLine& line) { return number_of(line.figures.translation_cycles); });
}

bool Judge::memory_misused(const Utilisation& limit) {
  if (private_memory()) return true;
  if (translation_part() >= translation_share) {
    translation();
    return true;
  }
  if (const Utilisation* hot = busiest_of(ResourceKind::atomics);
      hot != nullptr && hot->busiest >= std::min(0.8 * limit.busiest, limit_share)) {
    hot_atomics(*hot);
    return true;
  }
  if (moves_waste(limit) && uncoalesced()) return true;
  const f64 lanes = number_of(all_.load_bytes + all_.store_bytes) / 4;
  if (all_.atomic_lanes > 0 && number_of(all_.atomic_lanes) >= atomic_share * lanes &&
      limit.resource->kind != ResourceKind::memory && limit.busiest >= stall_share) {
    say("atomics", "atomics", limit.busiest,
        fmt::format("{} atomics keep {} busy {} of the time", all_.atomic_lanes, limit.resource->title,
                    share_text(limit.busiest)),
        [](const TimedLine& line) { return number_of(line.figures.atomic_lanes); });
    return true;
  }
  return one_slice(limit);
}

bool Judge::one_slice(const Utilisation& limit) {
  if (limit.resource->kind != ResourceKind::near_memory && limit.busiest >= lopsided * limit.mean) {
    f64 atomic = 0;
    for (const TimedLine& line : lines_) atomic += line.figures.atomic_lanes != 0 ? transactions(line) : 0;
    if (atomic > 0 && atomic >= 0.25 * number_of(all_.transactions)) {
      say("hot_atomics", "atomics that meet in one slice", limit.busiest,
          fmt::format("{} {} of {} works {} of the time while the mean is {}: the atomics fall upon few "
                      "addresses",
                      limit.resource->title, limit.unit, limit.resource->busy_cycles.size(),
                      share_text(limit.busiest), share_text(limit.mean)),
          [](const TimedLine& line) { return number_of(line.figures.atomic_lanes); });
      return true;
    }
    say("one_slice", "addresses that meet in one slice or channel", limit.busiest,
        fmt::format("{} {} of {} works {} of the time while the mean is {}: the addresses fall upon few",
                    limit.resource->title, limit.unit, limit.resource->busy_cycles.size(),
                    share_text(limit.busiest), share_text(limit.mean)),
        transactions);
    return true;
  }
  return false;
}

bool Judge::repeats(f64 least) {
  u64 accesses = 0;
  for (const InstructionFigures& one : timing_.per_instruction) {
    if (one.load_bytes + one.store_bytes + one.local_bytes + one.scalar_lines != 0) accesses += one.issued;
  }
  const f64 share = ratio(number_of(all_.repeated_accesses), number_of(accesses));
  if (all_.repeated_accesses == 0 || share < least) return false;
  if (number_of(accesses) < least_accesses * number_of(timing_.instructions)) return false;
  say("repeated_accesses", "the same addresses again and again", share,
      fmt::format("{} of {} loads and stores ({}) are of the addresses that their {} accessed when it last "
                  "executed the same instruction: values that could stay in registers",
                  all_.repeated_accesses, accesses, share_text(share), words_.wave),
      [](const TimedLine& line) { return number_of(line.figures.repeated_accesses); });
  return true;
}

bool Judge::private_memory() {
  const f64 share = ratio(number_of(all_.private_transactions), number_of(all_.transactions));
  if (share < private_share) return false;
  say("private_memory", words_.private_title, share,
      fmt::format("{} of the transactions are of {}: variables that are spilled, or arrays indexed at run "
                  "time",
                  share_text(share), words_.private_memory),
      [](const TimedLine& line) { return number_of(line.figures.private_transactions); });
  return true;
}

bool Judge::uncoalesced() {
  f64 plain = 0, least = 0;
  const auto excess = [](const TimedLine& line) { return line.wasteful_transactions - line.wasteful_least; };
  for (const TimedLine& line : lines_) {
    plain += line.wasteful_transactions;
    least += line.wasteful_least;
  }
  if (plain <= least || plain - least < waste_share * number_of(all_.transactions)) return false;
  say("uncoalesced", "uncoalesced access", ratio(plain, least),
      fmt::format("{:.0f} transactions where {:.0f} would do ({:.1f} times): neighbouring lanes touch lines "
                  "that are far apart, or use a part of each",
                  plain, least, ratio(plain, least)),
      excess);
  return true;
}

bool Judge::moves_waste(const Utilisation& limit) const {
  // A chain of accesses that take no longer than alone waits for none of the lines beside.
  if (limit.resource->kind == ResourceKind::near_memory) return !chained_;
  if (limit.ceiling <= 0) return true;
  const f64 asked = number_of(all_.load_bytes + all_.store_bytes);
  if (limit.resource->amount * (1 - waste_share) >= asked) return true;
  // What is stored may have stayed in a cache.
  return limit.resource->kind == ResourceKind::memory && all_.load_bytes != 0 &&
         number_of(timing_.counter("dram.read_bytes")) * (1 - waste_share) >= number_of(all_.load_bytes);
}

void Judge::local_latency(f64 share) {
  say("dependence_chain", "a chain of dependent accesses", share,
      fmt::format("{}s spend {} of their cycles waiting for {}, which is {} busy: each access waits for the "
                  "one before",
                  words_.wave, share_text(share), words_.local, share_text(busy(ResourceKind::local_memory))),
      of_stalls({Stall::local_memory}));
}

void Judge::barriers(f64 share) {
  say("barriers", "barriers", share,
      fmt::format("{}s spend {} of their cycles at barriers and their fences, waiting for others of their {}",
                  words_.wave, share_text(share), words_.group),
      [](const TimedLine& line) {
        f64 sum = number_of(line.figures.stalls[static_cast<std::size_t>(Stall::barrier)]);
        for (std::size_t i = 0; i < stall_count && line.barrier; ++i)
          sum += at_barrier(static_cast<Stall>(i)) ? number_of(line.figures.stalls[i]) : 0;
        return sum;
      });
  serial_section(share);
}

void Judge::serial_section(f64 share) {
  const u32 width = run_.program->needs.wave_lanes;
  f64 few = 0;
  for (const TimedLine& line : lines_) few += serial_cycles(line, width);
  // While one wave of a group works, the others wait.
  const f64 accounts = few * (run_.occupancy.waves_per_group - 1);
  if (!serial_work(run_, lines_) || accounts < serial_share * share * waves_) return;
  const auto work = [width](const TimedLine& line) { return serial_cycles(line, width); };
  const TimedLine* line = worst(work);
  say("serial_section", "a part that few work-items execute while others wait", share,
      fmt::format("{}s spend {} of their cycles at barriers while {:.1f} of {} lanes do what they wait for",
                  words_.wave, share_text(share),
                  ratio(number_of(line->lanes), number_of(line->lane_instructions)), width),
      work);
}

void Judge::fetch(f64 share) {
  // How often a wave came to the instructions in front of which waves waited for their code.
  f64 stalls = 0, turns = 0;
  for (const InstructionFigures& figures : timing_.per_instruction) {
    const f64 waited = number_of(figures.stalls[static_cast<std::size_t>(Stall::fetch)]);
    stalls += waited;
    turns += waited * ratio(number_of(figures.issued), number_of(timing_.waves));
  }
  const bool again = turns > fetched_again * stalls;
  say("instruction_fetch", "instruction fetch", share,
      fmt::format(
          "{}s spend {} of their cycles without the next instruction: {}", words_.wave, share_text(share),
          again ? "the code is larger than the instruction cache, or jumps and has no other wave to fill in"
                : "each executes most of its code but once"),
      of_stalls({Stall::fetch}));
}

// Others wait for their turn, and no unit has much to do: whoever has the turn waits for its own results.
void Judge::turns(f64 used) {
  const f64 share = stalled({Stall::arbitration});
  say("dependence_chain", "a chain of dependent instructions", share,
      fmt::format(
          "{}s spend {} of their cycles while another has its turn, and no unit is busy for more than "
          "{} of the time: those whose turn it is wait for their own results",
          words_.wave, share_text(share), share_text(used)),
      of_stalls({Stall::arbitration}));
}

void Judge::dependence(f64 share) {
  say("dependence_chain", "a chain of dependent instructions", share,
      fmt::format("{}s spend {} of their cycles waiting for their own previous instruction, and {:.1f} {}s "
                  "{} are too few to fill in",
                  words_.wave, share_text(share), resident_waves(), words_.wave, with_article(words_.unit)),
      of_stalls({Stall::dependency}));
  limited_occupancy("fill in while each waits for its own results", of_stalls({Stall::dependency}));
}

}  // namespace lockstep::judging
