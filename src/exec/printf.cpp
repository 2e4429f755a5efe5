#include "exec/printf.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>

#include "exec/printf_typed.h"
#include "float/half.h"
#include "isa/printf_records.h"
#include "isa/program.h"

namespace lockstep {
namespace {

struct Format {
  std::vector<u32> sizes;
  std::string text;
  std::vector<std::size_t> texts;  // which arguments may be texts without their closing zero
};

// Stands in the buffer where nothing is stored. No byte of it is zero, so it ends no text.
constexpr u32 unstored_word = 0xF7A5C3E1;

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

// Goes through a format: `plain` gets what stands between the conversions, `convert` each conversion that has
// an argument, with the argument's number.
template <class Plain, class Convert>
void walk(const Format& format, Plain&& plain, Convert&& convert) {
  std::size_t next = 0;
  for (std::size_t at = 0; at < format.text.size();) {
    const char c = format.text[at++];
    if (c == '%' && at < format.text.size() && format.text[at] == '%') {
      ++at;
    } else if (c == '%') {
      std::size_t behind = at;
      const auto conversion = read_conversion(format.text, behind);
      if (conversion && next < format.sizes.size()) {
        convert(*conversion, next++);
        at = behind;
        continue;
      }
    }
    plain(c);
  }
}

std::string record_text(const Format& format, std::span<const u32> sizes, const u8* arguments) {
  std::string text;
  walk(
      format, [&](char c) { text += c; },
      [&](const Conversion& conversion, std::size_t number) {
        text += argument_text(conversion, arguments, sizes[number]);
        arguments += sizes[number];
      });
  return text;
}

bool has_zero_byte(const u8* word) {
  return std::memchr(word, 0, 4) != nullptr;
}

// The sizes that the arguments have in a record of which `bytes` are there. Where n texts lack their zero, n
// words at the record's end were not stored. Which texts they are follows from the end backwards: the word
// before a text's end has a zero if and only if the text was stored with one.
std::vector<u32> stored_sizes(const Format& format, const u8* arguments, u64 bytes) {
  std::size_t lacking = 0;
  while (lacking < format.texts.size() && bytes >= 4 * (lacking + 1) &&
         read_as<u32>(arguments + bytes - 4 * (lacking + 1)) == unstored_word)
    ++lacking;
  for (; lacking > 0; --lacking) {
    std::vector<u32> sizes = format.sizes;
    u64 end = bytes - 4 * lacking;
    std::size_t argument = sizes.size(), shortened = 0;
    for (std::size_t i = format.texts.size(); i-- > 0;) {
      for (; argument > format.texts[i] + 1; --argument) end -= std::min<u64>(end, sizes[argument - 1]);
      --argument;
      if (end >= 4 && !has_zero_byte(arguments + end - 4)) {
        sizes[argument] -= 4;
        ++shortened;
      }
      end -= std::min<u64>(end, sizes[argument]);
    }
    if (shortened == lacking) return sizes;
  }
  return format.sizes;
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
    // Whoever stores a text of at most three letters stores its zero.
    walk(
        format, [](char) {},
        [&](const Conversion& conversion, std::size_t argument) {
          const u32 size = format.sizes[argument];
          if (conversion.letter == 's' && size >= 8 && size % 4 == 0) format.texts.push_back(argument);
        });
    parsed[*number] = std::move(format);
  }
  return parsed;
}

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
  text += record_text(format, format.sizes, buffer.data() + at + from + (letters + 3) / 4 * 4);
  at += bytes;
  return true;
}

bool is_typed(std::span<const std::string> formats) {
  return formats.size() == 1 && formats[0] == printf_typed_format;
}

}  // namespace

Status prepare_printf_buffer(DeviceMemory& memory, u64 address, u64 bytes,
                             std::span<const std::string> formats) {
  const std::map<u32, Format> parsed = parse_formats(formats);
  const bool texts =
      std::any_of(parsed.begin(), parsed.end(), [](const auto& each) { return !each.second.texts.empty(); });
  if (texts) {
    u8 pattern[4];
    std::memcpy(pattern, &unstored_word, 4);
    const Status filled = memory.fill(address, bytes, pattern);
    if (!filled) return filled;
  }
  u8 header[printf_header_bytes] = {};
  if (is_typed(formats)) {
    header[0] = 4;  // the bytes used: this word
    return memory.write(address, header);
  }
  const u32 size = static_cast<u32>(bytes);
  std::memcpy(header + 4, &size, 4);
  return memory.write(address, header);
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
    const u8* const arguments = buffer.data() + at + 4;
    text += record_text(found->second, stored_sizes(found->second, arguments, bytes - 4), arguments);
    at += bytes;
  }
  return text;
}

std::string printf_text(std::span<const u8> buffer, std::span<const std::string> formats,
                        const GlobalMemory& memory) {
  if (!is_typed(formats)) return printf_text(buffer, formats);
  return printf_text(inline_records(buffer, memory), {});
}

}  // namespace lockstep
