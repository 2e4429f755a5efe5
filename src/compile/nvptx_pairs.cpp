#include "compile/nvptx_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/take_line.h"
#include "base/types.h"
#include "compile/listing_builder.h"

namespace lockstep {
namespace {

constexpr std::string_view pair = "<2 x i8>";

// The end of the list that opens at `open`: the index of its closing parenthesis.
std::size_t closing_of_list(std::string_view line, std::size_t open) {
  u32 depth = 0;
  bool quoted = false;
  for (std::size_t at = open; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '{' || c == '[' || c == '<') ++depth;
    if (c == ')' || c == '}' || c == ']' || c == '>') --depth;
    if (depth == 0) return at;
  }
  return std::string_view::npos;
}

// The list's items, with the blanks before them.
std::vector<std::string_view> items_of(std::string_view list) {
  std::vector<std::string_view> items;
  u32 depth = 0;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '(' || c == '{' || c == '[' || c == '<')) ++depth;
    if (!quoted && (c == ')' || c == '}' || c == ']' || c == '>')) --depth;
    if (at < list.size() && (quoted || c != ',' || depth != 0)) continue;
    if (at > begin) items.push_back(list.substr(begin, at - begin));
    begin = at + 1;
  }
  return items;
}

// What a definition, declaration or call says before the name, the name, the list behind it, and the rest.
struct Signature {
  std::string head, name;
  std::vector<std::string_view> items;
  std::string_view tail;  // from the closing parenthesis on
};

bool read_signature(std::string_view line, Signature& signature) {
  const std::size_t at = line.find('@');
  if (at == std::string_view::npos) return false;
  const std::size_t name_end =
      at + 1 < line.size() && line[at + 1] == '"' ? line.find('"', at + 2) : line.find('(', at);
  const std::size_t open = name_end == std::string_view::npos ? name_end : line.find('(', name_end);
  const std::size_t close = open == std::string_view::npos ? open : closing_of_list(line, open);
  if (close == std::string_view::npos) return false;
  signature.head = line.substr(0, at);
  signature.name = line.substr(at, open - at);
  signature.items = items_of(line.substr(open + 1, close - open - 1));
  signature.tail = line.substr(close);
  return true;
}

// Replaces the pair in a text that has at most one: a result's type.
bool replace_pair(std::string& text) {
  const std::size_t at = text.find(pair);
  if (at == std::string::npos) return false;
  text.replace(at, pair.size(), "i16");
  return true;
}

bool name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '$' || c == '-';
}

// The line with values renamed.
std::string renamed(std::string_view line, const std::map<std::string, std::string, std::less<>>& names) {
  std::string made;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] != '%') {
      made += line[at++];
      continue;
    }
    std::size_t end = at + 1;
    if (end < line.size() && line[end] == '"') {
      end = line.find('"', end + 1);
      end = end == std::string_view::npos ? line.size() : end + 1;
    } else {
      while (end < line.size() && name_letter(line[end])) ++end;
    }
    const std::string_view name = line.substr(at, end - at);
    const auto found = names.find(name);
    made += found != names.end() ? found->second : name;
    at = end;
  }
  return made;
}

class Rewriter {
 public:
  std::string run(std::string_view module) {
    for (std::string_view rest = module; !rest.empty();) {
      const std::string_view line = take_line(rest);
      if (line.starts_with("define ")) {
        define(line);
      } else if (line == "}") {
        names_.clear();
        returns_pair_ = false;
        add(line);
      } else if (line.starts_with("declare ") && line.find(pair) != std::string_view::npos) {
        declare(line);
      } else {
        body(line);
      }
    }
    return std::move(made_);
  }

 private:
  void add(std::string_view line) {
    made_ += line;
    made_ += '\n';
  }
  std::string fresh() { return fmt::format("%lockstep.pair.{}", count_++); }

