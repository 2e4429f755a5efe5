#include "report/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "machine/sweep.h"
#include "report/footprint.h"
#include "report/report_data.h"
#include "report/stall_timeline.h"
#include "report/timed_lines.h"
#include "report/view.h"
#include "report_page.h"

namespace lockstep {
namespace {

constexpr std::size_t most_instructions = 4000;  // on the page: the costliest
constexpr std::size_t most_text = 160;           // characters of an instruction

f64 rounded(f64 value) {
  return std::round(value * 1000) / 1000;
}

std::string shortened(const std::string& text) {
  return text.size() <= most_text ? text : text.substr(0, most_text) + "...";
}

Json row_of(const TimedLine& line, const TimingResult& timing) {
  const InstructionFigures& f = line.figures;
  Json row;
  row["cycles"] = wave_cycles(f);
  row["issued"] = f.issued;
  if (f.transactions != 0) row["transactions"] = f.transactions, row["ideal"] = f.ideal_transactions;
  if (line.lane_instructions != 0)
    row["lanes"] = rounded(static_cast<f64>(line.lanes) / static_cast<f64>(line.lane_instructions));
  const auto worst = std::ranges::max_element(f.stalls);
  if (*worst != 0) row["stall"] = name(static_cast<Stall>(worst - f.stalls.begin()));
  const u64 all = std::accumulate(f.served.begin(), f.served.end(), u64{0});
  std::string served;
  for (std::size_t i = 0; i < timing.levels.size(); ++i) {
    if (f.served[i] == 0) continue;
    served += fmt::format("{}{} {:.0f} %", served.empty() ? "" : ", ", timing.levels[i],
                          100 * static_cast<f64>(f.served[i]) / static_cast<f64>(all));
  }
  if (!served.empty()) row["served"] = served;
  return row;
}

Json listing(const RunData& run, const LoweredLines& lowered) {
  const TimingResult& timing = *run.timing;
  const Code& code = run.module->code;
  std::vector<u32> shown;
  u64 total = 0;
  for (const u32 i : timing.per_instruction.present()) {
    const u64 cycles = wave_cycles(timing.per_instruction[i]);
    total += cycles;
    if (cycles != 0) shown.push_back(i);
  }
  if (shown.size() > most_instructions) {
    std::ranges::stable_sort(shown, [&](u32 a, u32 b) {
      return wave_cycles(timing.per_instruction[a]) > wave_cycles(timing.per_instruction[b]);
    });
    shown.resize(most_instructions);
    std::ranges::sort(shown);
  }
  std::map<u32, Json> issued;
  for (const auto& [instruction, text] : lowered) issued[instruction].push_back(shortened(text));
  std::map<SourceLine, Json> instructions;
  for (const u32 i : shown) {
    const TimedLine one = timed_instruction(run, i);
    Json row = row_of(one, timing);
    row["text"] = i < code.text.size() ? shortened(code.text[i]) : "";
    if (const auto found = issued.find(i); found != issued.end()) row["lowered"] = found->second;
    instructions[one.at].push_back(std::move(row));
  }
  std::vector<TimedLine> lines = timed_lines(run);
  std::ranges::sort(lines, {}, &TimedLine::at);
  Json data{{"file", run.source_file}, {"wave_cycles", total}, {"lines", Json::array()}};
  for (const TimedLine& line : lines) {
    Json row = row_of(line, timing);
    const std::string file = file_of(code, line.at);
    row["line"] = line.at.line != 0 && same_file(file, run.source_file) ? std::to_string(line.at.line)
                                                                        : place_text(file, line.at.line);
    row["text"] = shortened(text_of(run, line.at));
    row["instructions"] = instructions.contains(line.at) ? std::move(instructions[line.at]) : Json::array();
    data["lines"].push_back(std::move(row));
  }
  return data;
}

// How busy each unit of each resource that has several was.
Json heat(const TimingResult& timing, const LaunchTrace* trace) {
  Json list = Json::array();
  const auto add = [&](const std::string& title, const std::vector<u64>& busy, f64 most) {
    if (busy.size() < 2 || most <= 0) return;
    Json shares = Json::array();
    for (const u64 one : busy) shares.push_back(rounded(std::min(1.0, static_cast<f64>(one) / most)));
    list.push_back({{"title", title}, {"shares", std::move(shares)}});
  };
  if (!timing.unit_wave_cycles.empty())
    add("resident waves, of the most that one unit had", timing.unit_wave_cycles,
        static_cast<f64>(*std::ranges::max_element(timing.unit_wave_cycles)));
  for (const Resource& one : timing.resources) {
    const std::string_view parts = one.kind == ResourceKind::shared_cache ? ", slice by slice"
                                   : one.kind == ResourceKind::memory     ? ", channel by channel"
                                                                          : "";
    add(fmt::format("{}{}", one.title, parts), one.busy_cycles, active_clocks(timing, one));
  }
  if (trace != nullptr && trace->turns != 0)
    add("banks of local memory, of the turns that accesses took in all units", trace->bank_turns,
        static_cast<f64>(trace->turns));
  return list;
}

// What caches of any size would keep of the touched lines.
Json cache_footprint(const RunData& run, const LaunchTrace& trace) {
  if (trace.touches.empty()) return nullptr;
  const Footprints found = footprints(trace.touches);
  const auto curve = [&](const char* title, const Footprint& one, bool shared) {
    Json rows = Json::array(), caches = Json::array();
    for (std::size_t i = 0; i < one.kept.size(); ++i)
      rows.push_back({u64{trace.line_bytes} << i, rounded(one.kept[i])});
    for (const LaunchTrace::Cache& cache : trace.caches) {
      if (cache.shared != shared) continue;
      const auto known = std::ranges::find(run.timing->caches, cache.name, &CacheFigures::name);
      caches.push_back({{"title", known == run.timing->caches.end() ? "first-level cache" : known->title},
                        {"bytes", cache.bytes}});
    }
    return Json{{"title", title}, {"rows", std::move(rows)}, {"caches", std::move(caches)}};
  };
  return {{"touches", trace.touches.size()},
          {"left_out", trace.touches_left_out},
          {"line_bytes", trace.line_bytes},
          {"curves",
           {curve("of what one unit touches", found.each, false),
            curve("of what all units touch together", found.together, true)}}};
}

Json curves(const RunData& run) {
  OccupancyInput input;
  const KernelNeeds& needs = run.program->needs;
  input.work_group_size = run.range.group_items();
  input.vector_registers = needs.architectural_registers();
  input.accumulator_registers = needs.accumulation_registers;
  input.scalar_registers = needs.scalar_registers;
  input.local_bytes = run.local_bytes;
  input.wave_width = needs.wave_lanes;
  Json list = Json::array();
  for (const SweepAxis axis : {SweepAxis::group_size, SweepAxis::vector_registers, SweepAxis::local_bytes}) {
    const Expected<Sweep> made = sweep(*run.machine, input, axis);
    if (!made) continue;
    Json rows = Json::array();
    u32 before = ~0u;
    for (const SweepRow& row : made->rows) {
      // Where nothing changes there is nothing to draw.
      if (row.waves_per_cu != before || &row == &made->rows.back())
        rows.push_back({row.value, row.waves_per_cu});
      before = row.waves_per_cu;
    }
    if (rows.size() > 1)
      list.push_back({{"label", axis_label(axis)}, {"current", made->current}, {"rows", std::move(rows)}});
  }
  return list;
}

// Operations are those of lanes in vector arithmetic; the peak is that of these instructions with all lanes,
// one behind the other in all units.
Json roofline(const RunData& run) {
  const TimingResult& timing = *run.timing;
  f64 lanes = 0, slots = 0;
  for (const u32 i : timing.per_instruction.present()) {
    const TimedLine one = timed_instruction(run, i);
    if (one.vector_cycles == 0) continue;
    lanes += static_cast<f64>(one.lanes);
    slots += static_cast<f64>(one.lane_instructions) * run.program->needs.wave_lanes;
  }
  f64 busy = 0;
  Json levels = Json::array();
  const f64 seconds = static_cast<f64>(timing.cycles) / static_cast<f64>(run.clock_hz());
  for (const Resource& one : timing.resources) {
    const f64 sum = static_cast<f64>(std::accumulate(one.busy_cycles.begin(), one.busy_cycles.end(), u64{0}));
    if (one.kind == ResourceKind::arithmetic && one.clocks > 0)
      busy = sum / (one.clocks * static_cast<f64>(one.busy_cycles.size()));
    const bool is_memory = one.kind == ResourceKind::near_memory || one.kind == ResourceKind::shared_cache ||
                           one.kind == ResourceKind::memory;
    if (is_memory && one.amount_unit == "bytes" && one.ceiling > 0)
      levels.push_back({{"title", one.title}, {"bytes", one.amount}, {"ceiling", one.ceiling / seconds}});
  }
  if (busy <= 0 || lanes <= 0) return nullptr;
  return {{"operations", lanes},
          {"achieved", lanes / seconds},
          {"peak", slots / busy / seconds},
          {"seconds", seconds},
          {"levels", levels}};
}

// Resident waves by what they did, for each part of the time.
Json stalls(const RunData& run, const LaunchTrace& trace) {
  const StallTimeline timeline = stall_timeline(trace);
  Json reasons = Json::array();
  const auto add = [&](std::string_view title, const std::vector<f64>& waves) {
    Json row = Json::array();
    f64 sum = 0;
    for (const f64 one : waves) {
      row.push_back(rounded(one));
      sum += one;
    }
    if (sum > 0) reasons.push_back({{"name", title}, {"waves", std::move(row)}});
  };
  add("issuing", timeline.issuing);
  for (std::size_t reason = 0; reason < stall_count; ++reason)
    add(name(static_cast<Stall>(reason)), timeline.stalls[reason]);
  // The trace is of the first launch of a run, played on a device of its own: where others were before it,
  // it ended at another time than the report says.
  u64 end = run.repeated.first ? run.repeated.first->cycles : run.timing->cycles;
  if (run.device_launch > 1) {
    end = 0;
    for (const LaunchTrace::Wave& wave : trace.waves) end = std::max(end, wave.end);
  }
  return {{"buckets", trace.buckets.size()},
          {"bucket_cycles", trace.bucket_cycles},
          {"cycles", end},
          {"alone", run.device_launch > 1},
          {"reasons", reasons}};
}

std::string page_of(const Json& data) {
  std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  // Nothing in it may end the element that holds it.
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 6))
    text.replace(at, 1, "\\u003c");
  std::string page(html_page);
  constexpr std::string_view mark = "__DATA__";
  return page.replace(page.find(mark), mark.size(), text);
}

}  // namespace

std::string application_html(const Json& application, const Json& reports, const Json& pictures) {
  return page_of({{"application", application}, {"reports", reports}, {"pictures", pictures}});
}

std::string tuning_html(const Json& search) {
  return page_of({{"tuning", search}});
}

Json launch_pictures(const RunData& run, const LaunchTrace* trace) {
  Json data;
  data["curves"] = curves(run);
  data["heat"] = run.timing ? heat(*run.timing, trace) : Json::array();
  data["footprint"] = run.timing && trace != nullptr ? cache_footprint(run, *trace) : Json(nullptr);
  data["roofline"] = run.timing ? roofline(run) : nullptr;
  data["stalls"] = run.timing && trace != nullptr ? stalls(run, *trace) : Json(nullptr);
  return data;
}

std::string html_report(const RunData& run, const LoweredLines& lowered, const LaunchTrace* trace) {
  Json data = launch_pictures(run, trace);
  data["report"] = report_data(run);
  Json& views = data["report"]["views"];
  if (views.contains("lines")) views.erase("lines");
  data["listing"] = run.timing ? listing(run, lowered) : nullptr;
  return page_of(data);
}

}  // namespace lockstep
