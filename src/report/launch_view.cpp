#include <fmt/format.h>

#include "report/view.h"

namespace lockstep {
namespace {

Json collect_launch(const RunData& run) {
  const NdRange& r = run.range;
  Json data;
  data["gpu"] = run.machine->name;
  data["target"] = run.machine->target->name;
  data["kernel"] = run.program->source_name.empty() ? run.program->name : run.program->source_name;
  if (!run.program->source_name.empty()) data["symbol"] = run.program->name;
  data["global"] = {r.global[0], r.global[1], r.global[2]};
  data["local"] = {r.local[0], r.local[1], r.local[2]};
  data["offset"] = {r.offset[0], r.offset[1], r.offset[2]};
  data["groups"] = r.total_groups();
  data["wave_lanes"] = run.program->needs.wave_lanes;
  data["waves_per_group"] = run.occupancy.waves_per_group;
  if (run.stopped) {
    const u64 done = run.timing ? run.timing->groups : run.functional ? run.functional->groups : 0;
    data["partial"] = {{"reason", run.failed->message}, {"code", run.failed->code}, {"groups_done", done}};
  }
  for (const LackedFeature& feature : run.program->lacked) {
    data["lacked"].push_back({{"feature", feature.name},
                              {"since", feature.since},
                              {"instructions", feature.instructions},
                              {"first_at", feature.first_at}});
  }
  if (run.device_launch != 0) {
    data["device_launch"] = run.device_launch;
    data["kernel_launch"] = run.kernel_launch;
  }
  if (!run.command.empty()) data["command"] = run.command;
  if (!run.source_copy.empty()) data["source"] = run.source_copy;
  if (run.functional) {
    data["wave_instructions"] = run.functional->wave_instructions;
    data["order"] = run.functional->order;
    data["timed"] = false;
  }
  return data;
}

std::string size(const Json& s) {
  return fmt::format("{} x {} x {}", s[0].get<u64>(), s[1].get<u64>(), s[2].get<u64>());
}

std::string many(const Json& count, std::string_view word) {
  const u64 number = count.get<u64>();
  return fmt::format("{} {}{}", number, word, number == 1 ? "" : "s");
}

std::string launch_view_text(const Json& data) {
  std::string out = fmt::format("{} on {} ({})\n", data["kernel"].get<std::string>(),
                                data["gpu"].get<std::string>(), data["target"].get<std::string>());
  out += fmt::format("  global {}, local {}: {} of {} of {} lanes\n", size(data["global"]),
                     size(data["local"]), many(data["groups"], "group"),
                     many(data["waves_per_group"], "wave"), data["wave_lanes"].get<u64>());
  if (data.contains("partial")) {
    out += fmt::format(
        "  PARTIAL: {}; {} of {} groups had ended, and everything below is what was counted so far\n",
        data["partial"]["reason"].get<std::string>(), data["partial"]["groups_done"].get<u64>(),
        data["groups"].get<u64>());
  }
  if (data.contains("command")) {
    std::string words;
    for (const Json& word : data["command"]) words += " " + word.get<std::string>();
    out += fmt::format("  launched by:{}\n", words);
  }
  if (data.contains("source")) out += fmt::format("  source: {}\n", data["source"].get<std::string>());
  if (data.contains("device_launch")) {
    const u64 device = data["device_launch"].get<u64>(), kernel = data["kernel_launch"].get<u64>();
    if (device == 1) {
      out += "  the application's first launch on this GPU: caches and translations are empty\n";
    } else {
      out += fmt::format(
          "  launch {} on this GPU, {}: caches and translations are as those before left them\n", device,
          kernel == 1 ? "the first of this kernel" : fmt::format("the {}. of this kernel", kernel));
    }
  }
  if (data.contains("wave_instructions")) {
    out += fmt::format("  executed {} wave-instructions, not timed; groups in {}\n",
                       data["wave_instructions"].get<u64>(), data["order"].get<std::string>());
  }
  if (data.contains("lacked")) {
    out += "  executed here, but the real GPU has no\n";
    for (const Json& feature : data["lacked"]) {
      out += fmt::format("    {} ({} does): {}, first at {}\n", feature["feature"].get<std::string>(),
                         feature["since"].get<std::string>(), many(feature["instructions"], "instruction"),
                         feature["first_at"].get<std::string>());
    }
  }
  return out;
}

}  // namespace

View launch_view() {
  return {"launch", collect_launch, launch_view_text};
}

}  // namespace lockstep
