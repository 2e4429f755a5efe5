// Reads machine files: TOML in, checked Machines out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <tuple>

#include "machine/machine.h"
#include "machine/target_reader.h"
#include "machine/toml_file.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

// One file, parsed: what stands before the tables, and the quantities that it states itself.
struct File {
  std::string path;
  std::string id, name, base, target, note;
  std::vector<std::string> aliases;
  Place base_place, target_place, id_place;
  std::vector<Quantity> quantities;
};

// The codes of "S1, LLVM".
std::vector<std::string> split_sources(std::string_view text) {
  std::vector<std::string> codes;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view code = text.substr(0, comma);
    while (!code.empty() && code.front() == ' ') code.remove_prefix(1);
    while (!code.empty() && code.back() == ' ') code.remove_suffix(1);
    codes.emplace_back(code);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return codes;
}

// What one quantity's table may hold.
const std::vector<std::string>& quantity_members() {
  static const std::vector<std::string> members{"value", "unit", "source", "confidence", "why"};
  return members;
}

Diagnostic wrong_type(const KeyInfo& info, const toml::node& node, const std::string& path) {
  return problem(
      "wrong-type", place_of(path, node.source()),
      fmt::format("'{}' takes {} ({}), not {}", info.key, to_string(info.kind), info.unit, type_name(node)));
}

// `node` times `factor` as an exact integer, or nothing when it is none.
std::optional<u64> exact_integer(const toml::node& node, u64 factor) {
  if (const auto whole = node.value_exact<i64>()) {
    if (*whole < 0) return std::nullopt;
    u64 product = 0;
    if (__builtin_mul_overflow(static_cast<u64>(*whole), factor, &product)) return std::nullopt;
    return product;
  }
  if (const auto real = node.value_exact<f64>()) {
    // 484.3 GB/s: the product must be whole once the decimal's own rounding is taken off.
    const f64 product = *real * static_cast<f64>(factor);
    const f64 whole = std::round(product);
    if (factor == 1 || !(product >= 0 && product <= 9e15) || std::abs(product - whole) > 1e-15 * product)
      return std::nullopt;
    return static_cast<u64>(whole);
  }
  return std::nullopt;
}

// A member of `table` that must be a string; empty optional when absent.
Expected<std::optional<std::string>> string_member(const toml::table& table, std::string_view member,
                                                   const std::string& path) {
  const toml::node* node = table.get(member);
  if (node == nullptr) return std::optional<std::string>{};
  if (const auto value = node->value_exact<std::string>()) return std::optional<std::string>{*value};
  return problem("wrong-type", place_of(path, node->source()),
                 fmt::format("'{}' takes a string, not {}", member, type_name(*node)));
}

Expected<Quantity> read_value(Quantity quantity, const toml::node& value, u64 factor,
                              const std::string& path) {
  const KeyInfo& info = *quantity.info;
  const auto not_whole = [&](const toml::node& node) {
    return problem("wrong-type", place_of(path, node.source()),
                   fmt::format("'{}' must be a whole number of {}, 0 or more", info.key, info.unit));
  };
  switch (info.kind) {
    case ValueKind::integer: {
      if (!value.is_number()) return wrong_type(info, value, path);
      const auto whole = exact_integer(value, factor);
      if (!whole) return not_whole(value);
      quantity.integer = *whole;
      quantity.real = static_cast<f64>(*whole);
      return quantity;
    }
    case ValueKind::real: {
      const auto real = value.value<f64>();
      if (!real || !value.is_number() || !std::isfinite(*real)) return wrong_type(info, value, path);
      quantity.real = *real * static_cast<f64>(factor);
      return quantity;
    }
    case ValueKind::integers: {
      const toml::array* list = value.as_array();
      if (list == nullptr) return wrong_type(info, value, path);
      for (const toml::node& element : *list) {
        const auto whole = exact_integer(element, factor);
        if (!whole) return not_whole(element);
        quantity.integers.push_back(*whole);
      }
      return quantity;
    }
    case ValueKind::text: {
      const auto string = value.value_exact<std::string>();
      if (!string) return wrong_type(info, value, path);
      quantity.text = *string;
      return quantity;
    }
  }
  return wrong_type(info, value, path);
}

