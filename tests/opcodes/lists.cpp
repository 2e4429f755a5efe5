#include "opcodes/lists.h"

#include <fstream>
#include <functional>
#include <sstream>

namespace lockstep::opcodes {
namespace {

// Every line but comments; `read` says what is wrong with one, or nothing.
Status read_lines(const std::string& path, const std::function<std::string(const std::string&)>& read) {
  std::ifstream file(path);
  if (!file) return Diagnostic{"no-such-file", {path, 0, 0}, "the list cannot be read", ""};
  u32 number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (std::string wrong = read(line); !wrong.empty())
      return Diagnostic{"bad-list", {path, number, 0}, std::move(wrong), ""};
  }
  return Success{};
}

}  // namespace

Expected<List> read_list(const std::string& source, const std::string& target) {
  List list;
  const Status read = read_lines(source + "/tests/opcodes/" + target + ".txt", [&](const std::string& line) {
    std::istringstream words(line);
    std::string word, more;
    words >> word;
    if (word == "missing-at-most")
      words >> list.missing_at_most;
    else
      list.mnemonics.insert(word);
    return words.fail() || words >> more ? "a line has one mnemonic, or missing-at-most and a number" : "";
  });
  if (!read) return read.error();
  return list;
}

Expected<std::map<std::string, std::string>> read_not_needed(const std::string& source) {
  std::map<std::string, std::string> classes;
  std::string name;
  const Status read = read_lines(source + "/tests/opcodes/not-needed.txt", [&](const std::string& line) {
    if (const std::size_t colon = line.find(": "); colon != std::string::npos) {
      name = line.substr(0, colon);
      return std::string();
    }
    if (name.empty()) return line + " needs a reason";
    std::istringstream words(line);
    for (std::string word; words >> word;)
      if (!classes.emplace(word, name).second) return word + " is there twice";
    return std::string();
  });
  if (!read) return read.error();
  return classes;
}

}  // namespace lockstep::opcodes
