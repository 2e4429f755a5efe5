// What the shipped files say about where their figures come from: every source can be found, no figure claims
// more confidence than its sources give, and a derived file states differences only.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "machine/toml_file.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

const fs::path directory = LOCKSTEP_SOURCE_DIR "/machines";

toml::table parse(const fs::path& path) {
  Expected<toml::table> table = parse_toml_file(path.string());
  if (!table.ok()) ADD_FAILURE() << to_string(table.error());
  return table.ok() ? std::move(*table) : toml::table{};
}

std::string member(const toml::table& table, std::string_view name) {
  return table[name].value_or(std::string());
}

// Code to kind, of sources.toml.
const std::map<std::string, std::string>& kinds() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> found;
    for (const auto& [code, node] : parse(directory / "sources.toml"))
      found[std::string(code.str())] = member(*node.as_table(), "kind");
    return found;
  }();
  return all;
}

// The figures of one file, without its bases: dotted key to its table.
void collect(const toml::table& table, const std::string& prefix,
             std::map<std::string, const toml::table*>& found) {
  for (const auto& [name, node] : table) {
    const toml::table* inner = node.as_table();
    if (inner == nullptr) continue;
    const std::string key = prefix + std::string(name.str());
    if (inner->contains("value")) {
      found[key] = inner;
    } else {
      collect(*inner, key + ".", found);
    }
  }
}

struct MachineFile {
  fs::path path;
  toml::table table;
  std::map<std::string, const toml::table*> figures;
};

// By name without .toml; examples of machines have bases here too.
const std::map<std::string, MachineFile>& files() {
  static const std::map<std::string, MachineFile> all = [] {
    std::map<std::string, MachineFile> found;
    std::vector<fs::path> folders{LOCKSTEP_SOURCE_DIR "/examples/machines"};
    for (const fs::directory_entry& folder : fs::directory_iterator(directory))
      if (folder.is_directory()) folders.push_back(folder.path());
    for (const fs::path& folder : folders) {
      for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".toml") continue;
        MachineFile& file = found[entry.path().stem().string()];
        file.path = entry.path();
        file.table = parse(entry.path());
        collect(file.table, "", file.figures);
      }
    }
    return found;
  }();
  return all;
}

TEST(Sources, CanBeFound) {
  const std::set<std::string> known_kinds{"vendor", "measurement", "database", "simulator", "arithmetic"};
  // Searched for in vain, nothing that could have an address, or a file of this project.
  const std::set<std::string> without{"S2", "S3", "SMN", "H100DEV", "H100DIS", "H200DEV", "H200DIS", "DER"};
  const std::regex address(R"(https?://[^ ]+\.[^ ]+|arXiv:\d{4}\.\d{5}|doi:10\.\S+|JESD\d+|BD-\d{5}\S*)");
  std::set<std::string> lacking;
  for (const auto& [code, node] : parse(directory / "sources.toml")) {
    const toml::table& source = *node.as_table();
    EXPECT_FALSE(member(source, "title").empty()) << code.str();
    EXPECT_FALSE(member(source, "where").empty()) << code.str();
    EXPECT_TRUE(known_kinds.contains(member(source, "kind"))) << code.str() << ": " << member(source, "kind");
    if (!std::regex_search(member(source, "where"), address)) lacking.emplace(code.str());
  }
  EXPECT_EQ(lacking, without) << "a source needs an address or a document's number";
}

TEST(Sources, GiveTheConfidenceThatIsClaimed) {
  const std::map<std::string, std::set<std::string>> supported_by{
      {"measured", {"measurement"}},
      {"documented", {"vendor"}},
      {"database", {"database", "measurement"}},  // an article that measures states other things too
  };
  for (const auto& [name, file] : files()) {
    for (const auto& [key, figure] : file.figures) {
      const auto needed = supported_by.find(member(*figure, "confidence"));
      if (needed == supported_by.end()) continue;
      bool supported = false;
      const std::string source = member(*figure, "source");
      static const std::regex code(R"([^, ]+)");
      for (std::sregex_iterator found(source.begin(), source.end(), code), end; found != end; ++found) {
        const auto kind = kinds().find(found->str());
        supported |= kind != kinds().end() && needed->second.contains(kind->second);
      }
      EXPECT_TRUE(supported) << name << ": " << key << " is " << needed->first << " by " << source;
    }
  }
}

// A figure's value in its key's unit, as text.
std::string normal(const std::string& key, const toml::table& figure) {
  const KeyInfo* info = find_key(key);
  f64 factor = 1;
  if (info != nullptr) {
    for (const UnitFactor& unit : units_of(info->unit))
      if (unit.unit == member(figure, "unit")) factor = static_cast<f64>(unit.factor);
  }
  const auto one = [&](const toml::node& node) {
    if (const auto number = node.value<f64>(); node.is_number()) return std::to_string(*number * factor);
    return node.value_or(std::string());
  };
  const toml::node* value = figure.get("value");
  const toml::array* list = value->as_array();
  if (list == nullptr) return one(*value);
  std::string all;
  for (const toml::node& node : *list) all += one(node) + " ";
  return all;
}

TEST(MachineFiles, RestateNoFigureOfTheirBase) {
  u64 compared = 0;
  for (const auto& [name, file] : files()) {
    for (const auto& [key, figure] : file.figures) {
      // The nearest base that states the key is the one whose figure would hold.
      std::string base = member(file.table, "base");
      while (!base.empty() && !files().at(base).figures.contains(key))
        base = member(files().at(base).table, "base");
      if (base.empty()) continue;
      ++compared;
      EXPECT_NE(normal(key, *figure), normal(key, *files().at(base).figures.at(key)))
          << file.path << ": '" << key << "' is what '" << base << "' states already: leave it out";
    }
  }
  EXPECT_GT(compared, 50u);
}

}  // namespace
}  // namespace lockstep
