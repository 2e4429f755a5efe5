#include "report/counters.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"

namespace lockstep {
namespace {

struct List {
  std::vector<Counter> counters;
  void add(std::string name, std::string_view unit, std::string_view meaning, u64 value) {
    counters.push_back({std::move(name), unit, meaning, value});
  }
};

// What one kind of memory was asked.
void add_space(List& list, std::string_view name, const SpaceCounts& counts) {
  const auto one = [&](std::string_view what, std::string_view unit, std::string_view meaning, u64 value) {
    list.add(fmt::format("{}.{}", name, what), unit, meaning, value);
  };
  one("accesses", "accesses", "accesses of waves to this memory", counts.accesses);
  one("transactions", "transactions", "lines, sectors or segments that they touched", counts.transactions);
  one("ideal_transactions", "transactions", "the fewest that could hold the same bytes",
      counts.ideal_transactions);
  one("load_bytes", "bytes", "bytes that lanes loaded", counts.load_bytes);
  one("store_bytes", "bytes", "bytes that lanes stored or gave to atomics", counts.store_bytes);
}

}  // namespace

std::vector<Counter> counters_of(const LaunchCounts& counts) {
  List list;
  const InstructionCounts& total = counts.total;
  const auto& global = total.of(Space::global);
  const auto& own = total.of(Space::private_memory);
  const auto& image = total.of(Space::image);
  const auto& local = total.of(Space::local);
  const auto& constant = total.of(Space::constant);
  u64 vector = 0, branches = 0;
  for (std::size_t i = 0; i < counts.by_cost.size(); ++i) {
    const Cost cost = static_cast<Cost>(i);
    if (is_vector_arithmetic(cost)) vector += counts.by_cost[i];
    if (cost == Cost::branch) branches += counts.by_cost[i];
  }
  list.add("instructions", "instructions", "wave-instructions issued", counts.instructions);
  list.add("instructions.valu", "instructions", "wave-instructions of the vector unit", vector);
  for (std::size_t i = 0; i < counts.by_cost.size(); ++i)
    list.add(fmt::format("instructions.class.{}", name(static_cast<Cost>(i))), "instructions",
             "wave-instructions of this cost class", counts.by_cost[i]);
  list.add("lanes.active", "lanes", "lanes that took part in VALU instructions, summed", counts.valu_lanes);
  list.add("branches", "instructions", "branches", branches);
  list.add("branches.taken", "instructions", "branches that were taken", total.branches_taken);
  list.add("divergence.parted", "times", "instructions behind which some lanes of a wave went on alone",
           total.parted);
  list.add("barriers", "waves", "arrivals of waves at barriers", counts.barriers);
  if (counts.rules.scalar_line_bytes != 0) {
    list.add("scalar.requests", "lines", "look-ups of the scalar cache", constant.transactions);
    list.add("scalar.bytes", "bytes", "bytes that scalar loads asked for", constant.bytes());
  } else {
    add_space(list, "constant", constant);
  }
  list.add("vector.transactions", "transactions", "cache lines that vector memory instructions touched",
           global.transactions + own.transactions + image.transactions);
  list.add("vector.ideal_transactions", "transactions", "the fewest lines that could hold the same bytes",
           global.ideal_transactions + own.ideal_transactions + image.ideal_transactions);
  list.add("vector.load_bytes", "bytes", "bytes that lanes loaded",
           global.load_bytes + own.load_bytes + image.load_bytes);
  list.add("vector.store_bytes", "bytes", "bytes that lanes stored or gave to atomics",
           global.store_bytes + own.store_bytes + image.store_bytes);
  add_space(list, "global", global);
  add_space(list, "private", own);
  add_space(list, "image", image);
  list.add("lds.accesses", "accesses", "accesses of waves to local memory", local.accesses);
  list.add("lds.passes", "passes", "passes of the local-memory banks", local.transactions);
  list.add("lds.ideal_passes", "passes", "those that the same accesses would take without conflicts",
           local.ideal_transactions);
  list.add("lds.bytes", "bytes", "bytes that lanes moved from and to local memory", local.bytes());
  list.add("atomics.lanes", "lanes", "lanes that performed an atomic", total.atomic_lanes);
  list.add("atomics.most_same_in_wave", "lanes", "the most lanes of one wave's atomic at one address",
           total.most_same_in_wave);
  list.add("atomics.most_same", "lanes", "the most atomics of the launch on one address of global memory",
           total.most_same);
  return list.counters;
}

CounterTable::CounterTable(const RunData& run) {
  if (run.timing) {
    counters_ = &run.timing->counters;
  } else if (run.counts) {
    own_ = counters_of(*run.counts);
    counters_ = &own_;
  }
}

u64 CounterTable::operator()(std::string_view name) const {
  for (const Counter& counter : *counters_) {
    if (counter.name == name) return counter.value;
  }
  LOCKSTEP_ASSERT(false, "a counter that is asked for exists");
  return 0;
}

bool CounterTable::has(std::string_view name) const {
  return std::ranges::any_of(*counters_, [name](const Counter& counter) { return counter.name == name; });
}

}  // namespace lockstep
