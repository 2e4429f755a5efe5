#include "report/trace_json.h"

#include <fmt/format.h>

#include <algorithm>
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
  const f64 microseconds = 1e6 / static_cast<f64>(run.clock_hz());
  const auto time = [&](u64 cycles) { return static_cast<f64>(cycles) * microseconds; };
  u32 slots = 1;
  for (const LaunchTrace::Wave& wave : trace.waves) slots = std::max(slots, wave.slot + 1);
  const auto row = [&](const LaunchTrace::Wave& wave) { return wave.simd * slots + wave.slot; };

  std::string out = "{\"displayTimeUnit\":\"ns\",\"otherData\":{";
  out += fmt::format("\"gpu\":{},\"kernel\":{},\"left_out\":{}}},\"traceEvents\":[\n",
                     quoted(run.machine->id), quoted(run.program->name), trace.left_out);
  bool first = true;
  const auto event = [&](const std::string& text) {
    if (!first) out += ",\n";
    first = false;
    out += text;
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
        "{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{:.4f},\"dur\":{:.4f},\"cat\":\"wave\",\"name\":{}}}",
        wave.unit, row(wave), time(wave.begin), time(wave.end - wave.begin),
        quoted(fmt::format("{} {} {} {}", words.group, wave.group, words.wave, wave.wave))));
  }
  for (const auto& [number, group] : groups) {
    for (const auto& [phase, at] : {std::pair('b', group.begin), {'e', group.end}})
      event(fmt::format(
          "{{\"ph\":\"{}\",\"pid\":{},\"tid\":0,\"ts\":{:.4f},\"id\":{},\"cat\":\"group\",\"name\":{}}}",
          phase, group.unit, time(at), number, quoted(fmt::format("{} {}", words.group, number))));
  }
  for (const LaunchTrace::Wait& wait : trace.waits) {
    const LaunchTrace::Wave& wave = trace.waves[wait.wave];
    const SourceLine at = source_line(code, wait.instruction);
    event(fmt::format(
        "{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{:.4f},\"dur\":{:.4f},\"cat\":\"wait\",\"name\":\"{}\","
        "\"args\":{{\"line\":{},\"instruction\":{}}}}}",
        wave.unit, row(wave), time(wait.begin), time(wait.end - wait.begin), name(wait.reason), at.line,
        quoted(wait.instruction < code.text.size() ? code.text[wait.instruction] : "")));
  }
  for (std::size_t i = 0; i < trace.loads.size(); ++i) {
    const LaunchTrace::Load& load = trace.loads[i];
    const LaunchTrace::Wave& wave = trace.waves[load.wave];
    for (const auto& [phase, at] : {std::pair('b', load.begin), {'e', load.end}})
      event(
          fmt::format("{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{:.4f},\"id\":{},\"cat\":\"memory\","
                      "\"name\":\"load\"}}",
                      phase, wave.unit, row(wave), time(at), i));
  }
  for (std::size_t i = 0; i < trace.buckets.size(); ++i) {
    std::string values;
    for (std::size_t reason = 0; reason < stall_count; ++reason)
      values +=
          fmt::format("{}\"{}\":{:.2f}", values.empty() ? "" : ",", name(static_cast<Stall>(reason)),
                      static_cast<f64>(trace.buckets[i][reason]) / static_cast<f64>(trace.bucket_cycles));
    event(fmt::format("{{\"ph\":\"C\",\"pid\":0,\"ts\":{:.4f},\"name\":\"waiting {}s\",\"args\":{{{}}}}}",
                      time(i * trace.bucket_cycles), words.wave, values));
  }
  return out + "\n]}\n";
}

}  // namespace lockstep
