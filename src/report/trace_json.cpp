#include "report/trace_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "report/source_text.h"
#include "report/view.h"
#include "report/words.h"

namespace lockstep {

std::string trace_json(const RunData& run, const LaunchTrace& trace) {
  const Words& words = words_of(*run.machine);
  const Code& code = run.module->code;
  const auto quoted = [](const std::string& text) {
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  // Microseconds of four decimals. A duration is what lies between two that are written, so that slices that
  // meet do not overlap.
  const f64 ticks_a_cycle = 1e10 / static_cast<f64>(run.clock_hz());
  const auto ticks = [&](u64 cycles) {
    return static_cast<u64>(std::llround(static_cast<f64>(cycles) * ticks_a_cycle));
  };
  const auto text = [](u64 tick) { return fmt::format("{}.{:04}", tick / 10000, tick % 10000); };
  const auto time = [&](u64 cycles) { return text(ticks(cycles)); };
  const auto duration = [&](u64 begin, u64 end) { return text(ticks(end) - ticks(begin)); };
  u32 slots = 1;
  for (const LaunchTrace::Wave& wave : trace.waves) slots = std::max(slots, wave.slot + 1);
  const auto row = [&](const LaunchTrace::Wave& wave) { return wave.simd * slots + wave.slot; };

  std::string out = "{\"displayTimeUnit\":\"ns\",\"otherData\":{";
  out += fmt::format("\"gpu\":{},\"kernel\":{},\"left_out\":{}}},\"traceEvents\":[\n",
                     quoted(run.machine->id), quoted(run.program->name), trace.left_out);
  bool first = true;
  const auto event = [&](const std::string& one) {
    if (!first) out += ",\n";
    first = false;
    out += one;
  };
  std::set<u32> units;
  std::set<std::pair<u32, u32>> rows;
  struct Group {
    u32 unit = 0;
    u64 begin = ~u64{0}, end = 0;
  };
  std::map<u64, Group> groups;
  for (const LaunchTrace::Wave& wave : trace.waves) {
    if (units.insert(wave.unit).second)
      event(fmt::format("{{\"ph\":\"M\",\"pid\":{},\"name\":\"process_name\",\"args\":{{\"name\":{}}}}}",
                        wave.unit, quoted(fmt::format("{} {}", words.unit, wave.unit))));
    if (rows.emplace(wave.unit, row(wave)).second)
      event(fmt::format(
          "{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_name\",\"args\":{{\"name\":{}}}}}",
          wave.unit, row(wave), quoted(fmt::format("{} {} slot {}", words.simd, wave.simd, wave.slot))));
    Group& group = groups[wave.group];
    group.unit = wave.unit;
    group.begin = std::min(group.begin, wave.begin);
    group.end = std::max(group.end, wave.end);
    event(fmt::format(
        "{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"cat\":\"wave\",\"name\":{}}}", wave.unit,
        row(wave), time(wave.begin), duration(wave.begin, wave.end),
        quoted(fmt::format("{} {} {} {}", words.group, wave.group, words.wave, wave.wave))));
  }
  for (const auto& [number, group] : groups) {
    for (const auto& [phase, at] : {std::pair('b', group.begin), {'e', group.end}})
      event(fmt::format(
          "{{\"ph\":\"{}\",\"pid\":{},\"tid\":0,\"ts\":{},\"id\":{},\"cat\":\"group\",\"name\":{}}}", phase,
          group.unit, time(at), number, quoted(fmt::format("{} {}", words.group, number))));
  }
  for (const LaunchTrace::Wait& wait : trace.waits) {
    const LaunchTrace::Wave& wave = trace.waves[wait.wave];
    const SourceLine at = source_line(code, wait.instruction);
    event(fmt::format(
        "{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"cat\":\"wait\",\"name\":\"{}\","
        "\"args\":{{\"line\":{},\"instruction\":{}}}}}",
        wave.unit, row(wave), time(wait.begin), duration(wait.begin, wait.end), name(wait.reason), at.line,
        quoted(wait.instruction < code.text.size() ? code.text[wait.instruction] : "")));
  }
  for (std::size_t i = 0; i < trace.loads.size(); ++i) {
    const LaunchTrace::Load& load = trace.loads[i];
    const LaunchTrace::Wave& wave = trace.waves[load.wave];
    for (const auto& [phase, at] : {std::pair('b', load.begin), {'e', load.end}})
      event(
          fmt::format("{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{},\"id\":{},\"cat\":\"memory\","
                      "\"name\":\"load\"}}",
                      phase, wave.unit, row(wave), time(at), i));
  }
  for (std::size_t i = 0; i < trace.buckets.size(); ++i) {
    std::string values;
    for (std::size_t reason = 0; reason < stall_count; ++reason)
      values +=
          fmt::format("{}\"{}\":{:.2f}", values.empty() ? "" : ",", name(static_cast<Stall>(reason)),
                      static_cast<f64>(trace.buckets[i][reason]) / static_cast<f64>(trace.bucket_cycles));
    event(fmt::format("{{\"ph\":\"C\",\"pid\":0,\"ts\":{},\"name\":\"waiting {}s\",\"args\":{{{}}}}}",
                      time(i * trace.bucket_cycles), words.wave, values));
  }
  return out + "\n]}\n";
}

}  // namespace lockstep