  void define(std::string_view line) {
    Signature signature;
    if (line.find(pair) == std::string_view::npos || !read_signature(line, signature)) return add(line);
    returns_pair_ = replace_pair(signature.head);
    std::string list;
    for (const std::string_view item : signature.items) {
      std::string text(item);
      const std::size_t value = item.rfind('%');
      if (item.substr(item.find_first_not_of(' ')).starts_with(pair) && value != std::string_view::npos) {
        replace_pair(text);
        const std::string name = fresh();
        names_[std::string(item.substr(value))] = name;
        pending_ += fmt::format("  {} = bitcast i16 {} to {}\n", name, item.substr(value), pair);
      }
      list += (list.empty() ? "" : ",") + text;
    }
    add(fmt::format("{}{}({}{}", signature.head, signature.name, list, signature.tail));
  }

  void declare(std::string_view line) {
    Signature signature;
    if (!read_signature(line, signature) || signature.name.starts_with("@llvm.")) return add(line);
    replace_pair(signature.head);
    std::string list;
    for (const std::string_view item : signature.items) {
      std::string text(item);
      if (item.substr(item.find_first_not_of(' ')).starts_with(pair)) replace_pair(text);
      list += (list.empty() ? "" : ",") + text;
    }
    add(fmt::format("{}{}({}{}", signature.head, signature.name, list, signature.tail));
  }

  void body(std::string_view line) {
    // Behind the first block's label, if it has one, and before its first instruction.
    if (!pending_.empty() && line.starts_with("  ")) made_ += std::exchange(pending_, {});
    const std::string text = names_.empty() ? std::string(line) : renamed(line, names_);
    if (text.find(pair) == std::string::npos) return add(text);
    constexpr std::string_view returned = "  ret <2 x i8> ";
    if (returns_pair_ && text.starts_with(returned)) {
      const std::string_view rest = std::string_view(text).substr(returned.size());
      const std::size_t end = std::min(rest.find(", !"), rest.size());
      const std::string name = fresh();
      add(fmt::format("  {} = bitcast {} {} to i16", name, pair, rest.substr(0, end)));
      return add(fmt::format("  ret i16 {}{}", name, rest.substr(end)));
    }
    const bool calls = text.find(" call ") != std::string::npos && text.find(" asm ") == std::string::npos;
    Signature signature;
    if (!calls || !read_signature(text, signature) || signature.name.starts_with("@llvm.")) return add(text);
    rewrite_call(signature);
  }

  void rewrite_call(Signature& signature) {
    std::string list;
    for (const std::string_view item : signature.items) {
      const std::string_view argument = item.substr(item.find_first_not_of(' '));
      std::string changed(item);
      if (argument.starts_with(pair)) {
        // The type, attributes, and the value: a name, a vector in brackets, or a word.
        std::string_view value = argument.substr(pair.size() + 1);
        while (value.find(' ') != std::string_view::npos && value[0] != '<' && value[0] != '%')
          value.remove_prefix(value.find(' ') + 1);
        const std::string name = fresh();
        add(fmt::format("  {} = bitcast {} {} to i16", name, pair, value));
        changed = fmt::format("{}i16 {}", list.empty() ? "" : " ", name);
      }
      list += (list.empty() ? "" : ",") + changed;
    }
    const std::size_t equals = signature.head.find(" = ");
    const std::size_t call = signature.head.find(" call ") + 1;
    std::string type = signature.head.substr(call);
    if (replace_pair(type) && equals != std::string::npos) {
      const std::string name = fresh();
      add(fmt::format("  {} = {}{}{}({}{}", name, signature.head.substr(equals + 3, call - equals - 3), type,
                      signature.name, list, signature.tail));
      return add(fmt::format("{} = bitcast i16 {} to {}", signature.head.substr(0, equals), name, pair));
    }
    add(fmt::format("{}{}{}({}{}", signature.head.substr(0, call), type, signature.name, list,
                    signature.tail));
  }

  std::string made_, pending_;
  std::map<std::string, std::string, std::less<>> names_;  // of this function's parameters
  bool returns_pair_ = false;
  u32 count_ = 0;
};

}  // namespace

std::string pairs_as_words(std::string_view module) {
  if (module.find(pair) == std::string_view::npos) return std::string(module);
  return Rewriter().run(module);
}

}  // namespace lockstep
