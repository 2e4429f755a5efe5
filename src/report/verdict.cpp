#include "report/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "report/timed_lines.h"
#include "report/view.h"
#include "report/words.h"

namespace lockstep {
namespace {

// Shares from which on something is worth a word. docs/report.md gives them.
constexpr f64 launch_share = 0.5;       // of the time, before the first group
constexpr f64 full_device = 0.75;       // of the compute units
constexpr f64 idle_lanes = 0.4;         // of vector arithmetic's lane-cycles
constexpr f64 conflict_share = 0.3;     // of the local-memory banks' busy cycles
constexpr f64 private_share = 0.4;      // of the transactions
constexpr f64 waste_factor = 2;         // transactions against the fewest
constexpr f64 atomic_share = 0.5;       // of the lanes' accesses
constexpr f64 lopsided = 2;             // busiest unit against the mean
constexpr f64 translation_share = 0.4;  // of a memory access's time
constexpr f64 stall_share = 0.25;       // of the waves' cycles, of a secondary finding
constexpr f64 alone_in_flight = 1.5;    // loads of a wave under way while it waits

f64 ratio(f64 part, f64 whole) {
  return whole > 0 ? part / whole : 0;
}

f64 number_of(u64 value) {
  return static_cast<f64>(value);
}

std::string share_text(f64 share) {
  return fmt::format("{:.0f} %", 100 * share);
}

class Judge {
 public:
  explicit Judge(const RunData& run)
      : run_(run), timing_(*run.timing), words_(words_of(*run.machine)), lines_(timed_lines(run)) {
    for (const TimedLine& line : lines_) all_ += line.figures;
    stalls_ = timing_.stalls;
    for (const TimedLine& line : lines_) {
      if (!line.barrier) continue;
      for (std::size_t i = 0; i < stall_count; ++i) {
        if (!at_barrier(static_cast<Stall>(i))) continue;
        stalls_[i] -= line.figures.stalls[i];
        stalls_[static_cast<std::size_t>(Stall::barrier)] += line.figures.stalls[i];
      }
    }
    for (const TimedLine& line : lines_) {
      vector_cycles_ += line.vector_cycles;
      idle_cycles_ += line.idle_cycles;
    }
    active_ = std::max(1.0, number_of(timing_.cycles) - number_of(timing_.launch_cycles));
    waves_ = std::max(1.0, number_of(timing_.wave_cycles));
  }

  Verdicts run() {
    utilisations();
    const auto [limit, share] = tightest();
    if (!launch_overhead() && !small_grid()) {
      if (share >= limit_share)
        by_limit(*limit, share);
      else
        by_waiting();
    } else if (share >= limit_share) {
      by_limit(*limit, share);
    } else {
      by_waiting();
    }
    others();
    return std::move(verdicts_);
  }

 private:
  // Waits of a barrier's line that are its fence's.
  static bool at_barrier(Stall reason) {
    return reason == Stall::local_memory || reason == Stall::vector_memory ||
           reason == Stall::scalar_memory || reason == Stall::dependency;
  }
  using Weight = std::function<f64(const TimedLine&)>;

  void utilisations() {
    const f64 seconds = number_of(timing_.cycles) / number_of(run_.clock_hz());
    for (const Resource& one : timing_.resources) {
      Utilisation u;
      u.resource = &one;
      const f64 clocks = one.clocks * active_ / std::max(1.0, number_of(timing_.cycles));
      if (!one.busy_cycles.empty()) {
        const auto most = std::ranges::max_element(one.busy_cycles);
        u.unit = static_cast<std::size_t>(most - one.busy_cycles.begin());
        u.busiest = std::min(1.0, ratio(number_of(*most), clocks));
        const u64 sum = std::accumulate(one.busy_cycles.begin(), one.busy_cycles.end(), u64{0});
        u.mean = std::min(1.0, ratio(number_of(sum), clocks * number_of(one.busy_cycles.size())));
      }
      if (one.ceiling > 0 && seconds > 0) {
        u.achieved = one.amount / seconds;
        u.ceiling = one.ceiling / seconds;
        // A resource may move less than all that it is asked for, but never more.
        u.busiest = std::max(u.busiest,
                             std::min(1.0, one.amount / one.ceiling * number_of(timing_.cycles) / active_));
      }
      verdicts_.utilisations.push_back(u);
    }
    std::ranges::stable_sort(verdicts_.utilisations, [](const Utilisation& a, const Utilisation& b) {
      return a.busiest > b.busiest;
    });
  }

