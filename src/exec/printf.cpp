#include "exec/printf.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>

#include "float/half.h"
#include "isa/program.h"

namespace lockstep {
namespace {

struct Format {
  std::vector<u32> sizes;
  std::string text;
};

// The compiler writes control characters and colons as escapes.
std::string unescaped(std::string_view text) {
  static constexpr std::string_view letters = "abfnrtv", values = "\a\b\f\n\r\t\v";
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
    if (const std::size_t at = letters.find(next); next != '\0' && at != std::string_view::npos) {
      plain += values[at];
      ++i;
    } else if (next == '7' && i + 2 < text.size() && text[i + 2] == '2') {
      plain += ':';
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// Takes the number before the next colon.
std::optional<u32> take_number(std::string_view& text) {
  u32 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data() + text.size() || *end != ':') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return value;
}

std::map<u32, Format> parse_formats(std::span<const std::string> formats) {
  std::map<u32, Format> parsed;
  for (const std::string& each : formats) {
    std::string_view rest = each;
    const auto number = take_number(rest);
    const auto count = take_number(rest);
    if (!number || !count) continue;
    Format format;
    bool good = true;
    for (u32 i = 0; i < *count && good; ++i) {
      const auto size = take_number(rest);
      good = size.has_value();
      if (good) format.sizes.push_back(*size);
    }
    if (!good) continue;
    format.text = unescaped(rest);
    parsed[*number] = std::move(format);
  }
  return parsed;
}

// One "%..." of a format string.
struct Conversion {
  std::string flags;   // flags, width and precision
  u32 vector = 0;      // elements; 0: not a vector
  std::string length;  // "hh", "h", "hl", "l"
  char letter = 0;
};

// Whether width and precision are such that somebody may want to read the field: a width of two thousand
// million is an attack on memory.
bool is_sensible(std::string_view flags) {
  constexpr u32 longest_field = 4096;
  u32 number = 0;
  for (const char c : flags) {
    number = c >= '0' && c <= '9' ? 10 * number + static_cast<u32>(c - '0') : 0;
    if (number > longest_field) return false;
  }
  return true;
}

// Reads the conversion behind a '%'; `at` moves behind it. Nothing at a malformed one.
std::optional<Conversion> read_conversion(std::string_view text, std::size_t& at) {
  Conversion conversion;
  std::size_t i = at;
  const auto take = [&](std::string_view characters, std::string& into) {
    while (i < text.size() && characters.find(text[i]) != std::string_view::npos) into += text[i++];
  };
  take("-+ #0", conversion.flags);
  take("0123456789", conversion.flags);
  take(".0123456789", conversion.flags);
  if (!is_sensible(conversion.flags)) return std::nullopt;
  if (i < text.size() && text[i] == 'v') {
    ++i;
    std::string digits;
    take("0123456789", digits);
    const auto known = std::string_view("|2|3|4|8|16|").find("|" + digits + "|");
    if (digits.empty() || known == std::string_view::npos) return std::nullopt;
    conversion.vector = static_cast<u32>(std::atoi(digits.c_str()));
  }
  take("hl", conversion.length);
  if (i >= text.size()) return std::nullopt;
  conversion.letter = text[i++];
  if (std::string_view("diouxXeEfFgGaAcsp").find(conversion.letter) == std::string_view::npos)
    return std::nullopt;
  at = i;
  return conversion;
}

template <class T>
T read_as(const u8* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T>
std::string formatted(const std::string& specification, T value) {
  std::string text(256, '\0');
  for (;;) {
    const int size = std::snprintf(text.data(), text.size(), specification.c_str(), value);
    if (size < 0) return "";
    if (static_cast<std::size_t>(size) < text.size()) {
      text.resize(static_cast<std::size_t>(size));
      return text;
    }
    text.resize(static_cast<std::size_t>(size) + 1);
  }
}

u64 unsigned_of(const u8* bytes, u32 size) {
  u64 value = 0;
  std::memcpy(&value, bytes, std::min(size, 8u));
  return value;
}

// Of any size, however odd: what is not there is not read.
i64 signed_of(const u8* bytes, u32 size) {
  const u32 unused = 64 - 8 * std::min(size, 8u);
  return unused == 64 ? 0 : static_cast<i64>(unsigned_of(bytes, size) << unused) >> unused;
}

f64 real_of(const u8* bytes, u32 size) {
  if (size == 8) return read_as<f64>(bytes);
  if (size == 2) return f16_to_f64(read_as<u16>(bytes));
  return size == 4 ? read_as<f32>(bytes) : 0;
}

// One scalar, or one element of a vector, of `size` bytes.
std::string scalar_text(const Conversion& conversion, const u8* bytes, u32 size) {
  const std::string begin = "%" + conversion.flags;
  // The length modifier narrows what was promoted to int on its way.
  u32 narrow = size;
  if (conversion.vector == 0 && conversion.length == "hh") narrow = std::min(size, 1u);
  if (conversion.vector == 0 && conversion.length == "h") narrow = std::min(size, 2u);
  switch (conversion.letter) {
    case 'd':
    case 'i':
      return formatted(begin + "lld", static_cast<long long>(signed_of(bytes, narrow)));
    case 'o':
    case 'u':
    case 'x':
    case 'X':
      return formatted(begin + "ll" + conversion.letter,
                       static_cast<unsigned long long>(unsigned_of(bytes, narrow)));
    case 'c':
      return formatted(begin + "c", static_cast<int>(unsigned_of(bytes, std::min(size, 1u))));
    case 'p':
      return formatted(begin + "p", reinterpret_cast<const void*>(unsigned_of(bytes, size)));
    default:
      return formatted(begin + conversion.letter, real_of(bytes, size));
  }
}

std::string argument_text(const Conversion& conversion, const u8* bytes, u32 size) {
  if (conversion.letter == 's') {
    const std::string string(reinterpret_cast<const char*>(bytes),
                             strnlen(reinterpret_cast<const char*>(bytes), size));
    return formatted("%" + conversion.flags + "s", string.c_str());
  }
  if (conversion.vector == 0) return scalar_text(conversion, bytes, size);
  // Vectors of three take the place of four.
  const u32 places = conversion.vector == 3 && size % 4 == 0 && size != 12 ? 4 : conversion.vector;
  const u32 element = size / places;
  std::string text;
  for (u32 i = 0; i < conversion.vector; ++i) {
    if (i != 0) text += ',';
    text += scalar_text(conversion, bytes + u64{i} * element, element);
  }
  return text;
}

std::string record_text(const Format& format, const u8* arguments) {
  std::string text;
  std::size_t next = 0;
  for (std::size_t at = 0; at < format.text.size();) {
    const char c = format.text[at++];
    if (c != '%') {
      text += c;
    } else if (at < format.text.size() && format.text[at] == '%') {
      text += '%';
      ++at;
    } else {
      std::size_t behind = at;
      const auto conversion = read_conversion(format.text, behind);
      if (!conversion || next >= format.sizes.size()) {
        text += '%';
        continue;
      }
      text += argument_text(*conversion, arguments, format.sizes[next]);
      arguments += format.sizes[next++];
      at = behind;
    }
  }
  return text;
}

}  // namespace

namespace {

// A record with its own format; false when it is malformed. `at` moves behind it.
bool inline_record(std::span<const u8> buffer, u64 end, u64& at, std::string& text) {
  if (end - at < 16) return false;
  const u64 bytes = read_as<u32>(buffer.data() + at + 4);
  const u64 count = read_as<u32>(buffer.data() + at + 8);
  if (bytes > end - at || 16 + 4 * count > bytes) return false;
  Format format;
  u64 arguments = 0;
  for (u64 i = 0; i < count; ++i) {
    format.sizes.push_back(read_as<u32>(buffer.data() + at + 12 + 4 * i));
    arguments += format.sizes.back();
  }
  const u64 letters = read_as<u32>(buffer.data() + at + 12 + 4 * count);
  const u64 from = 16 + 4 * count;
  if (from + (letters + 3) / 4 * 4 + arguments > bytes) return false;
  format.text.assign(reinterpret_cast<const char*>(buffer.data() + at + from), letters);
  text += record_text(format, buffer.data() + at + from + (letters + 3) / 4 * 4);
  at += bytes;
  return true;
}

}  // namespace

std::vector<u8> printf_header(u64 buffer_bytes) {
  std::vector<u8> header(printf_header_bytes, 0);
  const u32 size = static_cast<u32>(buffer_bytes);
  std::memcpy(header.data() + 4, &size, 4);
  return header;
}

std::string printf_text(std::span<const u8> buffer, std::span<const std::string> formats) {
  if (buffer.size() < printf_header_bytes) return "";
  const std::map<u32, Format> parsed = parse_formats(formats);
  const u64 end = std::min<u64>(printf_header_bytes + read_as<u32>(buffer.data()), buffer.size());
  std::string text;
  u64 at = printf_header_bytes;
  while (at + 4 <= end) {
    const u32 number = read_as<u32>(buffer.data() + at);
    if (number == printf_inline_record) {
      if (!inline_record(buffer, end, at, text)) break;
      continue;
    }
    const auto found = parsed.find(number);
    if (found == parsed.end())
      return text + fmt::format("(printf: a record of the unknown format {})\n", number);
    u64 bytes = 4;
    for (const u32 size : found->second.sizes) bytes += size;
    if (bytes > end - at) break;
    text += record_text(found->second, buffer.data() + at + 4);
    at += bytes;
  }
  return text;
}

}  // namespace lockstep
