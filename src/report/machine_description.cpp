#include "report/machine_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "machine/driver.h"
#include "time/device.h"

namespace lockstep {
namespace {

constexpr std::string_view issue_prefix = "timing.valu.issue_cycles.";
constexpr std::array confidences{Confidence::measured, Confidence::documented, Confidence::database,
                                 Confidence::assumed};

// A figure of the file with where it comes from; null when it is not stated.
Json figure(const Machine& machine, std::string_view key) {
  const Quantity* quantity = find_quantity(machine, key);
  if (quantity == nullptr) return nullptr;
  Json value;
  switch (quantity->info->kind) {
    case ValueKind::integer:
      value = quantity->integer;
      break;
    case ValueKind::real:
      value = quantity->real;
      break;
    case ValueKind::integers:
      value = quantity->integers;
      break;
    case ValueKind::text:
      value = quantity->text;
      break;
  }
  Json data = {{"key", key},
               {"value", value},
               {"unit", quantity->info->unit},
               {"confidence", to_string(quantity->confidence)},
               {"source", quantity->source}};
  if (!quantity->why.empty()) data["why"] = quantity->why;
  return data;
}

// The weakest of what the figures are; nothing where none is stated.
Json confidence_of(const Machine& machine, const std::vector<std::string>& keys) {
  std::optional<Confidence> weakest;
  for (const std::string& key : keys) {
    const Quantity* quantity = find_quantity(machine, key);
    if (quantity != nullptr && (!weakest || quantity->confidence > *weakest)) weakest = quantity->confidence;
  }
  return weakest ? Json(to_string(*weakest)) : Json(nullptr);
}

Json stated(const Machine& machine, std::string_view key) {
  const Json one = figure(machine, key);
  return one.is_null() ? one : one["value"];
}

// One kind of cache: sizes are of one copy.
struct Level {
  std::string name, meaning, next;
  u64 copies = 1, units_sharing = 1, size_bytes = 0;
  u32 line_bytes = 0, sector_bytes = 0, ways = 0, slices = 1;  // slices of a copy
  u32 latency_cycles = 0;                                      // load to use
  f64 read_bytes = 0, write_bytes = 0;                         // a cycle, of all copies
  std::string store;
  bool atomics = false;
  u32 far_cycles = 0;  // more from the other one of two halves; 0: it has none
  std::vector<std::string> keys;
};

Json level_json(const Machine& machine, const Level& level, u64 clock_hz) {
  const f64 hz = static_cast<f64>(clock_hz);
  Json data = {{"name", level.name},
               {"meaning", level.meaning},
               {"leads_to", level.next},
               {"copies", level.copies},
               {"compute_units_sharing_one", level.units_sharing},
               {"size_bytes", level.size_bytes},
               {"line_bytes", level.line_bytes},
               {"sector_bytes", level.sector_bytes},
               {"ways", level.ways},
               {"slices", level.slices},
               {"latency_cycles", level.latency_cycles},
               {"latency_ns", static_cast<f64>(level.latency_cycles) * 1e9 / hz},
               {"read_bytes_per_cycle", level.read_bytes},
               {"read_bytes_per_second", level.read_bytes * hz}};
  if (level.write_bytes > 0) {
    data["write_bytes_per_cycle"] = level.write_bytes;
    data["write_bytes_per_second"] = level.write_bytes * hz;
  }
  if (!level.store.empty()) data["stores"] = level.store;
  data["atomics"] = level.atomics;
  if (level.far_cycles != 0) data["far_cycles"] = level.far_cycles;
  data["latency_confidence"] = confidence_of(machine, {level.keys.front()});
  data["confidence"] = confidence_of(machine, level.keys);
  return data;
}

std::string_view shared_meaning(std::string_view name) {
  return name == "gl1"    ? "cache of a shader array"
         : name == "mall" ? "cache in front of memory"
                          : "second-level cache";
}
std::string_view shape_section(std::string_view name) {
  return name == "gl1" ? "mid" : name == "mall" ? "last_level" : "l2";
}

std::vector<Level> levels_of(const Machine& machine, const CoreFigures& core, const Hierarchy& hierarchy) {
  const u64 units = integer(machine, "compute.units");
  const u64 joined = units / std::max(1u, core.units);
  const auto sharing = [&](std::string_view key) { return std::max<u64>(1, integer_or(machine, key, 1)); };
  const std::string first = hierarchy.levels.empty() ? "memory" : hierarchy.levels[0].name;
  std::vector<Level> levels;
  const auto near = [&](std::string_view name, std::string_view meaning, const CacheShape& shape, u64 shared,
                        u32 latency, f64 bytes_each, std::string_view latency_key, std::string_view section) {
    Level level;
    level.name = name;
    level.meaning = meaning;
    level.next = first;
    level.units_sharing = shared;
    level.copies = (units + shared - 1) / shared;
    level.size_bytes = shape.size_bytes;
    level.line_bytes = level.sector_bytes = shape.line_bytes;
    level.ways = shape.ways;
    level.latency_cycles = latency;
    level.read_bytes = bytes_each * static_cast<f64>(level.copies);
    level.keys = {std::string(latency_key), fmt::format("{}.size_bytes", section),
                  fmt::format("{}.line_bytes", section), fmt::format("{}.ways", section)};
    levels.push_back(std::move(level));
  };
  near("l1", "first-level cache of vector memory", core.l1, std::max<u64>(1, joined / core.paths),
       core.l1_hit_cycles, core.return_bytes_per_cycle, "timing.l1.hit_cycles", "l1");
  levels.back().store = "through";
  levels.back().write_bytes = static_cast<f64>(core.store_bytes_per_cycle * levels.back().copies);
  if (has(machine, "scalar.size_bytes") || has(machine, "constant.size_bytes"))
    near("scalar", "scalar data cache", core.scalar_cache, sharing("scalar.units_sharing"),
         core.scalar_hit_cycles, core.scalar_bytes_per_cycle, "timing.smem.hit_cycles", "scalar");
  near("icache", "instruction cache", core.instruction_cache, sharing("icache.units_sharing"),
       core.instruction_hit_cycles,
       static_cast<f64>(core.fetch_block_bytes) / std::max(1u, core.cycles_per_fetch),
       "timing.icache.hit_cycles", "icache");
  for (std::size_t i = 0; i < hierarchy.levels.size(); ++i) {
    const CacheLevel& from = hierarchy.levels[i];
    Level level;
    level.name = from.name;
    level.meaning = shared_meaning(from.name);
    level.next = i + 1 < hierarchy.levels.size() ? hierarchy.levels[i + 1].name : "memory";
    level.copies = from.groups;
    level.units_sharing = (units + from.groups - 1) / from.groups;
    level.slices = from.slices / from.groups;
    level.size_bytes = u64{from.size_bytes} * level.slices;
    level.line_bytes = from.line_bytes;
    level.sector_bytes = from.sector_bytes;
    level.ways = from.ways;
    level.latency_cycles = from.latency_cycles;
    level.read_bytes = static_cast<f64>(u64{from.read_bytes} * from.slices);
    level.write_bytes = static_cast<f64>(u64{from.write_bytes} * from.slices);
    level.store = from.write_back ? "back" : "through";
    level.atomics = from.holds_atomics;
    level.far_cycles = from.far_cycles;
    const std::string_view section = shape_section(from.name);
    level.keys = {fmt::format("timing.{}.hit_cycles", from.name),
                  fmt::format("{}.size_bytes", section),
                  fmt::format("{}.line_bytes", section),
                  fmt::format("{}.ways", section),
                  fmt::format("{}.slices", section),
                  fmt::format("{}.bytes_per_cycle_per_slice", section)};
    levels.push_back(std::move(level));
  }
  return levels;
}

Json compute_json(const Machine& machine) {
  Json data = {{"compute_units", stated(machine, "compute.units")},
               {"shader_engines", stated(machine, "compute.shader_engines")},
               {"simds_per_unit", stated(machine, "compute.simds_per_unit")},
               {"lanes_per_simd", stated(machine, "compute.lanes_per_simd")},
               {"wave_lanes", machine.target->wave_widths()},
               {"groups_per_unit", stated(machine, "occupancy.groups_per_unit")},
               {"largest_group_items", stated(machine, "occupancy.max_group_items")}};
  for (const auto& [name, key] :
       {std::pair("wave_slots_per_simd", "occupancy.waves_per_simd"),
        std::pair("wave_slots_per_unit", "occupancy.waves_per_unit"),
        std::pair("vector_registers_per_simd_lane", "occupancy.vgprs_per_simd_lane"),
        std::pair("scalar_registers_per_simd", "occupancy.sgprs_per_simd"),
        std::pair("registers_per_unit", "occupancy.registers_per_unit"),
        std::pair("registers_per_item_most", "occupancy.registers_per_item_max"),
        std::pair("vector_registers_per_item_most", "occupancy.vgprs_per_item_max")}) {
    if (has(machine, key)) data[name] = stated(machine, key);
  }
  return data;
}

Json memory_json(const Machine& machine) {
  return {{"standard", stated(machine, "memory.standard")},
          {"type", stated(machine, "memory.type")},
          {"size_bytes", stated(machine, "memory.size_bytes")},
          {"bus_bits", stated(machine, "memory.bus_bits")},
          {"clock_hz", stated(machine, "memory.clock_hz")},
          {"transfers_per_second", stated(machine, "memory.transfers_per_second")},
          {"peak_bytes_per_second", stated(machine, "memory.bytes_per_second")},
          {"sustained_bytes_per_second", stated(machine, "memory.sustained_bytes_per_second")},
          {"confidence", confidence_of(machine, {"memory.type", "memory.bus_bits", "memory.clock_hz",
                                                 "memory.bytes_per_second"})}};
}

// Vector instructions by class: how long one holds its SIMD, and how many work-items a compute unit's SIMDs
// finish a cycle.
Json issue_json(const Machine& machine) {
  Json list = Json::array();
  const f64 simds = number(machine, "compute.simds_per_unit");
  // Figures are of a wave of the narrowest width.
  const f64 wave = static_cast<f64>(machine.target->widths[0]);
  for (const Quantity& quantity : machine.quantities) {
    if (!quantity.info->key.starts_with(issue_prefix) || quantity.integer == 0) continue;
    list.push_back({{"class", std::string(quantity.info->key.substr(issue_prefix.size()))},
                    {"meaning", quantity.info->meaning},
                    {"cycles", quantity.integer},
                    {"items_per_cycle_per_unit", wave * simds / static_cast<f64>(quantity.integer)},
                    {"confidence", to_string(quantity.confidence)}});
  }
  return list;
}

std::string bytes_text(u64 bytes) {
  constexpr std::array<std::pair<u64, std::string_view>, 3> units{
      {{u64{1} << 30, "GiB"}, {u64{1} << 20, "MiB"}, {u64{1} << 10, "KiB"}}};
  for (const auto& [size, name] : units) {
    if (bytes >= size && bytes % (size / 4) == 0)
      return fmt::format("{:g} {}", static_cast<f64>(bytes) / static_cast<f64>(size), name);
  }
  return fmt::format("{} B", bytes);
}

std::string value_text(const Json& value) {
  if (value.is_null()) return "not stated";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) {
    std::string out;
    for (const Json& one : value) out += (out.empty() ? "" : ", ") + one.dump();
    return out;
  }
  if (value.is_number_float()) return fmt::format("{:g}", value.get<f64>());
  return value.dump();
}

std::string rate_text(f64 bytes_per_second) {
  return with_unit(bytes_per_second, "B/s");
}

void compute_text(std::string& out, const Json& data) {
  out += heading("Compute");
  for (const auto& [name, value] : data["compute"].items()) {
    if (value.is_null()) continue;
    std::string label = name;
    std::ranges::replace(label, '_', ' ');
    out += fmt::format("  {:<34} {}\n", label, value_text(value));
  }
  const Json& local = data["local_memory"];
  out +=
      fmt::format("  {:<34} {} a compute unit{}\n", "local memory",
                  local["bytes_per_unit"].is_null() ? "none" : bytes_text(local["bytes_per_unit"].get<u64>()),
                  local["banks"].is_null() ? "" : fmt::format(", {} banks", local["banks"].get<u64>()));
  if (local.contains("latency_cycles"))
    out += fmt::format("  {:<34} {} cycles load to use, {} in all\n", "", local["latency_cycles"].get<u64>(),
                       rate_text(local["bytes_per_second"].get<f64>()));
}

void levels_text(std::string& out, const Json& data) {
  out += heading("Caches (latency: cycles from load to use of a hit; rates: of all copies together)");
  out += fmt::format("  {:<7} {:<9} {:>6} {:>6} {:>9} {:>5} {:>7} {:>5} {:>7} {:>8} {:>8} {:>13}  {:<8} {}\n",
                     "cache", "leads to", "copies", "CU/one", "size", "line", "sector", "ways", "slices",
                     "latency", "B/cycle", "ceiling", "stores", "latency is");
  for (const Json& level : data["levels"]) {
    std::string notes = level["atomics"].get<bool>() ? "; atomics here" : "";
    if (level.contains("far_cycles"))
      notes += fmt::format("; two halves, {} cycles more from the other", level["far_cycles"].get<u64>());
    out += fmt::format(
        "  {:<7} {:<9} {:>6} {:>6} {:>9} {:>5} {:>7} {:>5} {:>7} {:>8} {:>8g} {:>13}  {:<8} {}{}\n",
        level["name"].get<std::string>(), level["leads_to"].get<std::string>(), level["copies"].get<u64>(),
        level["compute_units_sharing_one"].get<u64>(), bytes_text(level["size_bytes"].get<u64>()),
        level["line_bytes"].get<u64>(), level["sector_bytes"].get<u64>(), level["ways"].get<u64>(),
        level["slices"].get<u64>(), level["latency_cycles"].get<u64>(),
        level["read_bytes_per_cycle"].get<f64>(), rate_text(level["read_bytes_per_second"].get<f64>()),
        level.value("stores", "-"), value_text(level["latency_confidence"]), notes);
  }
}

void memory_text(std::string& out, const Json& data) {
  const Json& memory = data["memory"];
  out += heading("Memory");
  const auto line = [&](std::string_view what, const std::string& value) {
    out += fmt::format("  {:<34} {}\n", what, value);
  };
  if (!memory["type"].is_null() || !memory["standard"].is_null())
    line("kind", value_text(memory["standard"].is_null() ? memory["type"] : memory["standard"]));
  line("size", bytes_text(memory["size_bytes"].get<u64>()));
  if (!memory["bus_bits"].is_null()) line("bus", fmt::format("{} bits", memory["bus_bits"].get<u64>()));
  if (!memory["clock_hz"].is_null()) line("clock", with_unit(memory["clock_hz"].get<f64>(), "Hz"));
  if (!memory["transfers_per_second"].is_null())
    line("transfers", with_unit(memory["transfers_per_second"].get<f64>(), "T/s"));
  if (!memory["peak_bytes_per_second"].is_null())
    line("peak", rate_text(memory["peak_bytes_per_second"].get<f64>()));
  if (!memory["sustained_bytes_per_second"].is_null())
    line("sustained", rate_text(memory["sustained_bytes_per_second"].get<f64>()));
  if (memory.contains("channels")) {
    line("channels", fmt::format("{} of {} banks in {} groups, rows of {}", memory["channels"].get<u64>(),
                                 memory["banks"].get<u64>(), memory["bank_groups"].get<u64>(),
                                 bytes_text(memory["row_bytes"].get<u64>())));
    line("latency", fmt::format("{} cycles, {:.4g} ns ({})", memory["latency_cycles"].get<u64>(),
                                memory["latency_ns"].get<f64>(), value_text(memory["latency_confidence"])));
    line("ceiling of what was built", rate_text(memory["ceiling_bytes_per_second"].get<f64>()));
  }
}

}  // namespace