  std::pair<const Utilisation*, f64> tightest() const {
    const Utilisation* found = nullptr;
    for (const Utilisation& u : verdicts_.utilisations) {
      if (found == nullptr || u.busiest > found->busiest) found = &u;
    }
    return {found, found == nullptr ? 0 : found->busiest};
  }
  const Utilisation* busiest_of(ResourceKind kind) const {
    for (const Utilisation& u : verdicts_.utilisations) {
      if (u.resource->kind == kind) return &u;
    }
    return nullptr;
  }
  f64 busy(ResourceKind kind) const {
    const Utilisation* u = busiest_of(kind);
    return u == nullptr ? 0 : u->busiest;
  }
  f64 stalled(std::initializer_list<Stall> reasons) const {
    f64 sum = 0;
    for (const Stall reason : reasons) sum += number_of(stalls_[static_cast<std::size_t>(reason)]);
    return sum / waves_;
  }

  const TimedLine* worst(const Weight& weight) const {
    const TimedLine* found = nullptr;
    f64 most = 0;
    for (const TimedLine& line : lines_) {
      const f64 one = weight(line);
      if (one > most && (line.at.line != 0 || found == nullptr)) {
        found = &line;
        most = one;
      }
    }
    return found;
  }
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
  void say(std::string_view cause, std::string_view title, f64 share, std::string text,
           const Weight& weight) {
    if (said(cause)) return;
    Verdict made{cause, title, std::move(text), share, std::nullopt, 0};
    if (weight) {
      if (const TimedLine* line = worst(weight)) {
        made.at = line->at;
        made.line_lanes = ratio(number_of(line->lanes), number_of(line->lane_instructions));
      }
    }
    verdicts_.found.push_back(std::move(made));
  }

  bool launch_overhead() {
    const f64 share = ratio(number_of(timing_.launch_cycles), number_of(timing_.cycles));
    if (share < launch_share) return false;
    say("launch_overhead", "launch overhead", share,
        fmt::format(
            "{} of {} cycles pass before the first {} starts: there is too little to do in one launch",
            timing_.launch_cycles, timing_.cycles, words_.group),
        {});
    return true;
  }

  // Shared resources can be full although part of the device is idle.
  bool shared_limit() const {
    return std::max({busy(ResourceKind::shared_cache), busy(ResourceKind::memory),
                     busy(ResourceKind::atomics), busy(ResourceKind::translation)}) >= limit_share;
  }
  bool small_grid() {
    if (timing_.unit_wave_cycles.empty() || shared_limit()) return false;
    const f64 units = number_of(timing_.unit_wave_cycles.size());
    const f64 used = number_of(static_cast<u64>(
        std::ranges::count_if(timing_.unit_wave_cycles, [](u64 cycles) { return cycles != 0; })));
    if (used >= full_device * units) return false;
    say("grid_too_small", "a grid that leaves most of the device idle", 1 - used / units,
        fmt::format("{} {}s occupy {:.0f} of {:.0f} {}s ({} of the device); the others have nothing to do",
                    timing_.groups, words_.group, used, units, words_.unit, share_text(used / units)),
        {});
    return true;
  }

