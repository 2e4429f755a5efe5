#include "machine/chosen.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/environment.h"

namespace lockstep {

namespace {

std::vector<std::string> gpus_of_file(std::string_view text) {
  std::vector<std::string> names;
  bool in_name = false, in_comment = false;
  for (const char c : text) {
    if (c == '\n') in_comment = false;
    if (c == '#') in_comment = true;
    const bool between = in_comment || std::string_view(", \t\r\n").find(c) != std::string_view::npos;
    if (!between && !in_name) names.emplace_back();
    if (!between) names.back() += c;
    in_name = !between;
  }
  return names;
}

}  // namespace

std::vector<std::string> gpus_of_list(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (comma != 0) names.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

std::vector<std::string> chosen_gpus() {
  if (const char* list = environment("LOCKSTEP_GPU")) return gpus_of_list(list);
  std::vector<std::string> files;
  if (const char* folder = environment("XDG_CONFIG_HOME"); folder != nullptr && *folder == '/')
    files.push_back(std::string(folder) + "/lockstep/gpus");
  else if (const char* home = environment("HOME"))
    files.push_back(std::string(home) + "/.config/lockstep/gpus");
  files.push_back("/etc/lockstep/gpus");
  for (const std::string& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in.is_open()) continue;
    return gpus_of_file(std::string(std::istreambuf_iterator<char>(in), {}));
  }
  return {};
}

}  // namespace lockstep
