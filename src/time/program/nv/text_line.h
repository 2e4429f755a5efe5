// Reading the text forms line by line.
#pragma once
#include <charconv>
#include <optional>
#include <string_view>

#include "time/program/nv/lowered.h"

namespace lockstep {

// A cursor over one line.
class Line {
 public:
  explicit Line(std::string_view text) : rest_(text) { skip(); }
  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }
  bool take(std::string_view what) {
    if (!rest_.starts_with(what)) return false;
    rest_.remove_prefix(what.size());
    return true;
  }
  bool take_skip(std::string_view what) {
    if (!take(what)) return false;
    skip();
    return true;
  }
  void skip() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\r'))
      rest_.remove_prefix(1);
  }
  std::string_view word() {
    std::size_t n = 0;
    while (n < rest_.size() && rest_[n] != ' ' && rest_[n] != '\t' && rest_[n] != ',' && rest_[n] != ';' &&
           rest_[n] != '\r')
      ++n;
    const std::string_view result = rest_.substr(0, n);
    rest_.remove_prefix(n);
    skip();
    return result;
  }
  std::optional<u64> number() {
    int base = 10;
    std::string_view digits = rest_;
    if (digits.starts_with("0x")) {
      base = 16;
      digits.remove_prefix(2);
    }
    u64 value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (error != std::errc{}) return std::nullopt;
    rest_ = digits.substr(static_cast<std::size_t>(end - digits.data()));
    return value;
  }

 private:
  std::string_view rest_;
};

// Reads an instruction up to its ';', marks behind it included: control bits, guard, opcode, results and
// sources. Without the arrow between them the opcode says how many results there are, as in the vendor's own
// listings. Gives what is wrong, or nothing.
const char* read_lowered_instruction(Line& line, LoweredInstruction& in);

}  // namespace lockstep
