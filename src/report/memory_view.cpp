#include <fmt/format.h>

#include "report/counters.h"
#include "report/view.h"

namespace lockstep {
namespace {

u64 constant_bytes(const CounterTable& counter) {
  return counter.has("scalar.bytes") ? counter("scalar.bytes") : counter("constant.load_bytes");
}

Json collect_memory(const RunData& run) {
  const CounterTable counter(run);
  if (counter.empty()) return nullptr;
  Json data;
  data["transactions"] = {{"made", counter("vector.transactions")},
                          {"ideal", counter("vector.ideal_transactions")}};
  data["caches"] = Json::array();
  data["bytes"] = Json::object();
  if (run.timing) {
    for (const CacheFigures& cache : run.timing->caches) {
      const u64 all = cache.hits + cache.merges + cache.misses;
      if (all == 0) continue;
      data["caches"].push_back({{"cache", cache.title},
                                {"hits", cache.hits},
                                {"merges", cache.merges},
                                {"misses", cache.misses},
                                {"hit_rate", static_cast<f64>(cache.hits) / static_cast<f64>(all)}});
    }
    for (const Traffic& traffic : run.timing->traffic) data["bytes"][traffic.title] = traffic.bytes;
  } else {
    data["bytes"] = {{"loaded by lanes", counter("vector.load_bytes")},
                     {"stored by lanes", counter("vector.store_bytes")},
                     {"scalar loads or constants", constant_bytes(counter)},
                     {"local memory", counter("lds.bytes")}};
  }
  if (!run.timing) {
    data["local"] = {{"accesses", counter("lds.accesses")},
                     {"passes", counter("lds.passes")},
                     {"ideal_passes", counter("lds.ideal_passes")}};
    data["private"] = {{"accesses", counter("private.accesses")},
                       {"transactions", counter("private.transactions")},
                       {"bytes", counter("private.load_bytes") + counter("private.store_bytes")}};
    data["atomics"] = {{"lanes", counter("atomics.lanes")},
                       {"most_same_in_wave", counter("atomics.most_same_in_wave")},
                       {"most_same", counter("atomics.most_same")}};
    return data;
  }
  data["local"] = {{"conflict_cycles", counter("lds.conflict_cycles")}, {"busy_cycles", counter("busy.lds")}};
  data["dram"] = {{"row_hits", counter("dram.row_hits")},
                  {"row_misses", counter("dram.row_misses")},
                  {"row_conflicts", counter("dram.row_conflicts")}};
  return data;
}

std::string memory_view_text(const Json& data) {
  std::string out = heading("Memory");
  const u64 made = data["transactions"]["made"].get<u64>(), ideal = data["transactions"]["ideal"].get<u64>();
  if (made > 0) {
    out += fmt::format("  transactions: {} of {} at best ({:.2f} times)\n", made, ideal,
                       ideal > 0 ? static_cast<f64>(made) / static_cast<f64>(ideal) : 0.0);
  }
  for (const Json& row : data["caches"]) {
    out += fmt::format("  {:<26} {:>12} hits {:>12} merged {:>12} misses   hit rate {}\n",
                       row["cache"].get<std::string>(), row["hits"].get<u64>(), row["merges"].get<u64>(),
                       row["misses"].get<u64>(), percent(row["hit_rate"].get<f64>(), 1));
  }
  for (const auto& [what, bytes] : data["bytes"].items()) {
    if (bytes.get<u64>() > 0) out += fmt::format("  {:<32} {:>14} bytes\n", what, bytes.get<u64>());
  }
  const Json& local = data["local"];
  if (local.contains("passes") && local["passes"].get<u64>() > 0) {
    out += fmt::format("  local memory: {} accesses took {} passes of the banks, {} without conflicts\n",
                       local["accesses"].get<u64>(), local["passes"].get<u64>(),
                       local["ideal_passes"].get<u64>());
  }
  if (data.contains("private") && data["private"]["accesses"].get<u64>() > 0) {
    const Json& own = data["private"];
    out += fmt::format("  private memory: {} accesses, {} of the transactions, {} bytes\n",
                       own["accesses"].get<u64>(), own["transactions"].get<u64>(), own["bytes"].get<u64>());
  }
  if (data.contains("atomics") && data["atomics"]["lanes"].get<u64>() > 0) {
    const Json& atomics = data["atomics"];
    out += fmt::format(
        "  atomics: {} lanes; at one address at most {} of one wave, and {} of the launch (global memory)\n",
        atomics["lanes"].get<u64>(), atomics["most_same_in_wave"].get<u64>(),
        atomics["most_same"].get<u64>());
  }
  if (local.contains("busy_cycles") && local["busy_cycles"].get<u64>() > 0) {
    out += fmt::format("  bank conflicts: {} of {} cycles of the local-memory banks\n",
                       data["local"]["conflict_cycles"].get<u64>(), data["local"]["busy_cycles"].get<u64>());
  }
  return out;
}

}  // namespace

View memory_view() {
  return {"memory", collect_memory, memory_view_text};
}

}  // namespace lockstep
