// Reads LLVM's assembly text for AMD's VLIW GPUs: directives, control flow, clauses, data.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "base/align.h"
#include "base/take_line.h"
#include "isa/vliw/syntax.h"

namespace lockstep::vliw {
namespace {

constexpr u64 function_alignment = 256;
constexpr u64 most_image_bytes = u64{1} << 28;

// Registers of .AMDGPU.config, as R600Defines.h has them.
constexpr u32 program_resources = 0x288D4, local_memory_allocation = 0x288E8;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::string_view take_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  text = trimmed(text);
  return word;
}

// Everything before a comment, which ; begins outside of quotes.
std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && quoted)
      ++i;
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ';' && !quoted)
      return line.substr(0, i);
  }
  return line;
}

template <class T>
bool read_number(std::string_view text, T& number) {
  text = trimmed(text);
  int base = 10;
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc{} && end == text.data() + text.size();
}

// A literal that is a symbol's address, known when all of the text has been read.
struct SymbolLiteral {
  std::size_t function;
  u32 clause, bundle, channel;
  std::string symbol;
  i64 addend;
  u32 text_line;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Expected<ModuleText> read() {
    while (!text_.empty() && !error_) {
      ++line_;
      read_line(take_line(text_));
    }
    end_function();
    if (!error_) resolve();
    if (error_) return *error_;
    return std::move(made_);
  }

 private:
  void fail(std::string message, std::string hint = "") {
    if (!error_) error_ = Diagnostic{"bad-assembly", {name_, line_, 0}, std::move(message), std::move(hint)};
  }

  void read_line(std::string_view line) {
    if (const std::size_t at = line.find("@lockstep ");
        at != std::string_view::npos && (line.starts_with(';') || line.starts_with("//")))
      return read_note(line.substr(at + 10));
    line = trimmed(without_comment(line));
    if (line.empty()) return;
    if (line.ends_with(':') && line.find(' ') == std::string_view::npos)
      return label(line.substr(0, line.size() - 1));
    if (line.front() == '.') return directive(line);
    if (section_ == Section::other) return;
    if (function_) return code(line);
    fail(fmt::format("'{}' stands outside of a function", line));
  }

  void read_note(std::string_view note) {
    const std::string_view what = take_word(note);
    if (what == "printf") {
      if (note.size() < 2 || !note.starts_with('"') || !note.ends_with('"'))
        return fail("a note of printf's format wants it in quotes");
      made_.printf_formats.emplace_back(note.substr(1, note.size() - 2));
      return;
    }
    KernelNotes& kernel = made_.notes[std::string(take_word(note))];
    const auto three = [&](std::array<u32, 3>& sizes) {
      for (u32& size : sizes) read_number(take_word(note), size);
    };
    if (what == "parameter") {
      ParameterNote parameter;
      parameter.space = take_word(note);
      for (u32* number : {&parameter.offset, &parameter.bytes, &parameter.align}) {
        if (!read_number(take_word(note), *number))
          fail("a note of a parameter wants its place, offset, bytes and alignment");
      }
      kernel.parameters.push_back(std::move(parameter));
    } else if (what == "argument") {
      const std::string parameter(take_word(note));
      kernel.names.emplace_back(parameter, note);
    } else if (what == "qualifiers") {
      const std::string access(take_word(note));
      kernel.qualifiers.emplace_back(access, note);
    } else if (what == "image" || what == "target" || what == "sampler") {
      binding(what, note, kernel);
    } else if (what == "private") {
      for (u32* number : {&kernel.private_pointer, &kernel.private_bytes}) {
        if (!read_number(take_word(note), *number))
          fail("a note of private memory wants where its pointers begin, and its bytes");
      }
    } else if (what == "required_group_size") {
      three(kernel.required_group);
    } else if (what == "work_group_size_hint") {
      three(kernel.hinted_group);
    } else if (what == "vec_type_hint") {
      kernel.vector_hint = note;
    }
  }

  void binding(std::string_view what, std::string_view note, KernelNotes& kernel) {
    using Kind = BindingNote::Kind;
    BindingNote made;
    made.kind = what == "image" ? Kind::image : what == "target" ? Kind::target : Kind::sampler;
    bool good = read_number(take_word(note), made.number);
    if (made.kind == Kind::sampler) {
      const std::string_view of = take_word(note);
      if (of == "bits") made.kind = Kind::sampler_bits;
      good = good && (of == "bits" || of == "parameter");
    }
    if (!good || !read_number(take_word(note), made.value))
      return fail("a note of an image or a sampler wants its number and what it is bound to");
    kernel.bindings.push_back(made);
  }

