#include "run/check_file.h"

#include <filesystem>
#include <fstream>
#include <set>

#include "run/toml_reader.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

struct Reading {
  TomlReader toml;
  std::string path;
  std::string folder;  // of the file: what it names is beside it

  Place place(const toml::node& node) const {
    return {path, node.source().begin.line, node.source().begin.column};
  }
  std::string beside(const std::string& name) const {
    return name.empty() || fs::path(name).is_absolute()
               ? name
               : (fs::path(folder) / name).lexically_normal().string();
  }
};

void read_counters(Reading& reading, const toml::node& node, CheckLimits& limits) {
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    reading.toml.fail(node, "'counters_at_most' is a table of counters",
                      "counters_at_most = {\"vector.transactions\" = 2048}");
    return;
  }
  for (const auto& [name, value] : toml_in_order(*table))
    limits.limits.push_back(
        {"counters_at_most", name, reading.toml.real(*value, name), reading.place(*value)});
}

CheckLimits read_limits(Reading& reading, const toml::table& parent, const std::string& gpu) {
  CheckLimits limits;
  if (parent.get("limits") == nullptr) return limits;
  const toml::table& table = reading.toml.table(parent, "limits");
  std::vector<std::string> keys;
  for (const LimitKind& kind : limit_kinds()) keys.emplace_back(kind.key);
  keys.insert(keys.end(), {"counters_at_most", "baseline", "time_within_percent"});
  reading.toml.only(table, "'limits'", keys);
  for (const auto& [key, node] : toml_in_order(table)) {
    if (key == "counters_at_most") {
      read_counters(reading, *node, limits);
    } else if (key == "time_within_percent") {
      limits.within = reading.toml.real(*node, key) / 100;
      if (limits.within < 0) reading.toml.fail(*node, "'time_within_percent' is 0 or more");
      if (table.get("baseline") == nullptr) reading.toml.fail(*node, "the key 'baseline' is missing");
    } else if (key == "baseline") {
      limits.baseline_at = reading.place(*node);
      std::string name = reading.toml.text(table, key);
      if (const std::size_t at = name.find("{gpu}"); at != std::string::npos) name.replace(at, 5, gpu);
      limits.baseline = reading.beside(name);
      if (table.get("time_within_percent") == nullptr)
        reading.toml.fail(*node, "the key 'time_within_percent' is missing");
    } else {
      Limit limit{key, "", reading.toml.real(*node, key), reading.place(*node)};
      for (const LimitKind& kind : limit_kinds()) {
        if (kind.key != key || (limit.value >= 0 && (kind.most == 0 || limit.value <= kind.most))) continue;
        reading.toml.fail(*node, kind.most == 0
                                     ? fmt::format("'{}' is 0 or more", key)
                                     : fmt::format("'{}' is a share from 0 to 1, of {}", key, kind.meaning));
      }
      limits.limits.push_back(std::move(limit));
    }
  }
  return limits;
}

// "X,Y,Z", or one to three numbers.
std::string size_text(Reading& reading, const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return "";
  if (node->is_integer()) return std::to_string(reading.toml.integer(*node, key));
  if (node->is_array()) return fmt::format("{}", fmt::join(reading.toml.integers(*node, key), ","));
  return reading.toml.text(table, key);
}

std::string checks_of(Reading& reading, const toml::table& table) {
  const std::string text = reading.toml.text(table, "checks", false);
  if (text.empty()) return text;
  const Expected<CheckSelection> checks = parse_checks(text);
  if (!checks) reading.toml.fail(*table.get("checks"), checks.error().message, checks.error().hint);
  return text;
}

std::vector<std::string> gpus_of(Reading& reading, const toml::table& table, const std::string& otherwise) {
  std::vector<std::string> gpus = reading.toml.texts(table, "gpus");
  if (const std::string one = reading.toml.text(table, "gpu", false); !one.empty()) gpus.push_back(one);
  if (const toml::node* none = table.get("gpus"); none != nullptr && gpus.empty())
    reading.toml.fail(*none, "'gpus' names no GPU", "without the key it is mi25, or LOCKSTEP_GPU");
  if (gpus.empty()) gpus.push_back(otherwise);
  for (std::string& gpu : gpus)
    if (gpu.ends_with(".toml")) gpu = reading.beside(gpu);
  return gpus;
}

