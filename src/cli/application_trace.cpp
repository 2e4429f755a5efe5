#include "cli/application_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <tuple>
#include <vector>

#include "report/view.h"

namespace lockstep::cli {
namespace {

struct Command {
  u64 process = 0, queue = 0, bytes = 0;
  std::string gpu, engine, name;
  f64 share = 0;
  u64 queued_ns = 0, begin_ns = 0, end_ns = 0, alone_ns = 0;
};

bool read_command(const Json& line, Command& command) {
  const bool good = line.is_object() && line.contains("gpu") && line.contains("engine") &&
                    line.contains("begin_ns") && line.contains("end_ns") && line["gpu"].is_string() &&
                    line["engine"].is_string();
  if (!good) return false;
  command.process = line.value("process", u64{0});
  command.queue = line.value("queue", u64{0});
  command.bytes = line.value("bytes", u64{0});
  command.gpu = line["gpu"].get<std::string>();
  command.engine = line["engine"].get<std::string>();
  command.name = line.value("name", "");
  command.share = line.value("share", 0.0);
  command.queued_ns = line.value("queued_ns", u64{0});
  command.begin_ns = line.value("begin_ns", u64{0});
  command.end_ns = line.value("end_ns", u64{0});
  command.alone_ns = line.value("alone_ns", u64{0});
  return true;
}

// Rows of a device: commands that run at the same time stand in rows of their own.
class Rows {
 public:
  // The number of the row of this title in which nothing else runs from `begin` on.
  u64 place(const std::string& title, u64 begin, u64 end) {
    std::vector<std::pair<u64, u64>>& rows = rows_[title];  // number, end of the last command
    for (auto& [number, last] : rows) {
      if (last > begin) continue;
      last = end;
      return number;
    }
    rows.emplace_back(++count_, end);
    return count_;
  }
  template <class F>
  void each(F&& told) const {
    for (const auto& [title, rows] : rows_) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        told(rows[i].first, i == 0 ? title : fmt::format("{} ({})", title, i + 1));
    }
  }

 private:
  std::map<std::string, std::vector<std::pair<u64, u64>>> rows_;
  u64 count_ = 0;
};

f64 microseconds(u64 ns) {
  return static_cast<f64>(ns) * 1e-3;
}

}  // namespace

Expected<std::string> application_trace(const std::string& timeline) {
  std::vector<Command> commands;
  std::ifstream in(timeline);
  u32 number = 0;
  for (std::string text; std::getline(in, text);) {
    ++number;
    if (!read_command(Json::parse(text, nullptr, false), commands.emplace_back()))
      return Diagnostic{"bad-log", {timeline, number, 0}, "the line describes no command", ""};
  }
  std::ranges::stable_sort(commands, {}, [](const Command& one) {
    return std::tuple(one.process, one.gpu, one.begin_ns, one.end_ns);
  });
  Json events = Json::array();
  std::map<std::pair<u64, std::string>, std::pair<u64, Rows>> devices;
  for (const Command& one : commands) {
    auto& [device, rows] =
        devices.try_emplace({one.process, one.gpu}, devices.size() + 1, Rows()).first->second;
    Json arguments{{"queue", one.queue}, {"queued_us", microseconds(one.queued_ns)}};
    if (one.engine == "kernels") {
      arguments["share_of_device"] = one.share;
      arguments["alone_us"] = microseconds(one.alone_ns);
    } else {
      arguments["bytes"] = one.bytes;
    }
    const std::string name = !one.name.empty() ? one.name : fmt::format("{} bytes", one.bytes);
    for (const std::string& row : {one.engine, fmt::format("queue {}", one.queue)})
      events.push_back({{"name", name},
                        {"cat", row == one.engine ? "engine" : "queue"},
                        {"ph", "X"},
                        {"pid", device},
                        {"tid", rows.place(row, one.begin_ns, one.end_ns)},
                        {"ts", microseconds(one.begin_ns)},
                        {"dur", microseconds(one.end_ns - one.begin_ns)},
                        {"args", arguments}});
  }
  for (const auto& [key, device] : devices) {
    const u64 pid = device.first;
    events.push_back({{"name", "process_name"},
                      {"ph", "M"},
                      {"pid", pid},
                      {"args", {{"name", fmt::format("{}, process {}", key.second, key.first)}}}});
    device.second.each([&, pid](u64 row, const std::string& title) {
      events.push_back(
          {{"name", "thread_name"}, {"ph", "M"}, {"pid", pid}, {"tid", row}, {"args", {{"name", title}}}});
    });
  }
  return json_text({{"displayTimeUnit", "ns"}, {"traceEvents", events}});
}

}  // namespace lockstep::cli