  void label(std::string_view name) {
    if (name.starts_with(".L") || name.ends_with("$local") || section_ != Section::text) return;
    end_function();
    if (functions_.contains(std::string(name))) {
      align(function_alignment);
      FunctionText& function = made_.functions.emplace_back();
      function.name = name;
      function.text_line = line_;
      function.address = made_.image.size();
      function.registers = config_registers_;
      function.local_bytes = config_local_bytes_;
      function_ = true;
      clause_ = Clause::none;
      position_ = {};
    } else {
      made_.symbols.push_back({std::string(name), made_.image.size(), 0});
    }
  }

  void align(u64 to) {
    const u64 size = align_up<u64>(made_.image.size(), to);
    if (size > most_image_bytes) return fail("the program's code and data are larger than 256 MiB");
    made_.image.resize(size);
  }

  void end_function() {
    if (!function_) return;
    function_ = false;
    FunctionText& function = made_.functions.back();
    u32 words = static_cast<u32>(function.flow.size());
    for (const auto& [at, clause] : function.alu) {
      if (!clause.bundles.empty())
        words = std::max(words, clause.bundles.back().address + clause.bundles.back().words());
    }
    for (const auto& [at, clause] : function.fetch)
      words = std::max(words, at + 2 * static_cast<u32>(clause.fetches.size()));
    if (words > most_image_bytes / 8) return fail("a function is larger than 256 MiB");
    function.words = words;
    made_.image.resize(function.address + u64{8} * words);
  }

  void directive(std::string_view line) {
    const std::string_view word = take_word(line);
    if (word == ".text") {
      section_ = Section::text;
    } else if (word == ".section") {
      if (line.starts_with(".AMDGPU.config")) {
        section_ = Section::config;
        config_key_.reset();
        end_function();
      } else {
        section_ = line.starts_with(".rodata") || line.starts_with(".text") ? Section::text : Section::other;
      }
    } else if (word == ".type") {
      const std::size_t comma = line.find(',');
      if (comma != std::string_view::npos && line.substr(comma).find("@function") != std::string_view::npos)
        functions_.emplace(line.substr(0, comma), true);
    } else if (word == ".file") {
      file(line);
    } else if (word == ".loc") {
      location(line);
    } else if (section_ == Section::config && word == ".long") {
      configure(line);
    } else if (section_ == Section::text) {
      if (word == ".p2align" || word == ".balign") end_function();
      if (!function_) data(word, line);
    }
  }

  void configure(std::string_view text) {
    u32 number = 0;
    if (!read_number(text, number)) return fail(fmt::format("'{}' is no number", text));
    if (!config_key_) {
      config_key_ = number;
      return;
    }
    if (*config_key_ == program_resources) config_registers_ = number & 0xFF;
    if (*config_key_ == local_memory_allocation) config_local_bytes_ = number * 4;
    config_key_.reset();
  }

  // .file 1 "directory" "name" md5 0x...
  void file(std::string_view line) {
    u32 number = 0;
    if (!read_number(take_word(line), number) || number > 0xFFFF) return;
    std::vector<std::string> parts;
    while (line.starts_with('"')) {
      std::string part;
      std::size_t i = 1;
      for (; i < line.size() && line[i] != '"'; ++i) {
        if (line[i] == '\\' && i + 1 < line.size()) ++i;
        part += line[i];
      }
      parts.push_back(std::move(part));
      line = trimmed(line.substr(std::min(i + 1, line.size())));
    }
    if (parts.empty() || parts.back().empty()) return;  // what stands behind .loc then is the text's own line
    std::string path = parts.back();
    if (parts.size() > 1 && parts.front() != "." && !path.starts_with('/')) path = parts.front() + "/" + path;
    if (files_.size() <= number) files_.resize(number + 1, ~u32{0});
    files_[number] = static_cast<u32>(made_.files.size());
    made_.files.push_back(std::move(path));
  }

  void location(std::string_view line) {
    u32 number = 0, row = 0, column = 0;
    if (!read_number(take_word(line), number) || !read_number(take_word(line), row)) return;
    read_number(take_word(line), column);
    if (row == 0 || number >= files_.size() || files_[number] == ~u32{0}) {
      position_ = {};
    } else {
      position_ = {files_[number], row, column};
    }
  }