Expected<Quantity> read_quantity(const KeyInfo& info, const toml::table& table, const std::string& path) {
  Quantity quantity;
  quantity.info = &info;
  quantity.place = place_of(path, table.source());
  for (const auto& [member, node] : table) {
    if (std::ranges::find(quantity_members(), member.str()) == quantity_members().end()) {
      return problem("unknown-key", place_of(path, member.source()),
                     fmt::format("'{}' has no '{}'", info.key, member.str()),
                     did_you_mean(member.str(), quantity_members(),
                                  "a figure has value, unit, source, confidence, why"));
    }
  }

  // The unit decides what the value means, so it comes first.
  const auto unit = string_member(table, "unit", path);
  if (!unit.ok()) return unit.error();
  u64 factor = 0;
  std::string allowed;
  for (const UnitFactor& candidate : units_of(info.unit)) {
    if (*unit && candidate.unit == **unit) factor = candidate.factor;
    allowed += fmt::format("{}\"{}\"", allowed.empty() ? "" : ", ", candidate.unit);
  }
  if (factor == 0) {
    const toml::node* node = table.get("unit");
    return problem("wrong-unit", node != nullptr ? place_of(path, node->source()) : quantity.place,
                   *unit ? fmt::format("'{}' cannot be in \"{}\"", info.key, **unit)
                         : fmt::format("'{}' does not state its unit", info.key),
                   fmt::format("units of this key: {}", allowed));
  }
  const toml::node* value = table.get("value");
  if (value == nullptr)
    return problem("wrong-type", quantity.place, fmt::format("'{}' has no value", info.key));

  const auto source = string_member(table, "source", path);
  if (!source.ok()) return source.error();
  if (!*source || (*source)->empty()) {
    return problem("missing-source", quantity.place, fmt::format("'{}' does not state its source", info.key),
                   "add source = \"...\", one of the codes of machines/sources.toml");
  }
  quantity.source = **source;

  const auto confidence = string_member(table, "confidence", path);
  if (!confidence.ok()) return confidence.error();
  bool known = false;
  for (const Confidence candidate :
       {Confidence::measured, Confidence::documented, Confidence::database, Confidence::assumed}) {
    if (*confidence && **confidence == to_string(candidate)) {
      quantity.confidence = candidate;
      known = true;
    }
  }
  if (!known) {
    return problem("unknown-confidence", quantity.place,
                   *confidence ? fmt::format("'{}' has the unknown confidence \"{}\"", info.key, **confidence)
                               : fmt::format("'{}' does not state its confidence", info.key),
                   "confidence is \"measured\", \"documented\", \"database\" or \"assumed\"");
  }
  const auto why = string_member(table, "why", path);
  if (!why.ok()) return why.error();
  quantity.why = why->value_or("");
  if (quantity.confidence == Confidence::assumed && quantity.why.empty()) {
    return problem("missing-why", quantity.place,
                   fmt::format("'{}' is assumed but does not say why", info.key),
                   "add why = \"...\": a sentence of reasoning");
  }
  return read_value(std::move(quantity), *value, factor, path);
}

const std::vector<std::string>& all_keys() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const KeyInfo& info : schema()) list.emplace_back(info.key);
    return list;
  }();
  return names;
}

// Walks the tables of a file; a table is a quantity when its dotted name is a key.
Status read_tables(const toml::table& table, const std::string& prefix, File& file) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix.empty() ? std::string(name.str()) : prefix + "." + std::string(name.str());
    const KeyInfo* info = find_key(key);
    if (info != nullptr) {
      const toml::table* quantity_table = node.as_table();
      if (quantity_table == nullptr) {
        return problem(
            "wrong-type", place_of(file.path, node.source()),
            fmt::format("'{}' must be a table with value, unit, source and confidence, not {}", key,
                        type_name(node)),
            fmt::format("{} = {{value = ..., unit = \"{}\", source = \"...\", confidence = \"...\"}}",
                        name.str(), info->unit));
      }
      Expected<Quantity> quantity = read_quantity(*info, *quantity_table, file.path);
      if (!quantity.ok()) return quantity.error();
      quantity->place = place_of(file.path, name.source());
      file.quantities.push_back(std::move(*quantity));
      continue;
    }
    const bool is_section = std::ranges::any_of(
        schema(), [&](const KeyInfo& candidate) { return candidate.key.starts_with(key + "."); });
    if (is_section && node.is_table()) {
      const Status status = read_tables(*node.as_table(), key, file);
      if (!status.ok()) return status;
      continue;
    }
    return problem("unknown-key", place_of(file.path, name.source()), fmt::format("unknown key '{}'", key),
                   did_you_mean(key, all_keys(), "docs/machines.md lists the keys"));
  }
  return Success{};
}

