#include <fmt/format.h>

#include "report/occupancy_json.h"
#include "report/view.h"
#include "report/words.h"

namespace lockstep {

Json occupancy_json(const Occupancy& occupancy) {
  Json data;
  data["limits"] = Json::array();
  for (const OccupancyLimit& limit : occupancy.limits) {
    data["limits"].push_back({{"name", limit.name},
                              {"groups_per_cu", limit.groups_per_cu},
                              {"waves_per_cu", limit.waves_per_cu},
                              {"uncapped", limit.uncapped}});
  }
  data["groups_per_cu"] = occupancy.groups_per_cu;
  data["waves_per_cu"] = occupancy.waves_per_cu;
  data["occupancy"] = occupancy.occupancy;
  data["limiter"] = occupancy.limiter;
  data["unit"] = occupancy.unit;
  data["wave_width"] = occupancy.wave_width;
  data["waves_per_group"] = occupancy.waves_per_group;
  data["wave_slots"] = occupancy.wave_slots;
  data["vector_registers_allocated"] = occupancy.vector_registers_allocated;
  data["scalar_registers_allocated"] = occupancy.scalar_registers_allocated;
  data["local_bytes_allocated"] = occupancy.local_bytes_allocated;
  data["advice"] = Json::array();
  for (const OccupancyAdvice& advice : occupancy.advice) {
    data["advice"].push_back({{"change", advice.change},
                              {"value", advice.value},
                              {"groups_per_cu", advice.groups_per_cu},
                              {"waves_per_cu", advice.waves_per_cu},
                              {"occupancy", advice.occupancy},
                              {"text", advice.text}});
  }
  return data;
}

std::string occupancy_text(const Json& data) {
  const std::string unit = data["unit"].get<std::string>();
  std::string out =
      fmt::format("  {:<18} {:>12} {:>12} {:>10}\n", "limit", "groups/" + unit, "waves/" + unit, "uncapped");
  for (const Json& limit : data["limits"]) {
    const std::string name = limit["name"].get<std::string>();
    out += fmt::format("  {:<18} {:>12} {:>12} {:>10.2f}{}\n", name, limit["groups_per_cu"].get<u32>(),
                       limit["waves_per_cu"].get<u32>(), limit["uncapped"].get<f64>(),
                       name == data["limiter"].get<std::string>() ? "  <- limits" : "");
  }
  out += fmt::format("  {} of {} waves {}: occupancy {:.3g}, limited by {}\n",
                     data["waves_per_cu"].get<u32>(), data["wave_slots"].get<u32>(), with_article(unit),
                     data["occupancy"].get<f64>(), data["limiter"].get<std::string>());
  for (const Json& advice : data["advice"]) out += fmt::format("  {}\n", advice["text"].get<std::string>());
  return out;
}

namespace {

Json collect_occupancy(const RunData& run) {
  Json data = occupancy_json(run.occupancy);
  data["vector_registers"] = run.program->needs.vector_registers;
  data["scalar_registers"] = run.program->needs.scalar_registers;
  // PTX names as many as it likes: the vendor's assembler, which would count them, has not been asked.
  if (run.machine->target->isa == IsaFamily::ptx) data["registers_estimated"] = true;
  data["local_bytes"] = run.local_bytes;
  data["private_bytes"] = run.program->needs.private_bytes + run.program->needs.spilled_bytes;
  return data;
}

std::string occupancy_view_text(const Json& data) {
  return heading("Occupancy") +
         fmt::format(
             "  {} vector registers{}, {} scalar registers, {} bytes of local and {} of private memory\n",
             data["vector_registers"].get<u32>(), data.contains("registers_estimated") ? " (estimated)" : "",
             data["scalar_registers"].get<u32>(), data["local_bytes"].get<u32>(),
             data["private_bytes"].get<u32>()) +
         occupancy_text(data);
}

}  // namespace

View occupancy_view() {
  return {"occupancy", collect_occupancy, occupancy_view_text};
}

}  // namespace lockstep