  void data(std::string_view word, std::string_view values) {
    if (word == ".p2align" || word == ".balign") {
      u32 number = 0;
      if (!read_number(values.substr(0, values.find(',')), number) || number > 16)
        return fail("an alignment beyond 64 KiB");
      return align(word == ".p2align" ? u64{1} << number : std::max(number, 1u));
    }
    const u32 bytes = word == ".byte"                        ? 1
                      : word == ".short" || word == ".2byte" ? 2
                      : word == ".long" || word == ".4byte"  ? 4
                      : word == ".quad" || word == ".8byte"  ? 8
                                                             : 0;
    std::vector<u8>& image = made_.image;
    if (bytes != 0) {
      while (!values.empty() && !error_) {
        const std::size_t comma = std::min(values.find(','), values.size());
        std::string_view text = trimmed(values.substr(0, comma));
        values.remove_prefix(std::min(comma + 1, values.size()));
        const bool negative = text.starts_with('-');
        if (negative) text.remove_prefix(1);
        u64 number = 0;
        if (!read_number(text, number))
          return fail(fmt::format("'{}' is no number", text), "addresses in data are not supported");
        if (negative) number = ~number + 1;
        for (u32 i = 0; i < bytes; ++i) image.push_back(static_cast<u8>(number >> (8 * i)));
      }
    } else if (word == ".zero" || word == ".space" || word == ".skip") {
      u64 count = 0, fill = 0;
      const std::size_t comma = values.find(',');
      if (comma != std::string_view::npos && (!read_number(values.substr(comma + 1), fill) || fill > 0xFF))
        return fail("a fill that is no byte");
      if (!read_number(values.substr(0, comma), count) || count > most_image_bytes ||
          image.size() + count > most_image_bytes)
        return fail("the program's data are larger than 256 MiB");
      image.resize(image.size() + count, static_cast<u8>(fill));
    } else if (word == ".ascii" || word == ".asciz") {
      if (!read_string(values)) return fail("a string that does not end");
      if (word == ".asciz") image.push_back(0);
    } else if (word == ".size" && !made_.symbols.empty()) {
      DataSymbol& symbol = made_.symbols.back();
      const std::size_t comma = values.find(',');
      if (comma != std::string_view::npos && values.substr(0, comma) == symbol.name)
        read_number(values.substr(comma + 1), symbol.bytes);
    } else if (word != ".size" && !says_no_data(word)) {
      fail(fmt::format("the directive '{}' is not known", word));
    }
  }

  static bool says_no_data(std::string_view word) {
    static constexpr std::string_view words[] = {
        ".globl",   ".global",      ".weak",  ".hidden", ".protected", ".internal", ".local",
        ".addrsig", ".addrsig_sym", ".ident", ".set",    ".comm",      ".lcomm"};
    return std::find(std::begin(words), std::end(words), word) != std::end(words) ||
           word.starts_with(".cfi_");
  }

  bool read_string(std::string_view text) {
    if (!text.starts_with('"')) return false;
    for (std::size_t i = 1; i < text.size(); ++i) {
      char c = text[i];
      if (c == '"') return true;
      if (c == '\\' && i + 1 < text.size()) {
        c = text[++i];
        if (c >= '0' && c <= '7') {
          u32 value = 0;
          std::size_t digits = 0;
          for (; digits < 3 && i < text.size() && text[i] >= '0' && text[i] <= '7'; ++digits, ++i)
            value = value * 8 + static_cast<u32>(text[i] - '0');
          --i;
          c = static_cast<char>(value);
        } else {
          c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c == 'b' ? '\b' : c == 'f' ? '\f' : c;
        }
      }
      made_.image.push_back(static_cast<u8>(c));
    }
    return false;
  }

  void code(std::string_view line) {
    constexpr std::string_view middle = " clause starting at ";
    FunctionText& function = made_.functions.back();
    if (const std::size_t at = line.find(middle); at != std::string_view::npos && line.ends_with(':')) {
      const std::string_view number = line.substr(at + middle.size());
      if (!read_number(number.substr(0, number.size() - 1), clause_at_) || clause_at_ > most_image_bytes / 8)
        return fail("a clause without a place");
      clause_ = line.starts_with("ALU") ? Clause::alu : Clause::fetch;
      next_word_ = clause_at_;
      open_ = false;
      const bool again =
          clause_ == Clause::alu ? function.alu.contains(clause_at_) : function.fetch.contains(clause_at_);
      if (again) return fail(fmt::format("a second clause at {}", clause_at_));
      if (clause_ == Clause::alu)
        function.alu[clause_at_];
      else
        function.fetch[clause_at_];
      return;
    }
    switch (clause_) {
      case Clause::none:
        function.flow.push_back(split(line));
        return;
      case Clause::fetch:
        function.fetch[clause_at_].fetches.push_back(split(line));
        return;
      case Clause::alu:
        return operation(function, line);
    }
  }