// The identity of a file, without its tables.
Expected<File> read_identity(const toml::table& table, const std::string& path) {
  File file;
  file.path = path;
  for (const auto& [member, destination] : {std::pair<std::string_view, std::string*>{"id", &file.id},
                                            {"name", &file.name},
                                            {"base", &file.base},
                                            {"target", &file.target},
                                            {"note", &file.note}}) {
    const auto value = string_member(table, member, path);
    if (!value.ok()) return value.error();
    *destination = value->value_or("");
  }
  const auto member_place = [&](std::string_view member) {
    const toml::node* node = table.get(member);
    return node != nullptr ? place_of(path, node->source()) : Place{path, 1};
  };
  file.base_place = member_place("base");
  file.target_place = member_place("target");
  file.id_place = member_place("id");
  if (const toml::node* node = table.get("aliases")) {
    const toml::array* list = node->as_array();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const auto alias = list->get(i)->value_exact<std::string>();
      if (!alias) list = nullptr;
      if (alias) file.aliases.push_back(*alias);
    }
    if (list == nullptr)
      return problem("wrong-type", place_of(path, node->source()), "'aliases' takes a list of strings");
  }
  return file;
}

Expected<File> read_file(const std::string& path) {
  Expected<toml::table> table = parse_toml_file(path);
  if (!table.ok()) return table.error();
  Expected<File> file = read_identity(*table, path);
  if (!file.ok()) return file;
  for (const std::string_view member : {"id", "name", "base", "target", "note", "aliases"})
    table->erase(member);
  const Status status = read_tables(*table, "", *file);
  if (!status.ok()) return status.error();
  return file;
}

// What only a machine's own file may say, checked where a file with an id is used.
Expected<MachineSummary> summarise(const File& file) {
  const std::string stem = fs::path(file.path).stem().string();
  if (file.id != stem) {
    return problem("wrong-id", file.id_place,
                   fmt::format("the id '{}' differs from the file's name", file.id),
                   fmt::format("id = \"{}\"", stem));
  }
  for (const auto& [member, value] :
       {std::pair<std::string_view, const std::string&>{"name", file.name},
        std::pair<std::string_view, const std::string&>{"target", file.target}}) {
    if (value.empty())
      return problem("missing-key", file.id_place,
                     fmt::format("the machine '{}' has no '{}'", file.id, member));
  }
  if (Status read = targets_status(); !read) return read.error();
  MachineSummary summary{file.id, file.name, file.aliases, find_target(file.target), file.path};
  if (summary.target == nullptr) {
    std::vector<std::string> names;
    for (const Target& target : all_targets()) names.emplace_back(target.name);
    return problem(
        "unknown-target", file.target_place, fmt::format("unknown target '{}'", file.target),
        did_you_mean(file.target, names, "targets are the lines of targets.toml, such as gfx900 or sm_70"));
  }
  return summary;
}

// The .toml files of <directory>/*/, sorted by directory and name.
Expected<std::vector<std::string>> machine_files(const std::string& directory) {
  const std::string hint = "set LOCKSTEP_MACHINES to the directory that holds sources.toml";
  std::error_code error;
  std::vector<std::string> files;
  for (fs::directory_iterator folder(directory, error), end; !error && folder != end;
       folder.increment(error)) {
    if (!folder->is_directory(error)) continue;
    for (fs::directory_iterator file(folder->path(), error); !error && file != end; file.increment(error)) {
      if (file->path().extension() == ".toml") files.push_back(file->path().string());
    }
  }
  if (error)
    return problem("missing-file", {directory},
                   fmt::format("cannot read the machine directory '{}': {}", directory, error.message()),
                   hint);
  if (files.empty())
    return problem("missing-file", {directory},
                   fmt::format("there is no machine file in a folder of '{}'", directory), hint);
  std::ranges::sort(files);
  return files;
}