Expected<Json> machine_description(const Machine& machine) {
  const u64 clock_hz = run_clock_hz(machine);
  const auto at_clock = [&](u64 cycles) {
    return static_cast<f64>(cycles) * 1e9 / static_cast<f64>(clock_hz);
  };
  const Expected<DeviceFigures> figures = device_figures(machine);
  if (!figures && figures.error().code != "not-timed") return figures.error();
  Json data;
  data["version"] = machine_description_version;
  data["gpu"] = machine.id;
  data["name"] = machine.name;
  if (!machine.note.empty()) data["note"] = machine.note;
  data["target"] = machine.target->name;
  data["vendor"] = to_string(machine.target->vendor);
  data["timed"] = figures.ok();
  data["clock"] = {{"run_hz", clock_hz},
                   {"base_hz", stated(machine, "clock.base_hz")},
                   {"boost_hz", stated(machine, "clock.boost_hz")},
                   {"sustained_hz", stated(machine, "clock.sustained_hz")}};
  data["compute"] = compute_json(machine);
  data["local_memory"] = {{"bytes_per_unit", stated(machine, "local.bytes_per_unit")},
                          {"bytes_per_group_most", stated(machine, "local.bytes_per_group_max")},
                          {"banks", stated(machine, "local.banks")}};
  data["memory"] = memory_json(machine);
  if (figures) {
    const CoreFigures& core = figures->core;
    const Hierarchy& hierarchy = figures->hierarchy;
    data["compute"]["clusters"] = core.clusters();
    data["compute"]["model_units_per_cluster"] = core.units_per_cluster;
    data["compute"]["units_joined"] = integer_or(machine, "timing.issue.units_joined", 1);
    data["compute"]["wave_slots"] = u64{core.units} * core.slots_per_unit();
    const f64 local = number(machine, "local.banks") *
                      (has(machine, "local.bank_bytes") ? number(machine, "local.bank_bytes") : 4) *
                      number(machine, "compute.units") /
                      static_cast<f64>(integer_or(machine, "timing.issue.units_joined", 1));
    data["local_memory"]["latency_cycles"] = core.local_latency;
    data["local_memory"]["bytes_per_cycle"] = local;
    data["local_memory"]["bytes_per_second"] = local * static_cast<f64>(clock_hz);
    data["levels"] = Json::array();
    for (const Level& level : levels_of(machine, core, hierarchy))
      data["levels"].push_back(level_json(machine, level, clock_hz));
    const DramParameters& dram = hierarchy.dram;
    Json& memory = data["memory"];
    memory["channels"] = hierarchy.channels;
    memory["banks"] = dram.banks;
    memory["bank_groups"] = dram.bank_groups;
    memory["row_bytes"] = dram.row_bytes;
    memory["latency_cycles"] = hierarchy.memory_latency_cycles;
    memory["latency_ns"] = at_clock(hierarchy.memory_latency_cycles);
    memory["latency_confidence"] = confidence_of(machine, {"timing.dram.latency_cycles"});
    memory["ceiling_bytes_per_second"] = static_cast<f64>(u64{hierarchy.channels} * dram.burst_bytes) /
                                         dram.burst_clocks * static_cast<f64>(memory_clock_hz(machine));
    const TranslationFigures& t = hierarchy.translation;
    data["translation"] = {{"page_bytes", u64{1} << t.page_shift},
                           {"near_entries", t.near_entries},
                           {"shared_entries", t.shared_entries},
                           {"near_miss_cycles", stated(machine, "timing.tlb.l1_miss_cycles")},
                           {"walk_cycles", t.walk_cycles},
                           {"walkers", t.walkers}};
    data["launch_overhead"] = {{"cycles", core.launch_cycles},
                               {"ns", at_clock(core.launch_cycles)},
                               {"confidence", confidence_of(machine, {"timing.launch.overhead_cycles"})}};
    data["longest_window_cycles"] = longest_windows(*figures).length;
    data["issue"] = issue_json(machine);
  }
  Json counts = Json::object();
  for (const Confidence confidence : confidences)
    counts[std::string(to_string(confidence))] =
        std::ranges::count(machine.quantities, confidence, &Quantity::confidence);
  data["confidence"] = counts;
  data["figures"] = Json::array();
  for (const Quantity& quantity : machine.quantities)
    data["figures"].push_back(figure(machine, quantity.info->key));
  return data;
}

