#include "exec/printf_typed.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "isa/program.h"

namespace lockstep {
namespace {

// As the runtime numbers them; vectors follow in the same order, without texts and pointers.
enum class Kind : u32 {
  invalid,
  byte,
  word,
  dword,
  single,
  text,
  qword,
  pointer,
  double_,
  vector_byte,
  vector_word,
  vector_dword,
  vector_qword,
  vector_single,
  vector_double,
  count
};

constexpr u32 element_bytes(Kind kind) {
  switch (kind) {
    case Kind::byte:
    case Kind::vector_byte:
      return 1;
    case Kind::word:
    case Kind::vector_word:
      return 2;
    case Kind::dword:
    case Kind::single:
    case Kind::vector_dword:
    case Kind::vector_single:
      return 4;
    default:
      return 8;
  }
}

class Reader {
 public:
  Reader(std::span<const u8> bytes, const GlobalMemory& memory) : rest_(bytes), memory_(memory) {}

  bool done() const { return rest_.empty(); }

  template <class T>
  std::optional<T> take() {
    if (rest_.size() < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_ = rest_.subspan(sizeof(T));
    return value;
  }
  std::optional<std::string> take_bytes(std::size_t count) {
    if (rest_.size() < count) return std::nullopt;
    std::string bytes(reinterpret_cast<const char*>(rest_.data()), count);
    rest_ = rest_.subspan(count);
    return bytes;
  }
  // Up to its zero.
  std::optional<std::string> text_at(u64 address) const {
    constexpr u64 longest = u64{1} << 16;
    if (!memory_.contains(address, 1)) return std::nullopt;
    const u64 most = std::min(longest, memory_.size - (address - memory_.base));
    const char* begin = reinterpret_cast<const char*>(memory_.at(address));
    const char* end = std::find(begin, begin + most, '\0');
    return std::string(begin, end);
  }

 private:
  std::span<const u8> rest_;
  const GlobalMemory& memory_;
};

void put(std::vector<u8>& to, u32 word) {
  const u8* bytes = reinterpret_cast<const u8*>(&word);
  to.insert(to.end(), bytes, bytes + 4);
}
void put_padded(std::vector<u8>& to, const std::string& text) {
  to.insert(to.end(), text.begin(), text.end());
  to.resize((to.size() + 3) / 4 * 4, 0);
}

std::size_t conversions(const std::string& format) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') continue;
    if (at + 1 < format.size() && format[at + 1] == '%')
      ++at;
    else
      ++count;
  }
  return count;
}

std::optional<std::string> argument(Reader& reader) {
  const auto number = reader.take<u32>();
  if (!number || *number == 0 || *number >= static_cast<u32>(Kind::count)) return std::nullopt;
  const Kind kind = static_cast<Kind>(*number);
  if (kind == Kind::text) {
    const auto address = reader.take<u64>();
    auto text = address ? reader.text_at(*address) : std::nullopt;
    if (text) text->push_back('\0');
    return text;
  }
  if (kind < Kind::vector_byte) {
    // A byte and a word take a dword's room.
    auto bytes = reader.take_bytes(std::max(element_bytes(kind), 4u));
    return bytes;
  }
  const auto count = reader.take<u32>();
  if (!count || *count > 16) return std::nullopt;
  const std::size_t size = element_bytes(kind);
  auto bytes = reader.take_bytes(*count * size);
  // Narrow elements lie side by side, and each has a dword's room all the same.
  if (bytes && size < 4 && !reader.take_bytes(*count * (4 - size))) return std::nullopt;
  return bytes;
}

}  // namespace

std::vector<u8> inline_records(std::span<const u8> buffer, const GlobalMemory& memory) {
  constexpr std::size_t header = 8;
  std::vector<u8> made(header, 0);
  u32 used = 0;
  if (buffer.size() >= 4) std::memcpy(&used, buffer.data(), 4);
  used = static_cast<u32>(std::min<std::size_t>(used, buffer.size()));
  Reader reader(buffer.subspan(std::min<std::size_t>(4, used), used - std::min(4u, used)), memory);
  while (!reader.done()) {
    const auto address = reader.take<u64>();
    const auto format = address ? reader.text_at(*address) : std::nullopt;
    if (!format) break;
    std::vector<std::string> arguments;
    bool whole = true;
    for (std::size_t left = conversions(*format); left > 0 && whole; --left) {
      auto one = argument(reader);
      whole = one.has_value();
      if (one) arguments.push_back(std::move(*one));
    }
    if (!whole) break;
    std::vector<u8> record;
    put(record, printf_inline_record);
    put(record, 0);
    put(record, static_cast<u32>(arguments.size()));
    // With the sizes that they have: two bytes in a dword's room would be two words.
    std::string values;
    for (const std::string& one : arguments) {
      put(record, static_cast<u32>(one.size()));
      values += one;
    }
    put(record, static_cast<u32>(format->size()));
    put_padded(record, *format);
    put_padded(record, values);
    const u32 bytes = static_cast<u32>(record.size());
    std::memcpy(record.data() + 4, &bytes, 4);
    made.insert(made.end(), record.begin(), record.end());
  }
  const u32 all = static_cast<u32>(made.size() - header), size = static_cast<u32>(made.size());
  std::memcpy(made.data(), &all, 4);
  std::memcpy(made.data() + 4, &size, 4);
  return made;
}

}  // namespace lockstep
