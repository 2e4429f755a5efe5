#include "machine/target_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>

#include "base/installation.h"
#include "machine/machine.h"
#include "machine/toml_file.h"

namespace lockstep {
namespace {

// Targets refer to their names by view: these live on.
std::string_view kept(std::string text) {
  static std::mutex mutex;
  static std::deque<std::string> texts;
  const std::lock_guard lock(mutex);
  return texts.emplace_back(std::move(text));
}

std::optional<Architecture> architecture_named(std::string_view name) {
  for (u32 i = 0; i <= static_cast<u32>(Architecture::gen9); ++i)
    if (to_string(static_cast<Architecture>(i)) == name) return static_cast<Architecture>(i);
  return std::nullopt;
}

IsaFamily family_of(Architecture architecture) {
  switch (architecture) {
    case Architecture::gcn:
    case Architecture::cdna:
    case Architecture::rdna:
      return IsaFamily::amdgcn;
    case Architecture::vliw5:
    case Architecture::vliw4:
      return IsaFamily::r600;
    case Architecture::gen9:
      return IsaFamily::gen;
    default:
      return IsaFamily::ptx;
  }
}

Vendor vendor_of(Architecture architecture) {
  const IsaFamily family = family_of(architecture);
  return family == IsaFamily::ptx ? Vendor::nvidia : family == IsaFamily::gen ? Vendor::intel : Vendor::amd;
}

std::vector<std::string> architecture_names(Vendor vendor) {
  std::vector<std::string> names;
  for (u32 i = 0; i <= static_cast<u32>(Architecture::gen9); ++i)
    if (vendor_of(static_cast<Architecture>(i)) == vendor)
      names.emplace_back(to_string(static_cast<Architecture>(i)));
  return names;
}

std::optional<u32> digits(std::string_view text, int base) {
  u32 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "gfx90a" is 9.0.10: the last two digits, hexadecimal, are minor and stepping. "sm_75" is 7.5.
std::optional<std::array<u32, 3>> version_of(std::string_view name, IsaFamily family) {
  const bool amd = family == IsaFamily::amdgcn;
  const std::string_view beginning = amd ? "gfx" : "sm_";
  const std::size_t last = amd ? 2 : 1;
  if ((!amd && family != IsaFamily::ptx) || !name.starts_with(beginning)) return std::nullopt;
  name.remove_prefix(beginning.size());
  if (name.size() <= last) return std::nullopt;
  const std::string_view tail = name.substr(name.size() - last);
  const auto major = digits(name.substr(0, name.size() - last), 10);
  const auto minor = digits(tail.substr(0, 1), amd ? 16 : 10);
  const auto stepping = amd ? digits(tail.substr(1), 16) : std::optional(0u);
  if (!major || !minor || !stepping) return std::nullopt;
  return std::array<u32, 3>{*major, *minor, *stepping};
}

Diagnostic wrong_member(const std::string& path, const toml::node& node, std::string_view key,
                        std::string_view wanted) {
  return problem("wrong-type", place_of(path, node.source()),
                 fmt::format("'{}' takes {}, not {}", key, wanted, type_name(node)));
}

struct Entry {
  std::optional<Architecture> architecture;
  std::optional<std::array<u32, 3>> version;
  std::string compile_as;
};

Status read_member(const std::string& path, const std::string& key, const toml::node& value, Vendor vendor,
                   Entry& entry) {
  const Place place = place_of(path, value.source());
  if (key == "architecture") {
    if (!value.is_string()) return wrong_member(path, value, key, "a string");
    const std::string name = **value.as_string();
    entry.architecture = architecture_named(name);
    if (!entry.architecture || vendor_of(*entry.architecture) != vendor) {
      const std::vector<std::string> known = architecture_names(vendor);
      return problem("unknown-architecture", place,
                     fmt::format("unknown architecture '{}' of {}", name, to_string(vendor)),
                     did_you_mean(name, known, fmt::format("known are {}", fmt::join(known, ", "))));
    }
  } else if (key == "compile_as") {
    if (!value.is_string() || value.as_string()->get().empty())
      return wrong_member(path, value, key, "a string that is not empty");
    entry.compile_as = **value.as_string();
  } else if (key == "version") {
    const toml::array* numbers = value.as_array();
    const auto small = [](const toml::node& node) {
      const auto number = node.value_exact<i64>();
      return number && *number >= 0 && *number < 100;
    };
    if (numbers == nullptr || numbers->size() != 3 || !std::all_of(numbers->begin(), numbers->end(), small))
      return wrong_member(path, value, key, "a list of three integers from 0 to 99");
    entry.version.emplace();
    for (std::size_t i = 0; i < 3; ++i)
      (*entry.version)[i] = static_cast<u32>(*numbers->get(i)->value_exact<i64>());
  } else {
    return problem("unknown-key", place, fmt::format("a target has no '{}'", key),
                   did_you_mean(key, {"architecture", "compile_as", "version"},
                                "it has architecture, compile_as and version"));
  }
  return Success{};
}

Expected<Target> read_target(const std::string& path, const std::string& name, const toml::node& line,
                             Vendor vendor) {
  const Place place = place_of(path, line.source());
  const toml::table* members = line.as_table();
  if (members == nullptr) return wrong_member(path, line, name, "a table");
  Entry entry;
  for (const auto& [key, value] : *members)
    if (Status read = read_member(path, std::string(key.str()), value, vendor, entry); !read)
      return read.error();
  if (!entry.architecture)
    return problem("missing-key", place, fmt::format("the target '{}' has no 'architecture'", name),
                   fmt::format("{} = {{architecture = \"{}\"}}", name, architecture_names(vendor).back()));
  Target target{};
  target.name = kept(name);
  target.vendor = vendor;
  target.architecture = *entry.architecture;
  target.isa = family_of(target.architecture);
  const auto version = entry.version ? entry.version : version_of(name, target.isa);
  if (!version)
    return problem(
        "wrong-target", place, fmt::format("the name '{}' does not say the target's version", name),
        "names are gfx<major><minor><stepping> and sm_<major><minor>; else state version = [1, 2, 3]");
  target.major = (*version)[0];
  target.minor = (*version)[1];
  target.stepping = (*version)[2];
  // LLVM's AMDGPU usage guide, "Target Features": gfx10 and later have wavefrontsize32, and default to it.
  if (target.isa == IsaFamily::gen)
    target.widths = {8, 16, 32}, target.default_width = 16;
  else if (vendor == Vendor::nvidia)
    target.widths = {32, 0, 0}, target.default_width = 32;
  else if (target.architecture == Architecture::rdna)
    target.widths = {32, 64, 0}, target.default_width = 32;
  else
    target.widths = {64, 0, 0}, target.default_width = 64;
  target.compiler_target = entry.compile_as.empty() ? target.name : kept(entry.compile_as);
  return target;
}

// The file's own order: tables are kept by name.
template <class Table>
auto by_line(const Table& table) {
  std::vector<std::pair<std::string, const toml::node*>> items;
  for (const auto& [key, value] : table) items.emplace_back(std::string(key.str()), &value);
  std::ranges::stable_sort(items, {}, [](const auto& item) { return item.second->source().begin.line; });
  return items;
}

const Expected<std::vector<Target>>& loaded() {
  static const Expected<std::vector<Target>> targets = [] {
    std::error_code error;
    std::string path = machine_directory() + "/targets.toml";
    if (!std::filesystem::exists(path, error))
      path = installed_folder("machines", "targets.toml").value_or(LOCKSTEP_SOURCE_DIR "/machines") +
             "/targets.toml";
    return read_targets(path);
  }();
  return targets;
}

}  // namespace

Expected<std::vector<Target>> read_targets(const std::string& path) {
  const Expected<toml::table> file = parse_toml_file(path);
  if (!file) return file.error();
  for (const auto& [name, table] : by_line(*file)) {
    if (table->is_table() && (name == "amd" || name == "nvidia" || name == "intel")) continue;
    return problem("unknown-vendor", place_of(path, table->source()),
                   fmt::format("'{}' is no vendor's table", name),
                   did_you_mean(name, {"amd", "nvidia", "intel"}, "tables are [amd], [nvidia] and [intel]"));
  }
  std::vector<Target> targets;
  for (const Vendor vendor : {Vendor::amd, Vendor::nvidia, Vendor::intel}) {
    const toml::table* table = file->get_as<toml::table>(to_string(vendor));
    if (table == nullptr) continue;
    for (const auto& [name, line] : by_line(*table)) {
      auto target = read_target(path, name, *line, vendor);
      if (!target) return target.error();
      targets.push_back(*target);
    }
  }
  return targets;
}

Status targets_status() {
  if (!loaded()) return loaded().error();
  return Success{};
}

std::span<const Target> all_targets() {
  return loaded() ? std::span<const Target>(*loaded()) : std::span<const Target>();
}

}  // namespace lockstep
