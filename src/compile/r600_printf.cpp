#include "compile/r600_printf.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <map>
#include <optional>
#include <vector>

#include "base/align.h"
#include "compile/r600_text.h"

namespace lockstep::r600 {
namespace {

constexpr std::string_view printing = "@printf";
// Where the buffer's pointer stands behind the parameters: the dimensions and three offsets come before it.
constexpr u32 buffer_pointer = 16;
constexpr u32 header_bytes = 8;  // of the buffer

u32 nibble(char c) {
  return static_cast<u32>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
}

// "c\"hi\\0A\\00\"": the bytes up to the closing zero.
std::string literal_bytes(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size() && text[i] != '"'; ++i) {
    char c = text[i];
    if (c == '\\' && i + 2 < text.size()) {
      c = static_cast<char>(nibble(text[i + 1]) * 16 + nibble(text[i + 2]));
      i += 2;
    }
    if (c == '\0') break;
    bytes += c;
  }
  return bytes;
}

// As exec/printf.cpp reads it: control characters and colons as escapes.
std::string escaped(std::string_view text) {
  static constexpr std::string_view letters = "abfnrtv", values = "\a\b\f\n\r\t\v";
  std::string made;
  for (const char c : text) {
    if (const std::size_t at = values.find(c); at != values.npos)
      made += {'\\', letters[at]};
    else if (c == ':')
      made += "\\72";
    else
      made += c;
  }
  return made;
}

// The letters of the conversions that take an argument, in their order.
std::string conversions_of(std::string_view format) {
  std::string letters;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    if (format.substr(i + 1).starts_with('%')) {
      ++i;
      continue;
    }
    i = format.find_first_of("diouxXeEfFgGaAcsp", i + 1);
    if (i == format.npos) break;
    letters += format[i];
  }
  return letters;
}

class Printer {
 public:
  explicit Printer(const std::string& path) : path_(path) {}

  Expected<Printed> print(std::string_view module) {
    Printed made;
    if (module.find(" @printf(") == module.npos) {
      made.module = module;
      return made;
    }
    find_texts(module);
    made.module = with_changed_lines(
        module, [&](std::string_view line, std::string_view, const std::string& name, std::string& text) {
          function_ = name;
          const auto call = line.starts_with("  ") ? arguments_of_call(line, printing) : std::nullopt;
          if (!call || error_) {
            text.append(line) += '\n';
          } else {
            change(line, *call, text);
          }
        });
    if (error_) return *error_;
    made.module += functions_;
    declare(made.module, "@llvm.r600.implicitarg.ptr(",
            "\ndeclare ptr addrspace(7) @llvm.r600.implicitarg.ptr()\n");
    made.notes = std::move(notes_);
    return made;
  }

 private:
  void fail(std::string message, std::string hint) {
    if (error_) return;
    error_ = Diagnostic{"compile-failed",
                        {path_, 0, 0},
                        fmt::format("{}: error: printf in '{}': {}", path_, function_, message),
                        std::move(hint)};
  }

  void find_texts(std::string_view module) {
    for (std::string_view rest = module; !rest.empty();) {
      const std::string_view line = take_line(rest);
      const std::size_t at = line.find(" = "), constant = line.find(" constant [");
      if (!line.starts_with('@') || constant == line.npos) continue;
      const std::string_view value = line.substr(line.find(']', constant) + 1);
      if (value.starts_with(" c\""))
        texts_.emplace(line.substr(0, at), literal_bytes(value.substr(3)));
      else if (value.starts_with(" zeroinitializer"))
        texts_.emplace(line.substr(0, at), "");
    }
  }

  const std::string* text_at(std::string_view value) const {
    const auto found = texts_.find(value);
    return found == texts_.end() ? nullptr : &found->second;
  }

  // Appends the stores of one argument to the function's body, and how many bytes they take.
  void store_argument(const TypedOperand& argument, u32 number, char letter, std::string& body,
                      std::vector<std::string>& parameters) {
    if (letter == 's') {
      const std::string* text = text_at(argument.value);
      if (text == nullptr)
        return fail("a text for %s that is no literal", "print the letters one by one with %c");
      std::string bytes = *text + '\0';
      bytes.resize(align_up(bytes.size(), 4));
      for (std::size_t i = 0; i < bytes.size(); i += 4) {
        u32 word = 0;
        for (u32 k = 0; k < 4; ++k) word |= u32{static_cast<u8>(bytes[i + k])} << (8 * k);
        store("i32", fmt::format("{}", static_cast<i32>(word)), 4, body);
      }
      sizes_.push_back(static_cast<u32>(bytes.size()));
      return;
    }
    const std::string name = fmt::format("%a{}", number);
    parameters.push_back(fmt::format("{} {}", argument.type, name));
    std::string_view type = argument.type;
    u32 lanes = 0;
    if (type.starts_with('<')) {
      std::from_chars(type.data() + 1, type.data() + type.size(), lanes);
      type = type.substr(type.find(" x ") + 3);
      type.remove_suffix(1);
    }
    const bool is_signed = letter == 'd' || letter == 'i';
    const u32 begin = bytes_;
    for (u32 i = 0; i < std::max(lanes, 1u); ++i) {
      std::string value = name;
      if (lanes != 0) {
        value = fmt::format("{}.{}", name, i);
        body += fmt::format("  {} = extractelement {} {}, i32 {}\n", value, argument.type, name, i);
      }
      if (type == "i8" || type == "i16" || type == "i1") {
        body += fmt::format("  {0}.wide = {1} {2} {0} to i32\n", value, is_signed ? "sext" : "zext", type);
        store("i32", value + ".wide", 4, body);
      } else if (type.starts_with("ptr")) {
        body += fmt::format("  {0}.wide = ptrtoint {1} {0} to i32\n", value, type);
        store("i32", value + ".wide", 4, body);
      } else if (type == "i32" || type == "float") {
        store(type, value, 4, body);
      } else if (type == "i64") {
        store(type, value, 8, body);
      } else {
        return fail(fmt::format("an argument of type {}", type), "these GPUs have no double precision");
      }
    }
    sizes_.push_back(bytes_ - begin);
  }

