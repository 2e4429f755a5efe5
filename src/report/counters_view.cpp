// Every counter with its unit and meaning: in the JSON report.
#include "report/counters.h"
#include "report/view.h"

namespace lockstep {
namespace {

Json collect_counters(const RunData& run) {
  const CounterTable table(run);
  if (table.empty()) return nullptr;
  Json data = Json::array();
  for (const Counter& counter : table.all())
    data.push_back({{"name", counter.name},
                    {"unit", counter.unit},
                    {"meaning", counter.meaning},
                    {"value", counter.value}});
  return data;
}

std::string counters_view_text(const Json&) {
  return {};
}

}  // namespace

View counters_view() {
  return {"counters", collect_counters, counters_view_text};
}

}  // namespace lockstep
