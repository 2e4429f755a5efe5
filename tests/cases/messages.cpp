#include "cases/messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::cases {

std::string compare_message(const std::string& wanted, const std::string& message, const char* what) {
  if (wanted.empty()) return "  * " + message + "\n";
  std::string line = message;
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line.find(wanted) != std::string::npos
             ? std::string()
             : fmt::format("  * the {} says '{}', expected '{}'\n", what, message, wanted);
}

std::string compare_alarms(const Case& entry, const std::vector<std::string>& alarms) {
  std::string story;
  if (!entry.alarms.empty() && alarms.empty()) story += "  * the checker reports nothing\n";
  for (const std::string& alarm : alarms) story += compare_message(entry.alarms, alarm, "checker");
  return story;
}

}  // namespace lockstep::cases