void read_kernel(Reading& reading, const toml::table& table, const std::string& default_gpu,
                 CheckFile& file) {
  reading.toml.only(
      table, "[[kernel]]",
      {"name", "file", "kernel", "gpu", "gpus", "clock", "global", "grid", "local", "dynamic_local", "offset",
       "args", "symbols", "defines", "options", "optimisation", "checks", "functional", "limits"});
  LaunchRequest request;
  request.folder = reading.folder;
  request.file = reading.beside(reading.toml.text(table, "file"));
  request.kernel = reading.toml.text(table, "kernel", false);
  request.clock = reading.toml.text(table, "clock", false);
  request.range = {size_text(reading, table, "global"), size_text(reading, table, "grid"),
                   size_text(reading, table, "local"), size_text(reading, table, "offset")};
  const auto small = [&](std::string_view key, i64 most, u32& value) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    const i64 read = reading.toml.integer(*node, key);
    if (read < 0 || read > most) reading.toml.fail(*node, fmt::format("'{}' is 0 to {}", key, most));
    value = static_cast<u32>(read);
  };
  small("dynamic_local", 1 << 20, request.dynamic_local_bytes);
  small("optimisation", 3, request.optimisation);
  request.arguments = reading.toml.texts(table, "args");
  request.symbols = reading.toml.texts(table, "symbols");
  request.defines = reading.toml.texts(table, "defines");
  request.build_options = reading.toml.text(table, "options", false);
  request.checks = checks_of(reading, table);
  const std::string name = reading.toml.text(table, "name", false);
  const std::string shown = !name.empty()             ? name
                            : !request.kernel.empty() ? request.kernel
                                                      : fs::path(request.file).filename().string();
  for (const std::string& gpu : gpus_of(reading, table, default_gpu)) {
    KernelCheck check;
    const std::string id = gpu.ends_with(".toml") ? fs::path(gpu).stem().string() : gpu;
    check.name = fmt::format("{} on {}", shown, id);
    check.request = request;
    check.request.gpu = gpu;
    check.functional = reading.toml.truth(table, "functional", false);
    check.limits = read_limits(reading, table, id);
    check.at = reading.place(table);
    file.kernels.push_back(std::move(check));
  }
}

void read_application(Reading& reading, const toml::table& table, CheckFile& file) {
  reading.toml.only(table, "[[application]]",
                    {"name", "command", "folder", "gpu", "checks", "functional", "kernel"});
  ApplicationCheck check;
  check.at = reading.place(table);
  check.command = reading.toml.texts(table, "command");
  if (check.command.empty())
    reading.toml.fail(table, "the key 'command' is missing", "command = [\"./app\", \"--quick\"]");
  check.name = reading.toml.text(table, "name", false);
  if (check.name.empty()) check.name = fmt::format("{}", fmt::join(check.command, " "));
  const std::string folder = reading.toml.text(table, "folder", false);
  check.folder = folder.empty() ? reading.folder : reading.beside(folder);
  check.gpu = reading.toml.text(table, "gpu", false);
  if (check.gpu.ends_with(".toml")) check.gpu = reading.beside(check.gpu);
  check.checks = checks_of(reading, table);
  check.functional = reading.toml.truth(table, "functional", false);
  for (const toml::table* kernel : reading.toml.tables(table, "kernel")) {
    reading.toml.only(*kernel, "[[application.kernel]]", {"name", "limits"});
    check.kernels.push_back({reading.toml.text(*kernel, "name"), read_limits(reading, *kernel, check.gpu),
                             reading.place(*kernel)});
  }
  file.applications.push_back(std::move(check));
}

}  // namespace

Expected<CheckFile> read_check_file(const std::string& path, const std::string& default_gpu) {
  if (!std::ifstream(path)) return Diagnostic{"cannot-read", {path, 0, 0}, "the file cannot be read", ""};
  if (std::filesystem::is_directory(path))
    return Diagnostic{"cannot-read", {path, 0, 0}, "this is a directory, not a file", ""};
  toml::table root;
  try {
    root = toml::parse_file(path);
  } catch (const toml::parse_error& error) {
    return Diagnostic{"bad-check-file",
                      {path, error.source().begin.line, error.source().begin.column},
                      std::string(error.description()),
                      ""};
  }
  CheckFile file;
  file.path = path;
  const fs::path parent = fs::path(path).parent_path();
  Reading reading{TomlReader(path, "bad-check-file"), path, parent.empty() ? "." : parent.string()};
  reading.toml.only(root, "a file of checks", {"kernel", "application"});
  for (const toml::table* table : reading.toml.tables(root, "kernel"))
    read_kernel(reading, *table, default_gpu, file);
  for (const toml::table* table : reading.toml.tables(root, "application"))
    read_application(reading, *table, file);
  if (reading.toml.error()) return *reading.toml.error();
  if (file.kernels.empty() && file.applications.empty())
    return Diagnostic{"bad-check-file", {path, 0, 0}, "the file checks nothing", "add a [[kernel]] table"};
  std::set<std::string> names;
  for (const KernelCheck& check : file.kernels) {
    if (!names.insert(check.name).second)
      return Diagnostic{"bad-check-file", check.at, fmt::format("there are two checks '{}'", check.name),
                        "give one another 'name'"};
  }
  return file;
}

}  // namespace lockstep