  void by_limit(const Utilisation& limit, f64 share) {
    switch (limit.resource->kind) {
      case ResourceKind::arithmetic:
      case ResourceKind::matrix:
      case ResourceKind::scalar:
      case ResourceKind::issue:
        if (!lanes_idle()) computing(limit, share);
        return;
      case ResourceKind::local_memory:
        if (!bank_conflicts()) {
          say("local_bandwidth", words_.local_title, share,
              fmt::format("the busiest {}'s {} works {} of the time, {} of it on conflicts", words_.unit,
                          words_.local, share_text(share), share_text(conflicts())),
              [](const TimedLine& line) { return number_of(line.figures.local_bytes); });
        }
        return;
      case ResourceKind::atomics:
        hot_atomics(limit);
        return;
      case ResourceKind::translation:
        translation();
        return;
      case ResourceKind::near_memory:
      case ResourceKind::shared_cache:
      case ResourceKind::memory:
        if (!memory_misused(limit)) bandwidth(limit, share);
        return;
    }
  }

  void computing(const Utilisation& limit, f64 share) {
    const ResourceKind kind = limit.resource->kind;
    const std::string text =
        fmt::format("the busiest of {} units works {} of the time, the mean {}",
                    limit.resource->busy_cycles.size(), share_text(share), share_text(limit.mean));
    const auto issue = [](const TimedLine& line) { return number_of(line.figures.issue_cycles); };
    const auto issued = [](const TimedLine& line) { return number_of(line.figures.issued); };
    if (kind == ResourceKind::matrix) return say("matrix", "matrix arithmetic", share, text, issue);
    if (kind == ResourceKind::scalar) return say("scalar", limit.resource->title, share, text, issued);
    if (kind == ResourceKind::issue)
      return say("instruction_issue", "instruction issue", share, text, issued);
    say("arithmetic", "vector arithmetic", share, text,
        [](const TimedLine& line) { return line.vector_cycles; });
  }

  bool lanes_idle() {
    const f64 idle = ratio(idle_cycles_, vector_cycles_);
    if (idle < idle_lanes) return false;
    const u32 width = run_.program->needs.wave_lanes;
    const f64 slots = number_of(u64{run_.occupancy.waves_per_group} * width);
    const f64 empty = 1 - ratio(number_of(run_.range.group_items()), slots);
    const auto weight = [](const TimedLine& line) { return line.idle_cycles; };
    if (empty >= 0.6 * idle) {
      say("partial_waves", "partly filled waves", idle,
          fmt::format("{}s of {} work-items leave {} of the lanes of their {}s of {} empty", words_.group,
                      run_.range.group_items(), share_text(empty), words_.wave, width),
          weight);
      return true;
    }
    say("divergence", "divergence", idle,
        fmt::format("{} of the vector units' lane-cycles go to lanes that take no part: lanes of one {} go "
                    "different ways, one after the other",
                    share_text(idle), words_.wave),
        weight);
    return true;
  }

  f64 conflicts() const {
    for (const Resource& one : timing_.resources) {
      if (one.kind != ResourceKind::local_memory) continue;
      const u64 sum = std::accumulate(one.busy_cycles.begin(), one.busy_cycles.end(), u64{0});
      return ratio(number_of(all_.bank_conflict_cycles), number_of(sum));
    }
    return 0;
  }
  bool bank_conflicts() {
    const f64 share = conflicts();
    if (share < conflict_share) return false;
    say("bank_conflicts", words_.conflict_title, share,
        fmt::format("{} of the cycles in which {} serves lanes are further passes: lanes of one {} want "
                    "different words of one bank",
                    share_text(share), words_.local, words_.wave),
        [](const TimedLine& line) { return number_of(line.figures.bank_conflict_cycles); });
    return true;
  }

  void hot_atomics(const Utilisation& u) {
    say("hot_atomics", "atomics on one address", u.busiest,
        fmt::format("one address has an atomic at work {} of the time, others of that kind {}: they come one "
                    "after the other",
                    share_text(u.busiest), share_text(u.mean)),
        [](const TimedLine& line) { return number_of(line.figures.atomic_lanes); });
  }

