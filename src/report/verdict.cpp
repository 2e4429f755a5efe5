#include "report/verdict.h"

#include <numeric>

#include "report/judge.h"

namespace lockstep {
namespace judging {

Judge::Judge(const RunData& run)
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

Verdicts Judge::run() {
  utilisations();
  const auto [limit, share] = tightest();
  if (!launch_overhead() && !short_waves(share) && !small_grid()) few_long_waves();
  if (share >= limit_share)
    by_limit(*limit, share);
  else
    by_waiting();
  others();
  return std::move(verdicts_);
}

void Judge::utilisations() {
  const f64 seconds = number_of(timing_.cycles) / number_of(run_.clock_hz());
  for (const Resource& one : timing_.resources) {
    Utilisation u;
    u.resource = &one;
    const f64 clocks = active_clocks(timing_, one);
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
      u.busiest =
          std::max(u.busiest, std::min(1.0, one.amount / one.ceiling * number_of(timing_.cycles) / active_));
    }
    verdicts_.utilisations.push_back(u);
  }
  std::ranges::stable_sort(verdicts_.utilisations,
                           [](const Utilisation& a, const Utilisation& b) { return a.busiest > b.busiest; });
}

std::pair<const Utilisation*, f64> Judge::tightest() const {
  const Utilisation* found = nullptr;
  for (const Utilisation& u : verdicts_.utilisations) {
    if (found == nullptr || u.busiest > found->busiest) found = &u;
  }
  return {found, found == nullptr ? 0 : found->busiest};
}

const Utilisation* Judge::busiest_of(ResourceKind kind) const {
  for (const Utilisation& u : verdicts_.utilisations) {
    if (u.resource->kind == kind) return &u;
  }
  return nullptr;
}

f64 Judge::busy(ResourceKind kind) const {
  const Utilisation* u = busiest_of(kind);
  return u == nullptr ? 0 : u->busiest;
}

f64 Judge::stalled(std::initializer_list<Stall> reasons) const {
  f64 sum = 0;
  for (const Stall reason : reasons) sum += number_of(stalls_[static_cast<std::size_t>(reason)]);
  return sum / waves_;
}

const TimedLine* Judge::worst(const Weight& weight) const {
  const TimedLine *found = nullptr, *compilers = nullptr;
  f64 most = 0, compilers_most = 0;
  for (const TimedLine& line : lines_) {
    const f64 one = weight(line);
    const bool named = line.at.line != 0;
    f64& before = named ? most : compilers_most;
    if (one <= before) continue;
    before = one;
    (named ? found : compilers) = &line;
  }
  return most >= named_line * compilers_most ? found : compilers;
}

void Judge::say(std::string_view cause, std::string_view title, f64 share, std::string text,
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

bool Judge::launch_overhead() {
  const f64 share = ratio(number_of(timing_.launch_cycles), number_of(timing_.cycles));
  if (share < launch_share) return false;
  say("launch_overhead", "launch overhead", share,
      fmt::format("{} of {} cycles pass before the first {} starts: there is too little to do in one launch",
                  timing_.launch_cycles, timing_.cycles, words_.group),
      {});
  return true;
}

bool Judge::short_waves(f64 limit) {
  const f64 share = ratio(number_of(timing_.sending_cycles), active_);
  if (share < std::max(sending_share, limit)) return false;
  say("wave_starts", "starts of so little work each", share,
      fmt::format("{} {}s start and end one after the other in {} of the time, and each does only {:.0f} "
                  "instructions: the device is not full of work",
                  timing_.groups, words_.group, share_text(share),
                  ratio(number_of(timing_.instructions), number_of(timing_.waves))),
      {});
  return true;
}

bool Judge::shared_limit() const {
  return std::max({busy(ResourceKind::shared_cache), busy(ResourceKind::memory), busy(ResourceKind::atomics),
                   busy(ResourceKind::translation)}) >= limit_share;
}

bool Judge::small_grid() {
  if (timing_.unit_wave_cycles.empty() || shared_limit()) return false;
  const f64 units = number_of(timing_.unit_wave_cycles.size());
  const f64 used = number_of(units_used(timing_));
  if (used >= full_device * units) return false;
  say("grid_too_small", "a grid that leaves most of the device idle", 1 - used / units,
      fmt::format("{} {}s occupy {:.0f} of {:.0f} {}s ({} of the device); the others have nothing to do",
                  timing_.groups, words_.group, used, units, words_.unit, share_text(used / units)),
      {});
  return true;
}

bool Judge::few_long_waves() {
  const f64 longest = number_of(timing_.longest_wave_cycles);
  const f64 times = ratio(longest, ratio(waves_, number_of(timing_.waves)));
  if (shared_limit() || times < longer_wave) return false;
  const auto resident = [](const OccupancySample& one) {
    return ratio(number_of(one.wave_cycles), number_of(one.cycles));
  };
  f64 most = 0, tail = 0;
  for (const OccupancySample& one : timing_.occupancy) most = std::max(most, resident(one));
  // Before that few can be resident because more do not start so fast.
  for (const OccupancySample& one : timing_.occupancy) {
    if (one.begin_cycle >= timing_.last_start_cycle && one.wave_cycles != 0 &&
        resident(one) <= tail_waves * most)
      tail += number_of(one.cycles);
  }
  const f64 share = tail / active_;
  if (share < (times < long_wave ? most_tail : tail_share)) return false;
  say("imbalance", "a few that work much longer than the rest", share,
      fmt::format(
          "{} of the time at most a quarter of the {}s that were resident at once is left: the longest "
          "works {:.0f} cycles, the mean {:.0f}",
          share_text(share), words_.wave, longest, ratio(waves_, number_of(timing_.waves))),
      [](const TimedLine& line) { return number_of(wave_cycles(line.figures)); });
  return true;
}

bool Judge::small_launch(f64 share, const std::string& what, const Weight& weight, f64 alone) {
  const f64 room = number_of(timing_.unit_wave_cycles.size()) * run_.occupancy.waves_per_cu;
  const f64 waves = number_of(timing_.waves);
  if (waves > few_waves * room) return false;
  const bool divisible = number_of(timing_.instructions) >= divisible_work * waves;
  say(divisible ? "few_waves" : "grid_too_small",
      divisible ? "a launch that leaves most of the device's room empty"
                : "a grid that leaves most of the device idle",
      1 - ratio(waves, room),
      fmt::format("the launch has {} {}s and the device room for {:.0f} at once: too few to {} ({} of their "
                  "cycles)",
                  timing_.waves, words_.wave, room, what, share_text(share)),
      weight);
  return !divisible || waves <= alone * room;
}

void Judge::limited_occupancy(const std::string& what, const Weight& weight) {
  const f64 resident = number_of(timing_.unit_wave_cycles.size()) * run_.occupancy.groups_per_cu;
  if (run_.occupancy.occupancy > low_occupancy || number_of(timing_.groups) <= resident) return;
  say("occupancy", "too few resident waves", run_.occupancy.occupancy,
      fmt::format("{} of {} {}s {} ({}) are too few to {}", run_.occupancy.waves_per_cu,
                  run_.occupancy.wave_slots, words_.wave, with_article(words_.unit), run_.occupancy.limiter,
                  what),
      weight);
}

void Judge::by_limit(const Utilisation& limit, f64 share) {
  switch (limit.resource->kind) {
    case ResourceKind::arithmetic:
    case ResourceKind::matrix:
    case ResourceKind::scalar:
    case ResourceKind::issue:
      if (!lane_loops() && !arithmetic_misused() && !uneven_simds(limit)) computing(limit, share);
      return;
    case ResourceKind::local_memory:
      if (!local_misused() && !local_lanes_idle()) {
        repeats(many_repeats);
        say("local_bandwidth", words_.local_title, share,
            fmt::format("the busiest {}'s {} works {} of the time, {} of it on conflicts", words_.unit,
                        words_.local, share_text(share), share_text(of_banks(all_.bank_conflict_cycles))),
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
      repeats(most_repeats);
      if (!memory_misused(limit)) {
        repeats(many_repeats);
        bandwidth(limit, share);
      }
      return;
  }
}

bool Judge::uneven_simds(const Utilisation& limit) {
  const std::vector<u64>& busy = limit.resource->busy_cycles;
  const std::size_t units = timing_.unit_wave_cycles.size();
  if (units == 0 || busy.size() < 2 * units || busy.size() % units != 0) return false;
  // With so few waves that SIMDs get one more or less than others, their number is what matters.
  if (number_of(timing_.waves) < waves_to_be_even * number_of(busy.size())) return false;
  // By their place in their compute unit: that one of many has drawn the long waves is chance.
  const std::size_t simds = busy.size() / units;
  std::vector<u64> of_place(simds);
  for (std::size_t i = 0; i < busy.size(); ++i) of_place[i % simds] += busy[i];
  const u64 most = *std::ranges::max_element(of_place);
  const u64 sum = std::accumulate(of_place.begin(), of_place.end(), u64{0});
  const f64 uneven = ratio(number_of(most * simds), number_of(sum));
  if (uneven < uneven_work) return false;
  say("uneven_waves", "waves of a group with unequal work", limit.busiest,
      fmt::format("one {} of each {} has {:.1f} times the mean's work ({}): {}s at the same place of "
                  "each {} come to the same one, and those of one place do more than the others",
                  words_.simd, words_.unit, uneven, limit.resource->title, words_.wave, words_.group),
      [](const TimedLine& line) { return line.vector_cycles; });
  return true;
}

void Judge::computing(const Utilisation& limit, f64 share) {
  const ResourceKind kind = limit.resource->kind;
  const std::string text =
      fmt::format("the busiest of {} units works {} of the time, the mean {}",
                  limit.resource->busy_cycles.size(), share_text(share), share_text(limit.mean));
  const auto issue = [](const TimedLine& line) { return number_of(line.figures.issue_cycles); };
  const auto issued = [](const TimedLine& line) { return number_of(line.figures.issued); };
  if (kind == ResourceKind::matrix) return say("matrix", "matrix arithmetic", share, text, issue);
  if (kind == ResourceKind::scalar) return say("scalar", limit.resource->title, share, text, issued);
  if (kind == ResourceKind::issue) return say("instruction_issue", "instruction issue", share, text, issued);
  say("arithmetic", "vector arithmetic", share, text,
      [](const TimedLine& line) { return line.vector_cycles; });
}

void Judge::bandwidth(const Utilisation& limit, f64 share) {
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

void Judge::by_waiting() {
  // Passes that conflicts add hold up what waits behind them before the banks are full.
  if (const auto [limit, share] = tightest();
      limit->resource->kind == ResourceKind::local_memory && share >= 0.4 && local_misused())
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
  if (main == "memory" || main == "local" || main == "scalar" || main == "dependency") repeats(many_repeats);
  if (main == "memory") return memory_waits(share);
  if (main == "local") {
    if (!local_misused() && !small_launch(share, fmt::format("hide the way to {}", words_.local),
                                          of_stalls({Stall::local_memory})))
      local_latency(share);
  } else if (main == "scalar") {
    say("scalar_memory_latency", words_.scalar_title, share,
        fmt::format("{}s spend {} of their cycles waiting for {}", words_.wave, share_text(share),
                    words_.scalar),
        of_stalls({Stall::scalar_memory}));
  } else if (main == "barrier") {
    barriers(share);
    limited_occupancy(fmt::format("work while others of a {} wait", words_.group),
                      of_stalls({Stall::barrier}));
  } else if (main == "fetch") {
    fetch(share);
  } else if (main == "dependency") {
    if (!lanes_idle() &&
        !small_launch(share, "fill in while each waits for its own results", of_stalls({Stall::dependency})))
      dependence(share);
  } else if (main == "launch") {
    say("launch_overhead", "launch overhead", share,
        fmt::format("{}s spend {} of their cycles being started: they do too little", words_.wave,
                    share_text(share)),
        {});
  } else {
    const auto [limit, used] = tightest();
    if (used < turns_used && stalled({Stall::arbitration}) >= stall_share) {
      if (!lanes_idle()) turns(used);
    } else {
      by_limit(*limit, used);
    }
  }
}

f64 Judge::resident_waves() const {
  const u64 used = std::max<u64>(1, units_used(timing_));
  return ratio(number_of(timing_.wave_cycles), active_ * number_of(used));
}

f64 Judge::unloaded_latency() const {
  f64 sum = 0, lines = 0;
  for (std::size_t i = 0; i < timing_.levels.size(); ++i) {
    const std::string& level = timing_.levels[i];
    const std::string key = level == "near"     ? "timing.l1.hit_cycles"
                            : level == "memory" ? "timing.dram.latency_cycles"
                                                : fmt::format("timing.{}.hit_cycles", level);
    const u64 cycles = integer_or(*run_.machine, key, 0);
    if (cycles == 0 && all_.served[i] != 0) return 0;
    sum += number_of(all_.served[i]) * number_of(cycles);
    lines += number_of(all_.served[i]);
  }
  return ratio(sum, lines);
}

void Judge::memory_waits(f64 share) {
  const Utilisation* near = busiest_of(ResourceKind::near_memory);
  if (const Utilisation* hot = busiest_of(ResourceKind::atomics); hot != nullptr && hot->busiest >= 0.4)
    return hot_atomics(*hot);
  // Of whole waves: a message may have some of their lanes alone.
  const u32 width = run_.program->needs.wave_lanes;
  const f64 messages =
      number_of(std::max<u64>(1, width / integer_or(*run_.machine, "timing.vmem.message_lanes", width)));
  const f64 in_flight = ratio(number_of(all_.memory_cycles), share * waves_ * messages);
  const f64 each = ratio(number_of(all_.memory_accesses), number_of(timing_.waves) * messages);
  const f64 latency = ratio(number_of(all_.memory_cycles), number_of(all_.memory_accesses));
  const f64 alone = unloaded_latency();
  const bool queues = alone > 0 && latency >= queueing * alone;
  const bool chain = in_flight <= alone_in_flight && each >= 8;
  chained_ = chain && !queues;
  if (near != nullptr && memory_misused(*near)) return;
  const auto waits = of_stalls({Stall::vector_memory, Stall::pipe_full});
  const std::string hiding = fmt::format("hide {:.0f} cycles of memory", latency);
  if (chain) {
    say("dependence_chain", "a chain of dependent accesses", share,
        fmt::format("{}s spend {} of their cycles waiting for memory with {:.1f} loads under way, of "
                    "{:.0f} cycles each: one is waited for before the next begins",
                    words_.wave, share_text(share), in_flight, latency),
        waits);
    return limited_occupancy(hiding, waits);
  }
  if (small_launch(share, hiding, waits, some_waves)) return;
  // Accesses that take much longer than they would alone wait for each other, not for the way.
  if (queues) {
    const Utilisation* busiest = nullptr;
    for (const Utilisation& u : verdicts_.utilisations) {
      const ResourceKind kind = u.resource->kind;
      const bool of_memory = kind == ResourceKind::near_memory || kind == ResourceKind::shared_cache ||
                             kind == ResourceKind::memory;
      if (of_memory && (busiest == nullptr || u.busiest > busiest->busiest)) busiest = &u;
    }
    if (busiest != nullptr && one_slice(*busiest)) return;
    if (busiest != nullptr) return bandwidth(*busiest, busiest->busiest);
  }
  limited_occupancy(hiding, waits);
  if (said("occupancy")) return;
  if (in_flight >= many_in_flight && in_flight >= all_at_once * each)
    return say(
        "loads_at_once", "memory latency, once for each", share,
        fmt::format("{}s spend {} of their cycles waiting for memory, {:.0f} cycles each time: each has "
                    "{:.1f} of its {:.1f} accesses under way at once, waits for them and ends",
                    words_.wave, share_text(share), latency, in_flight, each),
        waits);
  say("memory_latency", "memory latency", share,
      fmt::format("{}s spend {} of their cycles waiting for memory, {:.0f} cycles each time, and no resource "
                  "is near its ceiling: {:.1f} {}s {} with {:.1f} loads under way each do not hide it",
                  words_.wave, share_text(share), latency, resident_waves(), words_.wave,
                  with_article(words_.unit), in_flight),
      waits);
}

void Judge::others() {
  lane_loops();
  partly_filled(empty_lanes, [](const TimedLine& line) { return line.idle_cycles; });
  if (busy(ResourceKind::local_memory) >= stall_share) local_misused();
  if (const Utilisation* hot = busiest_of(ResourceKind::atomics);
      hot != nullptr && hot->busiest >= limit_share)
    hot_atomics(*hot);
  const f64 memory = stalled({Stall::vector_memory, Stall::pipe_full, Stall::pipe_busy});
  if (memory >= stall_share) {
    private_memory();
    // Where memory is the limit and moves what lanes ask for, no order of the lanes helps.
    const auto [limit, share] = tightest();
    const bool all_asked_for =
        limit->resource->kind == ResourceKind::memory && share >= limit_share && !moves_waste(*limit);
    if (!all_asked_for) uncoalesced();
    // Few waves leave a cache idle now and then that is nearly full in the mean.
    if (limit->resource->kind == ResourceKind::shared_cache && share >= limit_share)
      limited_occupancy("keep it busy all the time", of_stalls({Stall::vector_memory, Stall::pipe_full}));
    if (limit->resource->kind == ResourceKind::arithmetic && run_.occupancy.occupancy <= least_occupancy)
      limited_occupancy("keep it busy while others wait for memory",
                        of_stalls({Stall::vector_memory, Stall::pipe_full}));
    if (ratio(idle_cycles_, vector_cycles_) >= most_idle) lanes_idle();
    if (translation_part() >= translation_share) translation();
  }
  const f64 near = stalled({Stall::local_memory, Stall::scalar_memory, Stall::dependency});
  if (memory + near >= stall_share) repeats(some_repeats);
  const f64 arithmetic = busy(ResourceKind::arithmetic);
  if (arithmetic >= stall_share) lanes_idle();
  if (arithmetic >= seldom_busy) {
    const f64 least = arithmetic >= stall_share ? misused_share : mostly_misused;
    doubles(least);
    divisions(least);
  }
  if (const f64 share = stalled({Stall::barrier}); share >= stall_share) barriers(share);
  if (const f64 share = stalled({Stall::fetch}); share >= stall_share) fetch(share);
}

}  // namespace judging

Verdicts judge(const RunData& run) {
  return judging::Judge(run).run();
}

}  // namespace lockstep
