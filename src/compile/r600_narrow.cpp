#include "compile/r600_narrow.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <vector>

#include "compile/r600_text.h"

namespace lockstep::r600 {
namespace {

// A type as elements: "<4 x i8>", "i32" (one element), "float".
struct Elements {
  u32 count = 1, bits = 0;
  std::string_view type;  // of an element
  bool vector = false;

  bool narrow() const { return vector && bits < 32; }
  u32 all_bits() const { return count * bits; }
};

std::optional<Elements> elements_of(std::string_view type) {
  Elements made;
  made.type = type;
  if (type.starts_with('<') && type.ends_with('>')) {
    const std::size_t by = type.find(" x ");
    if (by == type.npos) return std::nullopt;
    std::from_chars(type.data() + 1, type.data() + by, made.count);
    made.type = type.substr(by + 3, type.size() - by - 4);
    made.vector = true;
  }
  static constexpr std::pair<std::string_view, u32> widths[] = {{"i8", 8},   {"i16", 16},   {"i32", 32},
                                                                {"i64", 64}, {"float", 32}, {"half", 16}};
  for (const auto& [name, bits] : widths)
    if (made.type == name) made.bits = bits;
  if (made.bits == 0) return std::nullopt;
  return made;
}

// Appends the instructions of one replaced operation.
class Writer {
 public:
  Writer(std::string& text, std::string own, std::string_view place)
      : text_(text), own_(std::move(own)), place_(place) {}

  std::string make(const std::string& operation) {
    const std::string name = fmt::format("{}.{}", own_, count_++);
    text_ += fmt::format("  {} = {}{}\n", name, operation, place_);
    return name;
  }