  // Time that memory accesses spend on translations.
  f64 translation_part() const {
    if (all_.memory_accesses == 0) return 0;
    const f64 lines = std::max(1.0, ratio(number_of(all_.transactions), number_of(all_.memory_accesses)));
    return ratio(number_of(all_.translation_cycles) / lines, number_of(all_.memory_cycles));
  }
  void translation() {
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

  // What makes more of the accesses than they had to be; false where nothing does.
  bool memory_misused(const Utilisation& limit) {
    if (private_memory()) return true;
    if (translation_part() >= translation_share) {
      translation();
      return true;
    }
    if (const Utilisation* hot = busiest_of(ResourceKind::atomics);
        hot != nullptr && hot->busiest >= 0.8 * limit.busiest) {
      hot_atomics(*hot);
      return true;
    }
    if (uncoalesced()) return true;
    const f64 lanes = number_of(all_.load_bytes + all_.store_bytes) / 4;
    if (all_.atomic_lanes > 0 && number_of(all_.atomic_lanes) >= atomic_share * lanes &&
        limit.resource->kind != ResourceKind::memory) {
      say("atomics", "atomics", limit.busiest,
          fmt::format("{} atomics keep {} busy {} of the time", all_.atomic_lanes, limit.resource->title,
                      share_text(limit.busiest)),
          [](const TimedLine& line) { return number_of(line.figures.atomic_lanes); });
      return true;
    }
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
  bool private_memory() {
    const f64 share = ratio(number_of(all_.private_transactions), number_of(all_.transactions));
    if (share < private_share) return false;
    say("private_memory", words_.private_title, share,
        fmt::format("{} of the transactions are of {}: variables that are spilled, or arrays indexed at run "
                    "time",
                    share_text(share), words_.private_memory),
        [](const TimedLine& line) { return number_of(line.figures.private_transactions); });
    return true;
  }
  bool uncoalesced() {
    const u64 plain = all_.transactions - all_.private_transactions;
    f64 least = 0;
    for (const TimedLine& line : lines_) least += line.least_transactions;
    const f64 factor = ratio(number_of(plain), least);
    if (factor < waste_factor) return false;
    const auto excess = [](const TimedLine& line) {
      return number_of(line.figures.transactions - line.figures.private_transactions) -
             line.least_transactions;
    };
    const TimedLine* line = worst(excess);
    if (line == nullptr) return false;
    say("uncoalesced", "uncoalesced access", factor,
        fmt::format(
            "{} transactions where {:.0f} would do ({:.1f} times): neighbouring lanes touch lines that "
            "are far apart",
            plain, least, factor),
        excess);
    return true;
  }
  void bandwidth(const Utilisation& limit, f64 share) {
    const ResourceKind kind = limit.resource->kind;
    const std::string amount = limit.ceiling > 0 ? fmt::format(": {} of {}", with_unit(limit.achieved, "B/s"),
                                                               with_unit(limit.ceiling, "B/s"))
                                                 : "";
    const std::string text = fmt::format("the busiest of {} units of {} works {} of the time, the mean {}{}",
                                         limit.resource->busy_cycles.size(), limit.resource->title,
                                         share_text(share), share_text(limit.mean), amount);
    if (kind == ResourceKind::memory)
      return say("memory_bandwidth", "memory bandwidth", share, text,
                 [last = timing_.levels.size() - 1](const TimedLine& line) {
                   return number_of(line.figures.served[last]) + number_of(line.figures.store_bytes) * 1e-3;
                 });
    if (kind == ResourceKind::shared_cache)
      return say("cache_bandwidth", "bandwidth of a shared cache", share, text, transactions);
    say("near_bandwidth", "first-level cache and its addresses", share, text, transactions);
  }

  void by_waiting() {
    // Passes that conflicts add hold up what waits behind them before the banks are full.
    if (const auto [limit, share] = tightest();
        limit->resource->kind == ResourceKind::local_memory && share >= 0.4 && bank_conflicts())
      return;
    struct Group {
      std::string_view name;
      f64 share;
    };
    const f64 memory = stalled({Stall::vector_memory, Stall::pipe_full});
    const f64 busy_units = stalled({Stall::valu_busy, Stall::arbitration, Stall::pipe_busy});
    std::array<Group, 8> groups = {{{"memory", memory},
                                    {"local", stalled({Stall::local_memory})},
                                    {"scalar", stalled({Stall::scalar_memory})},
                                    {"barrier", stalled({Stall::barrier})},
                                    {"fetch", stalled({Stall::fetch})},
                                    {"dependency", stalled({Stall::dependency})},
                                    {"launch", stalled({Stall::launch})},
                                    {"units", busy_units}}};
    std::ranges::stable_sort(groups, [](const Group& a, const Group& b) { return a.share > b.share; });
    const std::string_view main = groups[0].name;
    const f64 share = groups[0].share;
    if (main == "memory") return memory_waits(share);
    if (main == "local") {
      if (!bank_conflicts()) local_latency(share);
    } else if (main == "scalar") {
      say("scalar_memory_latency", words_.scalar_title, share,
          fmt::format("{}s spend {} of their cycles waiting for {}", words_.wave, share_text(share),
                      words_.scalar),
          of_stalls({Stall::scalar_memory}));
    } else if (main == "barrier") {
      barriers(share);
    } else if (main == "fetch") {
      fetch(share);
    } else if (main == "dependency") {
      if (!lanes_idle()) dependence(share);
    } else if (main == "launch") {
      say("launch_overhead", "launch overhead", share,
          fmt::format("{}s spend {} of their cycles being started: they do too little", words_.wave,
                      share_text(share)),
          {});
    } else {
      const auto [limit, used] = tightest();
      by_limit(*limit, used);
    }
  }

  void local_latency(f64 share) {
    say("dependence_chain", "a chain of dependent accesses", share,
        fmt::format(
            "{}s spend {} of their cycles waiting for {}, which is {} busy: each access waits for the "
            "one before",
            words_.wave, share_text(share), words_.local, share_text(busy(ResourceKind::local_memory))),
        of_stalls({Stall::local_memory}));
  }
  void barriers(f64 share) {
    say("barriers", "barriers", share,
        fmt::format(
            "{}s spend {} of their cycles at barriers and their fences, waiting for others of their {}",
            words_.wave, share_text(share), words_.group),
        [](const TimedLine& line) {
          f64 sum = number_of(line.figures.stalls[static_cast<std::size_t>(Stall::barrier)]);
          for (std::size_t i = 0; i < stall_count && line.barrier; ++i)
            sum += at_barrier(static_cast<Stall>(i)) ? number_of(line.figures.stalls[i]) : 0;
          return sum;
        });
  }
  void fetch(f64 share) {
    say("instruction_fetch", "instruction fetch", share,
        fmt::format("{}s spend {} of their cycles without the next instruction: the code is larger than the "
                    "instruction cache, or jumps about",
                    words_.wave, share_text(share)),
        of_stalls({Stall::fetch}));
  }
  void dependence(f64 share) {
    say("dependence_chain", "a chain of dependent instructions", share,
        fmt::format(
            "{}s spend {} of their cycles waiting for their own previous instruction, and {:.1f} {}s a "
            "{} are too few to fill in",
            words_.wave, share_text(share), resident_waves(), words_.wave, words_.unit),
        of_stalls({Stall::dependency}));
  }

  // Of a compute unit that has any, over the time that it had some.
  f64 resident_waves() const {
    u64 used = 0;
    for (const u64 cycles : timing_.unit_wave_cycles) used += cycles != 0;
    return ratio(number_of(timing_.wave_cycles), active_ * number_of(std::max<u64>(1, used)));
  }

  void memory_waits(f64 share) {
    const Utilisation* near = busiest_of(ResourceKind::near_memory);
    if (const Utilisation* hot = busiest_of(ResourceKind::atomics); hot != nullptr && hot->busiest >= 0.4)
      return hot_atomics(*hot);
    if (near != nullptr && memory_misused(*near)) return;
    const auto waits = of_stalls({Stall::vector_memory, Stall::pipe_full});
    const f64 in_flight = ratio(number_of(all_.memory_cycles), share * waves_);
    const f64 each = ratio(number_of(all_.memory_accesses), number_of(timing_.waves));
    const f64 latency = ratio(number_of(all_.memory_cycles), number_of(all_.memory_accesses));
    if (in_flight <= alone_in_flight && each >= 8)
      return say(
          "dependence_chain", "a chain of dependent accesses", share,
          fmt::format("{}s spend {} of their cycles waiting for memory with {:.1f} loads under way, of "
                      "{:.0f} cycles each: each load waits for the one before",
                      words_.wave, share_text(share), in_flight, latency),
          waits);
    const f64 most_waves = number_of(timing_.unit_wave_cycles.size()) * run_.occupancy.waves_per_cu;
    if (number_of(timing_.waves) <= 0.5 * most_waves)
      return say(
          "grid_too_small", "a grid that leaves most of the device idle",
          1 - ratio(number_of(timing_.waves), most_waves),
          fmt::format("the launch has {} {}s and the device room for {:.0f} at once: too few to hide {:.0f} "
                      "cycles of memory",
                      timing_.waves, words_.wave, most_waves, latency),
          waits);
    if (run_.occupancy.occupancy <= 0.5)
      return say("occupancy", "too few resident waves", run_.occupancy.occupancy,
                 fmt::format("{} of {} {}s a {} ({}) are too few to hide {:.0f} cycles of memory",
                             run_.occupancy.waves_per_cu, run_.occupancy.wave_slots, words_.wave, words_.unit,
                             run_.occupancy.limiter, latency),
                 waits);
    say("memory_latency", "memory latency", share,
        fmt::format(
            "{}s spend {} of their cycles waiting for memory, {:.0f} cycles each time, and no resource "
            "is near its ceiling: {:.1f} {}s a {} with {:.1f} loads under way each do not hide it",
            words_.wave, share_text(share), latency, resident_waves(), words_.wave, words_.unit, in_flight),
        waits);
  }

  // What else stands out, each with its evidence.
  void others() {
    if (busy(ResourceKind::local_memory) >= stall_share) bank_conflicts();
    if (const Utilisation* hot = busiest_of(ResourceKind::atomics);
        hot != nullptr && hot->busiest >= limit_share)
      hot_atomics(*hot);
    const f64 memory = stalled({Stall::vector_memory, Stall::pipe_full, Stall::pipe_busy});
    if (memory >= stall_share) {
      private_memory();
      uncoalesced();
      if (translation_part() >= translation_share) translation();
    }
    if (busy(ResourceKind::arithmetic) >= stall_share) lanes_idle();
    if (const f64 share = stalled({Stall::barrier}); share >= stall_share) barriers(share);
    if (const f64 share = stalled({Stall::fetch}); share >= stall_share) fetch(share);
  }

  const RunData& run_;
  const TimingResult& timing_;
  const Words& words_;
  const std::vector<TimedLine> lines_;
  InstructionFigures all_;
  f64 vector_cycles_ = 0, idle_cycles_ = 0;
  StallCycles stalls_{};  // of all waves; what a barrier's fence waits for counts as the barrier
  f64 active_ = 1, waves_ = 1;
  Verdicts verdicts_;
};

}  // namespace

Verdicts judge(const RunData& run) {
  return Judge(run).run();
}

}  // namespace lockstep
