// The assembler's text: directives, labels, instructions with "; encoding: [...]".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

#include "base/take_line.h"
#include "compile/listing_builder.h"
#include "compile/listing_reader.h"

namespace lockstep {
namespace {

// One thing that takes room in a code section, or names a place in one.
struct Item {
  enum class Kind : u8 { instruction, data, align, label };
  Kind kind;
  std::string_view text;      // instruction or label name
  std::string_view encoding;  // between the brackets
  u64 bytes = 0;              // data: its size; align: its power of two in bytes
  u32 file = ListingLine::no_file, line = 0, column = 0;
};

struct CodeSection {
  std::string name;
  std::vector<Item> items;
};

// Takes the next word (up to a blank or comma).
std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t,"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == ','))
    text.remove_prefix(1);
  return word;
}

std::optional<u64> number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  u64 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Takes a quoted string with the assembler's escapes; nothing when there is none.
std::optional<std::string> take_quoted(std::string_view& text) {
  text = trimmed(text);
  if (text.empty() || text.front() != '"') return std::nullopt;
  std::string value;
  std::size_t i = 1;
  for (; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      value += text[i];
      continue;
    }
    const char next = text[++i];
    if (next >= '0' && next <= '7') {
      int code = 0, digits = 0;
      while (digits < 3 && i < text.size() && text[i] >= '0' && text[i] <= '7') {
        code = 8 * code + (text[i] - '0');
        ++i, ++digits;
      }
      --i;
      value += static_cast<char>(code);
    } else {
      value += next == 'n' ? '\n' : next == 't' ? '\t' : next;
    }
  }
  if (i >= text.size()) return std::nullopt;
  text.remove_prefix(i + 1);
  return value;
}

u64 quoted_bytes(std::string_view text, bool zero_ended) {
  u64 bytes = 0;
  while (const auto value = take_quoted(text)) {
    bytes += value->size() + (zero_ended ? 1 : 0);
    text = trimmed(text);
    if (!text.empty() && text.front() == ',') text.remove_prefix(1);
  }
  return bytes;
}

u64 values_bytes(std::string_view text, u64 each) {
  return each * static_cast<u64>(1 + std::count(text.begin(), text.end(), ','));
}

// Room that a directive takes in its section; the labels after it show when one was overlooked.
std::optional<u64> data_bytes(std::string_view directive, std::string_view rest) {
  const std::size_t comment = rest.find(';');
  const std::string_view values = trimmed(rest.substr(0, comment));
  if (directive == ".byte") return values_bytes(values, 1);
  if (directive == ".short" || directive == ".2byte" || directive == ".hword") return values_bytes(values, 2);
  if (directive == ".long" || directive == ".4byte" || directive == ".int") return values_bytes(values, 4);
  if (directive == ".quad" || directive == ".8byte") return values_bytes(values, 8);
  if (directive == ".ascii") return quoted_bytes(rest, false);
  if (directive == ".asciz" || directive == ".string") return quoted_bytes(rest, true);
  std::string_view left = values;
  if (directive == ".zero" || directive == ".space" || directive == ".skip") return number(take_word(left));
  if (directive == ".fill") {
    const auto count = number(take_word(left));
    const auto size = left.empty() ? std::optional<u64>(1) : number(take_word(left));
    if (count && size) return *count * *size;
  }
  return std::nullopt;
}

// The byte at the front of an encoding list, and whether the assembler knew it: fix-ups are letters ("A") or
// bits of them ("0bAAAA0000").
struct EncodedByte {
  u8 value = 0;
  bool known = false;
};

std::vector<EncodedByte> encoded_bytes(std::string_view list) {
  std::vector<EncodedByte> bytes;
  while (!list.empty()) {
    const std::string_view word = take_word(list);
    const auto value = word.starts_with("0x") ? number(word) : std::nullopt;
    bytes.push_back({static_cast<u8>(value.value_or(0)), value.has_value()});
  }
  return bytes;
}

class ListingReader {
 public:
  explicit ListingReader(ListingBuilder& builder) : builder_(builder) { enter(".text"); }

  void read(std::string_view text) {
    while (!text.empty()) read_line(take_line(text));
  }
  std::vector<CodeSection>& sections() { return sections_; }

 private:
  void enter(std::string_view name) {
    const auto [at, added] = section_index_.emplace(name, sections_.size());
    if (added) sections_.push_back({std::string(name), {}});
    section_ = &sections_[at->second];
    line_ = column_ = 0;
    file_ = ListingLine::no_file;
  }

  void read_line(std::string_view line) {
    line = trimmed(line);
    if (line.empty() || line.front() == ';' || line.starts_with("//")) return;
    constexpr std::string_view mark = "; encoding: [";
    if (const std::size_t at = line.rfind(mark); at != std::string_view::npos) {
      std::string_view encoding = line.substr(at + mark.size());
      encoding = encoding.substr(0, encoding.find(']'));
      if (section_ != nullptr)
        section_->items.push_back(
            {Item::Kind::instruction, trimmed(line.substr(0, at)), encoding, 0, file_, line_, column_});
      return;
    }
    if (const std::size_t colon = line.find(':'); colon != std::string_view::npos && is_label(line, colon)) {
      std::string_view label = line.substr(0, colon);
      if (label.front() == '"') label = label.substr(1, label.size() - 2);
      if (section_ != nullptr) section_->items.push_back({Item::Kind::label, label, {}});
      // A function without lines of its own (the device library's) must not inherit its neighbour's.
      if (functions_.contains(label)) {
        file_ = ListingLine::no_file;
        line_ = column_ = 0;
      }
      return;
    }
    if (line.front() == '.') read_directive(line);
  }

