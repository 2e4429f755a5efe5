#include "corpus/case_reader.h"

#include <cerrno>
#include <cstdlib>

namespace lockstep::corpus {

std::optional<Number> parse_number(const std::string& text) {
  if (text.empty()) {
    return std::nullopt;
  }
  Number number;
  char* end = nullptr;
  errno = 0;
  const bool negative = text.front() == '-';
  const bool hexadecimal = text.find("0x") != text.npos || text.find("0X") != text.npos;
  const int base = hexadecimal ? 16 : 10;
  if (negative) {
    number.integer = std::strtoll(text.c_str(), &end, base);
  } else {
    number.integer = static_cast<i64>(std::strtoull(text.c_str(), &end, base));
  }
  if (*end == '\0' && errno == 0) {
    number.real =
        negative ? static_cast<f64>(number.integer) : static_cast<f64>(static_cast<u64>(number.integer));
    return number;
  }
  number.is_integer = false;
  number.integer = 0;
  number.real = std::strtod(text.c_str(), &end);
  if (*end != '\0') {
    return std::nullopt;
  }
  return number;
}

}  // namespace lockstep::corpus
