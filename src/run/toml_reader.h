// Reading TOML files that users write: the first error with its line, unknown keys refused.
#pragma once
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace lockstep {

// Collects the first error; every accessor after it is harmless.
class TomlReader {
 public:
  TomlReader(std::string path, std::string code) : path_(std::move(path)), code_(std::move(code)) {}

  const std::optional<Diagnostic>& error() const { return error_; }

  void fail(const toml::node& at, std::string message, std::string hint = "") {
    if (error_) return;
    error_ = Diagnostic{code_, {path_, at.source().begin.line, 0}, std::move(message), std::move(hint)};
  }

  // Refuses keys that are not among these.
  void only(const toml::table& table, std::string_view what, std::vector<std::string> keys) {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (std::find(keys.begin(), keys.end(), name) != keys.end()) continue;
      fail(node, fmt::format("{} has no key '{}'", what, name),
           fmt::format("its keys: {}", fmt::join(keys, ", ")));
    }
  }

  const toml::table& table(const toml::table& parent, std::string_view key) {
    static const toml::table none;
    const toml::table* found = parent[key].as_table();
    if (found != nullptr) return *found;
    fail(parent, fmt::format("the table [{}] is missing", key));
    return none;
  }

  // The tables of [[key]]; none when it is absent.
  std::vector<const toml::table*> tables(const toml::table& parent, std::string_view key) {
    std::vector<const toml::table*> list;
    const toml::node* node = parent.get(key);
    if (node == nullptr) return list;
    const toml::array* array = node->as_array();
    if (array == nullptr) {
      fail(*node, fmt::format("'{}' is a list of tables: [[{}]]", key, key));
      return list;
    }
    for (const toml::node& element : *array) {
      if (element.is_table()) {
        list.push_back(element.as_table());
      } else {
        fail(element, fmt::format("'{}' is a list of tables: [[{}]]", key, key));
      }
    }
    return list;
  }

  std::string text(const toml::table& parent, std::string_view key, bool required = true) {
    const toml::node* node = parent.get(key);
    if (node == nullptr) {
      if (required) fail(parent, fmt::format("the key '{}' is missing", key));
      return "";
    }
    if (!node->is_string()) fail(*node, fmt::format("'{}' is a text", key));
    return node->value_or(std::string());
  }

  i64 integer(const toml::node& node, std::string_view key) {
    if (!node.is_integer()) fail(node, fmt::format("'{}' is an integer", key));
    return node.value_exact<i64>().value_or(0);
  }

  std::vector<i64> integers(const toml::node& node, std::string_view key) {
    std::vector<i64> list;
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& element : *array) list.push_back(integer(element, key));
    }
    if (list.empty()) fail(node, fmt::format("'{}' is a list of integers", key));
    return list;
  }

  f64 real(const toml::node& node, std::string_view key) {
    if (!node.is_number()) fail(node, fmt::format("'{}' is a number", key));
    return node.value_or(0.0);
  }

  bool truth(const toml::table& parent, std::string_view key, bool otherwise) {
    const toml::node* node = parent.get(key);
    if (node == nullptr) return otherwise;
    if (!node->is_boolean()) fail(*node, fmt::format("'{}' is true or false", key));
    return node->value_or(otherwise);
  }

  std::vector<std::string> texts(const toml::table& table, std::string_view key) {
    std::vector<std::string> list;
    const toml::node* node = table.get(key);
    if (node == nullptr) return list;
    const toml::array* array = node->as_array();
    if (array == nullptr) {
      fail(*node, fmt::format("'{}' is a list of texts", key));
      return list;
    }
    for (const toml::node& text : *array) {
      if (!text.is_string()) fail(text, fmt::format("'{}' is a list of texts", key));
      list.push_back(text.value_or(std::string()));
    }
    return list;
  }

 private:
  std::string path_, code_;
  std::optional<Diagnostic> error_;
};

// The keys of a table in the file's order (toml++ keeps them sorted by name).
inline std::vector<std::pair<std::string, const toml::node*>> toml_in_order(const toml::table& table) {
  std::vector<std::pair<std::string, const toml::node*>> list;
  for (const auto& [key, node] : table) list.push_back({std::string(key.str()), &node});
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) {
    const auto x = a.second->source().begin, y = b.second->source().begin;
    return std::pair(x.line, x.column) < std::pair(y.line, y.column);
  });
  return list;
}

}  // namespace lockstep
