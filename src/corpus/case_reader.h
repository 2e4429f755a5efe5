// Reading one directive of a corpus case from left to right.
#pragma once
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "corpus/case.h"

namespace lockstep::corpus {

inline bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// One directive's text, read from left to right.
struct Reader {
  std::string_view rest;

  void skip_blanks() {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\t')) {
      rest.remove_prefix(1);
    }
  }
  bool at_end() {
    skip_blanks();
    return rest.empty();
  }
  bool take(char c) {
    skip_blanks();
    if (rest.empty() || rest.front() != c) {
      return false;
    }
    rest.remove_prefix(1);
    return true;
  }
  std::string word() {
    skip_blanks();
    size_t length = 0;
    while (length < rest.size() && is_word(rest[length])) {
      ++length;
    }
    std::string result(rest.substr(0, length));
    rest.remove_prefix(length);
    return result;
  }
  // A number's characters; "inf", "-inf" and "nan" count.
  std::string number_text() {
    skip_blanks();
    size_t length = 0;
    while (length < rest.size() &&
           (is_word(rest[length]) || std::string_view("+-.").find(rest[length]) != rest.npos)) {
      ++length;
    }
    std::string result(rest.substr(0, length));
    rest.remove_prefix(length);
    return result;
  }
};

// An integer (decimal, or hexadecimal with 0x) or a real number; nothing when the text is neither.
std::optional<Number> parse_number(const std::string& text);

}  // namespace lockstep::corpus