// The file of base `name`, beside `from` or in any folder of the directory.
Expected<std::string> find_base(const File& from, const std::string& directory) {
  std::error_code error;
  const fs::path beside = fs::path(from.path).parent_path() / (from.base + ".toml");
  if (fs::exists(beside, error)) return beside.string();
  const auto files = machine_files(directory);
  if (!files.ok()) return files.error();
  std::vector<std::string> names;
  for (const std::string& file : *files) {
    names.push_back(fs::path(file).stem().string());
    if (names.back() == from.base) return file;
  }
  return problem(
      "unknown-base", from.base_place, fmt::format("unknown base '{}'", from.base),
      did_you_mean(from.base, names, fmt::format("a base is a file of {}, without .toml", directory)));
}

Status check_sources(const std::vector<Quantity>& quantities, const std::vector<Source>& sources,
                     Machine& machine) {
  std::vector<std::string> codes;
  for (const Source& source : sources) codes.push_back(source.code);
  std::vector<bool> used(sources.size(), false);
  for (const Quantity& quantity : quantities) {
    for (const std::string& code : split_sources(quantity.source)) {
      const auto found = std::ranges::find(codes, code);
      if (found == codes.end()) {
        return problem("unknown-source", quantity.place,
                       fmt::format("'{}' names the unknown source \"{}\"", quantity.info->key, code),
                       did_you_mean(code, codes, "list it in machines/sources.toml"));
      }
      used[static_cast<std::size_t>(found - codes.begin())] = true;
    }
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (used[i]) machine.sources.push_back(sources[i]);
  }
  return Success{};
}

// The file of the memory standard that the machine names: it states what no other file does.
Expected<std::optional<File>> read_memory_standard(const std::vector<File>& chain,
                                                   const std::string& directory) {
  for (const File& file : chain) {
    const auto found = std::ranges::find(file.quantities, find_key("memory.standard"), &Quantity::info);
    if (found == file.quantities.end()) continue;
    std::vector<std::string> names;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(directory) / "memory", error)) {
      if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    }
    std::ranges::sort(names);
    if (std::ranges::find(names, found->text) == names.end()) {
      return problem(
          "unknown-standard", found->place, fmt::format("unknown memory standard '{}'", found->text),
          did_you_mean(found->text, names, "a standard is a file of machines/memory, without .toml"));
    }
    Expected<File> standard = read_file((fs::path(directory) / "memory" / (found->text + ".toml")).string());
    if (!standard.ok()) return standard.error();
    return std::optional<File>(std::move(*standard));
  }
  return std::optional<File>();
}

Expected<Machine> load_machine_file(const std::string& directory, const std::string& path) {
  Expected<File> leaf = read_file(path);
  if (!leaf.ok()) return leaf.error();
  const Expected<MachineSummary> summary = summarise(*leaf);
  if (!summary.ok()) return summary.error();

  // From the leaf to its last base; the first file to state a key wins.
  std::vector<File> chain{*leaf};
  while (!chain.back().base.empty()) {
    const Expected<std::string> base_path = find_base(chain.back(), directory);
    if (!base_path.ok()) return base_path.error();
    for (const File& earlier : chain) {
      std::error_code error;
      if (fs::equivalent(earlier.path, *base_path, error)) {
        return problem("base-cycle", chain.back().base_place,
                       fmt::format("'{}' is its own base", fs::path(*base_path).stem().string()));
      }
    }
    Expected<File> base = read_file(*base_path);
    if (!base.ok()) return base.error();
    chain.push_back(std::move(*base));
  }
  const Expected<std::optional<File>> standard = read_memory_standard(chain, directory);
  if (!standard.ok()) return standard.error();
  if (*standard) chain.push_back(**standard);

  Machine machine;
  machine.id = summary->id;
  machine.name = summary->name;
  machine.note = leaf->note;
  machine.aliases = summary->aliases;
  machine.target = summary->target;
  machine.path = path;
  const TargetGroups groups = groups_of(*machine.target);
  for (const KeyInfo& info : schema()) {
    const Quantity* stated = nullptr;
    for (const File& file : chain) {
      const auto found = std::ranges::find(file.quantities, &info, &Quantity::info);
      if (stated == nullptr && found != file.quantities.end()) stated = &*found;
    }
    if (stated == nullptr && (info.required & groups) != 0) {
      return problem("missing-key", leaf->target_place,
                     fmt::format("the machine '{}' does not state '{}', which {} needs", machine.id, info.key,
                                 machine.target->name),
                     fmt::format("{}; its unit is \"{}\"", info.meaning, info.unit));
    }
    if (stated == nullptr) continue;
    if ((info.allowed & groups) == 0) {
      return problem(
          "unknown-key", stated->place,
          fmt::format("'{}' means nothing for {} (machine '{}')", info.key, machine.target->name, machine.id),
          "docs/machines.md lists which targets have which keys");
    }
    machine.quantities.push_back(*stated);
  }
  const Expected<std::vector<Source>> sources = load_sources(directory);
  if (!sources.ok()) return sources.error();
  const Status checked = check_sources(machine.quantities, *sources, machine);
  if (!checked.ok()) return checked.error();
  return machine;
}

}  // namespace