std::string machine_description_text(const Json& data) {
  const bool timed = data["timed"].get<bool>();
  std::string out = fmt::format("{} ({}, {})\n", data["name"].get<std::string>(),
                                data["gpu"].get<std::string>(), data["target"].get<std::string>());
  if (data.contains("note")) out += fmt::format("  {}\n", data["note"].get<std::string>());
  const Json& clock = data["clock"];
  out += fmt::format("  runs at {}", with_unit(clock["run_hz"].get<f64>(), "Hz"));
  for (const char* kind : {"base", "boost", "sustained"}) {
    if (const Json& hz = clock[fmt::format("{}_hz", kind)]; !hz.is_null())
      out += fmt::format("; {} {}", kind, with_unit(hz.get<f64>(), "Hz"));
  }
  out += "\n";
  if (!timed)
    out += "  not timed: there is no timing model for it; kernels execute, and occupancy is counted\n";
  compute_text(out, data);
  if (timed) levels_text(out, data);
  memory_text(out, data);
  if (timed) {
    const Json& t = data["translation"];
    out += heading("Translation");
    out += fmt::format(
        "  pages of {}; {} entries in a compute unit, {} cycles more to the {} that all share; walks of {} "
        "cycles, {} at a time\n",
        bytes_text(t["page_bytes"].get<u64>()), t["near_entries"].get<u64>(),
        value_text(t["near_miss_cycles"]), t["shared_entries"].get<u64>(), t["walk_cycles"].get<u64>(),
        t["walkers"].get<u64>());
    const Json& launch = data["launch_overhead"];
    out += heading("Launch");
    out += fmt::format("  overhead {} cycles, {:.4g} ns ({}); windows of up to {} cycles\n",
                       launch["cycles"].get<u64>(), launch["ns"].get<f64>(), value_text(launch["confidence"]),
                       data["longest_window_cycles"].get<u64>());
    out += heading("Vector instructions: cycles of a SIMD, work-items a cycle and compute unit");
    for (const Json& one : data["issue"])
      out += fmt::format("  {:<20} {:>4} {:>8.4g}  {:<11} {}\n", one["class"].get<std::string>(),
                         one["cycles"].get<u64>(), one["items_per_cycle_per_unit"].get<f64>(),
                         one["confidence"].get<std::string>(), one["meaning"].get<std::string>());
  }
  for (const Confidence confidence : confidences) {
    const std::string name(to_string(confidence));
    out += heading(fmt::format("Figures: {} ({})", name, data["confidence"][name].get<u64>()));
    for (const Json& one : data["figures"]) {
      if (one["confidence"].get<std::string>() != name) continue;
      out +=
          fmt::format("  {:<44} {:>14} {:<14} {}\n", one["key"].get<std::string>(), value_text(one["value"]),
                      one["unit"].get<std::string>(), one["source"].get<std::string>());
    }
  }
  return out;
}

}  // namespace lockstep
