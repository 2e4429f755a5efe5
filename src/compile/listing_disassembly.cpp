// The disassembler's text:
//   0000000000001a00 <hello>:
//   ; path/p.cl:2
//   <tab>s_load_dword s8, s[6:7], 0x1c       // 000000001A10: C0020203 0000001C
//   <tab>s_cbranch_execz 62                  // 000000001A98: BF880006 <hello+0x130>
#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/take_line.h"
#include "compile/listing_builder.h"
#include "compile/listing_reader.h"

namespace lockstep {
namespace {

std::optional<u64> hexadecimal(std::string_view text) {
  u64 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<u32> decimal(std::string_view text) {
  u32 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Parsed {
  u64 address = 0;
  u32 size_bytes = 0;
  std::string_view text;
  u32 file = ListingLine::no_file, line = 0;
};

// Branches of every generation: a 16-bit count of words from the next instruction (SOPP) and, from gfx9 on,
// s_call_b64 (SOPK) with the same field.
bool is_branch(std::string_view text) {
  return text.starts_with("s_branch") || text.starts_with("s_cbranch_") || text.starts_with("s_call_b64");
}

bool indirect_branch(std::string_view text) {
  return text.starts_with("s_cbranch_g_fork") || text.starts_with("s_cbranch_join");
}

}  // namespace

Expected<Listing> read_disassembly(std::string_view text, std::span<const u8> object, const ElfFile& elf,
                                   const std::string& name) {
  ListingBuilder builder;
  std::vector<Parsed> parsed;
  u32 file = ListingLine::no_file, line_number = 0;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with("; ")) {
      // "; path:12" sets the line until the next such line, "; name():" names a function.
      const std::size_t colon = line.rfind(':');
      if (colon == std::string_view::npos || colon + 1 == line.size()) continue;
      std::string_view digits = line.substr(colon + 1);
      digits = digits.substr(0, digits.find(' '));
      if (const auto value = decimal(digits)) {
        std::string path(line.substr(2, colon - 2));
        if (path.starts_with("./")) path.erase(0, 2);
        file = builder.file(path);
        line_number = *value;
      }
      continue;
    }
    if (!line.starts_with('\t')) continue;
    const std::size_t comment = line.rfind("// ");
    if (comment == std::string_view::npos) continue;
    Parsed made;
    made.text = trimmed(line.substr(0, comment));
    std::string_view rest = line.substr(comment + 3);
    const auto address = hexadecimal(rest.substr(0, rest.find(':')));
    if (!address)
      return listing_mismatch(name, fmt::format("the disassembler's line '{}' has no address", line));
    made.address = *address;
    rest.remove_prefix(std::min(rest.size(), rest.find(':') + 1));
    for (rest = trimmed(rest); !rest.empty(); rest = trimmed(rest)) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      if (rest.front() == '<') break;  // the branch target
      if (end != 8 || !hexadecimal(rest.substr(0, 8)))
        return listing_mismatch(name, fmt::format("the disassembler's line '{}' has no encoding", line));
      made.size_bytes += 4;
      rest.remove_prefix(end);
    }
    if (made.text.starts_with(".long") || made.text.starts_with("s_code_end")) continue;  // not code
    made.file = file;
    made.line = line_number;
    parsed.push_back(made);
  }

  std::map<u64, std::string> names;  // the first global name wins over a local one
  for (const bool local : {false, true})
    for (const ElfSymbol& symbol : elf.symbols)
      if ((symbol.binding == 0) == local && symbol.section != 0 && symbol.section < elf.sections.size() &&
          elf.sections[symbol.section].executable() && !symbol.name.empty() &&
          !symbol.name.starts_with(".Ltmp") && !symbol.name.starts_with(".Lfunc_"))
        names.emplace(symbol.value, symbol.name);

  for (const Parsed& made : parsed) {
    const auto bytes = bytes_at(object, elf, made.address, made.size_bytes);
    if (made.size_bytes == 0 || made.size_bytes > 20 || bytes.size() != made.size_bytes)
      return listing_mismatch(name,
                              fmt::format("'{}' at {:#x} lies outside the object", made.text, made.address));
    if (!is_branch(made.text) || indirect_branch(made.text)) {
      builder.line(made.address, bytes, made.text, made.file, made.line, 0);
      continue;
    }
    i16 words = 0;
    std::memcpy(&words, bytes.data(), 2);
    const u64 target = made.address + 4 + static_cast<u64>(i64{4} * words);
    const auto at = names.emplace(target, fmt::format(".Lpc_{:x}", target)).first;
    builder.label(at->second, target);
    const std::size_t blank = made.text.rfind(' ');
    builder.line(
        made.address, bytes,
        std::string(made.text.substr(0, blank == std::string_view::npos ? made.text.size() : blank)) + " " +
            at->second,
        made.file, made.line, 0);
  }
  return builder.finish(elf);
}

}  // namespace lockstep