Expected<std::vector<Source>> load_sources(const std::string& directory) {
  const std::string path = (fs::path(directory) / "sources.toml").string();
  Expected<toml::table> table = parse_toml_file(path);
  if (!table.ok()) return table.error();
  std::vector<std::pair<u32, Source>> found;
  for (const auto& [code, node] : *table) {
    const toml::table* entry = node.as_table();
    Source source{std::string(code.str()), "", ""};
    if (entry != nullptr) {
      for (const auto& [member, destination] :
           {std::pair<std::string_view, std::string*>{"title", &source.title}, {"where", &source.where}}) {
        const auto value = string_member(*entry, member, path);
        if (!value.ok()) return value.error();
        *destination = value->value_or("");
      }
    }
    if (source.title.empty()) {
      return problem("wrong-type", place_of(path, code.source()),
                     fmt::format("the source '{}' has no title", source.code),
                     "title = \"...\", where = \"...\"");
    }
    found.emplace_back(static_cast<u32>(code.source().begin.line), std::move(source));
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) {
    return std::tie(a.first, a.second.code) < std::tie(b.first, b.second.code);
  });
  std::vector<Source> sources;
  for (auto& [line, source] : found) sources.push_back(std::move(source));
  return sources;
}

Expected<std::vector<MachineSummary>> list_machines(const std::string& directory) {
  const auto files = machine_files(directory);
  if (!files.ok()) return files.error();
  std::vector<MachineSummary> machines;
  std::map<std::string, std::string> owners;
  for (const std::string& path : *files) {
    const Expected<toml::table> table = parse_toml_file(path);
    if (!table.ok()) return table.error();
    const Expected<File> file = read_identity(*table, path);
    if (!file.ok()) return file.error();
    if (file->id.empty()) continue;
    Expected<MachineSummary> summary = summarise(*file);
    if (!summary.ok()) return summary.error();
    std::vector<std::string> names = summary->aliases;
    names.push_back(summary->id);
    for (const std::string& name : names) {
      const auto [owner, added] = owners.emplace(name, path);
      if (!added) {
        return problem("duplicate-machine", file->id_place,
                       fmt::format("'{}' is already the name of {}", name, owner->second));
      }
    }
    machines.push_back(std::move(*summary));
  }
  std::ranges::sort(machines, [](const MachineSummary& a, const MachineSummary& b) {
    return std::tuple(a.target->vendor, a.target - all_targets().data(), std::string_view(a.id)) <
           std::tuple(b.target->vendor, b.target - all_targets().data(), std::string_view(b.id));
  });
  return machines;
}

Expected<Machine> load_machine(const std::string& directory, std::string_view id) {
  if (id.ends_with(".toml")) return load_machine_file(directory, std::string(id));
  const auto files = machine_files(directory);
  if (!files.ok()) return files.error();
  // Most often the id is a file's name: then no other machine is read.
  for (const std::string& path : *files) {
    if (fs::path(path).stem() != id) continue;
    const Expected<toml::table> table = parse_toml_file(path);
    if (!table.ok()) return table.error();
    if (table->contains("id")) return load_machine_file(directory, path);
  }
  const auto machines = list_machines(directory);
  if (!machines.ok()) return machines.error();
  std::vector<std::string> names;
  for (const MachineSummary& summary : *machines) {
    names.push_back(summary.id);
    if (std::ranges::find(summary.aliases, id) != summary.aliases.end())
      return load_machine_file(directory, summary.path);
  }
  const bool several = id.find(',') != std::string::npos;
  return problem("unknown-machine", {}, fmt::format("there is no GPU '{}'", id),
                 several ? "one GPU is named here; 'lockstep compare FILE --gpu A,B' takes several"
                         : did_you_mean(id, names, "'lockstep gpus' lists them"));
}

}  // namespace lockstep