  static bool is_label(std::string_view line, std::size_t colon) {
    if (line.front() == '"') return colon > 2 && line[colon - 1] == '"';
    return line.substr(0, colon).find_first_of(" \t\"") == std::string_view::npos;
  }

  void read_directive(std::string_view line) {
    std::string_view rest = line;
    const std::string_view directive = take_word(rest);
    if (directive == ".text") {
      enter(".text");
    } else if (directive == ".data" || directive == ".bss" || directive == ".rodata") {
      section_ = nullptr;
    } else if (directive == ".section") {
      enter_section(rest);
    } else if (directive == ".file") {
      read_file(rest);
    } else if (directive == ".loc") {
      const auto file = number(take_word(rest));
      const auto at = files_.find(file.value_or(~u64{0}));
      file_ = at == files_.end() ? ListingLine::no_file : at->second;
      line_ = static_cast<u32>(number(take_word(rest)).value_or(0));
      column_ = static_cast<u32>(number(take_word(rest)).value_or(0));
    } else if (directive == ".type") {
      const std::string_view name = take_word(rest);
      if (rest.starts_with("@function")) functions_.emplace(name);
    } else if (section_ != nullptr) {
      if (directive == ".p2align") {
        const u64 power = number(take_word(rest)).value_or(0);
        section_->items.push_back({Item::Kind::align, {}, {}, u64{1} << std::min<u64>(power, 32)});
      } else if (directive == ".balign" || directive == ".align") {
        section_->items.push_back({Item::Kind::align, {}, {}, number(take_word(rest)).value_or(1)});
      } else if (const auto bytes = data_bytes(directive, rest)) {
        section_->items.push_back({Item::Kind::data, {}, {}, *bytes});
      }
    }
  }

  // .section name,"flags",@type: only sections with code ("x") matter.
  void enter_section(std::string_view rest) {
    const std::string_view whole = rest;
    std::string name;
    if (auto quoted = take_quoted(rest)) {
      name = *quoted;
      if (const std::size_t comma = rest.find(','); comma != std::string_view::npos)
        rest.remove_prefix(comma + 1);
    } else {
      name = std::string(take_word(rest));
    }
    const std::string flags = take_quoted(rest).value_or("");
    const bool code = flags.find('x') != std::string::npos || (flags.empty() && name.starts_with(".text"));
    if (code)
      enter(name == ".text" ? std::string_view(name) : trimmed(whole));
    else
      section_ = nullptr;
  }

  // .file 1 "directory" "name" md5 ..., .file 1 "name", or .file "name" without a number (not for lines).
  void read_file(std::string_view rest) {
    std::string_view numbered = rest;
    const auto index = number(take_word(numbered));
    if (!index) return;
    const auto first = take_quoted(numbered);
    const auto second = take_quoted(numbered);
    if (!first) return;
    std::string name = *first;
    if (second) {
      const bool plain = first->empty() || *first == "." || second->starts_with('/');
      // File 0's directory is the compilation directory, to which the user's own names are relative.
      if (*index == 0) compilation_directory_ = *first;
      name = plain || *first == compilation_directory_ ? *second : *first + "/" + *second;
    }
    files_[*index] = builder_.file(name);
  }

  ListingBuilder& builder_;
  std::vector<CodeSection> sections_;
  std::map<std::string, std::size_t, std::less<>> section_index_;
  CodeSection* section_ = nullptr;  // nullptr: in a section without code
  std::map<u64, u32> files_;        // from the assembly's numbers
  std::set<std::string, std::less<>> functions_;
  std::string compilation_directory_;
  u32 file_ = ListingLine::no_file, line_ = 0, column_ = 0;
};

u64 aligned(u64 address, u64 alignment) {
  return alignment <= 1 ? address : (address + alignment - 1) / alignment * alignment;
}

using Symbols = std::unordered_map<std::string_view, u64>;

// Where the section's first byte lies, from the first label that the object knows.
std::optional<u64> section_base(const CodeSection& section, const Symbols& symbols, const ElfFile& elf) {
  u64 offset = 0;
  for (const Item& item : section.items) {
    if (item.kind == Item::Kind::label) {
      const auto at = symbols.find(item.text);
      if (at != symbols.end() && at->second >= offset) return at->second - offset;
    } else if (item.kind == Item::Kind::align) {
      offset = aligned(offset, item.bytes);
    } else if (item.kind == Item::Kind::data) {
      offset += item.bytes;
    } else {
      offset += encoded_bytes(item.encoding).size();
    }
  }
  if (section.name == ".text")
    if (const ElfSection* text = elf.find_section(".text")) return text->address;
  return std::nullopt;
}