  void store(std::string_view type, const std::string& value, u32 bytes, std::string& body) {
    body += fmt::format("  %to{0} = getelementptr inbounds i8, ptr addrspace(1) %record, i32 {0}\n", bytes_);
    body += fmt::format("  store {} {}, ptr addrspace(1) %to{}, align 4\n", type, value, bytes_);
    bytes_ += bytes;
  }

  void change(std::string_view line, const std::vector<TypedOperand>& call, std::string& text) {
    const std::string* format = call.empty() ? nullptr : text_at(call[0].value);
    if (format == nullptr) return fail("a format that is no literal", "give printf its format in quotes");
    const std::string letters = conversions_of(*format);
    const u32 number = count_++;
    const std::string name = fmt::format("@lockstep.printf.{}", number);
    std::string body;
    std::vector<std::string> parameters, values;
    bytes_ = 0;
    sizes_.clear();
    store("i32", fmt::format("{}", number + 1), 4, body);
    for (u32 i = 0; i + 1 < call.size(); ++i) {
      const std::size_t before = parameters.size();
      store_argument(call[i + 1], i, i < letters.size() ? letters[i] : 'x', body, parameters);
      if (parameters.size() != before) values.push_back(call[i + 1].text());
    }
    const auto assignment = assignment_of(line);
    text += fmt::format("  {}call i32 {}({}){}\n", assignment ? fmt::format("{} = ", assignment->name) : "",
                        name, fmt::join(values, ", "), place_of(line));
    notes_ += fmt::format("//@lockstep printf \"{}:{}:{}{}{}\"\n", number + 1, sizes_.size(),
                          fmt::join(sizes_, ":"), sizes_.empty() ? "" : ":", escaped(*format));
    // Who finds the buffer full gives back what it took.
    functions_ += fmt::format(
        "\ndefine internal i32 {}({}) {{\nentry:\n"
        "  %arguments = call ptr addrspace(7) @llvm.r600.implicitarg.ptr()\n"
        "  %place = getelementptr inbounds i8, ptr addrspace(7) %arguments, i32 {}\n"
        "  %address = load i32, ptr addrspace(7) %place, align 4\n"
        "  %buffer = inttoptr i32 %address to ptr addrspace(1)\n"
        "  %begin = atomicrmw add ptr addrspace(1) %buffer, i32 {} monotonic\n"
        "  %limit = getelementptr inbounds i8, ptr addrspace(1) %buffer, i32 4\n"
        "  %room = load i32, ptr addrspace(1) %limit, align 4\n"
        "  %end = add i32 %begin, {}\n"
        "  %fits = icmp ule i32 %end, %room\n"
        "  br i1 %fits, label %fill, label %full\n"
        "fill:\n"
        "  %behind = add i32 %begin, {}\n"
        "  %record = getelementptr inbounds i8, ptr addrspace(1) %buffer, i32 %behind\n"
        "{}"
        "  br label %done\n"
        "full:\n"
        "  %back = atomicrmw sub ptr addrspace(1) %buffer, i32 {} monotonic\n"
        "  br label %done\n"
        "done:\n"
        "  %result = phi i32 [ 0, %fill ], [ -1, %full ]\n"
        "  ret i32 %result\n}}\n",
        name, fmt::join(parameters, ", "), buffer_pointer, bytes_, bytes_ + header_bytes, header_bytes, body,
        bytes_);
  }

  const std::string& path_;
  std::string function_, functions_, notes_;
  std::map<std::string, std::string, std::less<>> texts_;  // by name: constants that are texts
  u32 count_ = 0, bytes_ = 0;                              // of calls; of the record at hand
  std::vector<u32> sizes_;
  std::optional<Diagnostic> error_;
};

}  // namespace

Expected<Printed> with_printf(std::string_view module, const std::string& path) {
  return Printer(path).print(module);
}

}  // namespace lockstep::r600