 private:
  std::string& text_;
  const std::string own_;
  const std::string_view place_;
  u32 count_ = 0;
};

// The value's words of 32 bits, the lowest first.
std::vector<std::string> words_of(Writer& writer, const Elements& from, const TypedOperand& value) {
  std::vector<std::string> words;
  std::string word;
  u32 filled = 0;
  for (u32 i = 0; i < from.count; ++i) {
    std::string element(value.value);
    if (from.vector) element = writer.make(fmt::format("extractelement {}, i32 {}", value.text(), i));
    if (from.type == "float") element = writer.make(fmt::format("bitcast float {} to i32", element));
    if (from.type == "half") element = writer.make(fmt::format("bitcast half {} to i16", element));
    if (from.bits == 64) {
      words.push_back(writer.make(fmt::format("trunc i64 {} to i32", element)));
      const std::string high = writer.make(fmt::format("lshr i64 {}, 32", element));
      words.push_back(writer.make(fmt::format("trunc i64 {} to i32", high)));
      continue;
    }
    if (from.bits < 32) element = writer.make(fmt::format("zext i{} {} to i32", from.bits, element));
    // An element that is poison must not make its neighbours so.
    if (from.vector) element = writer.make(fmt::format("freeze i32 {}", element));
    if (filled != 0) {
      element = writer.make(fmt::format("shl i32 {}, {}", element, filled));
      element = writer.make(fmt::format("or i32 {}, {}", word, element));
    }
    word = element;
    filled += from.bits;
    if (filled < 32 && i + 1 < from.count) continue;
    words.push_back(word);
    filled = 0;
  }
  return words;
}

// The value that the words are, up to its last operation, which is given back.
std::string value_of(Writer& writer, const Elements& to, std::string_view type,
                     const std::vector<std::string>& words) {
  std::string whole = "poison", last;
  for (u32 i = 0; i < to.count; ++i) {
    const u32 bit = i * to.bits;
    std::string element = words[bit / 32];
    if (to.bits == 64) {
      const std::string low = writer.make(fmt::format("zext i32 {} to i64", element));
      const std::string high = writer.make(fmt::format("zext i32 {} to i64", words[bit / 32 + 1]));
      const std::string up = writer.make(fmt::format("shl i64 {}, 32", high));
      last = fmt::format("or i64 {}, {}", low, up);
    } else if (to.bits < 32) {
      if (bit % 32 != 0) element = writer.make(fmt::format("lshr i32 {}, {}", element, bit % 32));
      last = fmt::format("trunc i32 {} to i{}", element, to.bits);
      if (to.type == "half") last = fmt::format("bitcast i16 {} to half", writer.make(last));
    } else {
      last = to.type == "float" ? fmt::format("bitcast i32 {} to float", element)
                                : fmt::format("or i32 {}, 0", element);
    }
    if (!to.vector) return last;
    last = fmt::format("insertelement {} {}, {} {}, i32 {}", type, whole, to.type, writer.make(last), i);
    if (i + 1 < to.count) whole = writer.make(last);
  }
  return last;
}

// "<4 x i8> %v to <2 x i16>"; nothing where the back end can do it.
std::optional<std::string> cast(Writer& writer, std::string_view text) {
  const std::size_t to = text.rfind(" to ");
  if (to == text.npos) return std::nullopt;
  const TypedOperand value = typed_operand(text.substr(0, to));
  const std::string_view type = text.substr(to + 4);
  const auto from = elements_of(value.type), made = elements_of(type);
  if (!from || !made || from->all_bits() != made->all_bits()) return std::nullopt;
  if (!(from->narrow() || made->narrow()) || (from->count == made->count && from->bits == made->bits))
    return std::nullopt;
  if (from->all_bits() % 32 != 0 && from->all_bits() != 16) return std::nullopt;
  return value_of(writer, *made, type, words_of(writer, *from, value));
}

bool is_number(std::string_view text) {
  return text.find_first_not_of("0123456789") == text.npos;
}

// "<4 x i8> %v, i8 %x, i32 %i" and, of an element that is taken, "<4 x i8> %v, i32 %i".
std::optional<std::string> chosen(Writer& writer, std::string_view text, bool inserts) {
  const auto listed = listed_operands(text);
  if (listed.size() != (inserts ? 3u : 2u)) return std::nullopt;
  const TypedOperand vector = typed_operand(listed[0]), index = typed_operand(listed.back());
  const auto elements = elements_of(vector.type);
  if (!elements || !elements->narrow() || is_number(index.value) || !index.value.starts_with('%'))
    return std::nullopt;
  std::string whole(inserts ? "poison" : "zeroinitializer"), last;
  for (u32 i = 0; i < elements->count; ++i) {
    const std::string hit = writer.make(fmt::format("icmp eq {} {}, {}", index.type, index.value, i));
    const std::string old = writer.make(fmt::format("extractelement {}, i32 {}", vector.text(), i));
    if (inserts) {
      const TypedOperand value = typed_operand(listed[1]);
      const std::string element =
          writer.make(fmt::format("select i1 {}, {}, {} {}", hit, value.text(), elements->type, old));
      last =
          fmt::format("insertelement {} {}, {} {}, i32 {}", vector.type, whole, elements->type, element, i);
    } else {
      // What lies beyond the vector is anything.
      last = i == 0
                 ? fmt::format("select i1 true, {0} {1}, {0} {1}", elements->type, old)
                 : fmt::format("select i1 {}, {} {}, {} {}", hit, elements->type, old, elements->type, whole);
    }
    if (i + 1 < elements->count) whole = writer.make(last);
  }
  return last;
}

}  // namespace

std::string with_narrow_vectors(std::string_view module) {
  if (module.find(" x i8>") == module.npos && module.find(" x i16>") == module.npos &&
      module.find(" x half>") == module.npos)
    return std::string(module);
  u32 count = 0;
  return with_changed_lines(
      module, [&](std::string_view line, std::string_view, const std::string&, std::string& made) {
        const auto assignment = assignment_of(line);
        const std::string_view place = place_of(line);
        std::optional<std::string> last;
        std::string before;
        if (assignment) {
          std::string_view text = assignment->value;
          text.remove_suffix(place.size());
          Writer writer(before, fmt::format("%lockstep.narrow.{}", count), place);
          const auto after = [&](std::string_view word) {
            if (!text.starts_with(word)) return false;
            text.remove_prefix(word.size());
            return true;
          };
          if (after("bitcast "))
            last = cast(writer, text);
          else if (after("insertelement "))
            last = chosen(writer, text, true);
          else if (after("extractelement "))
            last = chosen(writer, text, false);
        }
        if (!last) {
          made.append(line) += '\n';
          return;
        }
        ++count;
        made += before;
        made += fmt::format("  {} = {}{}\n", assignment->name, *last, place);
      });
}

bool stores_narrow_variables(std::string_view module) {
  constexpr std::string_view to_private = ", ptr addrspace(5) ", store = "  store ";
  for (std::string_view rest = module; !rest.empty();) {
    std::string_view line = take_line(rest);
    if (!line.starts_with("  ")) continue;
    // Copies and fills are taken apart into stores.
    const bool fills = line.find(" @llvm.memset.p5") != line.npos ||
                       line.find(" @llvm.memcpy.p5") != line.npos ||
                       line.find(" @llvm.memmove.p5") != line.npos;
    if (fills) {
      const auto call = arguments_of_call(line, line.substr(line.find('@'), line.find('(') - line.find('@')));
      u32 bytes = 1;
      if (call && call->size() > 2)
        std::from_chars((*call)[2].value.data(), (*call)[2].value.data() + (*call)[2].value.size(), bytes);
      if (bytes % 4 != 0) return true;
      continue;
    }
    const std::size_t at = line.find(to_private);
    if (!line.starts_with(store) || at == line.npos) continue;
    line.remove_prefix(store.size());
    if (line.starts_with("volatile ")) line.remove_prefix(9);
    const std::string_view type = typed_operand(line).type;
    for (const std::string_view narrow : {"i8", "i16", "half"}) {
      if (type == narrow || type.ends_with(std::string(" x ") + std::string(narrow) + ">")) return true;
    }
  }
  return false;
}

}  // namespace lockstep::r600