class Placer {
 public:
  Placer(ListingBuilder& builder, std::span<const u8> object, const ElfFile& elf, const std::string& name)
      : builder_(builder), object_(object), elf_(elf), name_(name) {
    for (const ElfSymbol& symbol : elf.symbols)
      if (symbol.section != 0 && !symbol.name.empty()) symbols_.emplace(symbol.name, symbol.value);
  }

  Status place(const CodeSection& section) {
    if (std::none_of(section.items.begin(), section.items.end(),
                     [](const Item& item) { return item.kind == Item::Kind::instruction; }))
      return Success{};
    const auto base = section_base(section, symbols_, elf_);
    if (!base)
      return listing_mismatch(name_, fmt::format("no label says where section {} lies", section.name));
    cursor_ = *base;
    reachable_ = false;
    for (const Item& item : section.items)
      if (Status status = place(item); !status) return status;
    return Success{};
  }

 private:
  static constexpr u32 no_operation = 0xbf800000;  // s_nop 0, on every generation

  Status place(const Item& item) {
    switch (item.kind) {
      case Item::Kind::data:
        cursor_ += item.bytes;
        reachable_ = false;
        return Success{};
      case Item::Kind::align:
        return pad_to(aligned(cursor_, item.bytes));
      case Item::Kind::label:
        return place_label(item);
      case Item::Kind::instruction:
        return place_instruction(item);
    }
    LOCKSTEP_ASSERT(false, "every kind of item is placed");
  }

  // What the assembler fills with s_nop inside a function runs, so it is listed.
  Status pad_to(u64 end) {
    while (reachable_ && cursor_ + 4 <= end && word_at(cursor_) == no_operation) add_no_operation();
    cursor_ = end;
    return Success{};
  }

  Status place_label(const Item& item) {
    const auto at = symbols_.find(item.text);
    if (at == symbols_.end()) return Success{};
    if (at->second > cursor_ && at->second - cursor_ <= 64) (void)pad_to(at->second);
    if (at->second != cursor_)
      return listing_mismatch(
          name_, fmt::format("label {} lies at {:#x} in the object and at {:#x} in the listing", item.text,
                             at->second, cursor_));
    if (!item.text.starts_with(".Ltmp")) builder_.label(item.text, cursor_);
    return Success{};
  }

  Status place_instruction(const Item& item) {
    const std::vector<EncodedByte> encoding = encoded_bytes(item.encoding);
    if (encoding.empty() || encoding.size() > 20)
      return listing_mismatch(name_,
                              fmt::format("'{}' has an encoding of {} bytes", item.text, encoding.size()));
    auto matches = [&](std::span<const u8> bytes) {
      for (std::size_t i = 0; i < encoding.size(); ++i)
        if (encoding[i].known && encoding[i].value != bytes[i]) return false;
      return true;
    };
    auto bytes = bytes_at(object_, elf_, cursor_, encoding.size());
    // The assembler inserts s_nop after some branches (gfx10's branch offset 0x3f), which its text omits.
    if (bytes.size() == encoding.size() && !matches(bytes) && reachable_ &&
        word_at(cursor_) == no_operation) {
      add_no_operation();
      bytes = bytes_at(object_, elf_, cursor_, encoding.size());
    }
    if (bytes.size() != encoding.size())
      return listing_mismatch(name_,
                              fmt::format("'{}' at {:#x} lies outside the object", item.text, cursor_));
    if (!matches(bytes))
      return listing_mismatch(name_,
                              fmt::format("'{}' at {:#x} has other bytes in the object", item.text, cursor_));
    builder_.line(cursor_, bytes, item.text, item.file, item.line, item.column);
    last_ = item;
    cursor_ += encoding.size();
    reachable_ = true;
    return Success{};
  }

  void add_no_operation() {
    builder_.line(cursor_, bytes_at(object_, elf_, cursor_, 4), "s_nop 0", last_.file, last_.line,
                  last_.column);
    cursor_ += 4;
  }

  u32 word_at(u64 address) const {
    const auto bytes = bytes_at(object_, elf_, address, 4);
    u32 word = 0;
    if (bytes.size() == 4) std::memcpy(&word, bytes.data(), 4);
    return word;
  }

  ListingBuilder& builder_;
  std::span<const u8> object_;
  const ElfFile& elf_;
  const std::string& name_;
  Symbols symbols_;
  u64 cursor_ = 0;
  bool reachable_ = false;  // an instruction lies right before the cursor
  Item last_{Item::Kind::data, {}, {}};
};

}  // namespace

Expected<Listing> read_assembler_listing(std::string_view text, std::span<const u8> object,
                                         const ElfFile& elf, const std::string& name) {
  ListingBuilder builder;
  ListingReader reader(builder);
  reader.read(text);
  Placer placer(builder, object, elf, name);
  for (const CodeSection& section : reader.sections())
    if (Status status = placer.place(section); !status) return status.error();
  return builder.finish(elf);
}

}  // namespace lockstep