  Line split(std::string_view line) {
    Line made{{}, line, {}, line_, position_};
    made.mnemonic = take_word(line);
    // "MEM_RAT_CACHELESS STORE_RAW": the second word names the operation.
    while (!line.empty()) {
      const std::size_t comma = std::min(line.find(','), line.size());
      made.operands.push_back(trimmed(line.substr(0, comma)));
      line.remove_prefix(std::min(comma + 1, line.size()));
    }
    return made;
  }

  void operation(FunctionText& function, std::string_view line) {
    std::vector<Bundle>& bundles = function.alu[clause_at_].bundles;
    const char first = line.front();
    if (first == '@' || first == '-' || (first >= '0' && first <= '9')) {
      if (bundles.empty() || open_) return fail("literals stand behind a bundle");
      return literals(function, bundles.back(), line);
    }
    auto slot = parse_slot(line);
    if (!slot) {
      Diagnostic error = slot.error();
      error.place = {name_, line_, 0};
      if (!error_) error_ = error;
      return;
    }
    if (!open_) {
      if (!bundles.empty()) next_word_ = bundles.back().address + bundles.back().words();
      bundles.emplace_back().address = next_word_;
    }
    slot->text_line = line_;
    slot->position = position_;
    open_ = !slot->last;
    bundles.back().slots.push_back(std::move(*slot));
    if (bundles.back().slots.size() > 5) fail("a bundle has five slots at most");
  }

  // "2(2.802597e-45), @table"
  void literals(FunctionText& function, Bundle& bundle, std::string_view line) {
    while (!line.empty()) {
      const std::size_t comma = std::min(line.find(','), line.size());
      std::string_view text = trimmed(line.substr(0, comma));
      line.remove_prefix(std::min(comma + 1, line.size()));
      if (bundle.literals == 4) return fail("a bundle has four literals at most");
      const u32 channel = bundle.literals++;
      if (text.starts_with('@')) {
        text.remove_prefix(1);
        i64 addend = 0;
        if (const std::size_t sign = text.find_last_of("+-"); sign != std::string_view::npos && sign > 0) {
          if (read_number(text.substr(sign + 1), addend)) {
            if (text[sign] == '-') addend = -addend;
            text = text.substr(0, sign);
          }
        }
        symbol_literals_.push_back({made_.functions.size() - 1, clause_at_,
                                    static_cast<u32>(function.alu[clause_at_].bundles.size() - 1), channel,
                                    std::string(text), addend, line_});
        continue;
      }
      text = text.substr(0, text.find('('));
      i64 number = 0;
      if (!read_number(text, number)) return fail(fmt::format("'{}' is no literal", text));
      bundle.literal[channel] = static_cast<u32>(number);
    }
  }

  void resolve() {
    std::map<std::string, u64> address;
    for (const DataSymbol& symbol : made_.symbols) address.emplace(symbol.name, symbol.address);
    for (const FunctionText& function : made_.functions) address.emplace(function.name, function.address);
    for (const SymbolLiteral& literal : symbol_literals_) {
      const auto symbol = address.find(literal.symbol);
      line_ = literal.text_line;
      if (symbol == address.end())
        return fail(fmt::format("the symbol '{}' is defined nowhere", literal.symbol));
      Bundle& bundle = made_.functions[literal.function].alu[literal.clause].bundles[literal.bundle];
      bundle.literal[literal.channel] = static_cast<u32>(symbol->second + static_cast<u64>(literal.addend));
    }
  }

  enum class Section : u8 { text, config, other };
  enum class Clause : u8 { none, fetch, alu };

  std::string_view text_;
  const std::string& name_;
  ModuleText made_;
  std::optional<Diagnostic> error_;
  u32 line_ = 0;
  Section section_ = Section::text;
  std::map<std::string, bool> functions_;  // by name: those that .type says are functions
  std::vector<u32> files_;                 // by the text's number
  SourcePosition position_;
  std::optional<u32> config_key_;
  u32 config_registers_ = 0, config_local_bytes_ = 0;
  bool function_ = false;  // the last one is being read
  Clause clause_ = Clause::none;
  u32 clause_at_ = 0, next_word_ = 0;
  bool open_ = false;  // the last bundle has not ended
  std::vector<SymbolLiteral> symbol_literals_;
};

}  // namespace

Expected<ModuleText> parse_text(std::string_view text, const std::string& name) {
  return Reader(text, name).read();
}

}  // namespace lockstep::vliw
