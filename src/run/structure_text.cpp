#include "run/structure_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>

#include "run/argument_types.h"

namespace lockstep {
namespace {

constexpr u32 deepest = 32;
constexpr u64 most_bytes = 4096;  // no kernel takes more by value

Diagnostic bad(std::string message, std::string hint = "{int:1,float4:(1,2,3,4),char[2]:(1,2)}") {
  return {"bad-argument", {}, std::move(message), std::move(hint)};
}

struct Field {
  std::vector<u8> bytes;
  u64 alignment = 1;
};

class StructureReader {
 public:
  explicit StructureReader(std::string_view text) : rest_(text) {}

  Expected<std::vector<u8>> read() {
    const Expected<Field> whole = structure(0);
    if (!whole) return whole.error();
    if (!rest_.empty()) return bad(fmt::format("'{}' behind the structure", rest_));
    return whole->bytes;
  }

 private:
  void skip() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool take(char c) {
    skip();
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string until(std::string_view ends) {
    const std::size_t end = std::min(rest_.find_first_of(ends), rest_.size());
    std::string word(rest_.substr(0, end));
    rest_.remove_prefix(end);
    while (word.ends_with(' ')) word.pop_back();
    return word;
  }

  Expected<Field> structure(u32 depth) {
    if (depth == deepest) return bad("the structure is nested too deeply");
    if (!take('{')) return bad("a structure begins with '{'");
    Field whole;
    do {
      Expected<Field> field = this->field(depth);
      if (!field) return field.error();
      whole.alignment = std::max(whole.alignment, field->alignment);
      pad(whole.bytes, field->alignment);
      whole.bytes.insert(whole.bytes.end(), field->bytes.begin(), field->bytes.end());
      if (whole.bytes.size() > most_bytes) return bad("no kernel takes a structure of that size");
    } while (take(','));
    if (!take('}')) return bad(rest_.empty() ? "'}' is missing" : fmt::format("'{}' is not expected", rest_));
    pad(whole.bytes, whole.alignment);
    return whole;
  }

  Expected<Field> field(u32 depth) {
    skip();
    if (rest_.starts_with('{')) return structure(depth + 1);
    std::string name = until(":,[}");
    if (name == "null") return Field{std::vector<u8>(8, 0), 8};
    const auto type = find_type(name);
    if (!type)
      return bad(name.empty() ? "a field is missing" : fmt::format("a field's type cannot be '{}'", name));
    u64 elements = 1;
    if (take('[')) {
      const std::string count = until("]");
      const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), elements);
      if (error != std::errc() || end != count.data() + count.size() || elements == 0 ||
          elements > most_bytes || !take(']'))
        return bad(fmt::format("'{}' is no count of a field's elements", count));
    }
    if (!take(':')) return bad(fmt::format("the value of a field of type {} is missing", name));
    std::vector<std::string> values;
    if (take('(')) {
      do {
        skip();
        values.push_back(until(",)"));
      } while (take(','));
      if (!take(')')) return bad("')' is missing");
    } else {
      skip();
      values.push_back(until(",}"));
    }
    if (values.size() != elements * type->lanes)
      return bad(fmt::format("{} value{} given for {} of type {}", values.size(),
                             values.size() == 1 ? " is" : "s are", elements, type_text(*type)));
    Field field;
    field.alignment = type->bytes();
    field.bytes.assign(elements * type->bytes(), 0);
    const u32 size = corpus::bytes_of(type->scalar);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Expected<u64> bits = bits_of_number(type->scalar, values[i]);
      if (!bits) return bits.error();
      const u64 place = i / type->lanes * type->bytes() + i % type->lanes * size;
      std::memcpy(&field.bytes[place], &*bits, size);
    }
    return field;
  }

  static void pad(std::vector<u8>& bytes, u64 alignment) {
    while (bytes.size() % alignment != 0) bytes.push_back(0);
  }

  std::string_view rest_;
};

}  // namespace

Expected<std::vector<u8>> structure_bytes(std::string_view text) {
  return StructureReader(text).read();
}

Expected<std::vector<u8>> hexadecimal_bytes(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  if (text.empty() || text.size() % 2 != 0)
    return bad("bytes are pairs of hexadecimal digits", "bytes:0a0b0c0d");
  std::vector<u8> bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    u8 byte = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + i + 2, byte, 16);
    if (error != std::errc() || end != text.data() + i + 2)
      return bad(fmt::format("'{}' are no two hexadecimal digits", text.substr(i, 2)), "bytes:0a0b0c0d");
    bytes.push_back(byte);
  }
  return bytes;
}

}  // namespace lockstep
